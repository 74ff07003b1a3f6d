from .evaluation_queue import EvaluationProgress as EvaluationProgress
from .evaluation_queue import EvaluationQueue as EvaluationQueue
from .evaluation_queue import enqueue as enqueue
from .sandbox import ContestUnavailable as ContestUnavailable
from .sandbox import EvaluationFailed as EvaluationFailed
from .sandbox import RulesFailed as RulesFailed
from .sandbox import Sandbox as Sandbox
