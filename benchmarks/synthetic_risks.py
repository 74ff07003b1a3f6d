"""The three risks of WP216 on trees from 6,000 records of Adult, beside anonymeter's.

anonymeter runs in an environment of its own (SUDARE_RIVALS, a Python that has it). The control has
as many records, or a third; the risk of singling out should be the same by both.
Needs the public data sets (SUDARE_DATA).
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
from benchmarks.anonymeter_risks import FIRST, SECRET
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


def theirs(members: Microdata, control: Microdata, made: Microdata) -> dict[str, dict[str, Any]]:
    """Return what anonymeter says; nothing where it is not there."""
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
        sides = {"sudare": ours(marked, made), "anonymeter": theirs(members, control, made)}
        for name in ("linkability", "inference", "singling out"):
            for side, told in sides.items():
                if name in told:
                    low, high = told[name]["interval"]
                    print(
                        f"{controls} control records, {name}, {side}: {told[name]['risk']:.4f} "
                        f"({low:.4f}–{high:.4f}), {told[name]['seconds']:.2f} s"
                    )


if __name__ == "__main__":
    main()
