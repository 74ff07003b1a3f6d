from .global_recode import RecodePlan as RecodePlan, Recoding as Recoding
