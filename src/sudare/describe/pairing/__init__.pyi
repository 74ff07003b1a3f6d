from .shared_codes import category_codes as category_codes
from .shared_codes import class_codes as class_codes
from .shared_codes import comparable_codes as comparable_codes
from .shared_codes import comparison_notes as comparison_notes
from .shared_codes import merged_into as merged_into
from .shared_codes import places_among as places_among
from .table_measure import TableMeasure as TableMeasure
