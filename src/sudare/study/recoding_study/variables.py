"""The variables of the recoding study: which are studied, which are left out, and which depend."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from sudare.core import Categorical, Column, ColumnError, Microdata, Numeric, SettingError, say
from sudare.describe import determines
from sudare.loss.models import check_target
from sudare.study.recoding_study.models import Model
from sudare.study.result import Row

_ROLES = {"key", "sensitive", "other"}


@dataclass(frozen=True)
class Variables:
    """What is studied.

    No model has both of two ``dependent`` variables, of which one follows from the other.
    """

    names: tuple[str, ...]
    left_out: Mapping[str, str] = field(default_factory=dict)
    dependent: frozenset[frozenset[str]] = frozenset()

    def allows(self, model: Model) -> bool:
        """Return whether no variable of a model follows from another one of it."""
        pairs = combinations((model.target, *model.inputs), 2)
        return not any(frozenset(pair) in self.dependent for pair in pairs)


def choose(data: Microdata, columns: Sequence[str] | None) -> Variables:
    """Return the variables named, or all categorical ones that there is something to say about."""
    if columns is not None:
        names, left_out = _named(data, columns), dict[str, str]()
    else:
        held = [c for c in data.columns if c.role in _ROLES]
        left_out = {c.name: reason for c in held if (reason := _nothing_in(c))}
        categories = [c.name for c in held if isinstance(c, Categorical)]
        names = tuple(name for name in categories if name not in left_out)
    pairs = {
        (name, other)
        for name in names
        for other in names
        if name != other and determines(data[name].coded, data[other].coded)
    }
    if columns is None:
        for name, partner in _twins(names, pairs).items():
            left_out[name] = say("'{partner}' in other words", partner=partner)
        names = tuple(name for name in names if name not in left_out)
    if len(names) < 2:
        raise SettingError("the study needs at least two different categorical columns.")
    kept = frozenset(frozenset(pair) for pair in pairs if {*pair} <= {*names})
    return Variables(names, left_out, kept)


def _named(data: Microdata, columns: Sequence[str]) -> tuple[str, ...]:
    if len(columns) < 2 or len(set(columns)) < len(columns):
        raise SettingError("the study needs at least two different categorical columns.")
    for name in columns:
        column = data[name]
        if not isinstance(column, Categorical):
            raise ColumnError(
                "{method}: column '{column}' does not hold {takes}.",
                method="recoding",
                column=name,
                takes="categories",
            )
        check_target(column)
    return tuple(columns)


def _nothing_in(column: Column) -> str:
    """Return why there is nothing to learn from a column; nothing if there is."""
    if isinstance(column, Numeric):
        known = column.values[column.known]
        return say("constant") if not len(known) or (known == known[0]).all() else ""
    occurring = len(column.coded.labels_that_occur())
    if occurring < 2:
        return say("constant")
    return say("all values different") if occurring == int(column.known.sum()) else ""


def _twins(names: Sequence[str], pairs: set[tuple[str, str]]) -> dict[str, str]:
    """Return by column the earlier one that says the same."""
    twins: dict[str, str] = {}
    for position, name in enumerate(names):
        for earlier in names[:position]:
            if earlier not in twins and {(name, earlier), (earlier, name)} <= pairs:
                twins.setdefault(name, earlier)
    return twins


def variable_tables(data: Microdata, variables: Variables) -> dict[str, Sequence[Row]]:
    """Return what was studied: records and shares of absent values, what is left out or depends."""
    names = variables.names
    tables: dict[str, Sequence[Row]] = {
        "variables": [
            {
                "variable": name,
                "records": int(data[name].known.sum()),
                "missing": float(data[name].missing.mean()),
                "not applicable": float(data[name].not_applicable.mean()),
            }
            for name in names
        ]
    }
    if variables.left_out:
        tables["left_out"] = [
            {"column": name, "reason": reason} for name, reason in variables.left_out.items()
        ]
    if variables.dependent:
        pairs = sorted(sorted(map(names.index, pair)) for pair in variables.dependent)
        tables["dependent"] = [{"variable": names[i], "with": names[j]} for i, j in pairs]
    return tables
