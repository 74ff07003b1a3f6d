"""ILD from counts and ILSSDM in one pass, against counting and against reading memory once."""

import numpy as np

from benchmarks.timing import best_of, report
from sudare.core.table.categorical import Categorical
from sudare.core.table.microdata import Microdata
from sudare.describe.distances.metrics import Edits
from sudare.describe.distances.trees import Tree
from sudare.loss.distances.capacity import ild, information_capacity
from sudare.loss.distances.distance_loss import DistanceLoss
from sudare.loss.distances.group_loss import ilssdm

DISTINCT = 10_000


def main(rows: int = 10_000_000, columns: int = 10) -> None:
    labels(rows)
    numbers(rows, columns)


def labels(rows: int) -> None:
    """Two tables are counted, so the peer counts twice; O(u²) comes on top for edits only."""
    rng = np.random.default_rng(1)
    before = rng.integers(0, DISTINCT, rows).astype(np.int32)
    after = DISTINCT + before // 10  # each group of ten goes to its parent
    codes = np.arange(DISTINCT)
    tree = Tree(
        {int(c): DISTINCT + int(c) // 10 for c in codes}
        | {DISTINCT + c: 20_000 + c // 100 for c in range(DISTINCT // 10)}
        | {20_000 + c: 30_000 for c in range(DISTINCT // 1000)}
    )
    tables = [
        Microdata((Categorical("x", table, tuple(range(2 * DISTINCT))),))
        for table in (before, after)
    ]
    works = {
        "ILD, discrete": lambda: ild(before, after, "discrete"),
        "ILD, tree": lambda: ild(before, after, tree),
        "DistanceLoss, discrete": lambda: DistanceLoss()(*tables),
        "DistanceLoss, tree": lambda: DistanceLoss(distance=tree)(*tables),
    }
    *times, peer = best_of(
        *works.values(), lambda: [np.bincount(table, minlength=1) for table in (before, after)]
    )
    for name, time in zip(works, times, strict=True):
        report(f"{name}, {rows:,} records, {DISTINCT:,} labels", time, "np.bincount twice", peer)
    words = [f"name{code:05d}" for code in range(DISTINCT)]
    square = np.ones((DISTINCT, DISTINCT // 10))
    ours, pass_over = best_of(
        lambda: information_capacity(words, "levenshtein"),
        lambda: [square**2 @ square[0] for _ in range(10)],
        rounds=2,
    )
    report(f"capacity, Levenshtein, {DISTINCT:,} words", ours, "u × u squares", pass_over)
    block = Edits("levenshtein").between(words)
    theirs = best_of(lambda: block(slice(0, 500), slice(None)), rounds=2)[0] * DISTINCT / 1000
    report("the same", ours, "rapidfuzz on half the pairs (extrapolated)", theirs)


def numbers(rows: int, columns: int) -> None:
    rng = np.random.default_rng(2)
    points = rng.normal(size=(rows, columns))
    groupings = {
        "groups of 5, in order": np.arange(rows) // 5,
        "10,000 groups, any order": rng.integers(0, 10_000, rows),
        "groups of about 5, any order": rng.integers(0, rows // 5, rows),
    }
    random = groupings["groups of about 5, any order"]
    order = np.argsort(random, kind="stable")
    out = np.empty_like(points)
    ilssdm(points[:10], np.arange(10))  # compiled now, not timed
    *times, euclid, gather, peer = best_of(
        *(lambda g=groups: ilssdm(points, g) for groups in groupings.values()),
        lambda: information_capacity(points, "euclidean"),
        lambda: np.take(points, order, axis=0, out=out, mode="clip"),  # group by group
        points.sum,
    )
    for name, time in zip(groupings, times, strict=True):
        report(f"ILSSDM, {rows:,} × {columns}, {name}", time, "X.sum()", peer)
    report("the last", times[-1], "records taken group by group", gather)
    report(f"capacity, Euclid, {rows:,} × {columns}", euclid, "X.sum()", peer)


if __name__ == "__main__":
    main()
