from .history_publication import HistoryPublication as HistoryPublication
from .publication import Publication as Publication
from .publication import TablePublication as TablePublication
from .publish_release import publish as publish
from .report_texts import ReportTexts as ReportTexts
from .seeding import trial_warning as trial_warning
from .table_formats import Format as Format
