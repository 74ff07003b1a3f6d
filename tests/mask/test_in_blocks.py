"""Masking a file block by block gives what masking the table gives."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sudare
from sudare.core.errors import ColumnError, InputError, OutputError
from sudare.core.types import Floats
from sudare.engine.blocks import write_blocks
from sudare.mask import OrthogonalTransform, RegressionSynthesis, mask_in_blocks
from sudare.mask.linear import LinearMasker

COLUMNS = ("a", "b", "c")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    rng = np.random.default_rng(1)
    a, b, c = rng.normal(100, 20, (3, 1000)).round()
    table = pa.table(
        {
            "a": pa.array(a.astype(int)),
            "b": pa.array(a + b, mask=rng.random(1000) < 0.1),
            "c": a - b + c,
            "town": rng.choice(["Kyoto", "Nara", "Osaka"], 1000).tolist(),
        }
    )
    pq.write_table(table, tmp_path / "before.parquet", row_group_size=300)
    return tmp_path / "before.parquet"


def numbers(data: sudare.Microdata) -> Floats:
    return np.array([data[name].values for name in COLUMNS])  # type: ignore[attr-defined]


@pytest.mark.parametrize("block_rows", [7, 300, 5000])
@pytest.mark.parametrize("masker", [OrthogonalTransform(loss=0.3), RegressionSynthesis()])
def test_blocks_give_what_the_whole_table_gives(
    source: Path, masker: LinearMasker, block_rows: int
) -> None:
    roles = dict.fromkeys(COLUMNS, "key")
    after = source.with_name("after.parquet")
    step = mask_in_blocks(source, after, masker, seed=5, block_rows=block_rows, roles=roles)
    whole = sudare.apply(sudare.read(source, roles=roles), masker, seed=5)  # type: ignore[arg-type]
    found = sudare.read(after)
    np.testing.assert_allclose(numbers(found), numbers(whole.data), rtol=1e-9)
    assert found["town"].coded.labels == whole.data["town"].coded.labels
    assert (found["town"].coded.codes == whole.data["town"].coded.codes).all()
    assert step.public["a"] == pytest.approx(whole.steps[0].public["a"])
    assert [path.name for path in source.parent.iterdir() if path != source] == ["after.parquet"]


def test_refusals_come_before_any_work(source: Path, tmp_path: Path) -> None:
    masker = OrthogonalTransform(columns=COLUMNS)
    with pytest.raises(OutputError, match="exists"):
        mask_in_blocks(source, source, masker)
    with pytest.raises(InputError, match="blocks"):
        mask_in_blocks(tmp_path / "none.parquet", tmp_path / "after.parquet", masker)
    with pytest.raises(ColumnError, match="does not hold numbers"):
        mask_in_blocks(source, tmp_path / "x.parquet", OrthogonalTransform(columns=("town",)))
    pq.write_table(pa.table({"a": [1.0, None], "b": [None, 1.0]}), tmp_path / "gaps.parquet")
    with pytest.raises(ColumnError, match="no record"):
        mask_in_blocks(
            tmp_path / "gaps.parquet",
            tmp_path / "x.parquet",
            OrthogonalTransform(columns=("a", "b")),
        )
    assert not (tmp_path / "x.parquet").exists()


def test_blocks_of_different_columns_are_refused(tmp_path: Path) -> None:
    blocks = [sudare.read(pa.table({name: [1, 2]})) for name in "ab"]
    with pytest.raises(OutputError, match="same columns"):
        write_blocks(blocks, tmp_path / "x.parquet")
    assert not list(tmp_path.iterdir())
