"""A promise of k, l or t, and what is left of it for whoever knows more than the keys."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from sudare.core import (
    Column,
    Flags,
    Floats,
    Integers,
    LargeTable,
    Measure,
    Microdata,
    Result,
    Step,
)
from sudare.describe import Spread, sensitive_columns, spread, united, value_codes
from sudare.release.inspection.masked_pair import MaskedPair, class_codes, joined
from sudare.release.inspection.release_guarantees.functional_dependencies import (
    Dependency,
    fitting,
    groups_of,
)
from sudare.release.inspection.release_guarantees.partial_dependencies import Known
from sudare.risk import KAnonymity, LDiversity, TCloseness

if TYPE_CHECKING:
    from sudare.release.limits import Limit

PROMISED: dict[str, type[Measure]] = {"k": KAnonymity, "l": LDiversity, "t": TCloseness}
Table = Microdata | LargeTable


@dataclass(frozen=True)
class Promise:
    """A number that holds for whoever knows some keys: of a step, or as the table happens to be.

    Attributes
    ----------
    letter, number
        k, l or t.
    columns
        The keys.
    step
        The step that promises it.
    alike
        How it is measured.
    limit
        What asks for it where no step promises it.
    """

    letter: str
    number: float
    columns: tuple[str, ...]
    step: Step | None = None
    alike: Mapping[str, Any] = field(default_factory=dict)
    limit: "Limit | None" = None

    def result(self, pair: tuple[Table, Table], steps: Sequence[Step], *more: str) -> Result:
        """Return what is measured where other columns are known beside the keys."""
        kind: Any = PROMISED[self.letter]
        result: Result = kind(columns=(*self.columns, *more), **self.alike)(*pair, steps=steps)
        return result

    def sensitive(self, pair: MaskedPair) -> tuple[str, ...]:
        """Return the columns of which nobody learns a value; k has none."""
        if self.letter == "k":
            return ()
        named = self.alike.get("sensitive")
        return sensitive_columns(self.letter, pair.before, named, self.columns)

    def figures(self, column: Column, given: Spread) -> Floats:
        """Return l or t of each of some classes by a sensitive column, shape (classes,)."""
        kind: Any = PROMISED[self.letter]
        figures: Floats = kind(columns=self.columns, **self.alike).figures(column, given)
        return figures

    def is_broken(self, judged: float) -> bool:
        """Return whether a number is worse than the promise, by more than rounding."""
        above = judged - self.number
        return (above if self.letter == "t" else -above) > 1e-6

    def must_hold(self, left: float) -> bool:
        """Return whether a step has promised more than is left, or a limit asks for more."""
        return self.step is not None or (self.limit is not None and not self.limit.met_at(left))


def left_by_dependency(
    promise: Promise, tables: tuple[Table, Table], pair: MaskedPair, dependency: Dependency
) -> float:
    """Return the worst number of a promise where an attacker rules out records of a class.

    Of a fee that follows from age and illness, each record shows whether it fits a known age.
    """
    groups = groups_of(pair.before, dependency.keys)
    if groups is None:
        return promise.number
    after, learnt = pair.after, promise.sensitive(pair)
    classes = joined([class_codes(after[name]) for name in promise.columns if name in after])
    others = joined([class_codes(after[name]) for name in dependency.others])
    told = joined([others.astype(np.int32), class_codes(after[dependency.name])])
    cells = np.unique(classes * (told.max() + 1) + told, return_inverse=True)[1]
    values = {name: value_codes(after[name]) for name in learnt} or {"": np.zeros_like(cells)}
    parts = {name: spread(cells, codes) for name, codes in values.items()}
    worst = [promise.number]
    for persons, members, of in fitting(classes, groups, others, told):
        for name, part in parts.items():
            fits = united(part, persons, members)
            fewer = fits.sizes < np.bincount(classes)[of]
            figures = promise.figures(after[name], fits) if name else fits.sizes
            worst += figures[fewer].tolist()
    left = max(worst) if promise.letter == "t" else min(worst)
    if after.rows < tables[1].records and left != promise.number:
        known = {dependency.name, *dependency.others}.difference(learnt)
        return float(promise.result(tables, pair.steps, *sorted(known)).judged)
    return float(left)


def left_where_known(
    promise: Promise, records: int, pair: MaskedPair, knowns: Sequence[Known]
) -> float:
    """Return the worst number of a promise among records that say what is known of a person.

    Of a table with more records, a part of a class is taken to be as small as chance allows.
    """
    learnt = promise.sensitive(pair)
    # That nobody under 15 has an income tells no income: l and t are about what is not known.
    knowns = [known for known in knowns if known.is_presence or not {*known.columns} & {*learnt}]
    if not knowns:
        return promise.number
    people = np.array([known.people for known in knowns])
    classes = joined([class_codes(pair.after[n]) for n in promise.columns if n in pair.after])
    worst = [promise.number]
    for pattern in np.unique(people, axis=1).T:
        told = [known for known, is_told in zip(knowns, pattern, strict=True) if is_told]
        cells = joined([classes.astype(np.int32), *(known.told for known in told)])
        sizes = np.bincount(cells)[cells]
        smaller = (people == pattern[:, None]).all(axis=0) & (sizes < np.bincount(classes)[classes])
        if promise.letter == "k" and smaller.any():
            least = int(sizes[smaller].min())
            spare = 3 * least**0.5 if pair.after.rows < records else 0
            worst.append(max((least - spare) * records / pair.after.rows, 1))
        asked = {name for known in told if known.is_presence for name in known.columns}
        for column in (pair.after[name] for name in learnt):
            worst += _figures(promise, column, cells, smaller, is_asked=column.name in asked)
    return float(max(worst) if promise.letter == "t" else min(worst))


def _figures(
    promise: Promise, column: Column, cells: Integers, people: Flags, *, is_asked: bool
) -> list[float]:
    """Return l or t of people, by the records of their cells: with a value, where that is known."""
    rows = np.flatnonzero(column.known) if is_asked else np.arange(column.rows)
    if not people[rows].any():
        return []
    codes, valued = np.unique(cells[rows], return_inverse=True)[1], column.take(rows)
    figures = promise.figures(valued, spread(codes, value_codes(valued)))
    return [float(figure) for figure in figures[codes[people[rows]]]]
