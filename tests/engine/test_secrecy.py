"""No sentence and no repr holds a cell value: logs travel further than files."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pyreadstat
import pytest

import sudare
from sudare.core.errors import SudareError
from sudare.core.messages import speaking
from tests.engine.conftest import Save

MARK = "himitsu"
ROW = f"1,{MARK},3\n"


def bad_reads(save: Save) -> Iterator[Callable[[], object]]:
    """Yield calls that all fail, on data that hold the marker."""
    texts: list[tuple[str, dict[str, Any]]] = [
        (f"a,b,c\n{ROW}1,{MARK}\n", {}),
        (f"a,b,c\n{ROW}1,{MARK},3,{MARK}\n", {}),
        (f'a,b,c\n{ROW}1,"{MARK}\n{ROW}', {}),
        (f'a,b,c\n{ROW}1,2,"{MARK}\n{ROW}', {}),
        (f"a,b,c\n{ROW}", {"roles": {"z": "key"}}),
        (f"a,b,c\n{ROW}", {"scales": {"b": "ratio"}}),
        (f"a,b,c\n{ROW}", {"orders": {"b": ["x"]}}),
        (f"a,b,c\n{ROW}", {"weights": "b"}),
        (f"a,b,a\n{ROW}", {}),
        (f"a,b,c\n{ROW}1,2,inf\n", {}),
        (f"a,b,c\n{ROW}山,2,3\n", {"encoding": "ascii"}),
        (f"a,b,c\n{ROW}\0,2,3\n", {}),
    ]
    for number, (text, options) in enumerate(texts):
        path = save(text, f"t{number}.csv")
        yield lambda path=path, options=options: sudare.read(path, **options).weights  # type: ignore[misc]
    for ending in ("parquet", "xlsx", "sav", "dta", "xpt", "sas7bdat", "ods"):
        path = save(f"PAR1 {MARK} PAR1", f"t.{ending}")
        yield lambda path=path: sudare.read(path)  # type: ignore[misc]
    frames: list[Any] = [
        pd.DataFrame({"v": [1, MARK]}),
        pd.DataFrame({"v": [{"x": MARK}]}),
        pd.DataFrame({"v": [MARK]}, index=[MARK]),
        pl.DataFrame({"v": [[MARK]]}),
        pa.table({"v": pa.array([MARK.encode()])}),
    ]
    for frame in frames:
        yield lambda frame=frame: sudare.read(frame)  # type: ignore[misc]
        yield lambda frame=frame: sudare.read(frame, scales={"v": "ratio"})  # type: ignore[misc]
    data = sudare.read(pl.DataFrame({"v": [MARK + "é", MARK + "x" * 40_000], "a b": [MARK, MARK]}))
    folder = path.parent
    yield lambda: sudare.write(data, folder / "out.csv", encoding="cp932")
    for ending in ("xlsx", "sav", "dta", "xpt"):
        yield lambda ending=ending: sudare.write(data, folder / f"out.{ending}")  # type: ignore[misc]


@pytest.mark.parametrize("language", ["en", "ja"])
def test_no_error_holds_a_cell_value(save: Save, language: Any) -> None:
    with speaking(language):
        for call in bad_reads(save):
            with pytest.raises(SudareError) as caught:
                call()
            assert MARK not in str(caught.value)
            assert MARK not in repr(caught.value)
            assert MARK not in repr(caught.value.facts)


def test_no_repr_holds_a_cell_value(save: Save, tmp_path: Path) -> None:
    path = save(f"k,v,n\n{MARK},1.25,2\nx,3.5,4\n")
    kinds: list[Any] = [path, pd.read_csv(path), pl.read_csv(path)]
    for source in kinds:
        data = sudare.read(source, roles={"k": "key"}, not_applicable=["x"], missing=["3.5"])
        masker = sudare.mask.Pram(retain=0.5)
        masked = sudare.apply(data, masker, seed=1)
        shown = [data, *data.columns, data.origin, masker, masker.fit(data), masked, masked.data]
        for thing in shown:
            assert MARK not in repr(thing), type(thing)
            assert "1.25" not in repr(thing), type(thing)
    labels: Any = {"k": {1: MARK, 2: "y"}}
    stat = tmp_path / "t.sav"
    pyreadstat.write_sav(pl.DataFrame({"k": [1.0, 2.0]}), str(stat), variable_value_labels=labels)
    data = sudare.read(stat)
    assert MARK not in repr(data.origin)
