"""What a released file says beyond its values, seen with other libraries than wrote it."""

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pyreadstat
import pytest
import xlsxwriter  # type: ignore[import-untyped]

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
        _, metadata = pyreadstat.read_sav(path)
        assert str(metadata.creation_time) == "1980-01-01 00:00:00"


JOBS = ["clerk"] * 40 + ["farmer"] * 40
PLANTED = "planted-note"  # in every place of a file that is not a cell


def parquet_with_notes(path: Path) -> None:
    """Write categories that no record has, and notes of a library, of the file and of a column."""
    labels = pa.array(["clerk", "farmer", PLANTED])
    codes = pa.array([0] * 40 + [1] * 40, pa.int8())
    field = pa.field("job", pa.dictionary(pa.int8(), pa.string()), metadata={"note": PLANTED})
    notes = {"pandas": json.dumps({"creator": PLANTED}), "owner": PLANTED}
    column = pa.DictionaryArray.from_arrays(codes, labels)
    pq.write_table(pa.table([column], pa.schema([field], metadata=notes)), path)


def workbook_with_notes(path: Path) -> None:
    """Write properties, a comment, a hidden sheet, a hidden column and a defined name."""
    book = xlsxwriter.Workbook(path)
    book.set_properties(dict.fromkeys(("title", "author", "company", "comments"), PLANTED))
    book.set_custom_property("owner", PLANTED)
    sheet, hidden = book.add_worksheet("data"), book.add_worksheet(PLANTED)
    sheet.write_column(0, 0, ["job", *JOBS])
    sheet.write_comment("A2", PLANTED, {"author": PLANTED})
    sheet.data_validation("A2:A81", {"validate": "list", "source": ["clerk", "farmer", PLANTED]})
    sheet.set_header(PLANTED)
    hidden.write(0, 0, PLANTED)
    hidden.hide()
    book.define_name("planted_note", f'="{PLANTED}"')
    book.close()


def statistics_file_with_notes(path: Path) -> None:
    """Write a label for a code that no record has, a label of the file, and a note."""
    import pandas as pd

    write: Any = {".sav": pyreadstat.write_sav, ".dta": pyreadstat.write_dta}[path.suffix]
    frame = pd.DataFrame({"job": [1 if job == "clerk" else 2 for job in JOBS]})
    more = {"note": PLANTED} if path.suffix == ".sav" else {}
    labels = {"job": {1: "clerk", 2: "farmer", 3: PLANTED}}
    write(frame, path, file_label=PLANTED, variable_value_labels=labels, **more)


@pytest.mark.parametrize(
    ("name", "planted"),
    [
        ("in.parquet", parquet_with_notes),
        ("in.xlsx", workbook_with_notes),
        ("in.sav", statistics_file_with_notes),
        ("in.dta", statistics_file_with_notes),
    ],
)
def test_nothing_that_was_planted_beside_the_cells_of_a_file_is_released(
    name: str, planted: Callable[[Path], None], tmp_path: Path
) -> None:
    planted(tmp_path / name)
    data = sudare.read(tmp_path / name, roles={"job": "key"})
    assert sorted(set(map(str, data["job"].coded.labels)) - {PLANTED}) == ["clerk", "farmer"]
    recipe = sudare.Recipe("rare", [sudare.mask.LocalSuppression(k=3)])
    release = sudare.publish(data, recipe, measures=(), seed=3**50)
    accepted = [finding.name for finding in release.findings.stops]
    release = sudare.publish(data, recipe, measures=(), seed=3**50, confirmations=accepted)
    kinds: tuple[Format, ...] = ("csv", "parquet", "xlsx", "sav", "dta")
    for kind in kinds:
        folder = release.write(tmp_path / kind, kind=kind)
        assert [finding for finding in release.findings if finding.stops] == []
        for path in folder.rglob("*"):
            assert not path.is_file() or PLANTED.encode() not in unpacked(path), path


def unpacked(path: Path) -> bytes:
    """Return the bytes of a file, and those of its parts if it is an archive."""
    if not zipfile.is_zipfile(path):
        return path.read_bytes()
    with zipfile.ZipFile(path) as archive:
        return b"".join(map(archive.read, archive.namelist()))
