"""Use cases of a sampled history of the contest's size (about 90,000 rows, 1,000 customers).

Peers: for itemsets one sparse product (what counting pairs alone would cost), and mlxtend's
FP-growth where it is installed; for similarities the sparse product of all pairs, of which only the
original's are asked for; for the whole evaluation one thread.
"""

from importlib.util import find_spec

import numpy as np

from benchmarks.timing import best_of, report
from sudare.core.draws import draws_from
from sudare.datasets import purchases_like
from sudare.transactions import CoarseDates, History, ItemFamilies, QuantityBands
from sudare.transactions.loss.itemsets import frequent_itemsets, receipts
from sudare.transactions.loss.sampling import Possible
from sudare.transactions.loss.similarity import cosines, scores
from sudare.transactions.loss.use_cases import Reference, sample_errors


def mlxtend_itemsets(sampled: History, least: int) -> None:
    import pandas as pd
    from mlxtend.frequent_patterns import fpgrowth

    cells = receipts(sampled)
    frame = pd.DataFrame.sparse.from_spmatrix(cells)
    frame.columns = list(map(str, frame.columns))
    fpgrowth(frame, min_support=least / cells.shape[0])


def pair_counts(sampled: History) -> None:
    cells = receipts(sampled).astype(np.int32)
    cells.T @ cells


def all_similarities(sampled: History, reference: Reference) -> None:
    scored = scores(sampled, "retail", reference.items["retail"]).tocsc()
    lengths = np.sqrt(scored.multiply(scored).sum(axis=0))
    scored.data /= np.repeat(lengths, np.diff(scored.indptr))
    scored.T @ scored


def main() -> None:
    history = purchases_like(seed=1)
    masked = QuantityBands().mask(ItemFamilies(size=3).mask(CoarseDates().mask(history)))
    reference, possible, draws = Reference.of(history), Possible.of(history, masked), draws_from(1)
    sampled = possible.draw(draws)

    ours, theirs = best_of(
        lambda: frequent_itemsets(sampled, reference.least), lambda: pair_counts(sampled)
    )
    report("itemsets of a sample", ours, "one sparse product", theirs)
    if find_spec("mlxtend"):
        ours, theirs = best_of(
            lambda: frequent_itemsets(sampled, reference.least),
            lambda: mlxtend_itemsets(sampled, reference.least),
            rounds=2,
        )
        report("itemsets of a sample", ours, "mlxtend", theirs)
    ours, theirs = best_of(
        lambda: cosines(
            scores(sampled, "retail", reference.items["retail"]), reference.pairs["retail"]
        ),
        lambda: all_similarities(sampled, reference),
    )
    report("retail similarities of a sample", ours, "sparse product", theirs)
    ours, theirs = best_of(
        lambda: list(sample_errors(reference, possible, draws, range(8))),
        lambda: list(sample_errors(reference, possible, draws, range(8), workers=1)),
        rounds=3,
    )
    report("8 samples drawn and analyzed", ours, "one thread", theirs)


if __name__ == "__main__":
    main()
