"""Purchase histories: reading, masking, attacking and scoring them."""

from sudare.transactions.cells import ItemSets, MaskedHistory, Ranges
from sudare.transactions.customer_anonymity import CustomerAnonymity
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
from sudare.transactions.rules import PWSCUP_2018, Rules
from sudare.transactions.utility import cell_errors, utility

__all__ = [
    "PWSCUP_2018",
    "CustomerAnonymity",
    "History",
    "ItemSets",
    "MaskedHistory",
    "Ranges",
    "Rules",
    "cell_errors",
    "published",
    "read_guess",
    "read_history",
    "read_masked",
    "utility",
    "write_guess",
    "write_history",
    "write_masked",
]
