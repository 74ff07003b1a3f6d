"""Edit rules as the last step of a recipe: what masking broke is put to the nearest valid value."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from sudare.core import Column, ColumnPlan, Draws, Masker, Microdata, Plan, Tails
from sudare.describe import EditRule, applicable, edited


@dataclass(frozen=True, repr=False)
class EditPlan(Plan):
    """The rules."""

    rules: tuple[EditRule, ...]

    def _transform(self, data: Microdata, draws: Draws) -> Microdata:
        return edited(data, self.rules, self.step.columns)

    @property
    def inputs(self) -> tuple[str, ...]:
        """The columns that the rules look at."""
        return tuple(dict.fromkeys(name for rule in self.rules for name in rule.columns))


@dataclass(frozen=True, repr=False)
class ColumnEditPlan(ColumnPlan):
    """Rules that each look at one column alone."""

    rules: tuple[EditRule, ...]

    def _mask(self, column: Column, draws: Draws) -> Column:
        return edited(Microdata((column,)), self._rules_of(column.name))[column.name]

    def _rules_of(self, name: str) -> tuple[EditRule, ...]:
        return tuple(rule for rule in self.rules if rule.columns == (name,))

    def function_of(self, name: str) -> Tails | None:
        """Return the bounds of a column, where its rules state nothing else."""
        rules = self._rules_of(name)
        bounds = {">=": [-np.inf], "<=": [np.inf]}
        for part in (part for rule in rules for part in rule.consequences):
            if part.word not in bounds or not isinstance(part.value, float):
                return None
            bounds[part.word].append(part.value)
        low, high = max(bounds[">="]), min(bounds["<="])
        is_range = low <= high and not any(rule.conditions for rule in rules)
        return Tails(bottom=low, top=high, low=low, high=high) if is_range else None


class EditRules(Masker):
    """Move values that break an edit rule to the nearest ones that do not.

    Noise makes ages of 41.3 years and negative amounts; means of groups do too; drawn columns may
    contradict each other. Rules say what holds in every record: ``age is whole``, ``age from 16 to
    90``, ``start <= end``, ``state == "none" implies time == 10``; several comparisons are joined
    by ``and``, and names with blanks stand in backquotes. They are parsed, never executed.

    A number is rounded, or put to the nearest bound or to the other column's value; a category
    becomes the one that is asked for. Rules are taken in their order, and again, up to four times,
    while one is broken. What ``!=``, ``<`` and ``>`` ask for has no nearest value and stays as it
    is: :class:`RuleViolations` counts what is left, by rule. A missing value breaks no rule. A rule
    about the numbers of a column that masking put into classes (40–49), or left without a value,
    does nothing.

    Notes
    -----
    Each record is changed by its own published values alone, which can undo k-anonymity where a
    rule changes a key depending on a column that is not one; measure the result. Records that the
    original itself has wrong are changed too. With ``columns`` only these are changed.

    References
    ----------
    Fellegi and Holt (1976). A systematic approach to automatic edit and imputation. Journal of the
    American Statistical Association 71(353): rules as constraints on records. The repair here is
    simpler than theirs: always the consequence, never the condition.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> recipe = [
    ...     sudare.mask.Noise(sd_ratio=0.5, columns=("age",)),
    ...     EditRules(rules=("age is whole", "age from 0 to 110")),
    ... ]
    >>> ages = sudare.apply(data, recipe, seed=1).data["age"].values
    >>> bool((ages == ages.round()).all() and ages.min() >= 0)
    True
    """

    works_on = "rows"
    roles = ("key", "sensitive", "other")

    rules: Annotated[
        tuple[str, ...], "what holds in every record, such as 'age is whole' or 'start <= end'"
    ] = ()

    def chosen(self, data: Microdata) -> tuple[str, ...]:
        """Return the columns that rules may change."""
        rules = applicable(self.rules, data) or tuple(map(EditRule.parse, self.rules))
        changed = dict.fromkeys(part.column for rule in rules for part in rule.consequences)
        if self.columns is not None or not changed:
            return super().chosen(data)
        return tuple(changed)

    def refuse_empty(self, data: Microdata, names: Iterable[str]) -> None:
        """Refuse a table without any value; one column that masking left empty breaks no rule."""
        if not any(map(data.has_values, data.names)):
            super().refuse_empty(data, names)

    def _fit(self, data: Microdata, columns: tuple[str, ...]) -> Plan:
        rules = applicable(self.rules, data)
        by_column = all(len(rule.columns) == 1 for rule in rules)
        return (ColumnEditPlan if by_column else EditPlan)(self.step(columns, {}), rules)
