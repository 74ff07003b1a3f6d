"""Measures of a Spark frame are those of the table in memory."""

from typing import Any

import pyarrow as pa
import pytest

import sudare
from sudare import loss, risk
from sudare.core.methods.measure import Measure
from tests.engines.people import READING, people

pytestmark = pytest.mark.xdist_group("spark")

MASKERS = [
    sudare.mask.Pram(columns=("region", "job")),
    sudare.mask.Noise(columns=("income", "spending")),
]
MEASURES: list[Measure] = [
    risk.KAnonymity(),
    risk.LDiversity(columns=("region", "sex")),
    risk.TCloseness(columns=("region", "sex")),
    risk.Uniques(),
    risk.IndividualRisk(),
    risk.Suda(),
    loss.EntropyLoss(columns=("region", "job")),
    loss.ContingencyTables(columns=("region", "job")),
    loss.ModelLoss(columns=("region", "job", "sex")),
    loss.DistanceLoss(columns=("region", "income")),
    loss.MeanAbsoluteError(columns=("income",)),
    loss.MomentLoss(columns=("income", "spending")),
    loss.DirectComparison(columns=("region", "job")),
    loss.TotalVariation(columns=("region", "job")),
]


@pytest.fixture(scope="module")
def there(spark: Any) -> tuple[Any, Any]:
    opened = sudare.open(spark.createDataFrame(people()), **READING)
    return opened, sudare.apply(opened, MASKERS, seed=1).data


@pytest.fixture(scope="module")
def texts(spark: Any) -> Any:
    """The same people, with numbers and dates written as text."""
    table = people()
    for name in ("age", "income", "born", "sex", "flat"):
        text = table[name].cast(pa.string())
        table = table.set_column(table.column_names.index(name), name, text)
    return sudare.open(spark.createDataFrame(table), **READING)


@pytest.fixture(scope="module")
def here() -> tuple[Any, Any]:
    data = sudare.read(people(), **READING)
    return data, sudare.apply(data, MASKERS, seed=1).data


@pytest.mark.parametrize("measure", MEASURES, ids=lambda measure: type(measure).__name__)
def test_measures_are_those_of_the_table_in_memory(
    there: tuple[Any, Any], here: tuple[Any, Any], measure: Measure
) -> None:
    result, wanted = measure(*there), measure(*here)
    assert result.value == pytest.approx(wanted.value, rel=1e-9)
    assert dict(result.parts) == pytest.approx(dict(wanted.parts), rel=1e-9)


def test_what_needs_the_records_says_so(there: tuple[Any, Any]) -> None:
    with pytest.raises(sudare.errors.SudareError, match="sample"):
        risk.RecordLinkage(columns=("income",))(*there)


@pytest.mark.parametrize(
    "measure",
    [
        loss.TotalVariation(),
        loss.MomentLoss(columns=("income",)),
        loss.AssociationLoss(columns=("income", "region", "born", "flat")),
        loss.MeanAbsoluteError(columns=("income",)),
        loss.DirectComparison(columns=("sex", "flat")),
        risk.KAnonymity(columns=("age", "sex")),
        risk.TCloseness(columns=("region",), sensitive=("income",)),
    ],
    ids=lambda measure: type(measure).__name__,
)
def test_a_frame_written_as_text_is_the_frame_itself(
    there: tuple[Any, Any], texts: Any, here: tuple[Any, Any], measure: Measure
) -> None:
    wanted = measure(here[0])
    assert measure(there[0], texts).value == pytest.approx(wanted.value, rel=1e-9, abs=1e-12)
