"""Comparing: a hundred recipes by ten measures, several at a time against one at a time."""

import time

import sudare
from benchmarks.timing import report
from sudare.core.methods.masker import Masker
from sudare.loss import (
    AssociationLoss,
    ContingencyTables,
    DirectComparison,
    EntropyLoss,
    Hellinger,
    MeanAbsoluteError,
    MomentLoss,
    TotalVariation,
)
from sudare.mask import GlobalRecode, Noise, Pram
from sudare.risk import KAnonymity, Uniques

MEASURES = (
    *(KAnonymity(), Uniques(), TotalVariation(), Hellinger(), DirectComparison()),
    *(MomentLoss(), AssociationLoss(), EntropyLoss(), MeanAbsoluteError()),
    ContingencyTables(max_dim=2, spread="uniform", columns=("sex", "region", "education")),
)


def recipes(count: int) -> dict[str, list[Masker]]:
    """Return recipes that differ in the strength of three methods."""
    return {
        f"{number}": [
            GlobalRecode(min_share=0.002 * (1 + number % 10)),
            Pram(retain=0.5 + 0.05 * (number % 7), columns=("occupation",)),
            Noise(sd_ratio=0.05 * (1 + number % 13), columns=("income",)),
        ]
        for number in range(count)
    }


def main(count: int = 100, rows: int = 30_000) -> None:
    data = sudare.datasets.toy(rows)
    times = []
    for workers in (1, None):
        start = time.perf_counter()
        sudare.compare(data, recipes(count), MEASURES, seed=1, workers=workers)
        times.append(time.perf_counter() - start)
    what = f"{count} recipes × {len(MEASURES)} measures on {rows} rows"
    report(what, times[1], "one at a time", times[0])


if __name__ == "__main__":
    main()
