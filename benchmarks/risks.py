"""Risks that count keys, against one bare grouping of the same keys (NumPy and Polars)."""

from collections.abc import Callable
from functools import partial

import numpy as np
import polars as pl

from benchmarks.timing import best_of
from sudare.core import apply
from sudare.core.table.categorical import Categorical
from sudare.core.table.microdata import Microdata
from sudare.core.table.numeric import Numeric
from sudare.core.types import Floats
from sudare.datasets import adult_like, expenditure_like
from sudare.engine.counting.counts import record_keys
from sudare.mask import Noise, Pram
from sudare.risk import (
    AttributeInference,
    HouseholdRisk,
    IndividualRisk,
    IntervalDisclosure,
    Linkability,
    MembershipInference,
    PopulationUniques,
    ProbabilisticLinkage,
    Reidentification,
    SinglingOut,
    Suda,
    Uniques,
)

SIZES = (2, 5, 4, 9, 2, 9, 2)  # categories of the seven keys of sdcMicro's household survey
# Seconds of sdcMicro on a machine of this kind, as measured when the work began, on other data: its
# survey of 4,580 households is remembered, not checked, to have about 160 sample uniques, as the
# one made here has. With 467 uniques (rareness 0.62) wildcards are 2.3 to 2.5 times as fast.
SUDA = {4_580: 0.009, 50_000: 0.40}
RARENESS = {4_580: 0.78, 50_000: 0.25}


def survey(n: int, missing: float = 0.0, seed: int = 1) -> Microdata:
    """Seven keys with rare categories, a household of about four, and weights."""
    draws = np.random.default_rng(seed)
    columns = []
    for number, size in enumerate(SIZES):
        chance = max(RARENESS.get(n, 0.25), 0.25 if size > 4 else 0.5)
        codes = np.minimum(draws.geometric(chance, n) - 1, size - 1)
        codes[draws.random(n) < missing] = -1
        columns.append(Categorical(f"k{number}", codes, tuple(range(size)), role="key"))
    household = Numeric("household", np.sort(draws.integers(0, n // 4, n)), role="household")
    weight = Numeric("weight", draws.uniform(50, 150, n), role="weight")
    condition = Categorical("condition", draws.integers(0, 4, n), tuple("abcd"), role="sensitive")
    return Microdata((*columns, household, weight, condition))


def bare(data: Microdata) -> tuple[Callable[[], object], Callable[[], object]]:
    """Return one pass of np.unique over the keys as one number, and of Polars over the columns."""
    keys = record_keys([data[name] for name in data.keys])[0]
    frame = pl.DataFrame({name: data[name].coded.codes for name in data.keys})
    return (
        lambda: np.unique(keys, return_inverse=True, return_counts=True),
        lambda: frame.group_by(data.keys).len(),
    )


def print_line(what: str, seconds: float, unique: float, polars: float, rival: float = 0.0) -> None:
    line = f"{what}: {seconds * 1e3:.1f} ms, {seconds / unique:.1f} of np.unique"
    line += f", {seconds / polars:.1f} of Polars"
    if rival:
        line += f"; sdcMicro {rival * 1e3:.0f} ms, {rival / seconds:.1f} times as fast"
    print(line)


def keys(n: int, rounds: int) -> None:
    plain, blank = survey(n), survey(n, 0.005)
    works: dict[str, tuple[Callable[[], object], float]] = {
        "SUDA2": (lambda: Suda()(plain), SUDA.get(n, 0)),
        "SUDA2, 0.5 % missing as wildcards": (
            lambda: Suda(missing="wildcard")(blank),
            SUDA.get(n, 0),
        ),
        "individual risk": (lambda: IndividualRisk()(plain), 0.079 if n == 50_000 else 0),
        "individual risk, wildcards": (
            lambda: IndividualRisk(missing="wildcard")(blank),
            8.3 if n == 50_000 else 0,
        ),
        "individual risk, Poisson": (lambda: IndividualRisk(model="poisson")(plain), 0),
        "household risk": (lambda: HouseholdRisk()(plain), 0.58 if n == 50_000 else 0),
        "population uniques": (lambda: PopulationUniques()(plain), 0),
    }
    for work, _ in works.values():
        work()  # compile
    unique, polars, *ours = best_of(*bare(plain), *(w for w, _ in works.values()), rounds=rounds)
    alone = round(Uniques()(plain).value * n)
    print(f"{n} × 7 keys, {alone} uniques")
    print(f"np.unique {unique * 1e3:.1f} ms, Polars {polars * 1e3:.1f} ms")
    for (name, (_, rival)), seconds in zip(works.items(), ours, strict=True):
        print_line(name, seconds, unique, polars, rival)


def distances(rounds: int) -> None:
    data = expenditure_like(10_000)
    data = Microdata(data.columns[:3])
    values: Floats = np.column_stack([c.values for c in data.columns if isinstance(c, Numeric)])
    masked = apply(data, Noise(sd_ratio=0.1), seed=1).data
    ordered, *ours = best_of(
        lambda: np.sort(values, axis=0),
        *(
            lambda i=i: IntervalDisclosure(interval=i)(data, masked)
            for i in ("sd", "rank", "robust")
        ),
        rounds=rounds,
    )
    for name, seconds in zip(("sd", "rank", "robust (sdcMicro 7.3 s)"), ours, strict=True):
        ratio = seconds / ordered
        print(f"intervals 10,000 × 3, {name}: {seconds * 1e3:.1f} ms, {ratio:.1f} of a sort")


def attacks(n: int = 30_000) -> None:
    people = survey(n)
    held = Categorical("held", (np.arange(n) * 7919 % 100_003 % 5 == 0).astype(int), (0, 1))
    data = Microdata((*people.columns, held))
    masked = apply(data, Pram(retain=0.9), seed=1).data
    members = masked.take(np.flatnonzero(held.codes == 0))  # control records are not in a release
    works = (
        *(ProbabilisticLinkage(), AttributeInference(), MembershipInference(control="held")),
        *(SinglingOut(control="held"), Linkability(control="held")),
    )
    unique, _, *ours = best_of(
        *bare(data),
        *(lambda w=w: w(data, members if hasattr(w, "control") else masked) for w in works),
        rounds=1,
    )
    for work, seconds in zip(works, ours, strict=True):
        print(f"{work.label()} {n} × 7: {seconds:.2f} s, {seconds / unique:.0f} of np.unique")


def naming(rounds: int) -> None:
    """Re-identification on people like Adult's, against a pass that counts the same keys."""
    data = adult_like()
    measure = Reidentification()
    for name, maskers in (("as it is", []), ("PRAM 0.9", [Pram(retain=0.9)])):
        masked = apply(data, maskers, seed=1)
        counting, ours = best_of(
            partial(Uniques(), data, masked.data),
            partial(measure, data, masked.data, steps=masked.steps),
            rounds=rounds,
        )
        print(f"re-identification, {name}: {ours * 1e3:.0f} ms, {ours / counting:.0f} of counting")


def main(rounds: int = 5) -> None:
    for n in (4_580, 50_000):
        keys(n, rounds if n > 10_000 else 5 * rounds)
    distances(rounds)
    naming(rounds)
    attacks()


if __name__ == "__main__":
    main()
