from .compatible_records import pair_company as pair_company
