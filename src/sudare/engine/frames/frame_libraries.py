"""Frames: pandas, Polars, PyArrow and DuckDB in, and the same kind out."""

import signal
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import narwhals as nw
import pyarrow as pa

from sudare.core import (
    InputError,
    LargeTable,
    Microdata,
    MissingPartError,
    SettingError,
    check_table,
)
from sudare.engine.frames.arrow_in import from_arrow
from sudare.engine.frames.arrow_out import to_arrow
from sudare.engine.frames.arrow_types import is_text
from sudare.engine.frames.read_options import ReadOptions

KINDS = ("pandas", "polars", "polars-lazy", "pyarrow", "duckdb")


@dataclass(frozen=True)
class FrameOrigin:
    """The kind of frame that came in, with the pandas types that Arrow has no word for.

    Attributes
    ----------
    reading
        What was said and found out about how to read it.
    path
        The file that it was read from, if it was.
    is_shuffled
        Whether it came from a released file whose records have another order than the original.
    """

    kind: str
    notes: tuple[str, ...] = ()
    dtypes: dict[str, Any] = field(default_factory=dict, repr=False)
    reading: Mapping[str, Any] = field(default_factory=dict, repr=False)
    is_shuffled: bool = False
    path: str | None = field(default=None, repr=False)

    def build(self, data: Microdata, kind: str | None = None) -> object:
        """Return the data as a frame of the kind that came in, or of another kind."""
        chosen, table = kind or self.kind, to_arrow(data)
        if chosen == "pandas":
            return _pandas(table, self._lasting(data, table))
        return frame_of(table, chosen)

    def _lasting(self, data: Microdata, table: pa.Table) -> dict[str, Any]:
        """Return the pandas types of columns whose values all still fit them."""
        lasting = {}
        for column in data.columns:
            dtype, values = self.dtypes.get(column.name), table.column(column.name)
            has_room = not values.null_count or getattr(dtype, "na_value", None) is not None
            is_category = pa.types.is_dictionary(values.type)  # the old one lacks new labels
            if dtype is not None and has_room and not is_category and values.type == column.storage:
                lasting[column.name] = dtype
        return lasting


def read_frame(frame: object, options: ReadOptions) -> Microdata:
    """Return a frame of any supported kind as microdata."""
    try:
        table, origin = _table(frame)
    except nw.exceptions.DuplicateError:
        raise InputError("some column names occur more than once; rename them first.") from None
    return from_arrow(table, options, origin)


def to_frame(data: Microdata | LargeTable, kind: str = "polars") -> object:
    """Return a table as a frame.

    Parameters
    ----------
    data
        The table; a large one is brought into memory, unless it stays a Spark frame ("pyspark").
    kind
        "pandas", "polars", "polars-lazy", "pyarrow" or "duckdb".

    Examples
    --------
    >>> import sudare
    >>> sudare.to_frame(sudare.datasets.toy(), "polars").shape
    (400, 10)
    """
    if isinstance(data, LargeTable):
        return data.to_frame(kind)
    check_table("to_frame", data)
    return FrameOrigin(kind).build(data)


def frame_of(table: pa.Table, kind: str) -> Any:
    """Return an Arrow table as another kind of frame."""
    if kind == "pyarrow":
        return table
    if kind == "polars":
        return _polars(table)
    if kind == "polars-lazy":
        return _polars(table).lazy()
    if kind == "pandas":
        return _pandas(table, {})
    if kind == "duckdb":
        return _duckdb(table)
    raise SettingError("kind must be one of {kinds}.", kinds=", ".join(KINDS))


def part(name: str, extra: str | None = None) -> Any:
    """Return a library that is imported when it is needed, or say how to install it.

    An interrupt stays with Python: Polars, imported, would have its threads panic at one.
    """
    import importlib

    on_interrupt = signal.getsignal(signal.SIGINT)
    is_ours = name not in sys.modules and threading.current_thread() is threading.main_thread()
    try:
        library = importlib.import_module(name)
    except ModuleNotFoundError:
        raise MissingPartError(
            "this needs the library {library}: pip install 'sudare[{extra}]'.",
            library=name,
            extra=extra or name,
        ) from None
    if is_ours and on_interrupt is not None:
        signal.signal(signal.SIGINT, on_interrupt)
    return library


def leave_pandas_out() -> None:
    """Have PyArrow do without pandas, which takes it a second to import with its first array.

    Only for a program that has no pandas frame: of one, PyArrow would take missing values for NaN.
    """

    class Absent:
        @staticmethod
        def find_spec(name: str, *_: object) -> None:
            if name == "pandas":
                raise ModuleNotFoundError(name=name)

    sys.meta_path.insert(0, Absent)
    try:
        pa.array([])
    finally:
        sys.meta_path.remove(Absent)


def _table(frame: object) -> tuple[pa.Table, FrameOrigin]:
    try:
        wrapped = nw.from_native(frame)  # type: ignore[call-overload]
    except TypeError:
        raise InputError(
            "cannot read a {type}; give a path or a pandas, Polars, PyArrow or DuckDB frame.",
            type=type(frame).__name__,
        ) from None
    kind = wrapped.implementation.value
    if is_spark(frame):
        raise InputError("a Spark frame is not read into memory; use sudare.open(frame).")
    if kind not in KINDS:
        raise InputError("frames of {kind} are not supported yet.", kind=kind)
    if kind == "pandas":
        _check_index(frame)
        dtypes = {str(name): dtype for name, dtype in frame.dtypes.items()}  # type: ignore[attr-defined]
        return _arrow(wrapped), FrameOrigin(kind, dtypes=dtypes)
    is_lazy = kind == "polars" and isinstance(wrapped, nw.LazyFrame)
    return _arrow(wrapped), FrameOrigin("polars-lazy" if is_lazy else kind)


def is_spark(frame: object) -> bool:
    """Return whether something is a Spark frame, without asking Spark."""
    return any(
        kind.__module__.startswith("pyspark.sql") and kind.__name__ == "DataFrame"
        for kind in type(frame).__mro__
    )


def _arrow(wrapped: Any) -> pa.Table:
    """Return a frame as an Arrow table; name the column that has no place in one."""
    try:
        return _collected(wrapped)
    except pa.ArrowException:
        for name in wrapped.collect_schema().names():
            try:
                _collected(wrapped.select(name))
            except pa.ArrowException:
                raise InputError(
                    "column '{column}' holds values of different types, or of a type that "
                    "tables do not support; make them all text or all numbers.",
                    column=name,
                ) from None
        raise


def _collected(wrapped: Any) -> pa.Table:
    if isinstance(wrapped, nw.LazyFrame):
        return wrapped.collect(backend="pyarrow").to_native()
    return wrapped.to_arrow()


def _check_index(frame: Any) -> None:
    index = frame.index
    if index.nlevels > 1 or index.name is not None or index.dtype.kind not in "iu":
        raise InputError(
            "the pandas frame has an index with a meaning; make it a column with reset_index(), "
            "or drop it with reset_index(drop=True)."
        )


def _pandas(table: pa.Table, dtypes: dict[str, Any]) -> Any:
    """Return a pandas frame; whole numbers and truth values stay such despite missing ones."""
    pandas = part("pandas")
    with_gaps = {pa.bool_(): pandas.BooleanDtype()}
    for width in (8, 16, 32, 64):
        with_gaps[getattr(pa, f"int{width}")()] = getattr(pandas, f"Int{width}Dtype")()
        with_gaps[getattr(pa, f"uint{width}")()] = getattr(pandas, f"UInt{width}Dtype")()
    columns = {
        name: values.to_pandas(types_mapper=with_gaps.get if values.null_count else None)
        for name, values in zip(table.column_names, table.columns, strict=True)
    }
    changed = {name: dtype for name, dtype in dtypes.items() if columns[name].dtype != dtype}
    return pandas.DataFrame(columns).astype(changed)


def _polars(table: pa.Table) -> Any:
    """Return a Polars frame; ordered categories become an Enum, the type there that has order."""
    pl = part("polars")
    enums = {
        name: pl.Enum(labels)
        for name, labels in _categories(table).items()
        if table.field(name).type.ordered
    }
    return pl.DataFrame(table).with_columns(pl.col(name).cast(kind) for name, kind in enums.items())


def _duckdb(table: pa.Table) -> Any:
    """Return a DuckDB relation; categories become an ENUM."""
    enums = {name: ", ".join(map(_quoted, labels)) for name, labels in _categories(table).items()}
    chosen = [
        f"{_named(name)}::ENUM({enums[name]}) AS {_named(name)}" if name in enums else _named(name)
        for name in table.column_names
    ]
    relation = part("duckdb").from_arrow(table)
    return relation.project(", ".join(chosen)) if enums else relation


def _categories(table: pa.Table) -> dict[str, list[str]]:
    """Return the labels of each category column whose labels are text."""
    return {
        field.name: table.column(field.name).chunk(0).dictionary.to_pylist()
        for field in table.schema
        if pa.types.is_dictionary(field.type) and is_text(field.type.value_type)
    }


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _named(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
