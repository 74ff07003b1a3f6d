"""MDAV on the Census reference data: SPEC B3, z-scores, 100 · SSE / SST."""

from pathlib import Path

import numpy as np
import pytest

import sudare
from sudare.core.table.numeric import Numeric
from sudare.mask.microaggregation.mdav import Microaggregation, MicroaggregationPlan


@pytest.mark.parametrize(
    ("k", "loss", "refined"),
    [
        (3, "5.6922", "5.2576"),
        (4, "7.4947", "6.7940"),
        (5, "9.0884", "8.1551"),
        (10, "14.1559", "12.4389"),
    ],
)
def test_the_loss_of_mdav_is_the_published_one(
    real_data: Path, k: int, loss: str, refined: str
) -> None:
    if not (real_data / "census_casc.csv").exists():
        pytest.skip("needs census_casc.csv, the Census reference data of the CASC project")
    data = sudare.read(real_data / "census_casc.csv")
    assert (data.rows, len(data.columns)) == (1080, 13)
    plan = Microaggregation(k=k, columns=data.names).fit(data)
    assert isinstance(plan, MicroaggregationPlan)
    assert f"{100 * plan.loss_unrefined:.4f}" == loss
    assert f"{100 * plan.loss:.4f}" == refined  # the page for those who come from sdcMicro has it
    shares = [plan.step.public[name]["sse_share"] for name in data.names]
    # z-scores weigh all columns alike; each share is published with one digit
    assert np.mean(shares) == pytest.approx(plan.loss, rel=0.1)
    assert all(isinstance(column, Numeric) for column in data.columns)
