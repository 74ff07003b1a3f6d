from .comparing.compare_recipes import compare as compare
from .comparing.comparison import Comparison as Comparison
from .default_measures import FOR_HISTORIES as FOR_HISTORIES, FOR_TABLES as FOR_TABLES, LOSS as LOSS
from .inspection.all_checks import gate as gate
from .inspection.findings import Finding as Finding, Findings as Findings
from .inspection.release_guarantees.guarantees import Condition as Condition, Guarantee as Guarantee
from .legal.checklist import LegalProfile as LegalProfile, legal_profiles as legal_profiles
from .library_versions import other_versions as other_versions
from .limits import Limit as Limit
from .method_words import (
    measure_title as measure_title,
    parse_masker as parse_masker,
    parse_measure as parse_measure,
)
from .project.project import Project as Project
from .publishing.effect import refuse_empty as refuse_empty
from .publishing.leaving import (
    Outgoing as Outgoing,
    as_released as as_released,
    outgoing as outgoing,
)
from .publishing.ledger import Ledger as Ledger, plain as plain
from .publishing.publication import Publication as Publication
from .publishing.publish_release import publish as publish
from .publishing.report_texts import ReportTexts as ReportTexts
from .publishing.seeding import release_seed as release_seed, trial_warning as trial_warning
from .publishing.table_formats import Format as Format
from .recipe import Recipe as Recipe
from .report.document import Chart as Chart, Report as Report, Table as Table, Text as Text
from .searching.search_recipes import SearchResult as SearchResult, search as search
