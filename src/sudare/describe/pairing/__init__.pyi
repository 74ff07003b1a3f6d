from .extreme_numbers import refuse_extreme as refuse_extreme
from .missing_keys import (
    Rule as Rule,
    by_rule as by_rule,
    class_figures as class_figures,
    key_counts as key_counts,
    key_sizes as key_sizes,
    rule_notes as rule_notes,
)
from .shared_codes import (
    category_codes as category_codes,
    class_codes as class_codes,
    comparable_codes as comparable_codes,
    comparison_notes as comparison_notes,
    merged_into as merged_into,
    places_among as places_among,
    shared_keys as shared_keys,
)
from .table_measure import TableMeasure as TableMeasure
