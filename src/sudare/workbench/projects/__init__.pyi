from .journal import Journal as Journal
from .journal import JournalStep as JournalStep
from .open_project import OpenProject as OpenProject
from .open_project import StaleError as StaleError
from .recent_projects import RecentProjects as RecentProjects
from .recent_projects import project_id as project_id
from .user_folder import state_folder as state_folder
