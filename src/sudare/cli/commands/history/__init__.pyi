from .commands import app as app
from .study import STUDY_HELP as STUDY_HELP, run_study as run_study
