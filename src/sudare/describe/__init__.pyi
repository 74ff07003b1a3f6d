from .associations import (
    Association as Association,
)
from .associations import (
    Pair as Pair,
)
from .associations import (
    association as association,
)
from .associations import (
    cramers_matrix as cramers_matrix,
)
from .associations import (
    explained_share as explained_share,
)
from .associations import (
    strength as strength,
)
from .associations import (
    variables as variables,
)
from .column_cards import Bar as Bar
from .column_cards import Card as Card
from .column_cards import Cards as Cards
from .column_cards import bars_of as bars_of
from .column_cards import bars_within as bars_within
from .column_cards import cards as cards
from .column_cards import shown_bounds as shown_bounds
from .confidence_intervals import Confidence as Confidence
from .confidence_intervals import wilson_interval as wilson_interval
from .determination import determines as determines
from .distances.graphs import Graph as Graph
from .distances.metrics import Function as Function
from .distances.metrics import PNorm as PNorm
from .distances.trees import Distance as Distance
from .distances.trees import Tree as Tree
from .diversity import (
    Closeness as Closeness,
)
from .diversity import (
    Diversity as Diversity,
)
from .diversity import (
    Recursion as Recursion,
)
from .diversity import (
    Sensitive as Sensitive,
)
from .diversity import (
    Spread as Spread,
)
from .diversity import (
    distinct as distinct,
)
from .diversity import (
    effective as effective,
)
from .diversity import (
    equal_distance as equal_distance,
)
from .diversity import (
    hierarchical_distance as hierarchical_distance,
)
from .diversity import (
    histogram_codes as histogram_codes,
)
from .diversity import (
    is_ordered as is_ordered,
)
from .diversity import (
    ordered_distance as ordered_distance,
)
from .diversity import (
    recursive as recursive,
)
from .diversity import (
    sensitive_columns as sensitive_columns,
)
from .diversity import (
    spread as spread,
)
from .diversity import (
    united as united,
)
from .diversity import (
    value_codes as value_codes,
)
from .diversity import (
    value_groups as value_groups,
)
from .edit_rules import EditRule as EditRule
from .edit_rules import applicable as applicable
from .edit_rules import edited as edited
from .hierarchies.hierarchy import Hierarchy as Hierarchy
from .hierarchies.hierarchy_settings import automatic as automatic
from .obstacles import Obstacle as Obstacle
from .problem_groups import Problem as Problem
from .problem_groups import problems as problems
from .profiles import ColumnProfile as ColumnProfile
from .profiles import Profile as Profile
from .profiles import large_profile as large_profile
from .profiles import profile as profile
from .proposing.derivations import derived_columns as derived_columns
from .proposing.headings import concept_of as concept_of
from .proposing.proposal import Derivation as Derivation
from .proposing.proposal import Filter as Filter
from .proposing.proposal import Proposal as Proposal
from .proposing.propose import proposals as proposals
from .proposing.suspicions import Suspicion as Suspicion
from .proposing.suspicions import suspicions as suspicions
from .proposing.values.label_orders import label_order as label_order
from .scale_guesses import ScaleGuess as ScaleGuess
from .scale_guesses import scales as scales
from .variable_groups import Grouping as Grouping
from .variable_groups import group_variables as group_variables
