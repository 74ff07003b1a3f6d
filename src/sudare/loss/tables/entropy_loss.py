"""Entropy-based loss, EBIL (Sano and Hattori, eq. 4 and 5)."""

from collections.abc import Sequence
from typing import Annotated

import numpy as np

from sudare.core import Categorical, Floats, Result, Step, TablePair
from sudare.describe.pairing import TableMeasure
from sudare.engine.counting import cross_table, label_counts


def posterior_entropy(prior: Floats, transition: Floats) -> Floats:
    """Return the entropy of the original category given each published one (eq. 4), in nats.

    Parameters
    ----------
    prior
        Shares of the original categories, shape (a,).
    transition
        Probability of each published category given the original, shape (a, b).

    Returns
    -------
    entropy
        Shape (b,); 0 for a category that cannot be published.

    Examples
    --------
    >>> merged = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    >>> posterior_entropy(np.array([0.25, 0.25, 0.5]), merged).round(4).tolist()
    [0.6931, 0.0]
    """
    joint = prior[:, None] * transition
    published = joint.sum(axis=0)
    posterior = np.divide(joint, published, out=np.zeros_like(joint), where=published > 0)
    logs = np.log(posterior, out=np.zeros_like(posterior), where=posterior > 0)
    return np.abs((posterior * logs).sum(axis=0))  # abs: no minus zero


def entropy(shares: Floats) -> float:
    """Return Shannon's entropy of a distribution, in nats."""
    return float(posterior_entropy(shares, np.ones((len(shares), 1)))[0])


class EntropyLoss(TableMeasure):
    """What is left to guess about the original category once the published one is seen (EBIL).

    Each published record costs the entropy of its original category given the published one; the
    value is the sum over records relative to n·H(V), the cost of publishing nothing, as a mean over
    the columns. With ``relative`` off it is eq. 5 itself: the sum over records and columns.

    The transition matrix is the product of the matrices that the steps publish. Where a step
    publishes none, as in global recoding, the matrix is what happened to the records: for a
    recoding that is the same. Missing and not-applicable values do not count. A published category
    may leave more to guess than publishing nothing would: the value can pass 1.

    References
    ----------
    de Waal and Willenborg (1999), as eq. 4 and 5 of Sano and Hattori.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> plan = sudare.mask.GlobalRecode(min_share=0.3, columns=("region",))
    >>> masked = sudare.apply(data, plan)
    >>> round(EntropyLoss(columns=("region",))(data, masked.data, steps=masked.steps).value, 3)
    0.624
    """

    kind = "loss"
    formula = (
        "Σ H(original category | published category) / (n · H(original category)), mean over "
        "the columns"
    )
    counted = "Records that have a category; missing and not applicable do not count."
    needs = "counts"
    pairs = True
    takes = "categories"

    relative: Annotated[bool, "whether the sum is divided by n·H(V)"] = True

    def _measure(self, pair: TablePair) -> Result:
        lost, whole, most = {}, {}, {}
        for name in pair.columns:
            side_by_side = pair.on([name])
            old, new = side_by_side.before[name].coded, side_by_side.after[name].coded
            counts = label_counts(old)
            shares = counts / max(counts.sum(), 1)
            transition = known_transition(name, old, new, pair.steps)
            if transition is None:
                transition = observed_transition(old, new)
            lost[name] = float(label_counts(new) @ posterior_entropy(shares, transition))
            whole[name] = float(counts.sum() * entropy(shares))
            most[name] = float(counts.sum() * np.log(max(int(np.count_nonzero(counts)), 1)))
        if not self.relative:
            return self.result(sum(lost.values()), best=0, worst=sum(most.values()), parts=lost)
        parts, worst = (
            {name: part[name] / whole[name] if whole[name] else 0.0 for name in pair.columns}
            for part in (lost, most)
        )
        highest = float(np.mean(list(worst.values())))
        return self.result(np.mean(list(parts.values())), best=0, worst=highest, parts=parts)


def known_transition(
    column: str, before: Categorical, after: Categorical, steps: Sequence[Step]
) -> Floats | None:
    """Return the product of the matrices that the steps publish for a column, if they all do."""
    touching = [step.public.get(column, {}) for step in steps if column in step.columns]
    if not touching or before.labels != after.labels:
        return None
    product = np.eye(len(before.labels))
    for public in touching:
        if "matrix" not in public or public["labels"] != before.labels:
            return None
        product = product @ public["matrix"]
    return product


def observed_transition(before: Categorical, after: Categorical) -> Floats:
    """Return how often each category became each other one, as shares of its records."""
    counts = cross_table([before, after])[:-2, :-2]
    totals = counts.sum(axis=1, keepdims=True)
    return np.divide(counts, totals, out=np.zeros_like(counts), where=totals > 0)
