"""Files of the contest: a history T, a masked file A, what is published of it, and a guess F."""

import os
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np

from sudare.core import InputError
from sudare.engine.formats import writing
from sudare.transactions.cells import DELETED, GONE, ItemSets, MaskedHistory, Ranges
from sudare.transactions.files import notation
from sudare.transactions.files.lines import is_line_of_names, lines_of
from sudare.transactions.files.notation import STAR, Cell, write_amounts
from sudare.transactions.files.problems import Problems, RefusedError
from sudare.transactions.history import AMOUNTS, COLUMNS, History
from sudare.transactions.rules import ANY_YEAR, PWSCUP_2018, HistoryRules

Path = str | os.PathLike[str]
Parsed = TypeVar("Parsed", bound=Hashable)


class _Column(Generic[Parsed]):
    """Parses one column, each distinct text once; keeps the number of each row's content."""

    def __init__(self, name: str, parse: Callable[[str], Parsed]) -> None:
        self.name, self.parse = name, parse
        self.seen: dict[str, int] = {}
        self.distinct: list[Parsed] = []
        self.codes: list[int] = []

    def code(self, text: str) -> int:
        """Return the number of a cell's content among the distinct ones; refuse what is wrong."""
        known = self.seen.get(text)
        if known is None:
            self.distinct.append(self.parse(text))
            known = self.seen[text] = len(self.distinct) - 1
        return known

    def contents(self) -> list[Parsed]:
        """Return the content of every row."""
        return [self.distinct[code] for code in self.codes]


def _read_rows(
    rows: Iterable[tuple[int, str]], columns: list[_Column[Hashable]], problems: Problems
) -> None:
    """Fill the columns; a line with a problem leaves no row."""
    width = len(columns)
    for number, line in rows:
        cells = line.split(",")
        if len(cells) != width:
            reason = RefusedError(
                "{found} cells instead of {wanted}.", found=len(cells), wanted=width
            )
            problems.add(number, "", reason)
            continue
        try:
            codes = [column.code(cell) for column, cell in zip(columns, cells, strict=True)]
        except RefusedError:
            _note(number, columns, cells, problems)
            continue
        for column, code in zip(columns, codes, strict=True):
            column.codes.append(code)


def _note(
    number: int, columns: list[_Column[Hashable]], cells: list[str], problems: Problems
) -> None:
    for column, cell in zip(columns, cells, strict=True):
        try:
            column.code(cell)
        except RefusedError as refused:
            problems.add(number, column.name, refused)


def _refuse(path: Path, problems: Problems) -> None:
    if problems.count:
        raise InputError(
            "'{path}', {problem} ({count} {count:problem|problems} in total)",
            path=str(path),
            problem=problems.kept[0],
            count=problems.count,
        )


def read_history(path: Path, *, rules: HistoryRules = PWSCUP_2018) -> History:
    """Read a history: lines ``customer,date,item,price,quantity`` without a header.

    Parameters
    ----------
    path
        The file. Line ends are LF or CRLF.
    rules
        Limits of dates, prices and quantities; the history carries them to all that masks, checks
        and attacks it.
    """
    problems = Problems()
    columns: list[_Column[Hashable]] = [
        _Column("customer", notation.parse_customer),
        _Column("date", lambda text: notation.parse_date(text, rules)),
        _Column("item", lambda text: notation.parse_item(text, rules)),
        _Column("price", lambda text: notation.parse_price(text, rules)),
        _Column("quantity", lambda text: notation.parse_quantity(text, rules)),
    ]
    _read_rows(_lines(path, rules, problems), columns, problems)
    _refuse(path, problems)
    contents = (column.contents() for column in columns)
    return History.from_rows(*contents, rules=rules)  # type: ignore[arg-type]


def is_history_line(line: str) -> bool:
    """Return whether a line is a purchase in the format of the contest, of any year.

    Examples
    --------
    >>> is_history_line("12347,2010/12/7,85116,2.1,12"), is_history_line("customer,date,item,a,b")
    (True, False)
    """
    cells = line.split(",")
    if len(cells) != len(COLUMNS):
        return False
    try:
        notation.parse_customer(cells[0])
        notation.parse_date(cells[1], ANY_YEAR)
        notation.parse_item(cells[2], ANY_YEAR)
        notation.parse_price(cells[3], ANY_YEAR)
        notation.parse_quantity(cells[4], ANY_YEAR)
    except RefusedError:
        return False
    return True


def write_history(history: History, path: Path, *, overwrite: bool = False) -> None:
    """Write a history in the contest's format; the file appears whole or not at all."""
    columns = [
        [history.customer_ids[code] for code in history.customers],
        *(
            write_amounts(values, values, [True] * history.rows, name)
            for name in AMOUNTS
            for values in (history.amounts(name),)
        ),
    ]
    columns.insert(2, [history.item_ids[code] for code in history.items])
    _write(columns, path, overwrite=overwrite)


@dataclass(frozen=True)
class MaskedRows:
    """The rows of a masked file that could be read, and what is wrong with the others."""

    masked: MaskedHistory
    problems: Problems


def parse_masked(
    path: Path, *, rules: HistoryRules = PWSCUP_2018, most_rows: int | None = None
) -> MaskedRows:
    """Read a masked file as far as possible, and note what is wrong by line and column.

    Reading stops after ``most_rows`` rows, so that a file without end is refused early.
    """
    problems = Problems()
    columns: list[_Column[Hashable]] = [
        _Column("pseudonym", lambda text: GONE if text == STAR else notation.parse_pseudonym(text)),
        _Column("date", lambda text: notation.parse_amount(text, "date", rules)),
        _Column("item", lambda text: notation.parse_items(text, rules)),
        _Column("price", lambda text: notation.parse_amount(text, "price", rules)),
        _Column("quantity", lambda text: notation.parse_amount(text, "quantity", rules)),
    ]
    lines = _lines(path, rules, problems)
    _read_rows(_at_most(lines, most_rows, problems), columns, problems)
    masked = MaskedHistory(
        np.array(columns[0].contents(), dtype=np.int64),
        _ranges(columns[1]),
        _item_sets(columns[2]),
        _ranges(columns[3]),
        _ranges(columns[4]),
        rules,
    )
    return MaskedRows(masked, problems)


def _at_most(
    lines: Iterable[tuple[int, str]], most: int | None, problems: Problems
) -> Iterator[tuple[int, str]]:
    for number, line in lines:
        if most is not None and number > most:
            problems.add(number, "", RefusedError("more than {limit} rows.", limit=most))
            return
        yield number, line


def _ranges(column: _Column[Hashable]) -> Ranges:
    cells = [cell for cell in column.distinct if isinstance(cell, Cell)]
    codes = np.array(column.codes, dtype=np.int64)
    low, high = (np.array([getattr(c, end) for c in cells], np.int64) for end in ("low", "high"))
    bracketed = np.array([not c.plain for c in cells], dtype=np.bool_)
    return Ranges(low[codes], high[codes], bracketed[codes])


def _item_sets(column: _Column[Hashable]) -> ItemSets:
    sets: list[tuple[tuple[str, ...], bool] | None] = column.distinct  # type: ignore[assignment]
    filled = [content for content in sets if content is not None]
    names = sorted({name for members, _ in filled for name in members})
    code_of = {name: code for code, name in enumerate(names)}
    number = np.cumsum([content is not None for content in sets]) - 1
    number = np.where([content is None for content in sets], DELETED, number)
    members = [sorted(code_of[name] for name in names) for names, _ in filled]
    return ItemSets(
        number[np.array(column.codes, dtype=np.int64)].astype(np.int32),
        np.concatenate([[0], np.cumsum([len(codes) for codes in members])]).astype(np.int64),
        np.array([code for codes in members for code in codes], dtype=np.int32),
        tuple(names),
        np.array([not plain for _, plain in filled], dtype=np.bool_),
    )


def read_masked(path: Path, *, rules: HistoryRules = PWSCUP_2018) -> MaskedHistory:
    """Read a masked file A, or what is published of it; refuse one that is not well written.

    Parameters
    ----------
    path
        The file: lines ``pseudonym,date,item,price,quantity`` without a header, where a cell is a
        value, a set ``{a;b}``, a range ``[low;high]`` or ``*``.
    rules
        Limits of sets, dates, prices, quantities and lines.
    """
    reading = parse_masked(path, rules=rules)
    _refuse(path, reading.problems)
    return reading.masked


def masked_lines(masked: MaskedHistory) -> list[str]:
    """Return the lines of a masked file."""
    names = masked.items.item_ids
    sets = [
        names[masked.items.members_of(number)[0]]
        if plain
        else "{" + ";".join(names[code] for code in masked.items.members_of(number)) + "}"
        for number, plain in enumerate(masked.items.plain)
    ]
    sets.append(STAR)  # where a deleted cell, -1, points to
    columns: dict[str, list[str]] = {}
    for name in AMOUNTS:
        cells = masked.amounts(name)
        columns[name] = write_amounts(cells.low, cells.high, cells.plain.tolist(), name)
    columns["customer"] = [
        STAR if number == GONE else str(number) for number in masked.pseudonyms.tolist()
    ]
    columns["item"] = [sets[number] for number in masked.items.cells.tolist()]
    return [",".join(row) for row in zip(*(columns[name] for name in COLUMNS), strict=True)]


def write_masked(
    masked: MaskedHistory, path: Path, *, overwrite: bool = False, private: bool = False
) -> None:
    """Write a masked file in the contest's format; it appears whole or not at all.

    What is ``private`` can be read by its owner alone.
    """
    with writing(path, overwrite=overwrite, private=private) as draft:
        draft.write_text("".join(line + "\n" for line in masked_lines(masked)), encoding="ascii")


def published(masked: MaskedHistory) -> MaskedHistory:
    """Return what is released: rows sorted, without deleted ones, so that order reveals nothing.

    Rows are sorted by pseudonym, then by the text of the other cells.
    """
    kept = np.flatnonzero(~masked.gone)
    lines = masked_lines(masked.take(kept))
    order = sorted(range(len(kept)), key=lambda row: (masked.pseudonyms[kept[row]], lines[row]))
    return masked.take(kept[np.array(order, dtype=np.int64)])


def _lines(path: Path, rules: HistoryRules, problems: Problems) -> Iterator[tuple[int, str]]:
    """Yield the lines of a file; a line of headings is recognized as one."""
    for number, line in lines_of(path, longest=rules.line_length, problems=problems):
        if number == 1 and is_line_of_names(line):
            reason = RefusedError("this looks like a line of column names; the file has none.")
            problems.add(number, "", reason)
        else:
            yield number, line


def guess_rows(
    path: Path,
    problems: Problems,
    *,
    rules: HistoryRules = PWSCUP_2018,
    most_rows: int | None = None,
) -> Iterator[tuple[int, int, str]]:
    """Yield line, pseudonym and customer of a guess; note the lines that cannot be read."""
    lines = _lines(path, rules, problems)
    for number, line in _at_most(lines, most_rows, problems):
        columns: list[_Column[Hashable]] = [
            _Column("pseudonym", notation.parse_pseudonym),
            _Column("customer", notation.parse_customer),
        ]
        _read_rows([(number, line)], columns, problems)
        if columns[0].codes:
            pseudonym, customer = (column.contents()[0] for column in columns)
            yield number, pseudonym, customer  # type: ignore[misc]


def read_guess(path: Path, *, rules: HistoryRules = PWSCUP_2018) -> dict[int, str]:
    """Read an attacker's guess F: lines ``pseudonym,customer``, each pseudonym once."""
    problems = Problems()
    guess: dict[int, str] = {}
    for number, pseudonym, customer in guess_rows(path, problems, rules=rules):
        if pseudonym in guess:
            problems.add(number, "pseudonym", RefusedError("the pseudonym was named before."))
        guess[pseudonym] = customer
    _refuse(path, problems)
    return guess


def write_guess(guess: dict[int, str], path: Path, *, overwrite: bool = False) -> None:
    """Write an attacker's guess."""
    _write([[str(number) for number in guess], list(guess.values())], path, overwrite=overwrite)


def _write(columns: list[list[str]], path: Path, *, overwrite: bool) -> None:
    with writing(path, overwrite=overwrite) as draft:
        text = "".join(",".join(cells) + "\n" for cells in zip(*columns, strict=True))
        draft.write_text(text, encoding="ascii")
