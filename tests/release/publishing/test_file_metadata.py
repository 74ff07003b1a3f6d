"""What a released file says beyond its values, seen with other libraries than wrote it."""

import zipfile
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

import sudare
from sudare.core import Categorical, Microdata
from sudare.release.publishing import Format

RARE = "the only bishop"


@pytest.fixture
def published(tmp_path: Path) -> "Publish":
    return Publish(tmp_path)


class Publish:
    """Releases of a table with a label that masking takes away."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def file(self, kind: Format) -> Path:
        """Return the released file of some format."""
        codes = np.array([0] * 40 + [1] * 39 + [2])
        data = Microdata((Categorical("job", codes, ("clerk", "farmer", RARE), role="key"),))
        recipe = sudare.Recipe("rare", [sudare.mask.LocalSuppression(k=3)])
        release = sudare.publish(
            data, recipe, measures=(), seed=3**50, confirmations=["broken-promise:job"]
        )
        return release.write(self.folder / kind, kind=kind) / f"masked.{kind}"


def test_parquet_has_no_statistics_and_no_notes_of_a_library(published: Publish) -> None:
    path = published.file("parquet")
    columns: Any = duckdb.sql("select * from parquet_metadata($file)", params={"file": str(path)})
    facts, names = columns.fetchall(), columns.columns
    told = [name for name in names if name.startswith("stats_")]
    assert told
    for row in facts:
        assert all(row[names.index(name)] is None for name in told)
    kept = "select key from parquet_kv_metadata($file)"
    notes: Any = duckdb.sql(kept, params={"file": str(path)})
    assert b"pandas" not in [key for (key,) in notes.fetchall()]
    assert RARE.encode() not in path.read_bytes()


def test_excel_has_no_author_and_no_time_of_writing(published: Publish) -> None:
    with zipfile.ZipFile(published.file("xlsx")) as book:
        parts = {name: book.read(name).decode() for name in book.namelist()}
        assert {part.date_time[0] for part in book.infolist()} == {1980}
    properties = parts["docProps/core.xml"]
    assert "<dc:creator></dc:creator>" in properties
    assert "1980-01-01" in properties
    assert not any(RARE in part for part in parts.values())


@pytest.mark.parametrize("kind", ["sav", "dta"])
def test_files_of_statistics_packages_have_no_time_and_no_label_that_is_gone(
    kind: Format, published: Publish
) -> None:
    path = published.file(kind)
    content = path.read_bytes()
    assert RARE.encode() not in content
    if kind == "dta":
        import pandas as pd

        with pd.read_stata(path, iterator=True) as reader:
            assert reader.time_stamp == "01 Jan 1980 00:00"
            assert reader.value_labels() == {} or RARE not in str(reader.value_labels())
    else:
        assert content[84:101] == b"01 Jan 8000:00:00"
