"""What voids k, l and t whatever is counted: people with several records, values made up."""

from collections.abc import Iterator, Sequence
from typing import Any

from sudare.core import Column, LargeTable, Message, Microdata, Step
from sudare.engine.counting import groups
from sudare.release.inspection.findings import Finding
from sudare.release.inspection.masked_pair import drawn_columns

ANONYMIZING = {"LocalSuppression", "Suppression", "FullDomain", "Mondrian"}
_RECORDS = 20  # fewer share a value, on average, of a column that identifies people


def find_voided_promises(
    before: Microdata | LargeTable, steps: Sequence[Step]
) -> Iterator[Finding]:
    """Yield why the steps that promise k, l or t cannot keep it."""
    asked = [number for number, step in enumerate(steps) if step.method in ANONYMIZING]
    _, shared = one_record_each(before) if asked else (None, None)
    if shared:
        detail = Message(
            "Records share their '{column}' with others: k, l and t count records, and those of a "
            "class may all be of one person.",
            column=shared,
        )
        remedy = Message("Make one record of those that share their '{column}'.", column=shared)
        yield Finding("broken-promise", (shared,), 0, "stop", detail, remedy)
    for number in asked:
        settings, drawn = steps[number].settings, drawn_columns(steps[:number])
        named: Any = settings.get("sensitive") or before.with_role("sensitive")
        random = tuple(name for name in named if name in drawn)
        if random and not settings.get("l") is settings.get("t") is None:
            detail = Message(
                "Values of '{columns}' were changed at random, so that those which differ may all "
                "have been one: they do not make a class diverse.",
                columns="', '".join(random),
            )
            remedy = Message("Leave the sensitive values as they are, or promise no l or t.")
            yield Finding("broken-promise", random, 0, "stop", detail, remedy)


def one_record_each(before: Microdata | LargeTable) -> tuple[bool | None, str | None]:
    """Return whether identifiers tell that nobody has several records, and one that denies it.

    Examples
    --------
    >>> import sudare
    >>> one_record_each(sudare.datasets.toy())
    (True, None)
    """
    if isinstance(before, LargeTable):
        return None, None
    each = {name: _records_each(before[name]) for name in before.with_role("identifier")}
    people = [name for name, records in each.items() if 1 < records < _RECORDS]
    alone = [name for name, records in each.items() if records == 1]
    if people and not alone:
        return False, people[0]
    return (True if alone and not people else None), None  # of households, say, or left out


def _records_each(column: Column) -> float:
    """Return how many records have a value, on average."""
    sizes = groups([column]).size_of_record[column.known]
    return 1 / float((1 / sizes).mean()) if len(sizes) else 1.0
