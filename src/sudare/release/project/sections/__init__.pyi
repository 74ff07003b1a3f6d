from .project_sections import (
    VERSION as VERSION,
    ColumnSection as ColumnSection,
    Confirmation as Confirmation,
    DataSection as DataSection,
    LimitsSection as LimitsSection,
    MeasuresSection as MeasuresSection,
    ProjectSections as ProjectSections,
    ReleaseSection as ReleaseSection,
    ReportSection as ReportSection,
)
from .section_reading import is_section as is_section, section_from as section_from
from .versions import migrate as migrate
