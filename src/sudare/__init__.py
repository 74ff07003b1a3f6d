"""sudare (簾): a workbench for statistical disclosure control.

Mask a table, attack the result, measure what was lost, choose the best trade-off, release.

Examples
--------
>>> import sudare
>>> data = sudare.datasets.toy()
>>> masked = sudare.apply(data, [sudare.mask.GlobalRecode(min_share=0.05)], seed=7)
>>> sudare.risk.KAnonymity()(data, masked.data).value
1.0
"""

from sudare import datasets, describe, loss, mask, reconstruct, risk, study, transactions
from sudare.core import errors
from sudare.core.large import LargeTable
from sudare.core.masker import Masked, apply, versions
from sudare.core.microdata import Microdata
from sudare.engine.files import open_table as open
from sudare.engine.files import read, write
from sudare.engine.frames import to_frame
from sudare.release.compare import compare
from sudare.release.publish import publish
from sudare.release.recipe import Recipe
from sudare.release.search import search

__version__ = "0.1.0"

__all__ = [
    "LargeTable",
    "Masked",
    "Microdata",
    "Recipe",
    "apply",
    "compare",
    "datasets",
    "describe",
    "errors",
    "loss",
    "mask",
    "open",
    "publish",
    "read",
    "reconstruct",
    "risk",
    "search",
    "study",
    "to_frame",
    "transactions",
    "versions",
    "write",
]
