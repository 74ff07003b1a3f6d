"""A promise of k, l or t, and what is left of it for whoever knows more than the keys."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from sudare.core import (
    Codes,
    Column,
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
    company,
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
    knowns = [
        known if known.is_presence or not {*known.columns} & {*learnt} else _open(promise, known)
        for known in knowns
    ]
    people = np.array([known.people > 0 for known in knowns])
    if not people.any():
        return promise.number
    classes = joined([class_codes(pair.after[n]) for n in promise.columns if n in pair.after])
    worst = [promise.number]
    for pattern in np.unique(people[:, people.any(axis=0)], axis=1).T:
        told = [known for known, is_told in zip(knowns, pattern, strict=True) if is_told]
        persons = np.flatnonzero((people == pattern[:, None]).all(axis=0))
        everybody = np.arange(len(classes))
        if promise.letter == "k":
            for of in _fitting(classes, told, np.zeros_like(classes), persons, everybody):
                least = int(of.sizes.min())
                spare = 3 * least**0.5 if pair.after.rows < records else 0
                worst.append(max((least - spare) * records / pair.after.rows, 1))
        asked = {name for known in told if known.is_presence for name in known.columns}
        for column in (pair.after[name] for name in learnt):
            rows = np.flatnonzero(column.known) if column.name in asked else everybody
            values = value_codes(column.take(rows))
            for of in _fitting(classes, told, values, np.intersect1d(persons, rows), rows):
                worst += promise.figures(column.take(rows), of).tolist()
    return float(max(worst) if promise.letter == "t" else min(worst))


def _open(promise: Promise, known: Known) -> Known:
    """Return what is known of people whose keys leave more of what a promise hides than it asks.

    That nobody under 15 has an income tells no income: l and t are about what is not known, and t
    is about the whole table.
    """
    left = known.fits[:, np.unique(known.told)].sum(axis=1)
    is_open = left >= max(promise.number, 2) if promise.letter == "l" else np.zeros_like(left)
    return replace(known, people=known.people * is_open[known.people])


def _fitting(
    classes: Integers,
    knowns: Sequence[Known],
    values: Codes | Integers,
    persons: Integers,
    rows: Integers,
) -> Iterator[Spread]:
    """Yield the values of records that share the keys of persons and fit what is known of them.

    Persons of whom all records of their class are left are not among them.

    Parameters
    ----------
    classes
        Of equal keys after masking, shape (n,).
    knowns
        What is known of these persons.
    values
        Of the records that count, shape (rows,).
    persons, rows
        Records.
    """
    told = joined([known.told for known in knowns]).astype(np.int64)
    cells = classes * np.int64(told.max() + 1) + told
    cells, parts, places = np.unique(cells[rows], return_index=True, return_inverse=True)
    alike = joined([classes.astype(np.int32), *(known.people for known in knowns)])
    persons = persons[np.unique(alike[persons], return_index=True)[1]]
    whole, sizes, parts = spread(places, values), np.bincount(classes), rows[parts]
    for some, who, at in company(classes[persons], classes[parts]):
        of = persons[some]
        fits = np.logical_and.reduce(
            [known.fits[known.people[of][who], known.told[parts[at]]] for known in knowns]
        )
        left = np.bincount(who, fits * whole.sizes[at], minlength=len(some))
        is_fewer = left < sizes[classes[of]]
        fits &= is_fewer[who]
        if is_fewer.any():
            yield united(whole, (np.cumsum(is_fewer) - 1)[who[fits]], at[fits])
