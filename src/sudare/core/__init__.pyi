from .channels import (
    BoundedNoise as BoundedNoise,
)
from .channels import (
    Channel as Channel,
)
from .channels import (
    Exchange as Exchange,
)
from .channels import (
    Published as Published,
)
from .channels import (
    Replacement as Replacement,
)
from .channels import (
    in_turn as in_turn,
)
from .channels import (
    noise_scale as noise_scale,
)
from .channels import (
    published_channel as published_channel,
)
from .channels import (
    replacement_retain as replacement_retain,
)
from .columns import (
    MISSING as MISSING,
)
from .columns import (
    NOT_APPLICABLE as NOT_APPLICABLE,
)
from .columns import (
    Categorical as Categorical,
)
from .columns import (
    Column as Column,
)
from .columns import (
    Label as Label,
)
from .columns import (
    Numeric as Numeric,
)
from .columns import (
    Written as Written,
)
from .columns import (
    distinct as distinct,
)
from .columns import (
    label_codes as label_codes,
)
from .columns import (
    same_values as same_values,
)
from .draws import (
    Draws as Draws,
)
from .draws import (
    Seed as Seed,
)
from .draws import (
    draws_from as draws_from,
)
from .draws import (
    normal_from as normal_from,
)
from .errors import (
    ColumnError as ColumnError,
)
from .errors import (
    InputError as InputError,
)
from .errors import (
    MismatchError as MismatchError,
)
from .errors import (
    MissingPartError as MissingPartError,
)
from .errors import (
    OutputError as OutputError,
)
from .errors import (
    SettingError as SettingError,
)
from .errors import (
    SudareError as SudareError,
)
from .errors import (
    TooLargeError as TooLargeError,
)
from .errors import (
    naming_column as naming_column,
)
from .errors import (
    unknown_name as unknown_name,
)
from .fingerprints import fingerprint as fingerprint
from .kernels import kernel as kernel
from .large import (
    MOST_VALUES as MOST_VALUES,
)
from .large import (
    BlockResult as BlockResult,
)
from .large import (
    Extremes as Extremes,
)
from .large import (
    LargeTable as LargeTable,
)
from .large import (
    Outline as Outline,
)
from .large import (
    Parting as Parting,
)
from .large import (
    Sizes as Sizes,
)
from .masker import (
    AnyMasker as AnyMasker,
)
from .masker import (
    ColumnPlan as ColumnPlan,
)
from .masker import (
    Masked as Masked,
)
from .masker import (
    Masker as Masker,
)
from .masker import (
    OnProgress as OnProgress,
)
from .masker import (
    Plan as Plan,
)
from .masker import (
    Step as Step,
)
from .masker import (
    WorksOn as WorksOn,
)
from .masker import (
    apply as apply,
)
from .masker import (
    chain_of as chain_of,
)
from .masker import (
    versions as versions,
)
from .measure import (
    Assessment as Assessment,
)
from .measure import (
    Kind as Kind,
)
from .measure import (
    Measure as Measure,
)
from .measure import (
    Needs as Needs,
)
from .measure import (
    Result as Result,
)
from .messages import (
    LANGUAGES as LANGUAGES,
)
from .messages import (
    Language as Language,
)
from .messages import (
    language as language,
)
from .messages import (
    say as say,
)
from .messages import (
    speaking as speaking,
)
from .method import Method as Method
from .method import Takes as Takes
from .microdata import (
    ROLES as ROLES,
)
from .microdata import (
    SCALES as SCALES,
)
from .microdata import (
    Microdata as Microdata,
)
from .microdata import (
    Origin as Origin,
)
from .microdata import by_column as by_column
from .microdata import (
    check_names as check_names,
)
from .microdata import (
    check_weights as check_weights,
)
from .microdata import (
    check_words as check_words,
)
from .microdata import (
    rescaled as rescaled,
)
from .moments import Moments as Moments
from .notebook import html_table as html_table
from .settings import (
    AtLeast as AtLeast,
)
from .settings import (
    Between as Between,
)
from .settings import (
    Checked as Checked,
)
from .settings import (
    Declared as Declared,
)
from .settings import (
    Setting as Setting,
)
from .settings import (
    build as build,
)
from .settings import (
    settings_of as settings_of,
)
from .table_pair import LargeTablePair as LargeTablePair
from .table_pair import TablePair as TablePair
from .types import (
    Array as Array,
)
from .types import (
    Codes as Codes,
)
from .types import (
    Figure as Figure,
)
from .types import (
    Flags as Flags,
)
from .types import (
    Floats as Floats,
)
from .types import (
    Integers as Integers,
)
from .types import (
    Role as Role,
)
from .types import (
    Scale as Scale,
)
