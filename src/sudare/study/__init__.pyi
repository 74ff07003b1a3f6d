from .distance_study.study import distance as distance
from .history_study.study import history as history
from .randomization_study.study import randomization as randomization
from .recoding_study.study import recoding as recoding
from .result import StudyResult as StudyResult
from .speed_study import speed as speed
from .synthesis_study.study import synthesis as synthesis
