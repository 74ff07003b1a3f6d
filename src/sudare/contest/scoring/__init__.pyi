from .evaluation_queue import EvaluationProgress as EvaluationProgress
from .evaluation_queue import EvaluationQueue as EvaluationQueue
from .evaluation_queue import enqueue as enqueue
from .original import prepare as prepare
