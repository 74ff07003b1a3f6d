"""What voids k, l and t whatever is counted: people with several records, values made up."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any

import numpy as np

from sudare.core import Column, LargeTable, Message, Microdata, Names, Step
from sudare.describe import suspicions
from sudare.engine.counting import groups
from sudare.release.inspection.findings import Finding
from sudare.release.inspection.masked_pair import drawn_columns

ANONYMIZING = {"LocalSuppression", "Suppression", "FullDomain", "Mondrian"}
_BY_VALUE = {"GlobalRecode", "Intervals", "Rounding", "TopBottomCode"}  # equal ones stay equal
_OF_MANY = {"household", "weight"}  # what a column is suspected of that is nobody's number
_RECORDS = 20  # fewer share a value, on average, of a column that identifies people
_MOST_AGREE = 0.5  # keys of records that share a value of a column that does not
_MOST, _SAMPLE = 3_000_000, 100_000  # records of a large table whose texts are read, and looked at


def find_voided_promises(
    before: Microdata | LargeTable, steps: Sequence[Step]
) -> Iterator[Finding]:
    """Yield why the steps that promise k, l or t cannot keep it."""
    asked = [number for number, step in enumerate(steps) if step.method in ANONYMIZING]
    shared = repeated_identifier(before) if asked else None
    if shared is not None:
        detail = Message(
            "Records share their '{column}' with others: k, l and t count records, and those of a "
            "class may all be of one person.",
            column=shared,
        )
        remedy = Message(
            "Make one record of those that share their '{column}'. Accept it if these are no "
            "person's, as those of a school or an amount that was declared only to leave it out.",
            column=shared,
        )
        yield Finding("broken-promise", (shared,), 0, "stop", detail, remedy)
    for number in asked:
        settings: Any = steps[number].settings
        named = settings.get("sensitive") or before.with_role("sensitive")
        unequal = made_unequal(steps[:number], named)
        if unequal and not settings.get("l") is settings.get("t") is None:
            detail = Message(
                "Steps have changed '{columns}' so that equal values may differ: what differs in a "
                "class may all have been one value.",
                columns=Names.of(unequal),
            )
            remedy = Message(
                "Ask for l and t in a step before sensitive values are changed, or not at all."
            )
            yield Finding("broken-promise", unequal, 0, "stop", detail, remedy)


def made_unequal(steps: Sequence[Step], names: Collection[str]) -> tuple[str, ...]:
    """Return the columns in which steps may have made different values of equal ones.

    Examples
    --------
    >>> steps = [Step("Intervals", ("income",)), Step("Microaggregation", ("age",))]
    >>> made_unequal(steps, ["income", "age"])
    ('age',)
    """
    drawn = drawn_columns(steps)
    touched = {name for step in steps if step.method not in _BY_VALUE for name in step.columns}
    return tuple(name for name in names if name in drawn or name in touched)


def repeated_identifier(before: Microdata | LargeTable) -> str | None:
    """Return identifiers that tell that people have several records, where none is unique.

    Examples
    --------
    >>> import sudare
    >>> repeated_identifier(sudare.datasets.toy()) is None
    True
    """
    named = before.with_role("identifier")
    if isinstance(before, LargeTable):
        if not named or before.records > _MOST:
            return None
        others = set(before.names) - {*named, *before.keys}
        before = before.without(others).sample(min(_SAMPLE, before.records), seed=0)
    each = {name: _records_each([before[name]]) for name in named}
    if not each or 1 in each.values():
        return None
    grounds = {suspicion.column: suspicion.ground for suspicion in suspicions(before)}
    for name, records in each.items():
        ground = grounds.get(name)
        is_class = (records or 1) >= _RECORDS and ground in {None, "key"}
        is_class = is_class and _agreement(before, [before[name]]) < _MOST_AGREE
        if records and records > 1 and not is_class and ground not in _OF_MANY:
            return name
    together = [before[name] for name in named]  # names in two columns, for example
    records = _records_each(together) or 1
    is_class = records >= _RECORDS and _agreement(before, together) < _MOST_AGREE
    return ", ".join(named) if records > 1 and not is_class else None


def _agreement(data: Microdata, identifiers: Sequence[Column]) -> float:
    """Return how far records of one identifier agree in their keys: 0 as any records, 1 in all.

    By the median key: those of a person are equal or nearly so, while of a class, such as a school
    or the code of a region, one may be equal but not most.
    """
    agreements = []
    for name in data.keys:
        overall = groups([data[name]]).sizes.max() / data.rows
        both = groups([*identifiers, data[name]])
        of_group = groups(identifiers).index[both.example]
        most = np.zeros(int(of_group.max()) + 1)
        np.maximum.at(most, of_group, both.sizes)
        if overall < 1:
            agreements.append((most.sum() / data.rows - overall) / (1 - overall))
    return float(np.median(agreements)) if agreements else 1.0


def _records_each(columns: Sequence[Column]) -> float | None:
    """Return how many records have a value, on average; None where blanks leave that open."""
    known = np.logical_and.reduce([column.known for column in columns])
    sizes = groups(columns).size_of_record[known]
    repeats = bool((sizes > 1).any())
    if not repeats and not known.all():
        return None
    return 1 / float((1 / sizes).mean()) if repeats else 1
