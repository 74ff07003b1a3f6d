"""T: the data of a contest, checked once and kept in the store."""

import tempfile
from datetime import date
from pathlib import Path

from sudare.contest.rules import ContestRules
from sudare.contest.store import Store
from sudare.core.microdata import Microdata
from sudare.engine.files import read, write
from sudare.transactions import History, history_from, read_history, write_history


def prepare(path: Path, rules: ContestRules, store: Store) -> str:
    """Check T, store it as teams will get it, and return its key.

    A history whose rules name columns comes from a table with a header; a table is stored as CSV.
    """
    if rules.subject == "history" and not rules.columns:
        read_history(path, rules=rules.history)
        return store.put_file(path)
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "T.csv"
        if rules.subject == "history":
            nominal = {rules.columns[name]: "nominal" for name in ("customer", "item")}
            table = read(path, scales=nominal)  # type: ignore[arg-type]
            last: date = rules.history.last_date
            write_history(history_from(table, columns=dict(rules.columns), last_date=last), plain)
            read_history(plain, rules=rules.history)
        else:
            write(read_table(path, rules), plain)
        return store.put_file(plain)


def read_original(path: Path, rules: ContestRules) -> History | Microdata:
    """Read T as :func:`prepare` has stored it."""
    if rules.subject == "history":
        return read_history(path, rules=rules.history)
    return read_table(path, rules)


def read_table(path: Path, rules: ContestRules) -> Microdata:
    """Read a table with the roles and scales of the rules; one without an ending is CSV."""
    with tempfile.TemporaryDirectory() as folder:
        named = path
        if not path.suffix:
            named = Path(folder) / "T.csv"
            named.symlink_to(path.resolve())
        data = read(named, roles=rules.table.roles, scales=rules.table.scales)
    return data.without(data.with_role("identifier"))
