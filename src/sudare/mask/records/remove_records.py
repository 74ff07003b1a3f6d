"""Remove records: extreme ones by a condition, or those whose keys are rarest."""

import operator
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np

from sudare.core import (
    Between,
    Column,
    ColumnError,
    Draws,
    Flags,
    Floats,
    Integers,
    Masker,
    Microdata,
    Numeric,
    Plan,
    SettingError,
    significant,
)
from sudare.engine.counting import Groups, groups
from sudare.mask.records.record_units import Unit, check_rows, units_of, with_kept

_CONDITION = re.compile(r"\s*(>=|<=|>|<|≧|≦)\s*(-?\d+(?:\.\d+)?)\s*")
_COMPARED = {
    ">": operator.gt,
    ">=": operator.ge,
    "≧": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
    "≦": operator.le,
}
Weights = Literal["scaled", "kept"]


def rarity(columns: Sequence[Column]) -> Integers:
    """Return the rank of each record by how rare its values are, 0 for the rarest, shape (n,).

    Combinations that fewer records share are rarer; of those that equally many share, the one
    whose single values are rarer (the product of their shares). Equal records have one rank.

    Examples
    --------
    >>> from sudare.core import Categorical
    >>> rarity([Categorical("area", np.array([0, 0, 0, 1, 1, 2]), ("a", "b", "c"))]).tolist()
    [2, 2, 2, 1, 1, 0]
    """
    sizes = groups(columns).size_of_record
    likelihood = np.zeros(len(sizes))
    for column in columns:
        likelihood += np.log(groups([column]).size_of_record)
    _, rank = np.unique(np.stack([sizes, likelihood.round(9)]), axis=1, return_inverse=True)
    return np.asarray(rank.reshape(-1), np.int64)


def rarest_units(rank: Integers, units: Groups, most: int) -> Flags:
    """Return which units are removed: from the rarest on, while they have few enough records.

    Units of equal rank go together or stay together.

    Parameters
    ----------
    rank
        Of each record, 0 for the rarest, shape (n,).
    units
        Unit of each record; it is as rare as its rarest record.
    most
        How many records may go at most.

    Examples
    --------
    >>> alone = Groups(np.ones(4, np.int64), np.arange(4))
    >>> rarest_units(np.array([0, 1, 1, 2]), alone, 2).tolist()
    [True, False, False, False]
    """
    lowest = np.full(len(units.sizes), rank.max(initial=0), np.int64)
    np.minimum.at(lowest, units.index, rank)
    gone = np.cumsum(np.bincount(lowest, weights=units.sizes))
    return (gone <= most)[lowest]


@dataclass(frozen=True, repr=False)
class RemovalPlan(Plan):
    """Which records stay. Secret: it tells who is not in the file.

    Attributes
    ----------
    kept
        Shape (n,).
    factor
        By which weights are multiplied; None leaves them.
    """

    kept: Flags
    factor: float | None

    def _transform(self, data: Microdata, draws: Draws) -> Microdata:
        check_rows(self.step.method, data, len(self.kept))
        factors: Floats | None = None
        if self.factor is not None:
            factors = np.full(data.rows, self.factor)
        return with_kept(data, self.kept, factors)


class RemoveRecords(Masker):
    """Remove extreme records: by a condition, or those whose keys are rarest.

    ``where`` states a condition by column: ``{"persons": ">= 8", "region": ("island",)}`` removes
    the records that meet any of them. ``rarest`` is the share of the records that may be removed,
    from the rarest combination of keys on, as long as whole combinations fit into it: never more
    than the share, and equal records go together or stay together. Missing values meet no
    condition, and are a category of a combination.

    Weights of the records that stay are scaled so that they still sum to the whole table's
    (``weights = "scaled"``): totals of what was removed are then spread over all others. The factor
    is public and has three digits, as more would tell what the removed records weigh. With
    ``weights = "kept"`` they stay as they are, and the file stands for the population without what
    was removed. Conditions are public, and so is how many records the original has: both tell how
    many met a condition.

    References
    ----------
    Hundepool et al. (2012). Statistical Disclosure Control, Wiley: section 3.6 (removing records
    as non-perturbative masking).

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> masked = sudare.apply(data, RemoveRecords(where={"age": ">= 85"})).data
    >>> masked.rows < data.rows, bool(masked["age"].values.max() < 85)
    (True, True)
    """

    works_on = "table"

    where: Annotated[
        Mapping[str, str | tuple[str, ...]] | None,
        "by column, which records go: a comparison such as '>= 8', or a list of labels",
    ] = None
    rarest: Annotated[
        float | None,
        Between(0, 1, below=True),
        "share of the records that may be removed, those with the rarest combinations of keys "
        "first; by default 0.01",
    ] = None
    unit: Unit = "record"
    weights: Annotated[
        Weights, "of the records that stay: scaled to the sum of all, or kept as they are"
    ] = "scaled"

    def chosen(self, data: Microdata) -> tuple[str, ...]:
        """Return the columns whose combinations count, or those that have a condition."""
        if self.where and self.rarest is None and self.columns is None:
            return tuple(data[name].name for name in self.where)
        return super().chosen(data)

    @staticmethod
    def meeting(column: Column, condition: str | tuple[str, ...]) -> Flags:
        """Return which records of a column meet a condition of ``where``, shape (n,)."""
        return meeting(column, condition)

    def _fit(self, data: Microdata, columns: tuple[str, ...]) -> Plan:
        units = units_of("RemoveRecords", data, self.unit)
        going = np.zeros(len(units.sizes), np.bool_)
        for name, condition in (self.where or {}).items():
            going[units.index[meeting(data[name], condition)]] = True
        share = 0.01 if self.rarest is None and not self.where else self.rarest
        if share:
            rank = rarity([data[name] for name in columns])
            going |= rarest_units(rank, units, int(share * data.rows + 1e-9))
        kept = ~going[units.index]
        if not kept.any():
            raise SettingError("RemoveRecords: every record would be removed; remove fewer.")
        weight = data.with_role("weight") if self.weights == "scaled" else ()
        factor = self._factor(data, kept)
        public = {} if factor is None else {name: {"factor": factor} for name in weight}
        step = self.step(weight, public)
        if share:  # which it is that was rare, nobody could tell else
            step = replace(step, settings={**step.settings, "columns": columns})
        return RemovalPlan(step, kept, factor)

    def _factor(self, data: Microdata, kept: Flags) -> float | None:
        if data.weights is None or self.weights == "kept" or not data.weights[kept].any():
            return None
        # More digits would tell what the removed records weigh together.
        return significant(float(data.weights.sum() / data.weights[kept].sum()), digits=3)


def meeting(column: Column, condition: str | tuple[str, ...]) -> Flags:
    """Return which records meet a condition; those without a value meet none, shape (n,)."""
    if not isinstance(condition, str):
        coded = column.coded
        wanted = [str(label) in condition for label in coded.labels]
        return np.array([*wanted, False, False])[coded.codes]
    match = _CONDITION.fullmatch(condition)
    if match is None:
        raise SettingError(
            "RemoveRecords: the condition of column '{column}' must be a comparison with a "
            "number, such as '>= 8', or a list of labels.",
            column=column.name,
        )
    if not isinstance(column, Numeric):
        raise ColumnError(
            "RemoveRecords: column '{column}' holds categories, which are not compared with a "
            "number; list the labels instead.",
            column=column.name,
        )
    return _COMPARED[match[1]](column.values, float(match[2])) & column.known
