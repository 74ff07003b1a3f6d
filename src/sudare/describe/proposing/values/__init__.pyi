from .absent_words import absent_labels as absent_labels, find_absent_words as find_absent_words
from .label_orders import label_order as label_order
from .value_lists import number_words as number_words, words as words
from .value_patterns import (
    is_full_name as is_full_name,
    is_individual_number as is_individual_number,
    topic_of as topic_of,
)
from .written_values import (
    calendar_of as calendar_of,
    number_rules as number_rules,
    stray_dates as stray_dates,
)
