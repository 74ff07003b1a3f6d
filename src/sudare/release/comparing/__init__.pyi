from .compare_recipes import Runner as Runner
from .compare_recipes import compare as compare
from .compare_recipes import labelled as labelled
from .comparison import Candidate as Candidate
from .comparison import Comparison as Comparison
from .masking_effects import ColumnEffect as ColumnEffect
from .masking_effects import MaskingEffect as MaskingEffect
from .masking_effects import masking_effect as masking_effect
