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
    guessable as guessable,
)
from .draws import (
    normal_from as normal_from,
)
from .draws import (
    stretched as stretched,
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
from .figure import Figure as Figure
from .figure import font_folders as font_folders
from .figure import picture_format as picture_format
from .fingerprints import fingerprint as fingerprint
from .kernels import (
    CardVector as CardVector,
)
from .kernels import (
    CodeCube as CodeCube,
)
from .kernels import (
    CodeMatrix as CodeMatrix,
)
from .kernels import (
    CodeVector as CodeVector,
)
from .kernels import (
    FlagMatrix as FlagMatrix,
)
from .kernels import (
    FlagVector as FlagVector,
)
from .kernels import (
    FloatCube as FloatCube,
)
from .kernels import (
    FloatMatrix as FloatMatrix,
)
from .kernels import (
    FloatVector as FloatVector,
)
from .kernels import (
    IntegerMatrix as IntegerMatrix,
)
from .kernels import (
    IntegerVector as IntegerVector,
)
from .kernels import (
    SingleCube as SingleCube,
)
from .kernels import (
    SingleMatrix as SingleMatrix,
)
from .kernels import (
    Singles as Singles,
)
from .kernels import (
    SingleVector as SingleVector,
)
from .kernels import (
    WordVector as WordVector,
)
from .kernels import (
    as_matrix as as_matrix,
)
from .kernels import (
    inlined as inlined,
)
from .kernels import (
    kernel as kernel,
)
from .kernels import (
    prefetch as prefetch,
)
from .messages import (
    LANGUAGES as LANGUAGES,
)
from .messages import (
    Language as Language,
)
from .messages import (
    Message as Message,
)
from .messages import (
    Percent as Percent,
)
from .messages import (
    language as language,
)
from .messages import (
    paragraph as paragraph,
)
from .messages import (
    retellable as retellable,
)
from .messages import (
    retold as retold,
)
from .messages import (
    say as say,
)
from .messages import (
    shown as shown,
)
from .messages import (
    speaking as speaking,
)
from .methods.channels import (
    BoundedNoise as BoundedNoise,
)
from .methods.channels import (
    Channel as Channel,
)
from .methods.channels import (
    Exchange as Exchange,
)
from .methods.channels import (
    Published as Published,
)
from .methods.channels import (
    Replacement as Replacement,
)
from .methods.channels import (
    in_turn as in_turn,
)
from .methods.channels import (
    noise_scale as noise_scale,
)
from .methods.channels import (
    published_channel as published_channel,
)
from .methods.channels import (
    replacement_retain as replacement_retain,
)
from .methods.masker import (
    AnyMasker as AnyMasker,
)
from .methods.masker import (
    ColumnPlan as ColumnPlan,
)
from .methods.masker import (
    Masked as Masked,
)
from .methods.masker import (
    Masker as Masker,
)
from .methods.masker import (
    OnProgress as OnProgress,
)
from .methods.masker import (
    Plan as Plan,
)
from .methods.masker import (
    Relation as Relation,
)
from .methods.masker import (
    Step as Step,
)
from .methods.masker import (
    WorksOn as WorksOn,
)
from .methods.masker import (
    apply as apply,
)
from .methods.masker import (
    chain_of as chain_of,
)
from .methods.masker import (
    versions as versions,
)
from .methods.measure import (
    Assessment as Assessment,
)
from .methods.measure import (
    Kind as Kind,
)
from .methods.measure import (
    Measure as Measure,
)
from .methods.measure import (
    Needs as Needs,
)
from .methods.measure import (
    Result as Result,
)
from .methods.method import Method as Method
from .methods.method import Takes as Takes
from .methods.record_order import in_same_order as in_same_order
from .methods.table_pair import LargeTablePair as LargeTablePair
from .methods.table_pair import TablePair as TablePair
from .notebook import html_table as html_table
from .public_numbers import MANY_RECORDS as MANY_RECORDS
from .public_numbers import counts_with_noise as counts_with_noise
from .public_numbers import factor_bits as factor_bits
from .public_numbers import multiple_below as multiple_below
from .public_numbers import noise_grid as noise_grid
from .public_numbers import on_public_grid as on_public_grid
from .public_numbers import round_range as round_range
from .public_numbers import round_unit as round_unit
from .public_numbers import significant as significant
from .public_numbers import significant_above as significant_above
from .public_numbers import significant_bits as significant_bits
from .public_numbers import unit_above as unit_above
from .public_numbers import with_noise as with_noise
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
    settings_of as settings_of,
)
from .table.categorical import Categorical as Categorical
from .table.categorical import label_codes as label_codes
from .table.column import MISSING as MISSING
from .table.column import NOT_APPLICABLE as NOT_APPLICABLE
from .table.column import Column as Column
from .table.column import Label as Label
from .table.contents import content_sum as content_sum
from .table.contents import contents as contents
from .table.large import (
    MOST_VALUES as MOST_VALUES,
)
from .table.large import (
    BlockResult as BlockResult,
)
from .table.large import (
    Extremes as Extremes,
)
from .table.large import (
    LargeTable as LargeTable,
)
from .table.large import (
    Outline as Outline,
)
from .table.large import (
    Parting as Parting,
)
from .table.large import (
    Sizes as Sizes,
)
from .table.microdata import (
    ROLES as ROLES,
)
from .table.microdata import (
    SCALES as SCALES,
)
from .table.microdata import (
    Microdata as Microdata,
)
from .table.microdata import (
    Origin as Origin,
)
from .table.microdata import by_column as by_column
from .table.microdata import (
    check_names as check_names,
)
from .table.microdata import (
    check_weights as check_weights,
)
from .table.microdata import (
    check_words as check_words,
)
from .table.microdata import (
    multiplied as multiplied,
)
from .table.microdata import (
    rescaled as rescaled,
)
from .table.microdata import visible_text as visible_text
from .table.moments import Moments as Moments
from .table.numeric import Numeric as Numeric
from .table.numeric import blanked as blanked
from .table.numeric import distinct as distinct
from .table.numeric import same_values as same_values
from .table.written import FixedDecimals as FixedDecimals
from .table.written import Written as Written
from .table.written import WrittenLabels as WrittenLabels
from .terms import Term as Term
from .terms import glossary as glossary
from .terms import role_word as role_word
from .terms import scale_word as scale_word
from .types import (
    Array as Array,
)
from .types import (
    Codes as Codes,
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
