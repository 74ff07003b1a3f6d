"""Pictures of a purchase history and of what is published of it, as Vega-Lite data."""

from collections import Counter, defaultdict
from collections.abc import Mapping

import numpy as np

from sudare.core import (
    Codes,
    Figure,
    Flags,
    Floats,
    Integers,
    nominal,
    quantitative,
    say,
    with_looks,
)
from sudare.transactions import AMOUNTS, Amount, MaskedHistory
from sudare.transactions.files import masked_lines

ROW, CELL, SPAN, VALUE = range(4)  # a deleted row, a deleted cell, a range or set, a value
_COLORS = ("#8a5a1e", "#c9873c", "#7fa99b", "#3a6b5c")
_COLUMNS = ("date", "item", "price", "quantity")


def contents(masked: MaskedHistory) -> dict[str, Codes]:
    """Return by column what each cell holds: nothing as its row, nothing, a range, a value."""
    deleted: dict[str, Flags] = {name: masked.amounts(name).deleted for name in AMOUNTS}
    plain: dict[str, Flags] = {name: masked.amounts(name).plain for name in AMOUNTS}
    deleted["item"] = masked.items.deleted
    plain["item"] = np.append(masked.items.plain, False)[masked.items.cells]
    held: dict[str, Codes] = {}
    for name in _COLUMNS:
        held[name] = np.where(plain[name], VALUE, SPAN).astype(np.int32)
        held[name][deleted[name]] = CELL
        held[name][masked.gone] = ROW
    return held


def contents_figure(held: Mapping[str, Codes]) -> Figure:
    """Return by column the share of the cells that hold a value, a range or set, or nothing."""
    shares = {name: np.bincount(codes, minlength=4) / len(codes) for name, codes in held.items()}
    return _stacked(shares, say("What the cells hold"), say("share of the cells"))


def errors_by_content(errors: Mapping[str, Floats], held: Mapping[str, Codes]) -> dict[str, Floats]:
    """Return by column the mean error of the cells, as four parts by what the cells hold."""
    return {
        name: np.bincount(held[name], errors[name], minlength=4) / len(errors[name])
        for name in _COLUMNS
    }


def error_figure(parts: Mapping[str, Floats]) -> Figure:
    """Return by column the error of the cells, as bars of its parts."""
    return _stacked(parts, say("Mean error of the cells (U)"), say("error"))


def _stacked(parts: Mapping[str, Floats], title: str, across: str) -> Figure:
    words = (say("deleted row"), say("deleted cell"), say("range or set"), say("value"))
    values = [
        {"column": say(name), "cell": word, "part": float(part), "place": order}
        for name, column in parts.items()
        for order, (word, part) in enumerate(zip(words, column, strict=True))
    ]
    return Figure(
        title=title,
        background=None,
        width=460,
        height=120,
        data={"values": values},
        mark={"type": "bar", "tooltip": True},
        encoding={
            "y": nominal("column", sort=None, title=None),
            "x": quantitative("part", title=across),
            "color": with_looks("cell", dict(zip(words, _COLORS, strict=True))),
            "order": {"field": "place"},
        },
    )


def middles(masked: MaskedHistory, column: Amount) -> Floats:
    """Return the middles of the ranges of a column, where there are any; prices in the currency."""
    cells = masked.amounts(column)
    values = ((cells.low + cells.high) / 2)[~cells.deleted]
    return values / 100 if column == "price" else values


def month_shares(days: Floats) -> dict[str, float]:
    """Return the share of the days in every month from the first to the last."""
    if not len(days):
        return {}
    months = np.floor(days).astype("datetime64[D]").astype("datetime64[M]").astype(np.int64)
    counts = np.bincount(months - months.min())
    return {
        str(np.datetime64(int(months.min()) + number, "M")): float(count / len(days))
        for number, count in enumerate(counts)
    }


def alike(published: MaskedHistory) -> Integers:
    """Return for each published customer how many have exactly the same rows, itself included."""
    rows = defaultdict[str, list[str]](list)
    for line in masked_lines(published):
        pseudonym, cells = line.split(",", 1)
        rows[pseudonym].append(cells)
    sets = [tuple(sorted(lines)) for lines in rows.values()]
    sizes = Counter(sets)
    return np.array([sizes[lines] for lines in sets], dtype=np.int64)
