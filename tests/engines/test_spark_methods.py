"""Every method of the catalog on a Spark frame: the same as in memory, or a sentence why not."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

import sudare
from sudare import catalog, loss, mask, risk
from sudare.core.methods.masker import Masker
from sudare.core.methods.measure import Measure
from sudare.core.table.microdata import Microdata
from tests.conformance.test_counted import (
    FROM_COUNTS,
    FROM_RECORDS,
    assert_same,
    before_and_after,
)
from tests.conformance.test_large_measures import ROLES

pytestmark = pytest.mark.xdist_group("spark")

MASKERS = [
    entry.method
    for entry in catalog.METHODS
    if entry.subject == "table" and issubclass(entry.method, Masker)
]
STEPS = [mask.Pram(retain=0.7), mask.Noise(sd_ratio=0.2), mask.TopBottomCode(top_share=0.1)]
SETTINGS: dict[type[Masker], dict[str, Any]] = {
    mask.FullDomain: {"k": 5},
    mask.Microaggregation: {"columns": ("age", "pay"), "rare_absence": "suppress"},
    mask.VariableMicroaggregation: {"columns": ("age", "pay"), "rare_absence": "suppress"},
    mask.UnivariateMicroaggregation: {"columns": ("age", "pay")},
}
SECRET = 0x9E3779B97F4A7C15F39CC0605CEDC834  # long enough for a release
FURTHER: list[Measure] = [
    risk.KAnonymity(missing="wildcard"),
    risk.IndividualRisk(model="poisson"),
    loss.DistanceLoss(weighted=True),
    loss.ModelLoss(target="ill", score="accuracy"),
]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    before, _ = before_and_after(weighted=True)
    return sudare.write(before, tmp_path_factory.mktemp("methods") / "people.parquet")


@pytest.fixture(scope="module")
def data(path: Path) -> Microdata:
    return sudare.read(path, roles=ROLES, scales={"job": "ordinal"})


@pytest.fixture(scope="module")
def opened(spark: Any, path: Path) -> Any:
    """The same people on Spark, in three partitions."""
    frame = spark.createDataFrame(spark.read.parquet(str(path)).toArrow())
    return sudare.open(frame.coalesce(3), roles=ROLES, scales={"job": "ordinal"})


@pytest.fixture(scope="module")
def masked(opened: Any, data: Microdata) -> tuple[Any, Any]:
    """The table masked on Spark, and in memory."""
    return sudare.apply(opened, STEPS, seed=3), sudare.apply(data, STEPS, seed=3)


def test_a_label_that_lost_its_records_is_not_drawn(opened: Any, data: Microdata) -> None:
    gone, other, *_ = data["job"].coded.labels_that_occur()
    rule = mask.EditRules(rules=(f'job == "{gone}" implies job == "{other}"',))
    steps = [rule, mask.Pram(columns=("job",))]
    there, here = (sudare.apply(table, steps, seed=3) for table in (opened, data))
    labels = there.steps[1].public["job"]["labels"]
    assert gone not in labels
    assert labels == here.steps[1].public["job"]["labels"]
    assert there.data.to_frame("pyarrow")["job"].to_pylist() == [
        None if code < 0 else labels[code] for code in here.data["job"].coded.codes
    ]


def needs_the_table(method: type[Masker]) -> bool:
    by_parts = method.learn is not Masker.learn
    return method.works_on != "rows" and not method.by_values and not by_parts


@pytest.mark.parametrize(
    "method", [m for m in MASKERS if not needs_the_table(m)], ids=lambda m: m.__name__
)
def test_a_masker_does_on_spark_what_it_does_in_memory(
    method: type[Masker], opened: Any, data: Microdata
) -> None:
    masker = method(**SETTINGS.get(method, {}))
    there, here = (sudare.apply(table, masker, seed=3) for table in (opened, data))
    assert there.data.to_frame("pyarrow").equals(here.data.to_frame("pyarrow"))
    assert there.steps[0].columns == here.steps[0].columns


@pytest.mark.parametrize(
    "method", [m for m in MASKERS if needs_the_table(m)], ids=lambda m: m.__name__
)
def test_a_masker_that_needs_the_whole_table_offers_a_sample(
    method: type[Masker], opened: Any
) -> None:
    with pytest.raises(sudare.errors.TooLargeError, match=r"whole table .* table\.sample\(rows\)"):
        sudare.apply(opened, method(), seed=3)


def test_levels_that_were_chosen_on_a_sample_are_published_on_spark(
    opened: Any, data: Microdata
) -> None:
    plan = mask.FullDomain(k=3).fit(data.take(np.arange(200)))
    draws = sudare.core.draws.Draws(0)
    there, here = opened.transformed(plan, draws), plan.transform(data, seed=draws)
    assert there.to_frame("pyarrow").equals(here.to_frame("pyarrow"))


def test_regression_without_noise_is_dri(opened: Any, data: Microdata) -> None:
    dri = mask.RegressionSynthesis(noise=False, columns=("age", "pay"))
    there, here = (sudare.apply(table, dri, seed=3).data for table in (opened, data))
    assert there.to_frame("pyarrow").equals(here.to_frame("pyarrow"))


@pytest.mark.parametrize("measure", [*(method() for method in FROM_COUNTS), *FURTHER], ids=repr)
def test_a_measure_tells_of_spark_what_it_tells_of_memory(
    measure: Measure, opened: Any, data: Microdata, masked: tuple[Any, Any]
) -> None:
    there, here = masked
    result = measure(opened, there.data, steps=there.steps)
    assert_same(result, measure(data, here.data, steps=here.steps))
    assert result.by_record is None


@pytest.mark.parametrize("method", FROM_RECORDS, ids=lambda method: method.__name__)
def test_a_measure_that_needs_the_records_offers_a_sample(
    method: type[Measure], opened: Any
) -> None:
    with pytest.raises(sudare.errors.TooLargeError, match=r"table\.sample\(rows, seed=seed\)"):
        method()(opened)


def test_ilssdm_is_ild_once_groups_have_their_means(spark: Any) -> None:
    data = sudare.datasets.expenditure_like(300, seed=1)
    names = data.names[-3:]
    data = data.without(set(data.names) - set(names))
    opened = sudare.open(spark.createDataFrame(sudare.to_frame(data, "pyarrow")))
    grouping = mask.Microaggregation(k=5, columns=names)
    there, here = (sudare.apply(table, grouping).data for table in (opened, data))
    measure = loss.DistanceLoss(columns=names, unit="own")
    values, means = (
        np.column_stack([measure.numeric(table, name).values for name in names])
        for table in (data, here)
    )
    wanted = loss.ilssdm(values, list(map(tuple, means)))
    result = measure(opened, there)
    assert result.value == pytest.approx(wanted, rel=1e-9)


def test_the_release_is_that_of_memory(opened: Any, data: Microdata, tmp_path: Path) -> None:
    recipe = sudare.Recipe("careful", STEPS)
    stops = sudare.publish(data, recipe, seed=SECRET).findings.stops
    accepted = [stop.confirmation.removeprefix("--confirm ") for stop in stops]
    for name, table in (("there", opened), ("here", data)):
        release = sudare.publish(table, recipe, seed=SECRET, confirmations=accepted)
        release.write(tmp_path / name, kind="parquet")
    there, here = (pq.read_table(tmp_path / name / "masked.parquet") for name in ("there", "here"))
    assert there.equals(here)
    reports = [(tmp_path / name / "report.html").read_text() for name in ("there", "here")]
    there, here = (re.sub("[0-9a-f]{64}", "digest", report) for report in reports)
    assert there == here  # row groups of the files differ, and so do their digests
