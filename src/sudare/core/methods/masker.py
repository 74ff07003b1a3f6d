"""Masking: a Masker learns a Plan from data; the Plan masks; the Step tells the public what.

Settings, what was learned and what was done are three objects. Plan and seed are secret; the Step
is all that leaves with a release.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar, Generic, Literal, Self, TypeVar, overload

from sudare.core.draws import Draws, Seed, draws_from
from sudare.core.errors import SettingError, TooLargeError
from sudare.core.messages import say
from sudare.core.methods.method import Method, check_table
from sudare.core.notebook import html_table
from sudare.core.settings import Declared
from sudare.core.table import Column, LargeTable, Microdata
from sudare.core.types import Role

WorksOn = Literal["rows", "groups", "table"]
Relation = Literal["covers", "hides", "drawn", "near", "synthetic"]
# Called with (steps done, steps in all, what comes next).
OnProgress = Callable[[int, int, str], None]
Data = TypeVar("Data")


@dataclass(frozen=True)
class Step:
    """What was done, as the public may know it.

    Attributes
    ----------
    method
        Name of the masker.
    settings
        Its settings, defaults included.
    columns
        The columns it masked.
    public
        By column, what an analyst needs to allow for the method: a transition matrix, a noise
        level. Never a value map, a seed or a count of the original.
    relation
        What a published value tells of the true one: it "covers" it (a class, a range), is
        it or "hides" it (suppression), was "drawn" from it by published probabilities, is "near"
        it, or is "synthetic" and nobody's.
    """

    method: str
    columns: tuple[str, ...]
    settings: Mapping[str, object] = field(default_factory=dict)
    public: Mapping[str, Mapping[str, Any]] = field(default_factory=dict, repr=False)
    relation: Relation = field(default="near", repr=False)

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the method, its columns and its plain settings."""
        return steps_table([self])


def steps_table(steps: Iterable[Step], caption: str = "") -> str:
    """Return steps as an HTML table; settings that hold more than a number or word are named."""
    rows = [
        {
            say("step"): number,
            say("method"): step.method,
            say("columns"): ", ".join(step.columns),
            say("settings"): ", ".join(
                f"{name} = {value}" if isinstance(value, str | int | float) else f"{name} = …"
                for name, value in step.settings.items()
                if value is not None
            ),
        }
        for number, step in enumerate(steps, 1)
    ]
    return html_table(rows, caption=caption)


@dataclass(frozen=True, repr=False)
class Plan(ABC):
    """What a masker learned from one table; frozen, secret, small where ``works_on`` is rows."""

    step: Step

    def transform(self, data: Microdata, *, seed: Seed | Draws = None) -> Microdata:
        """Return the masked table; the one given stays as it is."""
        draws = seed if isinstance(seed, Draws) else draws_from(seed)
        return self._transform(data, draws)

    @abstractmethod
    def _transform(self, data: Microdata, draws: Draws) -> Microdata: ...

    def with_draws(self, draws: Draws) -> "Plan":
        """Return the plan with what is published of it, where that has noise."""
        del draws
        return self

    def narrowed(self, names: Collection[str]) -> "Plan | None":
        """Return the plan as far as some columns need it; None where it changes none of them."""
        return self if set(self.step.columns).intersection(names) else None

    @property
    def inputs(self) -> tuple[str, ...]:
        """The columns that must be there for it."""
        return self.step.columns

    def __repr__(self) -> str:
        return f"<{type(self).__name__} for {len(self.step.columns)} columns>"

    def _repr_html_(self) -> str:
        """Return what a notebook shows: what is public of it."""
        return steps_table([self.step], say("What was learned from the table stays secret."))


@dataclass(frozen=True, repr=False)
class ColumnPlan(Plan):
    """A plan that masks each column by itself."""

    def _transform(self, data: Microdata, draws: Draws) -> Microdata:
        return data.replacing(self._mask(data[name], draws) for name in self.step.columns)

    def narrowed(self, names: Collection[str]) -> Plan | None:
        """Return the plan of some columns; None where it changes none of them."""
        left = tuple(name for name in self.step.columns if name in names)
        return replace(self, step=replace(self.step, columns=left)) if left else None

    @abstractmethod
    def _mask(self, column: Column, draws: Draws) -> Column: ...


class AnyMasker(Declared, ABC):
    """Anything that a recipe can apply to data of its kind: a table, or a purchase history.

    Class facts
    -----------
    random
        Whether the result depends on the seed.
    """

    random: ClassVar[bool] = False

    @property
    def versions(self) -> int:
        """How many versions of the masked data a release has: one, for almost every method."""
        return 1

    def settled(self, step: Step) -> Self:
        """Return the method with what a clock decided as a setting, so that it is done again."""
        del step
        return self

    @abstractmethod
    def treat(self, data: Any, draws: Draws) -> tuple[Any, Step]:
        """Return the data masked, and the public account of it; refuse what cannot be masked."""


class Masker(Method, AnyMasker, ABC):
    """A masking method with its settings. ``fit`` returns a plan and changes nothing.

    Class facts
    -----------
    works_on
        "rows" (each record by itself), "groups" (records with equal keys) or "table".
    random
        Whether the result depends on the seed.
    by_values
        Of a method that works on groups: whether records that are alike in the columns it looks at
        are masked alike, so that it learns from counts and its plan masks any of them.
    relation
        What a published value tells of the true one; see :class:`Step`.
    promises
        By risk measure, the setting with which the method keeps a limit on it, whatever the data.
    """

    works_on: ClassVar[WorksOn]
    relation: ClassVar[Relation] = "near"
    promises: ClassVar[Mapping[str, str]] = {}
    by_values: ClassVar[bool] = False
    roles: ClassVar[tuple[Role, ...]] = ("key",)

    def fit(self, data: Microdata) -> Plan:
        """Learn from the data what masking needs; refuse what cannot be masked."""
        columns = self.chosen(data)
        self.refuse_empty(data, columns)
        return self._fit(data, columns)

    @abstractmethod
    def _fit(self, data: Microdata, columns: tuple[str, ...]) -> Plan: ...

    def treat(self, data: Any, draws: Draws) -> tuple[Any, Step]:
        """Return the table masked by a plan learned from it, and the public account of it."""
        return self.treat_by(self.plan_for(data), data, draws)

    def plan_for(self, data: Any) -> Plan:
        """Learn from a table, in memory or not, what masking needs."""
        if isinstance(data, LargeTable):
            return self.learn(data)
        check_table(type(self).__name__, data)
        return self.fit(data)

    def treat_by(self, plan: Plan, data: Any, draws: Draws) -> tuple[Any, Step]:
        """Return a table masked by a plan, and the public account of it."""
        plan = plan.with_draws(draws)
        if isinstance(data, LargeTable):
            return data.transformed(plan, draws, random=self.random), plan.step
        return plan._transform(data, draws), plan.step

    def learn(self, table: LargeTable) -> Plan:
        """Learn from a table that is not in memory what masking needs.

        Methods that mask each record by itself learn from the outline of the table, those that
        treat equal records alike from their counts.
        """
        if self.works_on == "rows":
            return self.fit(table.outline())
        if self.by_values:
            return self.fit(table.counted(self.looks_at(table.head)))
        raise TooLargeError(
            "{method} needs the whole table in memory, and this one is not; use a method that "
            "masks each record by itself, or a sample: table.sample(rows).",
            method=type(self).__name__,
        )

    def leaves_out(self, data: Microdata) -> tuple[str, ...]:
        """Return the columns that the masked table does not have any more: none, as a rule."""
        del data
        return ()

    def looks_at(self, data: Microdata) -> tuple[str, ...]:
        """Return the columns it learns from: those it masks, and others if it needs them."""
        return self.chosen(data)

    def step(self, columns: Sequence[str], public: Mapping[str, Mapping[str, Any]]) -> Step:
        """Return the public account of this method on these columns."""
        settings = {each.name: getattr(self, each.name) for each in fields(self)}
        del settings["columns"]
        return Step(type(self).__name__, tuple(columns), settings, public, self.relation)


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
    """Return maskers in their order; refuse what is none, such as a class in place of one."""
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
    is_behind = False
    for number, masker in enumerate(chain):
        if on_progress:
            on_progress(number, len(chain), type(masker).__name__)
        own = (draws if masker.versions > 1 else draws.for_version(0)).for_step(number)
        if is_behind and masker.versions == 1 and isinstance(masker, Masker):
            if number not in plans:
                plans[number] = _plan_for_all(masker, data)
            data, step = masker.treat_by(plans[number], data, own)
        else:
            data, step = masker.treat(data, own)
        is_behind |= masker.versions > 1
        steps.append(step)
    return Masked(data, tuple(steps))


def _plan_for_all(masker: Masker, first_version: Any) -> Plan:
    if masker.works_on != "rows":
        raise SettingError(
            "{method} would treat every version of the table in another way, and versions could "
            "be compared: put it before the step that makes several versions.",
            method=type(masker).__name__,
        )
    return masker.plan_for(first_version)
