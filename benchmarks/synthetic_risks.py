"""Risks of trees from 6,000 records of Adult, beside those of anonymeter and SDMetrics.

Both packages run live, in an environment of their own (SUDARE_RIVALS, a Python that has them); no
algorithm of theirs is written anew here. The control has as many records, or a third; the risk of
singling out should be the same by both. Needs the public data sets (SUDARE_DATA).
"""

import json
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.csv

import sudare
from benchmarks.anonymeter_risks import FIRST, KEYS, SECRET
from benchmarks.public import DATA
from benchmarks.rivals import OTHERS
from sudare.core.methods.measure import Measure
from sudare.core.table.categorical import Categorical
from sudare.core.table.microdata import Microdata

COLUMNS = (
    *("age", "education-num", "hours-per-week", "capital-gain", "workclass", "education"),
    *("marital-status", "occupation", "relationship", "race", "sex", "income"),
)
MEMBERS = 6_000


def ours(both: Microdata, made: Microdata) -> dict[str, dict[str, Any]]:
    known = tuple(name for name in COLUMNS if name != SECRET)
    measures: dict[str, Measure] = {
        "linkability": sudare.risk.Linkability(
            control="held", first=COLUMNS[:FIRST], columns=COLUMNS
        ),
        "inference": sudare.risk.AttributeInference(
            control="held", columns=known, sensitive=(SECRET,)
        ),
        "singling out": sudare.risk.SinglingOut(control="held", columns=COLUMNS),
    }
    told = {}
    for name, measure in measures.items():
        start = time.process_time()
        result = measure(both, made)
        seconds = time.process_time() - start
        told[name] = {"risk": result.value, "interval": result.interval, "seconds": seconds}
    return told


def on_members(members: Microdata, made: Microdata) -> dict[str, dict[str, Any]]:
    """Return what SDMetrics measures too: attribution of the secret, and distances."""
    start = time.process_time()
    attribution = sudare.risk.CorrectAttribution(columns=KEYS, sensitive=(SECRET,))
    parts = attribution(members, made).parts
    middle = time.process_time()
    distances = sudare.risk.NearestDistances(columns=COLUMNS, attacks=MEMBERS)
    nearest = distances(members, made).value
    end = time.process_time()
    dcap = parts[f"{SECRET}, DCAP"]
    return {
        "DCAP": {"risk": dcap, "seconds": middle - start},
        "DCAP · iS": {"risk": dcap * parts[f"{SECRET}, iS"], "seconds": middle - start},
        "DCR, median": {"risk": nearest, "seconds": end - middle},
    }


def theirs(members: Microdata, control: Microdata, made: Microdata) -> dict[str, dict[str, Any]]:
    """Return what anonymeter and SDMetrics say; nothing where they are not there."""
    if not OTHERS.exists():
        return {}
    with tempfile.TemporaryDirectory() as folder:
        named = {"original": members, "control": control, "released": made}
        for name, data in named.items():
            sudare.write(data, Path(folder) / f"{name}.csv")
        script = Path(__file__).with_name("anonymeter_risks.py")
        run = subprocess.run([OTHERS, script, folder], capture_output=True, text=True, check=True)
    told: dict[str, dict[str, Any]] = json.loads(run.stdout.splitlines()[-1])
    return told


def main() -> None:
    if not (DATA / "adult.csv").exists():
        print("needs the public data sets; set SUDARE_DATA")
        return
    table = pyarrow.csv.read_csv(DATA / "adult.csv").select(COLUMNS)
    adult = sudare.read(table, roles=dict.fromkeys(COLUMNS, "key"))
    order = np.random.default_rng(1).permutation(adult.rows)
    members = adult.take(order[:MEMBERS])
    made = sudare.apply(members, sudare.mask.SequentialSynthesis(), seed=1).data
    for controls in (MEMBERS, MEMBERS // 3):
        both = adult.take(order[: MEMBERS + controls])
        marks = np.repeat([0, 1], [MEMBERS, controls])
        marked = Microdata((*both.columns, Categorical("held", marks, (0, 1), role="other")))
        control = adult.take(order[MEMBERS : MEMBERS + controls])
        own = ours(marked, made) | on_members(members, made)
        others = theirs(members, control, made)
        for name in own:
            rival = "anonymeter" if "interval" in own[name] else "SDMetrics"
            for side, told in (("sudare", own.get(name)), (rival, others.get(name))):
                if told is not None:
                    low, high = told.get("interval", (told["risk"], told["risk"]))
                    print(
                        f"{controls} control records, {name}, {side}: {told['risk']:.5f} "
                        f"({low:.4f}–{high:.4f}), {told['seconds']:.2f} s"
                    )


if __name__ == "__main__":
    main()
