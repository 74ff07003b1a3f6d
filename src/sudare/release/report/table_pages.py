"""What the report of a released table shows: variables, associations, groups."""

from collections.abc import Iterator, Mapping, Sequence, Set

from sudare.catalog import find
from sudare.core import Assessment, Integers, LargeTable, Microdata, Result, say
from sudare.describe import association, strength
from sudare.engine.counting import group_sizes
from sudare.release.report.document import Block, Chart, Table, Text
from sudare.release.report.pictures import bars_side_by_side, distribution, size_classes
from sudare.release.report.release_pages import Edition, quantiles

_SHOWN = 100_000  # records of a large table that are drawn


def table_blocks(
    before: Microdata | LargeTable,
    released: Microdata | LargeTable,
    masked: Set[str],
    measured: Sequence[tuple[Assessment, Result]],
    edition: Edition,
) -> Iterator[Block]:
    """Yield the pictures of a table; the internal edition also shows the original."""
    versions: dict[str, Microdata | LargeTable] = {say("after"): released}
    if edition == "internal":
        versions = {say("before"): before, **versions}
    shown = {word: _in_memory(data) for word, data in versions.items()}
    yield Text(heading=say("Variables"))
    if released.records > next(iter(shown.values())).records:
        yield Text(
            say("Pictures of variables and associations show {count} records.", count=_SHOWN)
        )
    for name in released.names:
        if name in masked and name not in released.with_role("household"):  # only numbers
            yield Chart(distribution({word: data[name] for word, data in shown.items()}))
    yield from _association_blocks(shown)
    if before.keys:
        classes = {
            word: size_classes(*_sizes(data, before.keys)) for word, data in versions.items()
        }
        yield Text(heading=say("Who could be singled out"))
        figure = bars_side_by_side(
            classes,
            say("Records by how many share their keys"),
            say("group size"),
            say("share of the records"),
        )
        yield Chart(figure, say("Keys: {keys}.", keys=", ".join(before.keys)))
    if edition == "internal":
        yield from _record_detail(measured)


def _in_memory(data: Microdata | LargeTable) -> Microdata:
    """Return the table, or some records of a large one: the same ones before and after."""
    if isinstance(data, Microdata):
        return data
    unseen = [*data.with_role("identifier"), *data.with_role("household")]
    return data.without(unseen).sample(min(_SHOWN, data.records), seed=0)


def _sizes(data: Microdata | LargeTable, names: Sequence[str]) -> tuple[Integers, Integers]:
    """Return the sizes of groups of equal keys, and how many records are in such groups."""
    counted_there = data.group_sizes([names]) if isinstance(data, LargeTable) else None
    if counted_there is not None:
        sizes, number = counted_there[0]
        return sizes, sizes * number
    counted = data.counted(names) if isinstance(data, LargeTable) else data
    sizes = group_sizes([counted[name] for name in names])
    return sizes, sizes


def _association_blocks(versions: Mapping[str, Microdata]) -> Iterator[Block]:
    first = next(iter(versions.values()))
    names = [c.name for c in first.columns if c.role not in {"identifier", "weight", "household"}]
    if len(names) < 2:
        return
    yield Text(heading=say("Association"))
    by_version = {word: association(data, columns=names) for word, data in versions.items()}
    for word, pairs in by_version.items():
        yield Chart({**pairs.figure(), "title": f"{say('Association')}: {word}"})
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
        yield Table(header, rows[:10], say("The ten associations that changed most."))


def _record_detail(measured: Sequence[tuple[Assessment, Result]]) -> Iterator[Block]:
    """Yield how a measure spreads over the records, in classes; never a single record."""
    for measure, result in measured:
        if result.by_record is None:
            continue
        yield Text(heading=say("{measure}, by record", measure=say(find(result.measure).title)))
        yield quantiles(
            result.by_record,
            say("Quantiles over the records; kind: {kind}.", kind=say(measure.kind)),
        )
