"""Masking: a Masker learns a Plan from data; the Plan masks; the Step tells the public what.

Settings, what was learned and what was done are three objects. Plan and seed are secret; the Step
is all that leaves with a release.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar, Literal, Self

from sudare.core.draws import Draws, Seed, draws_from
from sudare.core.errors import TooLargeError
from sudare.core.messages import say
from sudare.core.methods.method import Method, check_table
from sudare.core.methods.number_functions import NumberFunction
from sudare.core.notebook import html_table
from sudare.core.settings import Declared
from sudare.core.table import Column, LargeTable, Microdata
from sudare.core.types import Role

WorksOn = Literal["rows", "groups", "table"]
Relation = Literal["covers", "hides", "drawn", "near", "synthetic"]


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
    """What a masker learned from one table; frozen, secret, small where ``works_on`` is rows.

    Class facts
    -----------
    by_value
        Whether equal values of a column become equal ones though there are draws.
    """

    by_value: ClassVar[bool] = False

    step: Step

    def transform(self, data: Microdata, *, seed: Seed | Draws = None) -> Microdata:
        """Return the masked table; the one given stays as it is."""
        draws = seed if isinstance(seed, Draws) else draws_from(seed)
        return self._transform(data, draws)

    @abstractmethod
    def _transform(self, data: Microdata, draws: Draws) -> Microdata: ...

    def with_draws(self, draws: Draws) -> "Plan":
        """Return the plan with what is published of it, where that has noise."""
        return self

    def narrowed(self, names: Collection[str]) -> "Plan | None":
        """Return the plan as far as some columns need it; None where it changes none of them."""
        return self if set(self.step.columns).intersection(names) else None

    def function_of(self, name: str) -> NumberFunction | None:
        """Return what it does to every number of a column, if an engine can do that by itself."""
        return None

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
            is_drawn = self.random and not plan.by_value
            return data.transformed(plan, draws, random=is_drawn), plan.step
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
        return ()

    def names_labels_of(self, data: Microdata) -> tuple[str, ...]:
        """Return the columns of whose labels it may publish any: it draws from them, or joins."""
        return self.chosen(data) if self.random or self.relation == "covers" else ()

    def looks_at(self, data: Microdata) -> tuple[str, ...]:
        """Return the columns it learns from: those it masks, and others if it needs them."""
        return self.chosen(data)

    def step(self, columns: Sequence[str], public: Mapping[str, Mapping[str, Any]]) -> Step:
        """Return the public account of this method on these columns."""
        settings = {each.name: getattr(self, each.name) for each in fields(self)}
        del settings["columns"]
        return Step(type(self).__name__, tuple(columns), settings, public, self.relation)
