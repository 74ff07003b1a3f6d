from .associations import (
    Association as Association,
    Pair as Pair,
    association as association,
    cramers_matrix as cramers_matrix,
    explained_share as explained_share,
    strength as strength,
    variables as variables,
)
from .column_cards import (
    Bar as Bar,
    Card as Card,
    Cards as Cards,
    bars_of as bars_of,
    bars_within as bars_within,
    cards as cards,
    shown_bounds as shown_bounds,
)
from .confidence_intervals import (
    Confidence as Confidence,
    binomial_chances as binomial_chances,
    exact_bound as exact_bound,
    wilson_interval as wilson_interval,
)
from .determination import determines as determines
from .distances.graphs import Graph as Graph
from .distances.metrics import Function as Function, PNorm as PNorm
from .distances.trees import Distance as Distance, Tree as Tree
from .diversity import (
    Closeness as Closeness,
    Diversity as Diversity,
    Recursion as Recursion,
    Sensitive as Sensitive,
    Spread as Spread,
    distinct as distinct,
    effective as effective,
    equal_distance as equal_distance,
    hierarchical_distance as hierarchical_distance,
    histogram_codes as histogram_codes,
    is_ordered as is_ordered,
    ordered_distance as ordered_distance,
    recursive as recursive,
    sensitive_columns as sensitive_columns,
    spread as spread,
    united as united,
    value_codes as value_codes,
    value_groups as value_groups,
)
from .edit_rules import EditRule as EditRule, applicable as applicable, edited as edited
from .hierarchies.hierarchy import Hierarchy as Hierarchy
from .hierarchies.hierarchy_settings import automatic as automatic
from .obstacles import Obstacle as Obstacle
from .problem_groups import Problem as Problem, problems as problems
from .profiles import (
    ColumnProfile as ColumnProfile,
    Profile as Profile,
    large_profile as large_profile,
    profile as profile,
)
from .proposing.headings import concept_of as concept_of
from .proposing.proposal import Derivation as Derivation, Filter as Filter, Proposal as Proposal
from .proposing.propose import proposals as proposals
from .proposing.suspicions import Suspicion as Suspicion, suspicions as suspicions
from .proposing.values.label_orders import label_order as label_order
from .scale_guesses import ScaleGuess as ScaleGuess, scales as scales
from .variable_groups import Grouping as Grouping, group_variables as group_variables
