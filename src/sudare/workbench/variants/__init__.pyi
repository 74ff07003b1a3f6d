from .lattice_chart import LEGEND as LEGEND, drawn_lattice as drawn_lattice, fitting as fitting
from .lattice_work import LISTING as LISTING, Choosing as Choosing, list_solutions as list_solutions
from .map_chart import MapView as MapView
from .pair_work import PAIRING as PAIRING, compare_pair as compare_pair
from .recipe_edits import RecipeEdits as RecipeEdits
from .trial_results import TrialResults as TrialResults, TrialState as TrialState
from .trial_work import (
    COMPARING as COMPARING,
    FINDING as FINDING,
    SEED as SEED,
    TRYING as TRYING,
    ProjectText as ProjectText,
    compare_variants as compare_variants,
    find_recipe as find_recipe,
    read_table as read_table,
    try_variant as try_variant,
)
from .variant_steps import (
    Steps as Steps,
    chosen_variant as chosen_variant,
    shown_variant as shown_variant,
    starred_variant as starred_variant,
    steps_of as steps_of,
    variant_names as variant_names,
    with_steps as with_steps,
)
