from .attack.alike import AlikeAttacker as AlikeAttacker
from .attack.attacker import Attacker as Attacker
from .attack.attacker import Guess as Guess
from .attack.attackers import (
    ContainmentAttacker as ContainmentAttacker,
)
from .attack.attackers import (
    ItemSetAttacker as ItemSetAttacker,
)
from .attack.attackers import (
    LikelihoodAttacker as LikelihoodAttacker,
)
from .attack.attackers import (
    RowCountAttacker as RowCountAttacker,
)
from .attack.distances import DistanceAttacker as DistanceAttacker
from .attack.group_attack import BestAttack as BestAttack
from .attack.group_attack import best_attack as best_attack
from .attack.reidentification import (
    ATTACKERS as ATTACKERS,
)
from .attack.reidentification import (
    Attacks as Attacks,
)
from .attack.reidentification import (
    Reidentification as Reidentification,
)
from .attack.reidentification import (
    Score as Score,
)
from .attack.reidentification import (
    attack_all as attack_all,
)
from .attack.reidentification import (
    score_guess as score_guess,
)
from .attack.safety import (
    chance_bound as chance_bound,
)
from .attack.safety import (
    hit_chance as hit_chance,
)
from .attack.safety import (
    right_in_groups as right_in_groups,
)
from .attack.safety import (
    safe_anonymity as safe_anonymity,
)
from .attack.safety import (
    threshold as threshold,
)
from .attack.safety import (
    tight_bound as tight_bound,
)
from .cells import ItemSets as ItemSets
from .cells import MaskedHistory as MaskedHistory
from .cells import Ranges as Ranges
from .files.checking import check as check
from .files.derivation import HistoryDerivation as HistoryDerivation
from .files.derivation import derive_history as derive_history
from .files.derivation import history_from as history_from
from .files.derivation import item_columns as item_columns
from .files.derivation import read_any_history as read_any_history
from .files.history_files import (
    published as published,
)
from .files.history_files import (
    read_guess as read_guess,
)
from .files.history_files import (
    read_history as read_history,
)
from .files.history_files import (
    read_masked as read_masked,
)
from .files.history_files import (
    write_guess as write_guess,
)
from .files.history_files import (
    write_history as write_history,
)
from .files.history_files import (
    write_masked as write_masked,
)
from .history import AMOUNTS as AMOUNTS
from .history import COLUMNS as COLUMNS
from .history import Amount as Amount
from .history import History as History
from .loss.cell_error import cell_errors as cell_errors
from .loss.cell_error import utility as utility
from .loss.measures import CellError as CellError
from .loss.sampling import sample as sample
from .loss.use_cases import UseCaseLoss as UseCaseLoss
from .loss.use_cases import use_case_errors as use_case_errors
from .mask.customer_anonymity import CustomerAnonymity as CustomerAnonymity
from .mask.simple import (
    CellDeletion as CellDeletion,
)
from .mask.simple import (
    CoarseDates as CoarseDates,
)
from .mask.simple import (
    ItemFamilies as ItemFamilies,
)
from .mask.simple import (
    PriceBands as PriceBands,
)
from .mask.simple import (
    Pseudonyms as Pseudonyms,
)
from .mask.simple import (
    QuantityBands as QuantityBands,
)
from .mask.simple import (
    RowDeletion as RowDeletion,
)
from .methods import HistoryMasker as HistoryMasker
from .methods import HistoryMeasure as HistoryMeasure
from .rules import PWSCUP_2018 as PWSCUP_2018
from .rules import HistoryRules as HistoryRules
