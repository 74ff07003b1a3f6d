from .draws import (
    Draws as Draws,
    Seed as Seed,
    draws_from as draws_from,
    guessable as guessable,
    normal_from as normal_from,
    stretched as stretched,
)
from .errors import (
    ColumnError as ColumnError,
    InputError as InputError,
    MismatchError as MismatchError,
    MissingPartError as MissingPartError,
    OutputError as OutputError,
    SettingError as SettingError,
    SudareError as SudareError,
    TooLargeError as TooLargeError,
    naming_column as naming_column,
    unknown_name as unknown_name,
)
from .figure import (
    Figure as Figure,
    font_folders as font_folders,
    nominal as nominal,
    picture_format as picture_format,
    quantitative as quantitative,
    with_looks as with_looks,
)
from .fingerprints import fingerprint as fingerprint
from .kernels import (
    CardVector as CardVector,
    CodeCube as CodeCube,
    CodeMatrix as CodeMatrix,
    CodeVector as CodeVector,
    FlagMatrix as FlagMatrix,
    FlagVector as FlagVector,
    FloatCube as FloatCube,
    FloatMatrix as FloatMatrix,
    FloatVector as FloatVector,
    IntegerMatrix as IntegerMatrix,
    IntegerVector as IntegerVector,
    SingleCube as SingleCube,
    SingleMatrix as SingleMatrix,
    Singles as Singles,
    SingleVector as SingleVector,
    WordVector as WordVector,
    as_matrix as as_matrix,
    inlined as inlined,
    kernel as kernel,
    prefetch as prefetch,
)
from .messages import (
    LANGUAGES as LANGUAGES,
    Language as Language,
    Message as Message,
    Names as Names,
    Percent as Percent,
    language as language,
    paragraph as paragraph,
    retellable as retellable,
    retold as retold,
    say as say,
    shown as shown,
    speaking as speaking,
)
from .methods.applying import (
    LabelPlan as LabelPlan,
    Masked as Masked,
    OnProgress as OnProgress,
    apply as apply,
    chain_of as chain_of,
    versions as versions,
    without_lost_labels as without_lost_labels,
)
from .methods.channels import (
    BoundedNoise as BoundedNoise,
    Channel as Channel,
    Exchange as Exchange,
    Published as Published,
    Replacement as Replacement,
    in_turn as in_turn,
    noise_scale as noise_scale,
    published_channel as published_channel,
    replacement_retain as replacement_retain,
)
from .methods.masker import (
    AnyMasker as AnyMasker,
    ColumnPlan as ColumnPlan,
    Masker as Masker,
    Plan as Plan,
    Relation as Relation,
    Step as Step,
    WorksOn as WorksOn,
)
from .methods.measure import (
    Assessment as Assessment,
    Kind as Kind,
    Measure as Measure,
    Needs as Needs,
    Result as Result,
)
from .methods.method import Method as Method, Takes as Takes, check_table as check_table
from .methods.number_functions import (
    Combination as Combination,
    Multiples as Multiples,
    NumberClasses as NumberClasses,
    NumberFunction as NumberFunction,
    Tails as Tails,
)
from .methods.record_order import in_same_order as in_same_order
from .methods.table_pair import LargeTablePair as LargeTablePair, TablePair as TablePair
from .notebook import html_table as html_table
from .public_numbers import (
    MANY_RECORDS as MANY_RECORDS,
    counts_with_noise as counts_with_noise,
    factor_bits as factor_bits,
    multiple_below as multiple_below,
    noise_grid as noise_grid,
    on_public_grid as on_public_grid,
    round_range as round_range,
    round_unit as round_unit,
    significant as significant,
    significant_above as significant_above,
    significant_bits as significant_bits,
    unit_above as unit_above,
    with_noise as with_noise,
)
from .settings import (
    AtLeast as AtLeast,
    Between as Between,
    Checked as Checked,
    Declared as Declared,
    Setting as Setting,
    settings_of as settings_of,
)
from .table.categorical import Categorical as Categorical, label_codes as label_codes
from .table.column import (
    MISSING as MISSING,
    NOT_APPLICABLE as NOT_APPLICABLE,
    Column as Column,
    Label as Label,
)
from .table.contents import (
    LabelWords as LabelWords,
    content_sum as content_sum,
    contents as contents,
)
from .table.large import (
    MOST_VALUES as MOST_VALUES,
    BlockResult as BlockResult,
    Extremes as Extremes,
    LargeTable as LargeTable,
    Outline as Outline,
    Parting as Parting,
    Sizes as Sizes,
    not_counted as not_counted,
)
from .table.microdata import (
    ROLES as ROLES,
    SCALES as SCALES,
    Microdata as Microdata,
    Origin as Origin,
    by_column as by_column,
    check_known as check_known,
    check_names as check_names,
    check_weights as check_weights,
    check_words as check_words,
    multiplied as multiplied,
    rescaled as rescaled,
    visible_text as visible_text,
)
from .table.moments import Moments as Moments
from .table.numeric import (
    Numeric as Numeric,
    blanked as blanked,
    distinct as distinct,
    same_values as same_values,
)
from .table.written import (
    FixedDecimals as FixedDecimals,
    Written as Written,
    WrittenLabels as WrittenLabels,
)
from .terms import (
    Term as Term,
    glossary as glossary,
    role_word as role_word,
    scale_title as scale_title,
    scale_word as scale_word,
)
from .types import (
    Array as Array,
    Codes as Codes,
    Flags as Flags,
    Floats as Floats,
    Integers as Integers,
    Role as Role,
    Scale as Scale,
)
