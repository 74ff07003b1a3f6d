from .compare_recipes import Runner as Runner, compare as compare, labelled as labelled
from .comparison import Candidate as Candidate, Comparison as Comparison
from .masking_effects import (
    ColumnEffect as ColumnEffect,
    MaskingEffect as MaskingEffect,
    masking_effect as masking_effect,
)
