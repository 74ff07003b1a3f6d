"""Multinomial logit against scikit-learn, and its cost in the number of records, as ratios.

Data: 22 classes; inputs of 13, 27 and 97 levels with Zipf-like margins; the first input is
associated with the target (Cramér's V about 0.65), the second and third with each other (0.2),
the rest weakly.
"""

import time
import warnings
from collections.abc import Callable
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import OneHotEncoder

from sudare.core.table.categorical import Categorical
from sudare.core.types import Floats
from sudare.describe.associations import cramers_matrix
from sudare.describe.regression.logit import Fit, collapse, fit_logit, predict, probabilities

Ints = NDArray[np.int64]
T = TypeVar("T")

LEVELS, CLASSES, N = (13, 27, 97), 22, 128_280


def zipf(size: int, power: float, rng: np.random.Generator) -> Floats:
    share = 1 / np.arange(1, size + 1) ** power
    return rng.permutation(share / share.sum())


def census_sample(n: int, seed: int) -> tuple[list[Ints], Ints]:
    rng = np.random.default_rng(seed)
    first = rng.choice(LEVELS[0], n, p=zipf(LEVELS[0], 1.0, rng))
    second = rng.choice(LEVELS[1], n, p=zipf(LEVELS[1], 1.5, rng))
    base = zipf(LEVELS[2], 1.5, rng)
    given = [0.4 * base + 0.6 * rng.dirichlet(6 * base + 1e-3) for _ in range(LEVELS[1])]
    third = np.minimum(
        (rng.random((n, 1)) > np.cumsum(given, axis=1)[second]).sum(axis=1), LEVELS[2] - 1
    )
    own = 0.35 * np.tile(zipf(CLASSES, 1.6, rng), (LEVELS[0], 1))
    own[np.arange(LEVELS[0]), rng.permutation(CLASSES)[: LEVELS[0]]] += 0.65
    logits = np.log(own)[first]
    for codes, size in ((second, LEVELS[1]), (third, LEVELS[2])):
        logits += rng.normal(0, 0.4, (size, CLASSES))[codes]
    return [first, second, third], np.argmax(logits + rng.gumbel(size=logits.shape), axis=1)


def timed(work: Callable[[], T], repeats: int = 1) -> tuple[float, T]:
    """Median seconds, and the last result."""
    seconds = []
    for _ in range(repeats):
        begin = time.perf_counter()
        result = work()
        seconds.append(time.perf_counter() - begin)
    return float(np.median(seconds)), result


def whole(inputs: list[Ints], target: Ints) -> tuple[Ints, Floats, Fit]:
    rows, counts = collapse(inputs, target)
    return rows, counts, fit_logit(rows, counts)


def against_scikit_learn(inputs: list[Ints], target: Ints) -> None:
    whole(inputs, target)
    ours, (rows, counts, fit) = timed(lambda: whole(inputs, target), 7)
    print(f"{len(rows)} distinct rows; {fit}")
    print(f"collapse + fit {ours:.3f} s = 1")
    encoder = OneHotEncoder(drop="first").fit(np.stack(inputs, axis=1))
    design, few = encoder.transform(np.stack(inputs, axis=1)), encoder.transform(rows)
    row, label = np.nonzero(counts)
    pooled, weight = few[row], counts[row, label]

    def run(name: str, tolerance: float, limit: int, *, all_rows: bool) -> None:
        peer = LogisticRegression(C=np.inf, tol=tolerance, max_iter=limit)
        seconds, _ = timed(
            lambda: (
                peer.fit(design, target)
                if all_rows
                else peer.fit(pooled, label, sample_weight=weight)
            )
        )
        value = float((counts * peer.predict_log_proba(few)).sum())
        behind = (fit.log_likelihood - value) / abs(fit.log_likelihood)
        same = np.average(peer.predict(few) == predict(fit, rows), weights=counts.sum(axis=1))
        print(
            f"{name:34s} {seconds / ours:8.0f} ×   {int(peer.n_iter_[0])} iterations, "
            f"log-likelihood {value:.4f} (behind by {behind:.1e}), "
            f"{100 * same:.3f} % of predictions equal"
        )

    run("scikit-learn, all rows", 1e-4, 100, all_rows=True)
    run("scikit-learn, all rows, 1000", 1e-4, 1000, all_rows=True)
    run("scikit-learn, collapsed, 100", 1e-4, 100, all_rows=False)
    run("scikit-learn, collapsed, 2000", 1e-7, 2000, all_rows=False)


def cost_in_records(inputs: list[Ints], target: Ints) -> None:
    print("\nsame cells, more records (fit of n = 1e5 is 1)")
    rng = np.random.default_rng(1)
    base = 0.0
    for n in (100_000, 1_000_000, 10_000_000):
        pick = np.resize(rng.permutation(100_000), n)
        some, label = [codes[pick] for codes in inputs], target[pick]
        counting, (rows, counts) = timed(lambda s=some, y=label: collapse(s, y), 3)  # type: ignore[misc]
        fitting, _ = timed(lambda r=rows, c=counts: fit_logit(r, c), 3)  # type: ignore[misc]
        base = base or fitting
        print(
            f"n = {n:>10,}: collapse {counting / base:6.2f} "
            f"({1e9 * counting / n:.0f} ns a record), fit {fitting / base:5.2f}, {len(rows)} rows"
        )


def warm_start(inputs: list[Ints], target: Ints) -> None:
    small = fit_logit(*collapse(inputs[:2], target))
    rows, counts = collapse(inputs, target)
    cold, cold_fit = timed(lambda: fit_logit(rows, counts), 7)
    warm, other = timed(lambda: fit_logit(rows, counts, start=[*small.effects, None]), 7)
    gap = np.abs(probabilities(cold_fit, rows) - probabilities(other, rows)).max()
    print(
        f"\nwarm start from two of three inputs: {warm / cold:.2f} of a cold one; "
        f"probabilities {gap:.0e} apart"
    )


def main() -> None:
    warnings.simplefilter("ignore")  # scikit-learn does not converge within 100 iterations
    inputs, target = census_sample(N, seed=0)
    columns = [Categorical(str(c.max()), c, tuple(range(c.max() + 1))) for c in (*inputs, target)]
    print("V with the target:", cramers_matrix(columns)[-1, :-1].round(3).tolist())
    against_scikit_learn(inputs, target)
    warm_start(inputs, target)
    cost_in_records(inputs, target)


if __name__ == "__main__":
    main()
