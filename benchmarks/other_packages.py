"""Packages for the same work that cannot be installed beside ours: run by a Python that has them.

``python other_packages.py DATA`` prints the CPU seconds of each that is installed, as JSON. It
imports nothing of sudare.
"""

import json
import sys
import time
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

KEYS = (
    *("sex", "age", "race", "marital-status", "education"),
    *("native-country", "workclass", "occupation"),
)
SENSITIVE = "salary-class"
FEW = 3_000  # records, where the package would take minutes for all


def works(folder: Path) -> dict[str, Callable[[], object]]:
    """Return the work of each package that is installed, by "package: work"."""
    pandas: Any = import_module("pandas")
    adult = pandas.read_csv(folder / "adult_complete.csv", sep=";")
    keys, made = list(KEYS), {}
    if find_spec("pycanon"):
        canon: Any = import_module("pycanon.anonymity")
        made["pycanon: k"] = lambda: canon.k_anonymity(adult, keys)
        made["pycanon: l"] = lambda: canon.l_diversity(adult, keys, [SENSITIVE])
        made["pycanon: t"] = lambda: canon.t_closeness(adult, keys, [SENSITIVE])
    if find_spec("anjana"):
        anjana: Any = import_module("anjana.anonymity")
        levels = {name: _levels(folder / "hierarchies" / f"{name}.csv", pandas) for name in KEYS}
        made["anjana: full domain"] = lambda: anjana.k_anonymity(
            adult.astype(str), [], keys, 5, 4, levels
        )
    if find_spec("anonypyx"):
        pyx: Any = import_module("anonypyx")
        few = adult.head(FEW).copy()
        for name in (*KEYS, SENSITIVE):
            if name != "age":
                few[name] = few[name].astype("category")
        made["anonypyx: Mondrian"] = lambda: pyx.Anonymiser(
            few, k=5, algorithm="Mondrian", feature_columns=keys, sensitive_column=SENSITIVE
        ).anonymise()
    if find_spec("sdmetrics"):
        reports: Any = import_module("sdmetrics.reports.single_table")
        kinds = {n: {"sdtype": "numerical" if n == "age" else "categorical"} for n in adult}
        other = adult.sample(frac=1, replace=True, random_state=1).reset_index(drop=True)
        made["sdmetrics: quality"] = lambda: reports.QualityReport().generate(
            adult, other, {"columns": kinds}, verbose=False
        )
    return made


def _levels(path: Path, pandas: Any) -> dict[int, Any]:
    table = pandas.read_csv(path, sep=";", header=None, dtype=str)
    return {level: table[level].to_numpy() for level in table.columns}


def main() -> None:
    seconds = {}
    for name, work in works(Path(sys.argv[1])).items():
        start = time.process_time()
        work()
        seconds[name] = time.process_time() - start
    print(json.dumps(seconds))


if __name__ == "__main__":
    main()
