"""Against the rivals in one run on the same data: work, rival, ratio, physical bound, ratio.

CPU seconds, the least of some rounds. Rivals that install beside sudare run here; others run in an
environment of their own (``make rivals``), or are left out where there is none; where no package
does the work, the rival is the plain algorithm, implemented for the comparison and named as such.
``python -m benchmarks.rivals --json FILE --page FILE`` writes the table as JSON and as a page.
Needs the public data sets (SUDARE_DATA).
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq
from sklearn.neighbors import NearestNeighbors

import sudare
from benchmarks import large
from benchmarks.other_packages import FEW, KEYS, SENSITIVE
from benchmarks.public import DATA
from sudare.core.table.categorical import Categorical
from sudare.core.table.microdata import Microdata
from sudare.core.table.numeric import Numeric
from sudare.core.types import Floats
from sudare.describe import Hierarchy
from sudare.engine.counting.counts import record_keys
from sudare.engine.counting.threads import products_on_one_thread

OTHERS = Path(os.environ.get("SUDARE_RIVALS", "build/rivals/bin/python"))
_ROWS = 1_000_000
_MARK = "<!-- rivals -->\n"


class Line(NamedTuple):
    """A line of the table; a rival that is not installed took no time."""

    work: str
    ours: float
    rival: str
    theirs: float | None
    bound: str
    least: float

    @property
    def row(self) -> str:
        """The line as Markdown."""
        theirs = "– | –" if self.theirs is None else f"{self.theirs:.3g} | {self._ratio:.3g}"
        return (
            f"| {self.work} | {self.ours:.3g} | {self.rival} | {theirs} | {self.bound} | "
            f"{self.least:.3g} | {self.ours / self.least:.3g} |"
        )

    @property
    def _ratio(self) -> float:
        return self.ours / (self.theirs or np.nan)


def cpu(work: Callable[[], object], rounds: int = 3) -> float:
    """Return the least CPU time of some rounds: what a busy machine disturbs least."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def on_adult() -> Iterator[Line]:
    """Yield what is compared on Adult, 30,162 × 8 keys."""
    roles: Any = {**dict.fromkeys(KEYS, "key"), SENSITIVE: "sensitive"}
    adult = sudare.read(DATA / "adult_complete.csv", roles=roles)
    few = adult.take(np.arange(FEW))
    hierarchies = {name: Hierarchy.read(DATA / "hierarchies" / f"{name}.csv") for name in KEYS}
    full = sudare.mask.FullDomain(k=5, suppression_limit=0.04, hierarchies=hierarchies)
    resampled = adult.take(np.random.default_rng(1).integers(0, adult.rows, adult.rows))
    keys, few_keys = (record_keys([data[name] for name in KEYS])[0] for data in (adult, few))
    sorting, few_sorting = cpu(partial(np.sort, keys)), cpu(partial(np.sort, few_keys))
    others = _others()
    works: dict[str, tuple[str, Callable[[], object]]] = {
        "pycanon: k": ("k-anonymity, 30,162 × 8", lambda: sudare.risk.KAnonymity()(adult)),
        "pycanon: l": ("l-diversity", lambda: sudare.risk.LDiversity()(adult)),
        "pycanon: t": ("t-closeness", lambda: sudare.risk.TCloseness()(adult)),
        "anjana: full domain": (
            "full-domain k = 5, 4 % suppressed; ours is the optimum",
            lambda: full.fit(adult).transform(adult),
        ),
        "anonypyx: Mondrian": (
            f"Mondrian k = 5, {FEW:,} × 8",
            lambda: sudare.apply(few, sudare.mask.Mondrian(k=5), seed=1),
        ),
        "sdmetrics: quality": (
            "quality: total variation of columns and of all pairs",
            lambda: sudare.loss.TotalVariation(columns=adult.names, dimensions=2)(adult, resampled),
        ),
    }
    for rival, (what, work) in works.items():
        work()
        bound = few_sorting if "Mondrian" in rival else sorting
        ours, theirs = cpu(work), others.get(rival)
        yield Line(what, ours, rival.partition(":")[0], theirs, "one sort of the keys", bound)


def _others() -> dict[str, float]:
    if not OTHERS.exists():
        return {}
    script = Path(__file__).with_name("other_packages.py")
    run = subprocess.run([OTHERS, script, DATA], capture_output=True, text=True, check=True)
    seconds: dict[str, float] = json.loads(run.stdout.splitlines()[-1])
    return seconds


def in_memory() -> Iterator[Line]:
    """Yield what is compared on made-up tables in memory."""
    rng = np.random.default_rng(1)
    numbers = rng.normal(size=(_ROWS // 50, 10))
    data = Microdata(tuple(Numeric(f"x{i}", c, role="key") for i, c in enumerate(numbers.T)))
    noisy = sudare.apply(data, sudare.mask.Noise(sd_ratio=0.5), seed=1).data
    masked = np.column_stack([noisy[name].numeric.values for name in noisy.names])
    brute = NearestNeighbors(n_neighbors=5, algorithm="brute").fit(numbers)
    link = sudare.risk.RecordLinkage(k=(1, 3, 5))
    link(data, noisy)
    yield Line(
        "record linkage, 5 nearest, 20,000 × 10",
        cpu(lambda: link(data, noisy), 1),
        "scikit-learn",
        cpu(lambda: brute.kneighbors(masked), 1),
        "the bare product of all pairs, most of which ours leaves out",
        cpu(lambda: bare_product(masked, numbers), 1),
    )
    some = numbers[:4000]
    table = Microdata(tuple(Numeric(f"x{i}", c, role="key") for i, c in enumerate(some.T)))
    mdav = sudare.mask.Microaggregation(k=5, refine=False)
    mdav.fit(table)
    yield Line(
        "MDAV k = 5, 4,000 × 10",
        cpu(lambda: mdav.fit(table)),
        "the plain algorithm in NumPy",
        cpu(lambda: plain_mdav(some, 5), 1),
        "its passes over memory",
        cpu(lambda: [some[i % 5 :].sum() for i in range(3 * len(some) // 10)], 1),
    )
    codes = rng.integers(0, 12, _ROWS)
    labels = Microdata((Categorical("c", codes, tuple(range(12)), role="key"),))
    pram = sudare.mask.Pram(retain=0.8)
    yield Line(
        "PRAM of 10⁶ × 1",
        cpu(lambda: sudare.apply(labels, pram, seed=1)),
        "the plain algorithm in NumPy, category by category",
        cpu(lambda: plain_pram(codes, 0.8, rng)),
        "as many draws",
        cpu(lambda: rng.random(_ROWS)),
    )
    frame = pl.DataFrame({f"c{i}": rng.integers(0, r, _ROWS) for i, r in enumerate(large.RADICES)})
    keys = sudare.read(frame, roles=dict.fromkeys(frame.columns, "key"))
    uniques = sudare.risk.Uniques()
    uniques(keys)
    yield Line(
        "uniques of 8 keys, 10⁶ records",
        cpu(lambda: uniques(keys)),
        "Polars",
        cpu(lambda: frame.group_by(frame.columns).len()),
        "one pass over the codes",
        cpu(lambda: [frame[name].sum() for name in frame.columns]),
    )


def bare_product(left: Floats, right: Floats) -> None:
    """Multiply in single precision and in blocks, on one thread."""
    others = right.T.astype(np.float32)
    with products_on_one_thread:
        for block in np.array_split(left.astype(np.float32), 20):
            block @ others


def plain_mdav(values: Floats, k: int) -> list[Any]:
    """MDAV as it is written down, each distance by NumPy."""
    left, groups = np.arange(len(values)), []
    while len(left) >= 2 * k:
        centre = values[left].mean(axis=0)
        for _ in range(2):
            far = left[((values[left] - centre) ** 2).sum(axis=1).argmax()]
            order = ((values[left] - values[far]) ** 2).sum(axis=1).argsort(kind="stable")
            groups.append(left[order[:k]])
            left, centre = left[order[k:]], values[far]
            if len(left) < 2 * k:
                break
    return [*groups, left]


def plain_pram(codes: Any, retain: float, rng: np.random.Generator) -> Any:
    """PRAM as it is written down: the records of each category drawn from its row."""
    kinds = int(codes.max()) + 1
    matrix = np.full((kinds, kinds), (1 - retain) / kinds) + retain * np.eye(kinds)
    masked = np.empty_like(codes)
    for kind in range(kinds):
        chosen = codes == kind
        masked[chosen] = rng.choice(kinds, chosen.sum(), p=matrix[kind])
    return masked


def in_blocks(rows: int = 5 * _ROWS) -> Iterator[Line]:
    """Yield what is compared on files that are read in blocks."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "keys.parquet"
        large.write_file(path, rows)
        text_file, texts = large.write_csv(path), list(large.NAMES)
        reading = cpu(lambda: pq.read_table(path, read_dictionary=texts))
        parsing = cpu(lambda: pa_csv.read_csv(text_file))
        for what, work, peer, file, bound in (
            ("group sizes", large.group_sizes, large.sizes_by_hand, path, reading),
            ("counts of all combinations", large.counted, large.by_hand, path, reading),
            ("group sizes of CSV", large.group_sizes, large.sizes_by_hand, text_file, parsing),
        ):
            yield Line(
                f"{what}, {rows // _ROWS} × 10⁶ × 8 in blocks",
                cpu(partial(work, file)),
                "DuckDB",
                cpu(partial(peer, file)),
                "reading the file (PyArrow)",
                bound,
            )


def main(json_file: Path | None = None, page: Path | None = None) -> None:
    if not (DATA / "adult_complete.csv").exists():
        print("needs the public data sets; set SUDARE_DATA")
        return
    rows = [
        "| work | sudare, s | rival | its s | ratio | physical bound | its s | ratio |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    print("\n".join(rows))
    lines = []
    for line in (line for part in (on_adult, in_memory, in_blocks) for line in part()):
        lines.append(line)
        rows.append(line.row)
        print(line.row, flush=True)
    if json_file is not None:
        json_file.write_text(json.dumps([line._asdict() for line in lines], indent=1))
    if page is not None:
        before, _, after = page.read_text().split(_MARK)
        page.write_text(_MARK.join([before, "\n".join(rows) + "\n", after]))


def _given(option: str) -> Path | None:
    return Path(sys.argv[sys.argv.index(option) + 1]) if option in sys.argv else None


if __name__ == "__main__":
    main(_given("--json"), _given("--page"))
