"""Equal values written differently are equal in every measure of the catalog."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import sudare
from sudare import catalog, loss, mask, risk
from sudare.core.methods.measure import Measure
from sudare.core.table.categorical import Categorical
from sudare.core.table.microdata import Microdata
from sudare.core.table.numeric import Numeric
from sudare.engine.large.file_sources import FileSource
from sudare.engine.large.file_table import FileTable

ROWS = 300
MEASURES = [
    e.method for e in catalog.METHODS if e.subject == "table" and issubclass(e.method, Measure)
]
COUNTING = [method for method in MEASURES if getattr(method, "needs", None) != "records"]
NEEDED: dict[str, dict[str, Any]] = {
    "MembershipInference": {"control": "member"},
    "SurvivalOverlap": {"time": "size", "event": "member"},
}
ROLES: dict[str, Any] = {
    **dict.fromkeys(["born", "seen", "area", "grade", "member"], "key"),
    **dict.fromkeys(["pay", "ill"], "sensitive"),
    "home": "household",
}
SCALES: dict[str, Any] = {"area": "nominal", "grade": "ordinal"}


def frame() -> pl.DataFrame:
    draws = np.random.default_rng(5)
    days = draws.integers(0, 8, ROWS)
    return pl.DataFrame(
        {
            "born": [date(1980, 1, 1) + timedelta(days=int(day)) for day in days],
            "seen": pl.Series(draws.integers(0, 60, ROWS) * 3_600_000_000).cast(pl.Datetime("us")),
            "area": draws.integers(1, 13, ROWS),
            "grade": draws.integers(0, 4, ROWS),
            "member": draws.random(ROWS) < 0.4,
            "pay": [None if n % 17 == 0 else 100.25 + n % 7 for n in range(ROWS)],
            "size": draws.integers(30, 90, ROWS) / 4,
            "ill": draws.choice(["no", "yes", "unknown"], ROWS),
            "home": np.arange(ROWS) // 3,
        }
    )


def as_text(data: pl.DataFrame) -> pl.DataFrame:
    return data.with_columns(
        pl.col("born").dt.to_string("%Y-%m-%d"),
        pl.col("seen").dt.to_string("%Y-%m-%d %H:%M:%S"),
        *(pl.col(name).cast(pl.String) for name in ("area", "grade", "member", "pay")),
    )


def in_other_types(data: pl.DataFrame) -> pl.DataFrame:
    return data.with_columns(
        pl.col("born").cast(pl.Datetime("ms")),
        pl.col("seen").cast(pl.Datetime("ms")),
        pl.col("area").cast(pl.Float64),
        pl.col("grade").cast(pl.Float64),
    )


def as_floating_text(data: pl.DataFrame) -> pl.DataFrame:
    return data.with_columns(
        pl.col("born").cast(pl.Datetime("us")).dt.to_string("%Y-%m-%dT%H:%M:%S"),
        *(pl.col(n).cast(pl.Float64).cast(pl.String) for n in ("area", "grade", "pay")),
    )


WRITINGS = [as_text, in_other_types, as_floating_text]


def ready(method: type[Measure]) -> Measure:
    """Return a measure with the settings that it cannot do without."""
    return method(**NEEDED.get(method.__name__, {}))


def released(method: type[Measure], data: Microdata) -> Microdata:
    """Return a table as a release: what marks control records is not in it."""
    return data.without({NEEDED.get(method.__name__, {}).get("control", "")})


def read(data: Any, **more: Any) -> Microdata:
    return sudare.read(data, roles=ROLES, **{"scales": SCALES, **more})


@pytest.fixture(scope="module")
def original() -> Microdata:
    data = read(frame())
    assert isinstance(data["born"], Numeric)
    assert isinstance(data["pay"], Numeric)
    assert isinstance(data["area"], Categorical)
    return data


def assert_same(result: sudare.core.Result, expected: sudare.core.Result) -> None:
    assert result.value == pytest.approx(expected.value, rel=1e-9, abs=1e-12)
    assert result.parts == pytest.approx(dict(expected.parts), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("write", WRITINGS)
@pytest.mark.parametrize("method", MEASURES, ids=lambda method: method.__name__)
def test_another_way_of_writing_is_no_masking(
    method: type[Measure], write: Any, original: Microdata
) -> None:
    written = read(write(frame()), scales={})
    assert not written.equals(original)
    written, same = released(method, written), released(method, original)
    assert_same(ready(method)(original, written), ready(method)(original, same))


@pytest.mark.parametrize("write", WRITINGS)
@pytest.mark.parametrize("method", MEASURES, ids=lambda method: method.__name__)
def test_nor_is_a_better_way_of_writing(
    method: type[Measure], write: Any, original: Microdata
) -> None:
    """The original is the one with dates as text: it is compared as it is."""
    written = read(write(frame()))
    better, same = released(method, original), released(method, written)
    assert_same(ready(method)(written, better), ready(method)(written, same))


@pytest.mark.parametrize("method", COUNTING, ids=lambda method: method.__name__)
def test_files_that_stay_on_disk_are_compared_likewise(
    method: type[Measure], original: Microdata, tmp_path: Path
) -> None:
    tables = []
    for number, (data, scales) in enumerate([(frame(), SCALES), (as_text(frame()), {})]):
        data.write_parquet(tmp_path / f"{number}.parquet")
        table = sudare.open(tmp_path / f"{number}.parquet", roles=ROLES, scales=scales)
        assert isinstance(table, FileTable)
        assert isinstance(table.source, FileSource)
        tables.append(replace(table, source=replace(table.source, block_rows=77)))
    assert_same(method()(*tables), method()(original, original))


def test_dates_as_text_hide_no_risk() -> None:
    """Attribute inference was 0 and membership inference 0 here, and total variation 0, too."""
    draws = np.random.default_rng(1)
    dates = [date(1950, 1, 1) + timedelta(days=int(d)) for d in draws.integers(0, 20_000, 400)]
    pay = draws.integers(100, 900, 400)
    data = pl.DataFrame({"born": dates, "pay": pay})
    roles: Any = {"born": "key", "pay": "sensitive"}
    before = sudare.read(data, roles=roles)
    after = sudare.read(data.with_columns(pl.col("born").cast(pl.String)), roles=roles)
    assert isinstance(after["born"], Categorical)
    assert loss.TotalVariation()(before, after).value == 0
    assert risk.AttributeInference()(before, after).value == pytest.approx(0.9894, abs=1e-4)
    assert risk.Linkability(first=("born",))(before, after).value > 0.75
    assert risk.ProbabilisticLinkage()(before, after).value > 0.01


ATTACKS = [
    risk.AttributeInference(),
    risk.MembershipInference(control="member"),
    risk.SinglingOut(),
    risk.Linkability(),
    risk.ReplicatedUniques(),
    risk.CorrectAttribution(),
    risk.ProbabilisticLinkage(),
]


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: type(attack).__name__)
def test_numbers_that_became_other_labels_are_refused_by_name(
    attack: Measure, original: Microdata
) -> None:
    """Nothing would agree, and the attack would say that there is no risk."""
    classes = mask.Intervals(columns=("born",), classes=4)
    with pytest.raises(sudare.errors.MismatchError, match="column 'born'"):
        attack(original, released(type(attack), sudare.apply(original, classes).data))


@pytest.mark.parametrize("method", MEASURES, ids=lambda method: method.__name__)
def test_dates_and_plain_numbers_are_not_compared(
    method: type[Measure], original: Microdata
) -> None:
    written = read(frame().with_columns(pl.col("born").dt.to_string("%Y%m%d").cast(pl.Int64)))
    with pytest.raises(sudare.errors.MismatchError, match="column 'born' holds dates"):
        ready(method)(original, written)


def test_times_with_an_offset_are_the_moments_they_tell() -> None:
    start = datetime(2020, 1, 1, 5, tzinfo=UTC)
    times = pl.Series([start + timedelta(hours=7 * i) for i in range(60)])
    tokyo = timezone(timedelta(hours=9))
    texts = [time.astimezone(tokyo).isoformat() for time in times]
    secret = ["ill" if i % 3 else "well" for i in range(60)]
    roles: dict[str, Any] = {"x": "key", "s": "sensitive"}
    before = sudare.read(pl.DataFrame({"x": times, "s": secret}), roles=roles)
    after = sudare.read(pl.DataFrame({"x": texts, "s": secret}), roles=roles)
    assert risk.RecordLinkage()(before, after).value == risk.RecordLinkage()(before, before).value


def test_attacks_say_which_columns_they_cannot_compare() -> None:
    values = [f"v{i % 20}" for i in range(200)]
    secret = ["ill" if i % 20 > 9 else "well" for i in range(200)]
    roles: dict[str, Any] = {"x": "key", "s": "sensitive"}
    before = sudare.read(pl.DataFrame({"x": values, "s": secret}), roles=roles)
    other = pl.DataFrame({"x": [f"{value} " for value in values], "s": secret})
    after = sudare.read(other, roles=roles)
    for attack in (risk.AttributeInference(), risk.Linkability(), risk.ProbabilisticLinkage()):
        assert any("'x': 0 %" in note for note in attack(before, after).notes)
        assert not any("'x'" in note for note in attack(before, before).notes)
