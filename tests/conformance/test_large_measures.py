"""Measures that need counts or moments give the same result on files that stay on disk."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sudare
from sudare import loss, mask, risk
from sudare.core.methods.measure import Measure
from sudare.core.table.microdata import Microdata
from sudare.engine.large.file_sources import FileSource
from sudare.engine.large.file_table import FileTable
from tests.conformance.test_counted import (
    CASES,
    FROM_RECORDS,
    assert_same,
    before_and_after,
    spread_back,
)

ROLES: dict[str, Any] = {
    **dict.fromkeys(["sex", "job", "area", "age"], "key"),
    **dict.fromkeys(["ill", "pay"], "sensitive"),
    "home": "household",
    "weight": "weight",
}
STEPS = [mask.Pram(retain=0.7), mask.Noise(sd_ratio=0.2), mask.TopBottomCode(top_share=0.1)]


def opened(path: Path) -> FileTable:
    """Return a file as a large table of many blocks."""
    table = sudare.open(path, roles=ROLES, scales={"job": "ordinal"})
    assert isinstance(table.source, FileSource)
    return replace(table, source=replace(table.source, block_rows=77))


def read(path: Path) -> Microdata:
    return sudare.read(path, roles=ROLES, scales={"job": "ordinal"})


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("large")
    before, after = before_and_after(weighted=True)
    return sudare.write(before, folder / "a.parquet"), sudare.write(after, folder / "b.parquet")


@pytest.mark.parametrize("case", CASES, ids=repr)
def test_two_files_are_measured_as_two_tables_in_memory(
    case: Measure, files: tuple[Path, Path]
) -> None:
    measure = spread_back(case)
    result = measure(*map(opened, files))
    assert_same(result, measure(*map(read, files)))
    assert result.by_record is None


@pytest.mark.parametrize("case", CASES, ids=repr)
def test_a_file_masked_in_blocks_is_measured_as_one_masked_in_memory(
    case: Measure, files: tuple[Path, Path]
) -> None:
    large, data = opened(files[0]), read(files[0])
    masked, expected = (sudare.apply(table, STEPS, seed=3) for table in (large, data))
    result = case(large, masked.data, steps=masked.steps)
    assert_same(result, case(data, expected.data, steps=expected.steps))


@pytest.mark.parametrize("method", FROM_RECORDS, ids=lambda method: method.__name__)
def test_what_needs_the_records_offers_a_sample(
    method: type[Measure], files: tuple[Path, Path]
) -> None:
    large = opened(files[0])
    with pytest.raises(sudare.errors.TooLargeError, match=r"table\.sample\(rows, seed=seed\)"):
        method()(large)


def test_a_table_in_memory_is_not_compared_with_a_file(files: tuple[Path, Path]) -> None:
    large, data = opened(files[0]), read(files[0])
    with pytest.raises(sudare.errors.InputError, match="open or read both in the same way"):
        risk.KAnonymity()(large, data)
    with pytest.raises(sudare.errors.InputError, match="open or read both in the same way"):
        risk.KAnonymity()(data, large)


def test_files_whose_records_cannot_correspond_are_refused(
    files: tuple[Path, Path], tmp_path: Path
) -> None:
    short = sudare.write(read(files[1]).take(np.arange(9)), tmp_path / "short.parquet")
    with pytest.raises(sudare.errors.MismatchError, match="600 rows and the one after has 9"):
        loss.DirectComparison()(opened(files[0]), opened(short))
    assert risk.KAnonymity()(opened(files[0]), opened(short)).value >= 1


def test_ilssdm_of_files_is_ild_once_groups_have_their_means(tmp_path: Path) -> None:
    data = sudare.datasets.expenditure_like(500, seed=1)
    names = data.names[-3:]
    groups = mask.Microaggregation(k=5, columns=names)
    masked = sudare.apply(data, groups, seed=1).data
    paths = [sudare.write(t, tmp_path / f"{i}.parquet") for i, t in enumerate((data, masked))]
    measure = loss.DistanceLoss(columns=names, unit="own")
    result = measure(*(sudare.open(path) for path in paths))
    values, means = (
        np.column_stack([measure.numeric(table, name).values for name in names])
        for table in (data, masked)
    )
    assert result.value == pytest.approx(loss.ilssdm(values, list(map(tuple, means))))


def test_what_one_measure_counted_the_next_need_not_count(files: tuple[Path, Path]) -> None:
    large = opened(files[0])
    risk.LDiversity()(large)
    (counted,) = large.counts.values()
    assert risk.TCloseness()(large).value == risk.TCloseness()(read(files[0])).value
    assert list(large.counts.values()) == [counted]
