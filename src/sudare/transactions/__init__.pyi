from .attack.alike import AlikeAttacker as AlikeAttacker
from .attack.attacker import Attacker as Attacker, Guess as Guess
from .attack.attackers import (
    ContainmentAttacker as ContainmentAttacker,
    ItemSetAttacker as ItemSetAttacker,
    LikelihoodAttacker as LikelihoodAttacker,
    RowCountAttacker as RowCountAttacker,
)
from .attack.distances import DistanceAttacker as DistanceAttacker
from .attack.group_attack import BestAttack as BestAttack, best_attack as best_attack
from .attack.reidentification import (
    ATTACKERS as ATTACKERS,
    Attacks as Attacks,
    Reidentification as Reidentification,
    Score as Score,
    attack_all as attack_all,
    score_guess as score_guess,
)
from .attack.safety import (
    chance_bound as chance_bound,
    hit_chance as hit_chance,
    right_in_groups as right_in_groups,
    safe_anonymity as safe_anonymity,
    threshold as threshold,
    tight_bound as tight_bound,
)
from .cells import ItemSets as ItemSets, MaskedHistory as MaskedHistory, Ranges as Ranges
from .files.checking import check as check
from .files.derivation import (
    HistoryDerivation as HistoryDerivation,
    derive_history as derive_history,
    history_from as history_from,
    item_columns as item_columns,
    read_any_history as read_any_history,
)
from .files.history_files import (
    published as published,
    read_guess as read_guess,
    read_history as read_history,
    read_masked as read_masked,
    write_guess as write_guess,
    write_history as write_history,
    write_masked as write_masked,
)
from .history import AMOUNTS as AMOUNTS, COLUMNS as COLUMNS, Amount as Amount, History as History
from .loss.cell_error import cell_errors as cell_errors, utility as utility
from .loss.measures import CellError as CellError
from .loss.sampling import sample as sample
from .loss.use_cases import UseCaseLoss as UseCaseLoss, use_case_errors as use_case_errors
from .mask.customer_anonymity import CustomerAnonymity as CustomerAnonymity
from .mask.simple import (
    CellDeletion as CellDeletion,
    CoarseDates as CoarseDates,
    ItemFamilies as ItemFamilies,
    PriceBands as PriceBands,
    Pseudonyms as Pseudonyms,
    QuantityBands as QuantityBands,
    RowDeletion as RowDeletion,
)
from .methods import HistoryMasker as HistoryMasker, HistoryMeasure as HistoryMeasure
from .rules import PWSCUP_2018 as PWSCUP_2018, HistoryRules as HistoryRules
