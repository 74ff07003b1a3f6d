from .creating import default_path as default_path
from .editing import unconfirmed as unconfirmed
from .finding import only_one as only_one, projects_for as projects_for, projects_in as projects_in
from .project import Project as Project
from .purchase_history import (
    history_limits as history_limits,
    history_measures as history_measures,
    history_project as history_project,
    project_history as project_history,
    publish_history as publish_history,
)
from .reading_options import of_released as of_released
from .sections.json_schema import project_schema as project_schema
from .sections.project_sections import (
    ProjectSections as ProjectSections,
    ReleaseSection as ReleaseSection,
)
