from .journal import Journal as Journal, JournalStep as JournalStep
from .open_project import OpenProject as OpenProject, StaleError as StaleError
from .recent_projects import RecentProjects as RecentProjects, project_id as project_id
from .user_folder import state_folder as state_folder
