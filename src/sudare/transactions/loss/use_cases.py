"""What analysts would find in a masked file: use cases and statistics, with their errors."""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from sudare.core import Array, AtLeast, Between, Draws, Floats, Result, Seed, draws_from
from sudare.engine.counting import as_they_end
from sudare.transactions.cells import MaskedHistory
from sudare.transactions.history import AMOUNTS, History
from sudare.transactions.loss.history_statistics import (
    STATISTICS,
    all_statistics,
    statistic_errors,
    top_set_error,
)
from sudare.transactions.loss.itemsets import (
    Itemset,
    frequent_itemsets,
    itemset_error,
    least_receipts,
)
from sudare.transactions.loss.rfm import cut_points, habits, rfm_error, rfm_table
from sudare.transactions.loss.sampling import Possible
from sudare.transactions.loss.similarity import (
    VIEWS,
    ItemPairs,
    View,
    alike_pairs,
    cosines,
    scores,
    similarity_error,
    top_items,
)
from sudare.transactions.methods import HistoryMeasure

USE_CASES = ("itemsets", "rfm", *VIEWS)
COUNTS = ("rows", "top_items")
AMOUNT_STATISTICS = tuple(f"{column}_{name}" for column in AMOUNTS for name in STATISTICS)
ERRORS = (*USE_CASES, *COUNTS, *AMOUNT_STATISTICS)
MIN_SUPPORT = 0.025


@dataclass(frozen=True, repr=False)
class Reference:
    """What the use cases and statistics find in the original, to compare samples with.

    Attributes
    ----------
    least
        How many receipts an itemset needs, in the original and in a sample alike.
    itemsets
        The frequent itemsets.
    points, table
        Where the ranks of R, F and M begin, and the number of customers by ranks.
    items
        By view, the items whose similarities are compared.
    pairs, similarities
        By view, the pairs of items that are alike, and how much.
    top
        The hundred items with most buyers.
    """

    rows: int
    least: int
    itemsets: Set[Itemset]
    points: Floats
    table: Array
    items: Mapping[View, Sequence[str]]
    pairs: Mapping[View, ItemPairs]
    similarities: Mapping[View, Floats]
    top: Sequence[str]
    statistics: Mapping[str, Mapping[str, float]]

    @classmethod
    def of(cls, history: History, *, min_support: float = MIN_SUPPORT) -> "Reference":
        """Return what is found in a history.

        ``min_support`` is the share of receipts that an itemset needs. It is turned into a number
        of receipts here and stays that number for samples: drawn dates scatter the purchases of a
        day over many receipts, so that a share of those would leave no itemset at all.
        """
        least = least_receipts(history, min_support)
        known = habits(history)
        points = cut_points(known)
        top = top_items(history)
        items: Mapping[View, Sequence[str]] = {
            "wholesale": history.item_ids,
            "retail": history.item_ids,
            "top": top,
        }
        scored = {view: scores(history, view, items[view]) for view in VIEWS}
        pairs = {view: alike_pairs(scored[view]) for view in VIEWS}
        return cls(
            history.rows,
            least,
            frequent_itemsets(history, least),
            points,
            rfm_table(known, points),
            items,
            pairs,
            {view: cosines(scored[view], pairs[view]) for view in VIEWS},
            top,
            all_statistics(history),
        )

    def errors(self, sampled: History) -> dict[str, float]:
        """Return the errors of one sampled history, by the names in ``ERRORS``."""
        errors = {
            "itemsets": itemset_error(self.itemsets, frequent_itemsets(sampled, self.least)),
            "rfm": rfm_error(self.table, rfm_table(habits(sampled), self.points)),
        }
        for view in VIEWS:
            now = cosines(scores(sampled, view, self.items[view]), self.pairs[view])
            errors[view] = similarity_error(self.similarities[view], now)
        errors["rows"] = float(abs(self.rows - sampled.rows))
        errors["top_items"] = top_set_error(self.top, top_items(sampled))
        for column, after in all_statistics(sampled).items():
            for name, error in statistic_errors(self.statistics[column], after).items():
                errors[f"{column}_{name}"] = error
        return errors


def sample_errors(
    reference: Reference,
    possible: Possible,
    draws: Draws,
    numbers: Sequence[int],
    *,
    workers: int | None = None,
) -> Iterator[tuple[int, dict[str, float]]]:
    """Yield number and errors of the samples asked for, as they are finished.

    Samples are drawn and evaluated by ``workers`` threads, by default one for each core; what is
    waiting is given up when the iteration ends early.
    """

    def work(number: int) -> tuple[int, dict[str, float]]:
        return number, reference.errors(possible.draw(draws.for_step(number)))

    # Threads: a process forked after the itemset library was used hangs in it.
    yield from as_they_end(work, numbers, workers)


def mean_errors(samples: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Return the mean of every error over samples."""
    return {name: float(np.mean([errors[name] for errors in samples])) for name in ERRORS}


def use_case_errors(
    history: History,
    masked: MaskedHistory | History,
    *,
    samples: int = 100,
    min_support: float = MIN_SUPPORT,
    seed: Seed = None,
    workers: int | None = None,
) -> dict[str, float]:
    """Return the mean errors of use cases and statistics over samples of a masked file.

    Parameters
    ----------
    history
        The original.
    masked
        The masked file, or a history that was sampled from it already: that one is scored as it is.
    samples
        How many histories are drawn from what the file allows.
    min_support
        Share of the original's receipts that an itemset needs.
    seed
        Same seed, same errors.
    workers
        Number of threads; by default one for each core.

    Returns
    -------
    dict
        Itemsets, RFM and three similarity matrices (tables 6); rows and top items (table 7); seven
        statistics of dates in days, prices in hundredths and quantities (tables 8 to 10).

    Examples
    --------
    >>> from sudare.datasets import purchases_like
    >>> history = purchases_like(30, seed=1)
    >>> set(use_case_errors(history, MaskedHistory.of(history), samples=1, seed=1).values())
    {0.0}
    """
    reference = Reference.of(history, min_support=min_support)
    if isinstance(masked, History):
        return reference.errors(masked)
    possible = Possible.of(history, masked)
    by_sample = sample_errors(
        reference, possible, draws_from(seed), range(samples), workers=workers
    )
    return mean_errors(
        [errors for _, errors in sorted(by_sample, key=lambda numbered: numbered[0])]
    )


class UseCaseLoss(HistoryMeasure):
    """Mean error of five analyses on histories drawn from what the masked file allows.

    The analyses are frequent itemsets, the RFM table, and the item similarities of wholesale,
    retail and the hundred best-selling items.

    References
    ----------
    Hamada et al. (2018). PWSCUP 2018 の報告, section 6.

    Examples
    --------
    >>> from sudare.datasets import purchases_like
    >>> history = purchases_like(30, seed=1)
    >>> UseCaseLoss(samples=1)(history).value
    0.0
    """

    kind = "loss"
    formula = (
        "mean over five analyses of their error, over histories drawn from what the masked "
        "file allows"
    )
    counted = "All purchases of the histories that are drawn."
    improved_by = "A smaller k, narrower ranges and sets, or fewer deleted rows."

    samples: Annotated[int, AtLeast(1), "histories drawn from what the file allows"] = 10
    min_support: Annotated[
        float, Between(0, 1, above=True), "share of receipts that a frequent itemset needs"
    ] = MIN_SUPPORT
    seed: Annotated[int, AtLeast(0), "of the histories drawn"] = 0

    def _measure(self, history: History, masked: MaskedHistory) -> Result:
        errors = use_case_errors(
            history,
            masked,
            samples=self.samples,
            min_support=self.min_support,
            seed=self.seed,
        )
        parts = {name: errors[name] for name in USE_CASES}
        return self.result(np.mean(list(parts.values())), best=0.0, worst=np.inf, parts=parts)
