"""What voids k, l and t whatever is counted: people with several records, values made up."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from sudare.core import Column, LargeTable, Message, Microdata, Names, Step
from sudare.describe import suspicions
from sudare.engine.counting import groups
from sudare.release.inspection.findings import Finding
from sudare.release.inspection.masked_pair import drawn_columns

ANONYMIZING = {"LocalSuppression", "Suppression", "FullDomain", "Mondrian"}
_BY_VALUE = {"GlobalRecode", "Intervals", "Rounding", "TopBottomCode"}  # equal ones stay equal
_OF_MANY = {"household", "weight"}  # what a column is suspected of that is nobody's number
_RECORDS = 20  # fewer share a value, on average, of a column that identifies people


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
        remedy = Message("Make one record of those that share their '{column}'.", column=shared)
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
    """Return an identifier that tells that people have several records, where none is unique.

    Examples
    --------
    >>> import sudare
    >>> repeated_identifier(sudare.datasets.toy()) is None
    True
    """
    if isinstance(before, LargeTable):  # whose identifiers are not read
        return None
    each = {name: _records_each(before[name]) for name in before.with_role("identifier")}
    if not each or 1 in each.values():
        return None
    grounds = {suspicion.column: suspicion.ground for suspicion in suspicions(before)}
    for name, records in each.items():
        ground = grounds.get(name)
        is_class = (records or 1) >= _RECORDS and ground in {None, "key"}
        if records and records > 1 and not is_class and ground not in _OF_MANY:
            return name
    return None


def _records_each(column: Column) -> float | None:
    """Return how many records have a value, on average; None where blanks leave that open."""
    sizes = groups([column]).size_of_record[column.known]
    repeats = bool((sizes > 1).any())
    if not repeats and not column.known.all():
        return None
    return 1 / float((1 / sizes).mean()) if repeats else 1
