from .attribute_inference import AttributeInference as AttributeInference
from .control import Control as Control
from .control import members as members
