from .jobs import Jobs as Jobs
from .jobs import Progress as Progress
from .jobs import enqueue as enqueue
from .original import prepare as prepare
