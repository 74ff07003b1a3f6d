from .global_recode import RecodePlan as RecodePlan
from .global_recode import Recoding as Recoding
