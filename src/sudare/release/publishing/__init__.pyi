from .history_publication import HistoryPublication as HistoryPublication
from .leaving import accepted_findings as accepted_findings
from .public_figures import EPSILON as EPSILON
from .publication import Publication as Publication
from .publish_release import publish as publish
from .release_draws import (
    draws_for as draws_for,
    renumbering_customers as renumbering_customers,
)
from .report_texts import ReportTexts as ReportTexts
from .seeding import trial_warning as trial_warning
from .table_formats import Format as Format
from .table_publication import TablePublication as TablePublication
