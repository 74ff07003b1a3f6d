from .creating import default_path as default_path
from .finding import projects_for as projects_for
from .finding import projects_in as projects_in
from .json_schema import project_schema as project_schema
from .project import Project as Project
from .reading_options import of_released as of_released
from .sections import ProjectSections as ProjectSections
