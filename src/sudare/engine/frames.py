"""Frames: pandas, Polars, PyArrow and DuckDB in, and the same kind out."""

from dataclasses import dataclass, field
from typing import Any

import narwhals as nw
import pyarrow as pa

from sudare.core.errors import InputError, MissingPartError, SettingError
from sudare.core.microdata import Microdata
from sudare.engine.incoming import Asked, from_arrow
from sudare.engine.outgoing import to_arrow

KINDS = ("pandas", "polars", "polars-lazy", "pyarrow", "duckdb")


@dataclass(frozen=True)
class FrameOrigin:
    """The kind of frame that came in, with the pandas types that Arrow has no word for."""

    kind: str
    notes: tuple[str, ...] = ()
    dtypes: dict[str, object] = field(default_factory=dict, repr=False)

    def build(self, data: Microdata, kind: str | None = None) -> object:
        """Return the data as a frame of the kind that came in, or of another kind."""
        chosen = kind or self.kind
        table = to_arrow(data)
        if chosen != "pandas":
            return frame_of(table, chosen)
        unchanged = [c.name for c in data.columns if table.field(c.name).type == c.storage]
        return _pandas(
            table, {name: self.dtypes[name] for name in unchanged if name in self.dtypes}
        )


def read_frame(frame: object, asked: Asked) -> Microdata:
    """Return a frame of any supported kind as microdata."""
    table, origin = _table(frame)
    return from_arrow(table, asked, origin)


def to_frame(data: Microdata, kind: str = "polars") -> object:
    """Return microdata as a frame.

    Parameters
    ----------
    data
        The table.
    kind
        "pandas", "polars", "polars-lazy", "pyarrow" or "duckdb".

    Examples
    --------
    >>> import sudare
    >>> sudare.to_frame(sudare.datasets.toy(), "polars").shape
    (400, 10)
    """
    return FrameOrigin(kind).build(data)


def frame_of(table: pa.Table, kind: str) -> Any:
    """Return an Arrow table as another kind of frame."""
    if kind == "pyarrow":
        return table
    if kind in {"polars", "polars-lazy"}:
        import polars as pl

        frame = pl.DataFrame(table)
        return frame.lazy() if kind == "polars-lazy" else frame
    if kind == "pandas":
        return _pandas(table, {})
    if kind == "duckdb":
        return part("duckdb").from_arrow(table)
    raise SettingError("kind must be one of {kinds}.", kinds=", ".join(KINDS))


def part(name: str, extra: str | None = None) -> Any:
    """Return an optional library, or say how to install it."""
    import importlib

    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        raise MissingPartError(
            "this needs the library {library}: pip install 'sudare[{extra}]'.",
            library=name,
            extra=extra or name,
        ) from None


def _table(frame: object) -> tuple[pa.Table, FrameOrigin]:
    try:
        wrapped = nw.from_native(frame)  # type: ignore[call-overload]
    except TypeError:
        raise InputError(
            "cannot read a {type}; give a path or a pandas, Polars, PyArrow or DuckDB frame.",
            type=type(frame).__name__,
        ) from None
    kind = wrapped.implementation.value
    if kind not in KINDS:
        raise InputError("frames of {kind} are not supported yet.", kind=kind)
    if isinstance(wrapped, nw.LazyFrame):
        lazy = "polars-lazy" if kind == "polars" else kind
        return wrapped.collect(backend="pyarrow").to_native(), FrameOrigin(lazy)
    if kind == "pandas":
        _check_index(frame)
        dtypes = dict(frame.dtypes.items())  # type: ignore[attr-defined]
        return wrapped.to_arrow(), FrameOrigin(kind, dtypes=dtypes)
    return wrapped.to_arrow(), FrameOrigin(kind)


def _check_index(frame: Any) -> None:
    index = frame.index
    if index.nlevels > 1 or index.name is not None or index.dtype.kind not in "iu":
        raise InputError(
            "the pandas frame has an index with a meaning; make it a column with reset_index(), "
            "or drop it with reset_index(drop=True)."
        )


def _pandas(table: pa.Table, dtypes: dict[str, object]) -> Any:
    part("pandas")
    frame = table.to_pandas()
    changed = {name: dtype for name, dtype in dtypes.items() if frame[name].dtype != dtype}
    return frame.astype(changed)
