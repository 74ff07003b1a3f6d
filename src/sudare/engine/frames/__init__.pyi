from .arrow_in import DECIMALS as DECIMALS
from .arrow_in import (
    absent_where as absent_where,
)
from .arrow_in import (
    column_of as column_of,
)
from .arrow_in import (
    from_arrow as from_arrow,
)
from .arrow_in import (
    from_numbers as from_numbers,
)
from .arrow_in import (
    is_exact as is_exact,
)
from .arrow_in import (
    read_column as read_column,
)
from .arrow_in import (
    set_apart as set_apart,
)
from .arrow_in import (
    text_column as text_column,
)
from .arrow_out import SUPPRESSED as SUPPRESSED
from .arrow_out import Marks as Marks
from .arrow_out import (
    exact_or_text as exact_or_text,
)
from .arrow_out import (
    seconds as seconds,
)
from .arrow_out import (
    to_arrow as to_arrow,
)
from .arrow_out import (
    to_plain as to_plain,
)
from .arrow_out import (
    widened as widened,
)
from .arrow_out import (
    wider as wider,
)
from .arrow_out import (
    with_absent as with_absent,
)
from .arrow_out import (
    words_written as words_written,
)
from .arrow_types import (
    as_counts as as_counts,
)
from .arrow_types import (
    days_of as days_of,
)
from .arrow_types import (
    hours_of as hours_of,
)
from .arrow_types import (
    is_label as is_label,
)
from .arrow_types import (
    is_number as is_number,
)
from .arrow_types import (
    is_text as is_text,
)
from .dates import (
    clock_kind as clock_kind,
)
from .dates import (
    counted_alike as counted_alike,
)
from .dates import (
    dates_of as dates_of,
)
from .dates import (
    in_clock_of as in_clock_of,
)
from .dates import (
    is_dated as is_dated,
)
from .dates import (
    moments_of as moments_of,
)
from .dates import (
    numbers_of as numbers_of,
)
from .dates import (
    texts_of as texts_of,
)
from .dates import (
    written_labels as written_labels,
)
from .dates import zone_of as zone_of
from .frame_libraries import (
    FrameOrigin as FrameOrigin,
)
from .frame_libraries import (
    frame_of as frame_of,
)
from .frame_libraries import (
    is_spark as is_spark,
)
from .frame_libraries import (
    part as part,
)
from .frame_libraries import (
    read_frame as read_frame,
)
from .read_options import LAYOUT as LAYOUT
from .read_options import (
    AbsentWords as AbsentWords,
)
from .read_options import (
    ColumnType as ColumnType,
)
from .read_options import (
    FileOptions as FileOptions,
)
from .read_options import (
    Reading as Reading,
)
from .read_options import (
    ReadOptions as ReadOptions,
)
from .read_options import Totals as Totals
from .read_options import (
    Words as Words,
)
from .read_options import (
    stated as stated,
)
from .text_types import (
    comes_back as comes_back,
)
from .text_types import (
    fixed_decimals as fixed_decimals,
)
from .text_types import (
    has_long_wholes as has_long_wholes,
)
from .text_types import (
    kind_of as kind_of,
)
from .text_types import (
    read_as as read_as,
)
from .total_words import is_total as is_total
from .total_words import suspected_totals as suspected_totals
from .total_words import totals_noted as totals_noted
from .written_dates import unread_dates as unread_dates
from .written_numbers import DecimalMarks as DecimalMarks
from .written_numbers import Mark as Mark
from .written_numbers import Units as Units
from .written_numbers import marks_of as marks_of
from .written_numbers import numbers_of_texts as numbers_of_texts
from .written_numbers import units_of as units_of
