"""What the report of a released table shows: variables, associations, groups."""

from collections.abc import Iterator, Mapping, Sequence, Set

import numpy as np

from sudare.catalog import find
from sudare.core import (
    Array,
    Assessment,
    Figure,
    Integers,
    Kind,
    LargeTable,
    Microdata,
    Result,
    blanked,
    say,
)
from sudare.describe import association, strength
from sudare.engine.counting import group_sizes
from sudare.release.report.document import Block, Chart, Table, Text
from sudare.release.report.pictures import Spans, bars_side_by_side, distribution, size_classes
from sudare.release.report.sections import Edition

_SHOWN = 100_000  # records of a large table that are drawn
_FEWEST = 0.5  # share of values that are not missing, below which a column is in no association


def group_blocks(
    before: Microdata | LargeTable, released: Microdata | LargeTable, edition: Edition
) -> Iterator[Block]:
    """Yield how many records share their keys; the internal edition also shows the original."""
    if not before.keys:
        return
    classes = {
        word: size_classes(*_sizes(data, before.keys))
        for word, data in _versions(before, released, edition).items()
    }
    figure = bars_side_by_side(
        classes,
        say("Records by how many share their keys"),
        say("group size"),
        say("share of the records"),
    )
    yield Text(heading=say("Who could be singled out"))
    yield Chart(figure, say("Keys: {keys}.", keys=", ".join(before.keys)))


def variable_blocks(
    before: Microdata | LargeTable,
    released: Microdata | LargeTable,
    masked: Set[str],
    edition: Edition,
    seed: int,
) -> Iterator[Block]:
    """Yield distributions of the masked columns, and associations.

    A secret seed chooses records of a large table. Records are in the order of the original, and
    suppressed cells are missing, not a category of their own.
    """
    versions = _versions(before, released, edition)
    shown = {word: _in_memory(data, seed) for word, data in versions.items()}
    names = [n for n in released.names if n in masked and n not in released.with_role("household")]
    if names:
        yield Text(heading=say("Variables"))
    if released.records > next(iter(shown.values())).records:
        yield Text(
            say("Pictures of variables and associations show {count} records.", count=_SHOWN)
        )
    for name in names:
        yield Chart(distribution({word: data[name] for word, data in shown.items()}))
    yield from _associations(shown)


def _versions(
    before: Microdata | LargeTable, released: Microdata | LargeTable, edition: Edition
) -> dict[str, Microdata | LargeTable]:
    after: dict[str, Microdata | LargeTable] = {say("after"): released}
    return {say("before"): before, **after} if edition == "internal" else after


def _in_memory(data: Microdata | LargeTable, seed: int) -> Microdata:
    """Return the table, or some records of a large one: the same ones before and after.

    The records have the order of the original: with a known seed, pictures would tell which
    released records come from which places.
    """
    if isinstance(data, Microdata):
        return data
    unseen = [*data.with_role("identifier"), *data.with_role("household")]
    return data.without(unseen).sample(min(_SHOWN, data.records), seed=seed)


def _sizes(data: Microdata | LargeTable, names: Sequence[str]) -> tuple[Integers, Integers]:
    """Return the sizes of groups of equal keys, and how many records are in such groups."""
    counted_there = data.group_sizes([names]) if isinstance(data, LargeTable) else None
    if counted_there is not None:
        sizes, number = counted_there[0]
        return sizes, sizes * number
    counted = data.counted(names) if isinstance(data, LargeTable) else data
    sizes = group_sizes([counted[name] for name in names])
    return sizes, sizes


def _associations(versions: Mapping[str, Microdata]) -> Iterator[Block]:
    *_, last = versions.values()
    unseen = {"identifier", "weight", "household"}
    there = {c.name: 1 - c.missing.mean() for c in last.columns if c.role not in unseen}
    if len(there) < 2:
        return
    yield Text(heading=say("Association"))
    names = [name for name, share in there.items() if share >= _FEWEST]
    if len(names) < len(there):
        yield Text(
            say(
                "No associations are shown of {columns}: more than half of the values are "
                "missing, and the others are not a fair sample.",
                columns=say(", ").join(name for name in there if name not in names),
            )
        )
    if len(names) < 2:
        return
    by_version = {
        word: association(
            data.replacing([Spans.middles(data[name]) for name in names]), columns=names
        )
        for word, data in _on_the_same_records(versions, names).items()
    }
    beside = [pairs.figure().properties(title=word) for word, pairs in by_version.items()]
    yield Chart(Figure({"title": say("Association"), "background": None, "hconcat": beside}))
    if len(by_version) == 2:
        before, after = (
            {(p.first, p.second): p for p in pairs.pairs} for pairs in by_version.values()
        )
        both = [
            (f"{a} × {b}", strength(before[a, b]), strength(after[a, b]))
            for a, b in before
            if (a, b) in after and before[a, b].obstacle is None and after[a, b].obstacle is None
        ]
        rows = sorted(both, key=lambda row: -abs(row[1] - row[2]))
        header = [say("pair"), *by_version]
        caption = say(
            "The ten associations that changed most; both from the records whose values are "
            "still there after masking."
        )
        yield Table(header, rows[:10], caption)


def _on_the_same_records(
    versions: Mapping[str, Microdata], names: Sequence[str]
) -> Mapping[str, Microdata]:
    """Return versions in which the same records have values, so that suppression changes nothing.

    Where the records of the versions do not correspond, they are returned as they are.
    """
    if len(versions) < 2:
        return versions
    (first, before), (second, after) = versions.items()
    kept = before.still_in(after)
    if kept.rows != after.rows:
        return versions
    blank = [blanked(kept[name], after[name].suppressed_since(kept[name])) for name in names]
    return {first: kept.replacing(blank), second: after}


def record_detail(measured: Sequence[tuple[Assessment, Result]], kind: Kind) -> Iterator[Block]:
    """Yield how measures of a kind spread over the records, in classes; never a single record."""
    for measure, result in measured:
        if measure.kind != kind or result.by_record is None:
            continue
        yield Text(heading=say("{measure}, by record", measure=say(find(result.measure).title)))
        yield quantiles(
            result.by_record,
            say("Quantiles over the records; kind: {kind}.", kind=say(measure.kind)),
        )


def quantiles(values: Array, caption: str) -> Table:
    """Return how numbers spread over records or customers, and none of them by itself."""
    known = np.asarray(values, dtype=np.float64)
    shares = [0, 0.25, 0.5, 0.75, 0.9, 0.99, 1]
    marks = np.quantile(known[~np.isnan(known)], shares, method="inverted_cdf")  # may be infinite
    return Table(
        ["0 %", "25 %", "50 %", "75 %", "90 %", "99 %", "100 %"],
        [[float(mark) for mark in marks]],
        caption,
    )
