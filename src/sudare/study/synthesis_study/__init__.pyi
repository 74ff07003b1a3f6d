from .slides import ERROR as ERROR, RISK as RISK
from .study import synthesis as synthesis
