from .evaluation_queue import (
    EvaluationProgress as EvaluationProgress,
    EvaluationQueue as EvaluationQueue,
    enqueue as enqueue,
)
from .sandbox import (
    ContestUnavailable as ContestUnavailable,
    EvaluationFailed as EvaluationFailed,
    RulesFailed as RulesFailed,
    Sandbox as Sandbox,
)
