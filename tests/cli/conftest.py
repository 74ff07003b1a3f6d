from pathlib import Path

import pyarrow.parquet as pq
import pytest

import sudare

RECIPE = '[[steps]]\nmethod = "global-recode"\nmin_share = 0.2\n'


@pytest.fixture
def survey(tmp_path: Path) -> Path:
    """The made-up survey."""
    return sudare.write(sudare.datasets.toy(), tmp_path / "survey.csv")


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    """One step of recoding."""
    path = tmp_path / "coarse.toml"
    path.write_text(RECIPE, encoding="utf-8")
    return path


@pytest.fixture
def beyond(tmp_path: Path) -> Path:
    """A small table with long texts, so that it is beyond the least memory that can be stated."""
    table = sudare.datasets.toy(200).to_frame("pyarrow")
    texts = [f"{number:03d}" * 200_000 for number in range(200)]
    pq.write_table(table.append_column("text", [texts]), tmp_path / "beyond.parquet")  # type: ignore[attr-defined]
    return tmp_path / "beyond.parquet"
