"""A table with every type that all engines have, and recipes that mask it."""

from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa

from sudare import mask

ROWS = 3000
READING: dict[str, Any] = {
    "roles": {
        "sex": "key",
        "region": "key",
        "age": "key",
        "job": "key",
        "income": "sensitive",
        "spending": "sensitive",
        "name": "identifier",
    },
    "scales": {"flat": "nominal"},
    "weights": "weight",
    "missing": ["unknown"],
    "not_applicable": ["none"],
}


def people(rows: int = ROWS) -> pa.Table:
    """Return made-up people."""
    rng = np.random.default_rng(5)
    age = rng.integers(0, 99, rows)
    jobs = np.array(["clerk", "farmer", "manager", "unknown", "none"])
    income = np.round(rng.lognormal(8, 0.7, rows), 2)
    empty = rng.random(rows) < 0.05
    return pa.table(
        {
            "name": [f"p{number:06d}" for number in rng.permutation(rows)],
            "sex": pa.array(rng.integers(0, 2, rows).astype(bool)),
            "region": pa.array(
                np.array(["北海道", "関東", "近畿", "九州"])[rng.integers(0, 4, rows)],
                mask=rng.random(rows) < 0.02,
            ),
            "age": pa.array(age, pa.int32()),
            "job": pa.array(jobs[rng.integers(0, 5, rows)]),
            "flat": pa.array(rng.integers(1, 5, rows), pa.int16()),
            "income": pa.array(income, mask=empty),
            "spending": pa.array(np.round(income * rng.uniform(0.3, 0.9, rows), 2)),
            "born": pa.array(19_000 - age * 365 - rng.integers(0, 365, rows), pa.int32()).cast(
                pa.date32()
            ),
            "tax": pa.array([Decimal(int(x)) / 100 for x in income], pa.decimal128(12, 2)),
            "long": pa.array(rng.integers(2**60, 2**60 + 5, rows)),
            "weight": pa.array(np.round(rng.uniform(1, 3, rows), 1)),
        }
    )


RECIPES: dict[str, list[Any]] = {
    "recoding": [
        mask.GlobalRecode(columns=("region", "job")),
        mask.TopBottomCode(columns=("age", "tax")),
        mask.Rounding(columns=("income", "born")),
        mask.Intervals(columns=("spending",)),
    ],
    "randomization": [
        mask.Pram(columns=("region", "job", "sex"), invariant=True, weighted=True),
        mask.RetentionReplacement(columns=("flat",)),
        mask.BoundedLaplace(columns=("income",)),
        mask.Noise(columns=("spending", "born")),
    ],
    "more noise": [
        mask.CorrelatedNoise(columns=("income", "spending")),
        mask.MultiplicativeNoise(columns=("age",)),
        mask.Pram(columns=("long",)),
    ],
    "transforms": [mask.OrthogonalTransform(columns=("income", "spending"))],
    "synthesis": [mask.RegressionSynthesis(columns=("income", "spending"))],
    "groups": [
        mask.LocalSuppression(columns=("region", "job"), k=5),
        mask.Mondrian(columns=("age", "sex", "flat"), k=10),
    ],
    "numbers in groups": [mask.UnivariateMicroaggregation(columns=("age", "income"), k=5)],
    "one after the other": [
        mask.TopBottomCode(columns=("age",)),
        mask.Noise(columns=("age",)),
        mask.Rounding(columns=("age",)),
        mask.GlobalRecode(columns=("job",)),
        mask.Pram(columns=("job",), retain=0.7),
    ],
}
