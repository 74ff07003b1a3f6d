"""Purchase histories: reading, masking, attacking and scoring them."""

from sudare.transactions.attack import Attacker, Guess
from sudare.transactions.attackers import (
    ContainmentAttacker,
    ItemSetAttacker,
    LikelihoodAttacker,
    RowCountAttacker,
)
from sudare.transactions.best_attack import BestAttack, best_attack
from sudare.transactions.cells import ItemSets, MaskedHistory, Ranges
from sudare.transactions.checking import check
from sudare.transactions.customer_anonymity import CustomerAnonymity
from sudare.transactions.derivation import history_from
from sudare.transactions.files import (
    published,
    read_guess,
    read_history,
    read_masked,
    write_guess,
    write_history,
    write_masked,
)
from sudare.transactions.history import History
from sudare.transactions.losses import CellError
from sudare.transactions.reidentification import (
    ATTACKERS,
    Attacks,
    Reidentification,
    Score,
    attack_all,
    score_guess,
)
from sudare.transactions.rules import PWSCUP_2018, Rules
from sudare.transactions.safety import (
    chance_bound,
    hit_chance,
    right_in_groups,
    safe_anonymity,
    threshold,
    tight_bound,
)
from sudare.transactions.sampling import sample
from sudare.transactions.simple import (
    CellDeletion,
    CoarseDates,
    ItemFamilies,
    PriceBands,
    Pseudonyms,
    QuantityBands,
    RowDeletion,
)
from sudare.transactions.use_cases import UseCaseLoss, use_case_errors
from sudare.transactions.utility import cell_errors, utility

__all__ = [
    "ATTACKERS",
    "PWSCUP_2018",
    "Attacker",
    "Attacks",
    "BestAttack",
    "CellDeletion",
    "CellError",
    "CoarseDates",
    "ContainmentAttacker",
    "CustomerAnonymity",
    "Guess",
    "History",
    "ItemFamilies",
    "ItemSetAttacker",
    "ItemSets",
    "LikelihoodAttacker",
    "MaskedHistory",
    "PriceBands",
    "Pseudonyms",
    "QuantityBands",
    "Ranges",
    "Reidentification",
    "RowCountAttacker",
    "RowDeletion",
    "Rules",
    "Score",
    "UseCaseLoss",
    "attack_all",
    "best_attack",
    "cell_errors",
    "chance_bound",
    "check",
    "history_from",
    "hit_chance",
    "published",
    "read_guess",
    "read_history",
    "read_masked",
    "right_in_groups",
    "safe_anonymity",
    "sample",
    "score_guess",
    "threshold",
    "tight_bound",
    "use_case_errors",
    "utility",
    "write_guess",
    "write_history",
    "write_masked",
]
