"""Applying maskers in turn, so that what one removed is not brought back by the next.

A label may stand on the list of its column when no record has it: the last one was removed,
suppressed or recoded, or filtered out by the frame library whose type still lists it. A step that
draws from the list, or names what is on it, learns from a list without such labels. Labels that
were stated (``orders``) and that no record ever had stay.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, overload

from sudare.core.draws import Draws, Seed, draws_from
from sudare.core.errors import SettingError
from sudare.core.methods.masker import AnyMasker, ColumnPlan, Masker, Plan, Step, steps_table
from sudare.core.table import Categorical, Column, Label, LargeTable, Microdata

# Called with (steps done, steps in all, what comes next).
OnProgress = Callable[[int, int, str], None]
Data = TypeVar("Data")


@dataclass(frozen=True)
class Masked(Generic[Data]):
    """Masked data and the public account of what was done to them."""

    data: Data
    steps: tuple[Step, ...]

    def _repr_html_(self) -> str:
        """Return what a notebook shows: what was done, and the columns of the result."""
        table = self.data._repr_html_() if isinstance(self.data, Microdata) else ""
        return steps_table(self.steps) + table


@overload
def apply(
    data: Microdata,
    maskers: AnyMasker | Iterable[AnyMasker],
    *,
    seed: Seed = None,
    on_progress: OnProgress | None = None,
) -> Masked[Microdata]: ...


@overload
def apply(
    data: Any,
    maskers: AnyMasker | Iterable[AnyMasker],
    *,
    seed: Seed = None,
    on_progress: OnProgress | None = None,
) -> Masked[Any]: ...


def apply(
    data: Any,
    maskers: AnyMasker | Iterable[AnyMasker],
    *,
    seed: Seed = None,
    on_progress: OnProgress | None = None,
) -> Masked[Any]:
    """Mask a table, or a purchase history, with one method after another.

    Only the columns of the steps change. Identifier columns are still there, so that the custodian
    can compare records; drop them from what is released.

    Parameters
    ----------
    data
        The table or history; it stays as it is.
    maskers
        One masker, or several in the order in which they are applied.
    seed
        Same seed, same data, same result. Keep it as secret as the data, and hand out one table
        of it at most: draws depend on nothing else, so that two would undo each other. A release
        (:func:`sudare.publish`) draws by its settings and the table, too. By default fresh entropy.
    on_progress
        Called before each step with (done, in all, name of the method).

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> masked = apply(data, [sudare.mask.Pram(retain=0.8)], seed=7)
    >>> masked.data
    <Microdata 400 rows × 10 columns: 1 identifier, 5 key, 2 sensitive, 1 weight, 1 household>
    >>> [step.method for step in masked.steps]
    ['Pram']
    """
    return _applied(data, chain_of(maskers), draws_from(seed), {}, on_progress)


def versions(
    data: Data,
    maskers: AnyMasker | Iterable[AnyMasker],
    *,
    seed: Seed = None,
    on_progress: OnProgress | None = None,
) -> tuple[Masked[Data], ...]:
    """Mask a table as often as its methods ask for: m times with ``MultipleImputation(m=m)``.

    The first version is what :func:`apply` returns for the same seed. Only methods that make
    several versions draw again for each; the draws of all others are the same in every version, as
    noise that differed would average out. What follows such a method learns from the first version
    alone: two sizes of noise with the same draws would undo each other, and ranges of two versions
    would narrow each other. So it must mask each record by itself.

    Parameters
    ----------
    data, maskers, seed, on_progress
        As for :func:`apply`.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> imputed = versions(data, sudare.mask.MultipleImputation(m=3), seed=7)
    >>> len(imputed), imputed[0].data.equals(imputed[1].data)
    (3, False)
    """
    chain, draws = chain_of(maskers), draws_from(seed)
    number = max((masker.versions for masker in chain), default=1)
    plans: dict[int, Plan] = {}
    return tuple(
        _applied(data, chain, draws.for_version(version), plans, on_progress)
        for version in range(number)
    )


def chain_of(maskers: AnyMasker | Iterable[AnyMasker]) -> list[AnyMasker]:
    """Return maskers in their order; refuse anything else, such as a class."""
    chain = [maskers] if isinstance(maskers, AnyMasker | type) else maskers
    chain = list(chain) if isinstance(chain, Iterable) else [chain]
    for masker in chain:
        if isinstance(masker, type) and issubclass(masker, AnyMasker):
            raise SettingError("{method} is a class; write {method}().", method=masker.__name__)
        if not isinstance(masker, AnyMasker):
            raise SettingError("apply takes maskers, such as sudare.mask.Pram().")
    return chain


def _applied(
    data: Any,
    chain: Sequence[AnyMasker],
    draws: Draws,
    plans: dict[int, Plan],
    on_progress: OnProgress | None,
) -> Masked[Any]:
    """Mask by every method in turn, with the draws of one version.

    ``plans`` holds what the steps behind the first one that makes several versions have learned.
    """
    steps: list[Step] = []
    original, emptied, is_behind = data, _unstated(data), False
    for number, masker in enumerate(chain):
        if on_progress:
            on_progress(number, len(chain), type(masker).__name__)
        if emptied and isinstance(masker, Masker):
            data = without_lost_labels(data, masker.names_labels_of(_head(data)), emptied)
        before = data
        own = (draws if masker.versions > 1 else draws.for_version(0)).for_step(number)
        if is_behind and masker.versions == 1 and isinstance(masker, Masker):
            if number not in plans:
                plans[number] = _plan_for_all(masker, data)
            data, step = masker.treat_by(plans[number], data, own)
        else:
            data, step = masker.treat(data, own)
        is_behind |= masker.versions > 1
        steps.append(step)
        emptied = _emptied(masker, before, data, step, emptied)
    if isinstance(data, Microdata):
        first = {name: original if table is None else table for name, table in emptied.items()}
        data = without_lost_labels(data, _changed(original, data), first)
    return Masked(data, tuple(steps))


def _unstated(data: Any) -> dict[str, Any]:
    """Return the columns whose lists of labels nobody stated.

    The type of a frame or file is no statement; a column built by hand is. Stated ones of a table
    in blocks that plans changed come with the table before.
    """
    if not isinstance(data, Microdata | LargeTable):
        return {}
    lists = [
        column.name
        for column in _head(data).columns
        if isinstance(column, Categorical) and column.storage is not None
    ]
    unstated = dict.fromkeys(name for name in lists if name not in data.reading.get("orders", {}))
    return {**data.relabelled, **unstated} if isinstance(data, LargeTable) else unstated


def _emptied(
    masker: AnyMasker, before: Any, after: Any, step: Step, emptied: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the columns that may have lost labels, each with the table that still had them all.

    What a step draws record by record comes from a list that it publishes, and intervals are those
    of its settings: only labels that were there before can have lost their last record so.
    """
    if not isinstance(masker, Masker):
        return {}
    is_row_wise = masker.works_on == "rows"
    if (is_row_wise and masker.random) or masker.versions > 1:
        return {name: table for name, table in emptied.items() if name not in step.columns}
    changed = step.columns if isinstance(after, LargeTable) else _changed(before, after)
    lists = [
        name
        for name in changed
        if _is_categorical(after, name) and (not is_row_wise or _is_categorical(before, name))
    ]
    return {**dict.fromkeys(lists, before), **emptied}


def _changed(before: Microdata, after: Microdata) -> list[str]:
    """Return the columns of a table in memory that another one does not have as they are."""
    same = set(map(id, before.columns))
    return [column.name for column in after.columns if id(column) not in same]


def _head(data: Any) -> Microdata:
    return data.head if isinstance(data, LargeTable) else data


def _is_categorical(table: Any, name: str) -> bool:
    head = _head(table)
    return name in head and isinstance(head[name], Categorical)


@dataclass(frozen=True, repr=False)
class LabelPlan(ColumnPlan):
    """Lists of labels without those that no record has."""

    labels: Mapping[str, tuple[Label, ...]]

    def _mask(self, column: Column, draws: Draws) -> Column:
        return column.coded.on_list(self.labels[column.name])


def without_lost_labels(data: Any, names: Iterable[str], emptied: Mapping[str, Any]) -> Any:
    """Return a table in which lists of labels that lost one have only those that occur.

    Parameters
    ----------
    data
        In memory or not.
    names
        The columns that are looked at, if they are in ``emptied``.
    emptied
        By column, a table that still had all labels; columns with None lose all empty labels.
    """
    lists = {}
    for name in names:
        if name not in emptied:
            continue
        column, before = _listed(data, name), emptied[name]
        labels = column.labels_that_occur()
        is_same = before is not None and _is_categorical(before, name)
        if labels != column.labels and not (
            is_same and _listed(before, name).labels_that_occur() == labels
        ):
            lists[name] = labels
    if not lists:
        return data
    plan, draws = LabelPlan(Step("", tuple(lists)), lists), draws_from(0)
    if isinstance(data, LargeTable):
        return data.transformed(plan, draws, random=False)
    return plan.transform(data, seed=draws)


def _listed(data: Any, name: str) -> Categorical:
    return (data.outlined(name) if isinstance(data, LargeTable) else data[name]).coded


def _plan_for_all(masker: Masker, first_version: Any) -> Plan:
    if masker.works_on != "rows":
        raise SettingError(
            "{method} would treat every version of the table in another way, and versions could "
            "be compared: put it before the step that makes several versions.",
            method=type(masker).__name__,
        )
    return masker.plan_for(first_version)
