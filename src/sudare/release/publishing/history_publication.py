"""A purchase history to be released."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from sudare.core import OutputError, say
from sudare.engine.formats import ReleasedForm
from sudare.release.publishing.publication import Publication
from sudare.release.report import Block, Edition, Text, history_losses, history_risks
from sudare.transactions import COLUMNS, Attacks, History, MaskedHistory, write_masked


@dataclass(frozen=True, kw_only=True)
class HistoryPublication(Publication):
    """A purchase history to be released.

    Attributes
    ----------
    before
        The original. Confidential.
    masked
        The masked file with the rows of the original. Confidential: it tells who is who.
    released
        What is published of it: no deleted rows, and rows sorted.
    attacks
        What all attackers reached, where re-identification was measured. Confidential.
    """

    before: History = field(repr=False)
    masked: MaskedHistory = field(repr=False)
    released: MaskedHistory
    attacks: Attacks | None = field(default=None, repr=False)

    def about(self) -> dict[str, Any]:
        """Return the number of customers; that of their rows would tell the last one's."""
        return {"customers": len(self.before.customer_ids), "columns": list(COLUMNS)}

    def summary(self) -> str:
        """Return how many purchases and customers are published."""
        return say(
            "{rows} {rows:purchase|purchases} of {customers} {customers:customer|customers} are "
            "published.",
            rows=self.released.rows,
            customers=len(np.unique(self.released.pseudonyms)),
        )

    def population(self) -> Iterator[Block]:
        """Yield how many rows, customers and items there are."""
        yield Text(self.summary())

    def risk_pictures(self, edition: Edition) -> Iterator[Block]:
        """Yield what attackers reached, and who could be singled out."""
        return history_risks(self, edition)

    def loss_pictures(self, edition: Edition) -> Iterator[Block]:
        """Yield errors and contents of the cells, and what analysts see."""
        return history_losses(self, edition)

    def _write_masked(self, path: Path, encoding: str) -> ReleasedForm:
        if path.suffix != ".csv":
            raise OutputError("a masked history is written as csv.")
        write_masked(self.released, path)
        return ReleasedForm.of(path, encoding="ascii", shuffled=True, suppressed=())
