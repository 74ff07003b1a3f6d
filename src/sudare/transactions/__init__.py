"""Purchase histories: reading, masking, attacking and scoring them."""

from sudare.transactions.cells import ItemSets, MaskedHistory, Ranges
from sudare.transactions.checking import check
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
from sudare.transactions.rules import PWSCUP_2018, Rules
from sudare.transactions.simple import (
    CellDeletion,
    CoarseDates,
    ItemFamilies,
    PriceBands,
    Pseudonyms,
    QuantityBands,
    RowDeletion,
)
from sudare.transactions.utility import cell_errors, utility

__all__ = [
    "PWSCUP_2018",
    "CellDeletion",
    "CellError",
    "CoarseDates",
    "History",
    "ItemFamilies",
    "ItemSets",
    "MaskedHistory",
    "PriceBands",
    "Pseudonyms",
    "QuantityBands",
    "Ranges",
    "RowDeletion",
    "Rules",
    "cell_errors",
    "check",
    "history_from",
    "published",
    "read_guess",
    "read_history",
    "read_masked",
    "utility",
    "write_guess",
    "write_history",
    "write_masked",
]
