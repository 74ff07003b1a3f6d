from .slides import ERROR as ERROR
from .slides import RISK as RISK
from .study import synthesis as synthesis
