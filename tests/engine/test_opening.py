"""Whether a table is read or opened is decided in one place, by what it would take in memory."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sudare
from sudare.core.errors import SettingError


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return sudare.write(sudare.datasets.toy(), tmp_path / "small.parquet")


@pytest.fixture
def beyond(tmp_path: Path) -> Path:
    """A few long texts that would take more than a gigabyte while they are masked."""
    texts = [f"{number:03d}" * 200_000 for number in range(200)]
    pq.write_table(pa.table({"text": texts}), tmp_path / "beyond.parquet")
    return tmp_path / "beyond.parquet"


def test_a_table_that_fits_is_read_and_one_that_does_not_is_opened(
    small: Path, beyond: Path
) -> None:
    assert isinstance(sudare.read_or_open(small, memory="1GB"), sudare.Microdata)
    opened = sudare.read_or_open(str(beyond), memory="1GB", roles={"text": "identifier"})
    assert isinstance(opened, sudare.LargeTable)
    assert opened.with_role("identifier") == ("text",)
    assert opened.notes[-1] == "read in blocks, as it would not fit in memory"
    assert isinstance(sudare.read_or_open(beyond, memory="8GB"), sudare.Microdata)


def test_a_table_is_opened_beside_one_that_does_not_fit(small: Path, beyond: Path) -> None:
    assert isinstance(sudare.read_or_open(small, memory="1GB", beside=beyond), sudare.LargeTable)


def test_frames_and_formats_without_blocks_are_read(tmp_path: Path) -> None:
    data = sudare.datasets.toy()
    assert sudare.read_or_open(data.to_frame("pyarrow")).records == data.records
    path = sudare.write(data, tmp_path / "toy.xlsx")
    assert isinstance(sudare.read_or_open(path, memory="1GB"), sudare.Microdata)


def test_memory_must_be_a_size_of_at_least_a_gigabyte(small: Path) -> None:
    with pytest.raises(SettingError, match="at least 1GB"):
        sudare.read_or_open(small, memory="100MB")
    with pytest.raises(SettingError, match="such as 8GB"):
        sudare.read_or_open(small, memory="much")
