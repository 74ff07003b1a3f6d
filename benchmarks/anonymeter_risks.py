"""The three risks of WP216 by anonymeter: run by a Python that has it, imports nothing of sudare.

``python anonymeter_risks.py FOLDER`` reads original.csv, control.csv and released.csv there, and
prints rates, risks, intervals and CPU seconds as JSON.
"""

import json
import sys
import time
import warnings
from importlib import import_module
from pathlib import Path
from typing import Any

FIRST = 6  # columns that the first of two sources knows
SECRET = "income"  # noqa: S105 - a column
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
    print(json.dumps(told))


if __name__ == "__main__":
    main()
