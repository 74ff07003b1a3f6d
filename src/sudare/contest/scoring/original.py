"""T: the data of a contest, checked once and kept in the store."""

from datetime import date
from pathlib import Path

import numpy as np

from sudare.contest.rules import ContestRules
from sudare.contest.storage import FileStore
from sudare.core import (
    ColumnError,
    InputError,
    Microdata,
    Numeric,
    Scale,
    SettingError,
    SudareError,
)
from sudare.engine import read, write
from sudare.engine.formats import Folder
from sudare.release import Limit, parse_measure
from sudare.transactions import Amount, History, history_from, read_history, write_history
from sudare.transactions.files import EPOCH, WRITERS


def prepare(path: Path, rules: ContestRules, store: FileStore) -> str:
    """Check T, store it as teams will get it, and return its key.

    A history whose rules name columns comes from a table with a header; a table is stored as CSV.
    """
    if rules.subject == "history" and not rules.columns:
        read_history(path, rules=rules.history)
        return store.put_file(path)
    with Folder() as folder:
        csv = folder / "T.csv"
        if rules.subject == "history":
            write_history(_purchases(path, rules), csv)
        else:
            data = read(path, roles=rules.table.roles, scales=rules.table.scales)
            write(data.without(data.with_role("identifier")), csv)
            _check_measures(read_table(csv, rules), rules)
        return store.put_file(csv)


def _check_measures(original: Microdata, rules: ContestRules) -> None:
    """Refuse rules by which not even T itself could be scored."""
    score, limits = rules.table.score, rules.table.limits
    for text in (*score, *limits):
        measure = parse_measure(text) if text in score else Limit.parse(text).measure
        try:
            measure(original, original)
        except SudareError as error:
            raise SettingError(
                "contest: T cannot be measured by the rule '{rule}': {problem}",
                rule=text,
                problem=error,
            ) from None


def _purchases(path: Path, rules: ContestRules) -> History:
    """Return the purchases of a table with a header, within the limits of the rules."""
    nominal: dict[str, Scale] = {rules.columns[name]: "nominal" for name in ("customer", "item")}
    last: date = rules.history.last_date
    try:
        table = read(path, scales=nominal)
        _check_largest(table, rules)
        history = history_from(
            table,
            columns=rules.columns,
            last_date=last,
            item_length=rules.history.item_length,
        )
        _check_limits(history, rules)
    except ColumnError as error:
        raise InputError("'{path}', {problem}", path=str(path), problem=error) from None
    return history


def _check_largest(table: Microdata, rules: ContestRules) -> None:
    """Refuse amounts above the limits, also those that no history can hold."""
    largest: dict[Amount, float] = {
        "price": rules.history.max_price_cents / 100,
        "quantity": rules.history.max_quantity,
    }
    for name, high in largest.items():
        column = table[rules.columns[name]]
        if isinstance(column, Numeric):
            _refuse_outside(name, int(np.count_nonzero(column.values > high)), rules)


def _check_limits(history: History, rules: ContestRules) -> None:
    for name, (low, high) in _limits(rules).items():
        values = history.amounts(name)
        _refuse_outside(name, int(np.count_nonzero((values < low) | (values > high))), rules)


def _limits(rules: ContestRules) -> dict[Amount, tuple[int, int]]:
    given = rules.history
    return {
        "date": ((given.first_date - EPOCH).days, (given.last_date - EPOCH).days),
        "price": (1, given.max_price_cents),
        "quantity": (1, given.max_quantity),
    }


def _refuse_outside(name: Amount, outside: int, rules: ContestRules) -> None:
    low, high = _limits(rules)[name]
    if outside:
        raise ColumnError(
            "column '{column}': {count} {count:value is|values are} not between {low} and "
            "{high}; see [history] in the rules.",
            column=rules.columns[name],
            count=outside,
            low=WRITERS[name](low),
            high=WRITERS[name](high),
        )


def read_original(path: Path, rules: ContestRules) -> History | Microdata:
    """Read T as :func:`prepare` has stored it."""
    if rules.subject == "history":
        return read_history(path, rules=rules.history)
    return read_table(path, rules)


def read_table(path: Path, rules: ContestRules) -> Microdata:
    """Read T as it is stored, or a masked table, with the roles and scales of the rules.

    Identifiers are not in it any more. A file without an ending is CSV.
    """
    roles = {name: role for name, role in rules.table.roles.items() if role != "identifier"}
    gone = set(rules.table.roles) - set(roles)
    scales = {name: scale for name, scale in rules.table.scales.items() if name not in gone}
    with Folder() as folder:
        named = path
        if not path.suffix:
            named = folder / "T.csv"
            named.symlink_to(path.resolve())
        return read(named, roles=roles, scales=scales)
