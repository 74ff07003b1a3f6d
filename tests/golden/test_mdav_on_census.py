"""MDAV on the Census reference data: SPEC B3, z-scores, 100 · SSE / SST."""

from pathlib import Path

import numpy as np
import pytest

import sudare
from sudare.core.table.numeric import Numeric
from sudare.mask.microaggregation.mdav import Microaggregation, MicroaggregationPlan


@pytest.mark.parametrize(
    ("k", "loss"), [(3, "5.6922"), (4, "7.4947"), (5, "9.0884"), (10, "14.1559")]
)
def test_the_loss_of_mdav_is_the_published_one(real_data: Path, k: int, loss: str) -> None:
    if not (real_data / "census_casc.csv").exists():
        pytest.skip("needs census_casc.csv, the Census reference data of the CASC project")
    data = sudare.read(real_data / "census_casc.csv")
    assert (data.rows, len(data.columns)) == (1080, 13)
    plan = Microaggregation(k=k, columns=data.names).fit(data)
    assert isinstance(plan, MicroaggregationPlan)
    assert f"{100 * plan.loss_unrefined:.4f}" == loss
    assert plan.loss < 0.94 * plan.loss_unrefined
    shares = [plan.step.public[name]["sse_share"] for name in data.names]
    # z-scores weigh all columns alike; each share is published with one digit
    assert np.mean(shares) == pytest.approx(plan.loss, rel=0.1)
    assert all(isinstance(column, Numeric) for column in data.columns)
