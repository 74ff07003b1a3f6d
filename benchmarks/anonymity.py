"""k-anonymity on Adult (30,162 × 8): the lattice search, Mondrian, and k, l, t as measures.

The reference system ARX needs 41 ms and 2.1 s of CPU on this kind of machine for the optimum at
k = 5 with suppression limits 0 and 1 (STACK); it is no Python package, so that the physical bound
here is one pass of ``np.unique`` over the keys, packed into one number per record. Where pycanon
is installed, it runs too. Needs the public data sets (SUDARE_DATA).
"""

import time
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec

import numpy as np

import sudare
from benchmarks.public import DATA
from benchmarks.timing import best_of, report
from sudare.core.table.column import Column
from sudare.core.table.microdata import Microdata
from sudare.core.table.numeric import Numeric
from sudare.core.types import Integers
from sudare.describe import Hierarchy
from sudare.describe.hierarchies import extended, leaf_of_record
from sudare.engine.counting.counts import record_keys
from sudare.mask import FullDomain, Mondrian
from sudare.mask.anonymity.generalization import GeneralizationPlan, Keys
from sudare.mask.anonymity.lattice import loss_of
from sudare.risk import KAnonymity, LDiversity, TCloseness

KEYS = (
    *("sex", "age", "race", "marital-status", "education"),
    *("native-country", "workclass", "occupation"),
)


def cpu(work: Callable[[], object], rounds: int = 5) -> float:
    """Return the least processor time of some rounds: what a busy machine disturbs least."""
    taken = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        taken.append(time.process_time() - start)
    return min(taken)


def packed(adult: Microdata) -> Integers:
    """Return the keys of each record as one number."""
    return record_keys([adult[name] for name in KEYS])[0]


def search(adult: Microdata) -> None:
    hierarchies = {name: Hierarchy.read(DATA / "hierarchies" / f"{name}.csv") for name in KEYS}
    keys = packed(adult)
    one_pass = cpu(lambda: np.unique(keys, return_counts=True))
    for limit in (0.0, 0.04, 1.0):
        masker = FullDomain(k=5, suppression_limit=limit, hierarchies=hierarchies, seconds=None)
        plan = masker.fit(adult)
        assert isinstance(plan, GeneralizationPlan)
        what = f"optimum of 6,480 nodes, limit {limit:g} (Loss {plan.loss:.6f}), CPU"
        report(what, cpu(lambda m=masker: m.fit(adult)), "one np.unique", one_pass)  # type: ignore[misc]


def large_lattice() -> None:
    adult = sudare.datasets.adult(DATA / "adult.csv")
    for limit in (0.0, 0.05):
        start = time.perf_counter()
        plan = FullDomain(k=5, suppression_limit=limit, seconds=20).fit(adult)
        taken = time.perf_counter() - start
        assert isinstance(plan, GeneralizationPlan)
        print(
            f"48,842 × 9, automatic hierarchies, limit {limit:g}: {taken:.1f} s, "
            f"Loss {plan.loss:.4f}, at least {plan.bound:.4f}"
        )


def widened(adult: Microdata, times: int) -> tuple[Microdata, dict[str, Hierarchy]]:
    """Return Adult with its eight keys several times, to have as many keys as wide files have.

    In each further copy of a column one value in twenty, at random, is that of another record.
    """
    rng = np.random.default_rng(1)
    columns, hierarchies = list[Column](), dict[str, Hierarchy]()
    for copy in range(times):
        for name in KEYS:
            rows = np.arange(adult.rows)
            if copy:
                moved = rng.random(adult.rows) < 0.05
                rows[moved] = rng.integers(0, adult.rows, int(moved.sum()))
            columns.append(replace(adult[name].take(rows), name=f"{name}{copy}"))
            hierarchies[f"{name}{copy}"] = Hierarchy.read(DATA / "hierarchies" / f"{name}.csv")
    return Microdata(tuple(columns)), hierarchies


def top_down(data: Microdata, hierarchies: dict[str, Hierarchy], k: int) -> float:
    """Return the loss that a plain greedy search reaches: lower what gains most while it may be."""
    codes = {
        name: [
            np.unique(np.array(level)[leaf_of_record(data[name], hierarchy)], return_inverse=True)[
                1
            ]
            for level in extended(hierarchy, absent=False)
        ]
        for name, hierarchy in hierarchies.items()
    }
    shares = {
        name: [float((np.bincount(c)[c] / len(c)).mean()) for c in levels]
        for name, levels in codes.items()
    }
    levels = {name: len(at) - 1 for name, at in codes.items()}
    lowered = True
    while lowered:
        lowered = False
        gains = {n: shares[n][at] - shares[n][at - 1] for n, at in levels.items() if at}
        for name in sorted(gains, key=lambda n: -gains[n]):
            trial = levels | {name: levels[name] - 1}
            table = np.stack([codes[n][at] for n, at in trial.items()], axis=1)
            if np.unique(table, axis=0, return_counts=True)[1].min() >= k:
                levels, lowered = trial, True
                break
    keys = Keys(list(data.columns), [hierarchies[column.name] for column in data.columns])
    lattice = keys.lattice(np.zeros((data.rows, 0), np.int32))
    ordered = np.array([levels[data.names[position]] for position in lattice.keys])
    return float(loss_of("loss", lattice, k).at_least(ordered))


def wide_lattices(adult: Microdata, seconds: float = 30) -> None:
    for times in (2, 3):
        data, hierarchies = widened(adult, times)
        start = time.perf_counter()
        naive = top_down(data, hierarchies, 5)
        print(
            f"{8 * times} keys, limit 0: plain greedy top-down {naive:.4f} in "
            f"{time.perf_counter() - start:.0f} s"
        )
        for limit in (0.0, 0.05):
            start = time.perf_counter()
            masker = FullDomain(
                k=5, suppression_limit=limit, hierarchies=hierarchies, seconds=seconds
            )
            plan = masker.fit(data)
            assert isinstance(plan, GeneralizationPlan)
            taken = time.perf_counter() - start
            print(
                f"{8 * times} keys, limit {limit:g}: Loss {plan.loss:.4f}, {taken:.1f} s of the "
                f"{seconds:g} allowed"
            )


def mondrian(adult: Microdata) -> None:
    keys = packed(adult)
    Mondrian(k=5).fit(adult)
    for settings in ({}, {"strict": False}):
        masker = Mondrian(k=5, **settings)  # type: ignore[arg-type]
        ours = cpu(lambda m=masker: m.fit(adult).transform(adult))  # type: ignore[misc]
        sorting = cpu(lambda: np.argsort(keys))
        report(f"Mondrian {settings or 'strict'}, fit and transform, CPU", ours, "a sort", sorting)


def mondrian_of_many(adult: Microdata, rows: int = 1_000_000) -> None:
    rng = np.random.default_rng(1)
    some = rng.integers(0, adult.rows, rows)
    columns = {name: adult[name].take(some) for name in KEYS}
    ages = np.rint(columns["age"].values + rng.normal(0, 2, rows))  # type: ignore[attr-defined]
    large = Microdata(
        (*(columns[name] for name in KEYS if name != "age"), Numeric("age", ages, role="key"))
    )
    codes = [column.coded.codes for column in large.columns]
    ours = cpu(lambda: Mondrian(k=5).fit(large), rounds=1)
    report(f"Mondrian {rows} × 8, CPU", ours, "a sort", cpu(lambda: np.lexsort(codes), rounds=1))


def measures(adult: Microdata) -> None:
    keys = packed(adult)
    for name, measure in {
        "k": KAnonymity(),
        "l (distinct)": LDiversity(),
        "l (entropy)": LDiversity(diversity="entropy"),
        "l (recursive)": LDiversity(diversity="recursive"),
        "t (equal)": TCloseness(),
        "t (ordered)": TCloseness(distance="ordered"),
    }.items():
        ours, theirs = best_of(
            lambda m=measure: m(adult),  # type: ignore[misc]
            lambda: np.unique(keys, return_counts=True),
        )
        report(f"measure {name}", ours, "one np.unique", theirs)


def peers(adult: Microdata) -> None:
    """Run the Python packages for the same work, where they are installed."""
    frame = sudare.to_frame(adult, "pandas")
    if find_spec("pycanon"):
        anonymity = import_module("pycanon.anonymity")
        keys, sensitive = list(KEYS), ["salary-class"]
        for name, measure, peer in (
            ("k", KAnonymity(), lambda: anonymity.k_anonymity(frame, keys)),
            ("l", LDiversity(), lambda: anonymity.l_diversity(frame, keys, sensitive)),
            ("t", TCloseness(), lambda: anonymity.t_closeness(frame, keys, sensitive)),
        ):
            ours, theirs = best_of(lambda m=measure: m(adult), peer, rounds=1)  # type: ignore[misc]
            report(f"measure {name}", ours, "pycanon", theirs)


def main() -> None:
    if not (DATA / "adult_complete.csv").exists():
        print("needs the public data sets; set SUDARE_DATA")
        return
    adult = sudare.read(
        DATA / "adult_complete.csv",
        roles={**dict.fromkeys(KEYS, "key"), "salary-class": "sensitive"},
    )
    search(adult)
    mondrian(adult)
    mondrian_of_many(adult)
    measures(adult)
    peers(adult)
    large_lattice()
    wide_lattices(adult)


if __name__ == "__main__":
    main()
