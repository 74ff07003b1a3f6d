"""Risks by anonymeter and SDMetrics: run by a Python that has them, imports nothing of sudare.

``python anonymeter_risks.py FOLDER`` reads original.csv, control.csv and released.csv there, and
prints risks, intervals and CPU seconds as JSON: the three risks of WP216, the attribution of a
secret, and distances to the closest record.
"""

import json
import sys
import time
import warnings
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

FIRST = 6  # columns that the first of two sources knows
SECRET = "income"  # noqa: S105 - a column
KEYS = ("education", "marital-status", "occupation", "race", "sex")  # of attribution
ATTACKS = {"linkability": 2000, "inference": 2000, "singling out": 500}


def main() -> None:
    warnings.simplefilter("ignore")
    pandas: Any = import_module("pandas")
    anonymeter: Any = import_module("anonymeter.evaluators")
    names = {"ori": "original", "control": "control", "syn": "released"}
    tables = {
        role: pandas.read_csv(Path(sys.argv[1]) / f"{name}.csv", keep_default_na=False)
        for role, name in names.items()
    }
    columns = list(tables["ori"])
    sources = columns[:FIRST], columns[FIRST:]
    known = [name for name in columns if name != SECRET]
    attacks: dict[str, tuple[Any, dict[str, Any]]] = {
        "linkability": (anonymeter.LinkabilityEvaluator, {"aux_cols": sources, "n_neighbors": 1}),
        "inference": (anonymeter.InferenceEvaluator, {"aux_cols": known, "secret": SECRET}),
        "singling out": (anonymeter.SinglingOutEvaluator, {"n_cols": 4}),
    }
    told = {}
    for name, (evaluator, settings) in attacks.items():
        start = time.process_time()
        attack = evaluator(**tables, n_attacks=ATTACKS[name], **settings)
        attack.evaluate(**({"mode": "multivariate"} if name == "singling out" else {"n_jobs": 1}))
        risk = attack.risk()
        told[name] = {
            "risk": risk.value,
            "interval": risk.ci,
            "seconds": time.process_time() - start,
        }
    print(json.dumps(told | by_sdmetrics(tables["ori"], tables["syn"])))


def by_sdmetrics(original: Any, released: Any) -> dict[str, dict[str, float]]:
    """Return what SDMetrics says, as our measures are defined."""
    single_table: Any = import_module("sdmetrics.single_table")
    distances: Any = import_module("sdmetrics.single_table.privacy.dcr_utils")
    tables = {"real_data": original, "synthetic_data": released}
    fields = {"key_fields": list(KEYS), "sensitive_fields": [SECRET]}
    kinds = {True: "numerical", False: "categorical"}
    columns = {n: {"sdtype": kinds[original[n].dtype.kind in "if"]} for n in original}
    works: dict[str, Callable[[], float]] = {
        "DCAP": lambda: 1 - single_table.CategoricalCAP.compute(**tables, **fields),
        "DCAP · iS": lambda: 1 - single_table.CategoricalZeroCAP.compute(**tables, **fields),
        "DCR, median": lambda: float(
            distances.calculate_dcr(released, original, {"columns": columns}).median()
        ),
    }
    told = {}
    for name, work in works.items():
        start = time.process_time()
        told[name] = {"risk": work(), "seconds": time.process_time() - start}
    return told


if __name__ == "__main__":
    main()
