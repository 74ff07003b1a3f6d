from .forest import Forest as Forest
from .tree import DecisionTree as DecisionTree, SortedInputs as SortedInputs
