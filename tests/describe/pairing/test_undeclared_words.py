"""Blanks of a masked table that was read by itself: suppressed values, or a word for no answer."""

from collections.abc import Callable, Mapping
from pathlib import Path

import polars as pl
import pytest

import sudare
from sudare.core import LargeTable, Microdata, Role

KEYS: dict[str, Role] = {"sex": "key", "job": "key"}
BEFORE = {
    "sex": ["M"] * 4 + ["F"] * 4,
    "job": ["law", "law", "art", "zzz", "law", "law", "art", "zzz"],
}


def written(folder: Path, name: str, table: Mapping[str, object]) -> Path:
    """Write a table as Parquet."""
    path = folder / name
    pl.DataFrame(table).write_parquet(path)
    return path


@pytest.mark.parametrize("door", [sudare.read, sudare.open], ids=["memory", "blocks"])
def test_blanks_in_place_of_every_record_of_a_value_are_not_taken_for_suppressed(
    tmp_path: Path, door: Callable[..., Microdata | LargeTable]
) -> None:
    jobs = ["law" if job == "art" else job for job in BEFORE["job"]]
    after = {**BEFORE, "job": [None if job == "zzz" else job for job in jobs]}
    tables = (
        written(tmp_path, "before.parquet", BEFORE),
        written(tmp_path, "after.parquet", after),
    )
    result = sudare.risk.KAnonymity()(*(door(path, roles=KEYS) for path in tables))
    assert result.value == 1
    assert any("'job'" in remark for remark in result.notes)


def test_a_table_that_was_masked_here_has_suppressed_keys() -> None:
    data = sudare.read(pl.DataFrame(BEFORE), roles=KEYS)
    masked = sudare.mask.LocalSuppression(k=2).fit(data).transform(data)
    result = sudare.risk.KAnonymity()(data, masked)
    assert result.value >= 2
    assert not any("'job'" in remark for remark in result.notes)
