from .forest import Forest as Forest
from .tree import DecisionTree as DecisionTree
from .tree import SortedInputs as SortedInputs
