"""``sudare history from``: a purchase history from a table of purchases with a header."""

import csv
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from sudare.cli.options import AsJson, Force
from sudare.cli.output import note, print_json, print_rows
from sudare.core import ColumnError, Microdata, Scale, SettingError, say
from sudare.engine import read
from sudare.engine.formats import check_free, note_inputs, writing
from sudare.engine.frames import FileOptions
from sudare.transactions import (
    COLUMNS,
    PWSCUP_2018,
    HistoryDerivation,
    derive_history,
    item_columns,
    write_history,
)

NAME = "from"
HELP = """Make a purchase history from a table of purchases; says which rows are left out. Examples:

sudare history from sales.csv -o T.csv --column customer=member --column date=bought_at --column
item=category+bought_at+jan --column price=unit_price --column quantity=units

sudare history from sales.parquet -o T.csv --first-date 2024-04-01 --last-date 2025-03-31
"""
_DAY = ["%Y-%m-%d"]


def run(
    *,
    file: Annotated[Path, typer.Argument(help="a table with a row for each purchase")],
    output: Annotated[Path, typer.Option("--output", "-o", help="where the history T goes")],
    column: Annotated[
        list[str] | None,
        typer.Option(
            help="customer, date, item, price or quantity=name of the column (repeatable; default: "
            "the same names)"
        ),
    ] = None,
    first_date: Annotated[
        datetime | None, typer.Option(formats=_DAY, help="leave out purchases before this day")
    ] = None,
    last_date: Annotated[
        datetime | None, typer.Option(formats=_DAY, help="leave out purchases after this day")
    ] = None,
    save_rules: Annotated[
        Path | None,
        typer.Option(
            help="where to write rules that fit the history (default: beside it, if those of "
            "PWSCUP 2018 do not fit)"
        ),
    ] = None,
    encoding: Annotated[str | None, typer.Option(help="of a text file")] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Make a purchase history from a table."""
    note_inputs(file)
    columns = _columns(column or ())
    check_free(output, overwrite=force)
    derived = derive_history(
        _read(file, columns, encoding),
        columns=columns,
        first_date=first_date and first_date.date(),
        last_date=last_date and last_date.date(),
    )
    rules = save_rules
    if rules is None and derived.history.rules != PWSCUP_2018:
        rules = output.with_suffix(".rules.toml")
    if rules is not None:
        check_free(rules, overwrite=force)
        _write_rules(derived, rules, force=force)
    numbers = output.with_suffix(".numbers.csv") if derived.numbered else None
    if numbers is not None:
        check_free(numbers, overwrite=force)
        _write_numbers(derived, numbers, force=force)
    write_history(derived.history, output, overwrite=force)
    _print(derived, output, {"rules": rules, "numbers": numbers}, as_json=as_json)


def _read(file: Path, columns: Mapping[str, str], encoding: str | None) -> Microdata:
    texts = (columns["customer"], *item_columns(columns["item"]))
    scales: dict[str, Scale] = dict.fromkeys(texts, "nominal")
    options: FileOptions = {"find_types": True}
    if encoding is not None:
        options["encoding"] = encoding
    try:
        return read(file, scales=scales, **options)
    except ColumnError as error:
        raise SettingError(
            "{problem} Say which column is which: --column customer=NAME.", problem=error
        ) from None


def _columns(given: Sequence[str]) -> dict[str, str]:
    columns = {name: name for name in COLUMNS}
    for text in given:
        name, mark, own = text.partition("=")
        if not mark or not own or name not in COLUMNS:
            raise SettingError(
                "--column must be one of {names}, then = and what the table calls it.",
                names=", ".join(COLUMNS),
            )
        columns[name] = own
    return columns


def _write_rules(derived: HistoryDerivation, path: Path, *, force: bool) -> None:
    from sudare.contest import ContestRules

    with writing(path, overwrite=force) as draft:
        draft.write_text(ContestRules(history=derived.history.rules).to_toml(), encoding="utf-8")


def _write_numbers(derived: HistoryDerivation, path: Path, *, force: bool) -> None:
    """Write which number represents which value of a column that items are made of."""
    with writing(path, overwrite=force) as draft, draft.open("w", encoding="utf-8") as file:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(("column", "number", "value"))
        for column, values in derived.numbered.items():
            lines.writerows((column, number, value) for number, value in enumerate(values, 1))


def _print(
    derived: HistoryDerivation, output: Path, beside: Mapping[str, Path | None], *, as_json: bool
) -> None:
    history = derived.history
    if as_json:
        print_json(
            {
                "rows": history.rows,
                "customers": len(history.customer_ids),
                "items": len(history.item_ids),
                "left_out": dict(derived.left_out),
                "unused_columns": list(derived.unused),
                "output": str(output),
                **{name: str(path) for name, path in beside.items() if path},
            }
        )
        return
    if derived.left_out:
        print_rows(
            [
                {say("left out because of"): say(reason), say("rows"): count}
                for reason, count in derived.left_out.items()
            ]
        )
    if derived.unused:
        names = ", ".join(derived.unused)
        note(say("columns that a history has no room for: {names}.", names=names))
    note(say("{count} {count:row|rows} written to {path}.", count=history.rows, path=output))
    if rules := beside["rules"]:
        note(say("its rules are in '{path}': give them to other commands by --rules.", path=rules))
    if numbers := beside["numbers"]:
        note(
            say(
                "items have numbers in place of the values of {names}, which are no codes of "
                "capital letters and digits; '{path}' says which.",
                names=", ".join(derived.numbered),
                path=numbers,
            )
        )
