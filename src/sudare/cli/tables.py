"""The options by which every command that reads a table learns about it."""

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from sudare.cli.output import note
from sudare.core import LargeTable, Microdata, Role, SettingError
from sudare.engine import open_table, read, read_or_open

_GROUP = "About the table"
Data = Microdata | LargeTable


def _option(*names: str, help: str) -> Any:
    return typer.Option(*names, help=help, rich_help_panel=_GROUP)


@dataclass(frozen=True)
class TableOptions:
    """What the user says about a table on the command line."""

    key: Annotated[list[str], _option("--key", "-k", help="a key column (repeatable)")]
    sensitive: Annotated[list[str], _option("--sensitive", help="a sensitive column (repeatable)")]
    identifier: Annotated[list[str], _option("--identifier", help="an identifier (repeatable)")]
    weights: Annotated[str | None, _option("--weights", help="column of sampling weights")]
    household: Annotated[str | None, _option("--household", help="column of household numbers")]
    scale: Annotated[list[str], _option("--scale", help="column=scale, e.g. grade=ordinal")]
    type: Annotated[list[str], _option("--type", help="column=type, e.g. income=number")]
    missing: Annotated[
        list[str], _option("--missing", help="a word for no answer, or column=word (repeatable)")
    ]
    not_applicable: Annotated[
        list[str],
        _option("--not-applicable", help="a word for not applicable, or column=word (repeatable)"),
    ]
    encoding: Annotated[str | None, _option("--encoding", help="of a text file, else detected")]
    separator: Annotated[str | None, _option("--separator", help="of a text file, else detected")]
    skip_rows: Annotated[int | None, _option("--skip-rows", help="lines above the header")]
    sheet: Annotated[str | None, _option("--sheet", help="of an Excel file, else the first")]
    memory: Annotated[
        str | None, _option("--memory", help="most that this may take, e.g. 4GB, else half")
    ]
    engine: Annotated[str | None, _option("--engine", help="spark: have a cluster work")]
    master: Annotated[
        str | None, _option("--master", help="the cluster, e.g. spark://host:7077, else local[*]")
    ]

    def read(self, path: Path) -> Microdata:
        """Read a table into memory as the options say, and note what had to be guessed."""
        data = read(path, **self._reading())
        _note_origin(path, data.notes)
        return data

    def read_or_open(self, path: Path, *, beside: Path | None = None) -> Data:
        """Read a table, or open one if it, or one it is compared with, takes too much memory."""
        if self.on_spark:
            return self._on_spark(path)
        data = read_or_open(path, memory=self.memory, beside=beside, **self._reading())
        _note_origin(path, data.notes)
        return data

    @property
    def on_spark(self) -> bool:
        """Whether a Spark cluster does the work."""
        if self.engine not in {None, "spark"}:
            raise SettingError("--engine can be spark; without it this machine does the work.")
        if self.engine is None and self.master is not None:
            raise SettingError("--master needs --engine spark.")
        return self.engine is not None

    def _on_spark(self, path: Path) -> LargeTable:
        from sudare.engine.spark import parquet_frame, spark_session

        frame: object = parquet_frame(spark_session(self.master or "local[*]"), path)
        return open_table(frame, **self._reading())

    def _reading(self) -> dict[str, Any]:
        roles: dict[str, Role] = dict.fromkeys(self.key, "key")
        roles.update(dict.fromkeys(self.sensitive, "sensitive"))
        roles.update(dict.fromkeys(self.identifier, "identifier"))
        stated = {
            "roles": roles,
            "scales": _by_column(
                self.scale, SettingError("write column=scale, for example grade=ordinal.")
            ),
            "types": _by_column(
                self.type, SettingError("write column=type, for example income=number.")
            ),
            "weights": self.weights,
            "household": self.household,
            "missing": _words(self.missing),
            "not_applicable": _words(self.not_applicable),
            "encoding": self.encoding,
            "separator": self.separator,
            "skip_rows": self.skip_rows,
            "sheet": self.sheet,
        }
        return {name: value for name, value in stated.items() if value is not None}


def reads_tables(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options of ``TableOptions`` in place of its ``table`` parameter."""
    hints = get_type_hints(TableOptions, include_extras=True)
    options = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=[] if "list" in str(hint) else None,
            annotation=hint,
        )
        for name, hint in hints.items()
    ]
    own = inspect.signature(command)
    kept = [p for p in own.parameters.values() if p.name != "table"]
    names = [field.name for field in fields(TableOptions)]

    def run(**arguments: Any) -> Any:
        table = TableOptions(**{name: arguments.pop(name) for name in names})
        return command(table=table, **arguments)

    merged = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in kept] + options
    run.__signature__ = own.replace(parameters=merged)  # type: ignore[attr-defined]
    run.__annotations__ = {p.name: p.annotation for p in merged}
    run.__doc__ = command.__doc__
    return run


def _note_origin(path: Path, notes: Iterable[str]) -> None:
    for remark in notes:
        note(f"{path.name}: {remark}")


def _by_column(given: list[str], problem: SettingError) -> dict[str, Any]:
    pairs = [text.rpartition("=") for text in given]
    if not all(sign for _, sign, _ in pairs):
        raise problem
    return {name: word for name, _, word in pairs}


def _words(given: list[str]) -> dict[str, list[str]]:
    """Return words by column: "income=999" is one of a column, "NA" one of all ("*")."""
    words: dict[str, list[str]] = {}
    for text in given:
        name, _, word = text.rpartition("=")
        words.setdefault(name or "*", []).append(word)
    return words
