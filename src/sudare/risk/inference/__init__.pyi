from .attribute_inference import (
    AttributeInference as AttributeInference,
    chances_of_nearest as chances_of_nearest,
)
from .control import (
    ControlledRisk as ControlledRisk,
    Excess as Excess,
    excess as excess,
    members as members,
    targets as targets,
)
from .membership_inference import criteria as criteria
from .membership_scores import (
    ATTACKERS as ATTACKERS,
    Knowledge as Knowledge,
    attacker_title as attacker_title,
    random_half as random_half,
)
