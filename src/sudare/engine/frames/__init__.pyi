from .arrow_in import (
    DECIMALS as DECIMALS,
    absent_where as absent_where,
    column_of as column_of,
    from_arrow as from_arrow,
    from_numbers as from_numbers,
    is_exact as is_exact,
    read_column as read_column,
    set_apart as set_apart,
    text_column as text_column,
)
from .arrow_out import (
    MOST_SHORT as MOST_SHORT,
    SHORT as SHORT,
    SUPPRESSED as SUPPRESSED,
    Marks as Marks,
    exact_or_text as exact_or_text,
    in_one_spelling as in_one_spelling,
    is_number_word as is_number_word,
    seconds as seconds,
    to_arrow as to_arrow,
    to_plain as to_plain,
    widened as widened,
    wider as wider,
    with_absent as with_absent,
    words_written as words_written,
)
from .arrow_types import (
    as_counts as as_counts,
    comes_back as comes_back,
    days_of as days_of,
    fixed_decimals as fixed_decimals,
    has_long_wholes as has_long_wholes,
    hours_of as hours_of,
    is_label as is_label,
    is_number as is_number,
    is_text as is_text,
    kind_of as kind_of,
    read_as as read_as,
)
from .dates import (
    clock_kind as clock_kind,
    counted_alike as counted_alike,
    dates_of as dates_of,
    days_unit as days_unit,
    in_clock_of as in_clock_of,
    is_dated as is_dated,
    moments_of as moments_of,
    numbers_of as numbers_of,
    texts_of as texts_of,
    written_labels as written_labels,
    zone_of as zone_of,
)
from .frame_libraries import (
    FrameOrigin as FrameOrigin,
    frame_of as frame_of,
    is_spark as is_spark,
    leave_pandas_out as leave_pandas_out,
    part as part,
    read_frame as read_frame,
)
from .read_options import (
    LAYOUT as LAYOUT,
    AbsentWords as AbsentWords,
    ColumnType as ColumnType,
    FileOptions as FileOptions,
    Reading as Reading,
    ReadOptions as ReadOptions,
    Totals as Totals,
    Words as Words,
    stated as stated,
)
from .total_words import (
    is_total as is_total,
    suspected_totals as suspected_totals,
    totals_noted as totals_noted,
)
from .written_dates import unread_dates as unread_dates
from .written_numbers import (
    DecimalMarks as DecimalMarks,
    Mark as Mark,
    Units as Units,
    are_numbers as are_numbers,
    marks_of as marks_of,
    numbers_of_texts as numbers_of_texts,
    units_of as units_of,
)
