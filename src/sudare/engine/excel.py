"""Excel sheets."""

from pathlib import Path

import pyarrow as pa

from sudare.core.errors import InputError, OutputError
from sudare.core.microdata import Microdata
from sudare.engine.frames import part
from sudare.engine.outgoing import to_arrow

_SHEET_ROWS = 1_048_576


def read_excel(path: Path, *, sheet: str | int | None, skip_rows: int | None) -> pa.Table:
    """Return a sheet as an Arrow table; the first one unless another is named."""
    fastexcel = part("fastexcel", "excel")
    try:
        book = fastexcel.read_excel(path)
        loaded = book.load_sheet(0 if sheet is None else sheet, header_row=skip_rows or 0)
    except fastexcel.FastExcelError as error:
        raise InputError(
            "'{path}' could not be read as an Excel sheet ({reason}).",
            path=str(path),
            reason=type(error).__name__,
        ) from None
    return pa.Table.from_batches([loaded.to_arrow()])


def write_excel(data: Microdata, draft: Path) -> None:
    """Write microdata as one sheet."""
    part("xlsxwriter", "excel")
    if data.rows >= _SHEET_ROWS:
        raise OutputError(
            "an Excel sheet holds {limit} rows and the data have {rows}; write Parquet or CSV.",
            limit=_SHEET_ROWS - 1,
            rows=data.rows,
        )
    import polars as pl

    with draft.open("wb") as file:
        pl.DataFrame(to_arrow(data, words=True)).write_excel(file, autofilter=False)
