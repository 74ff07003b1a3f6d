"""Subsample: publish a random sample of the records, drawn within strata."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from sudare.core import (
    AtLeast,
    Between,
    ColumnError,
    Draws,
    Flags,
    Floats,
    Integers,
    Masker,
    Microdata,
    Plan,
    SettingError,
)
from sudare.engine.counting import Groups, groups
from sudare.mask.records.record_units import Unit, check_rows, first_records, units_of, with_kept


def sample_sizes(sizes: Integers, share: float) -> Integers:
    """Return how many units are drawn of strata of given sizes: never fewer than the share.

    Parts of a unit are rounded up, so no stratum is lost.

    Examples
    --------
    >>> sample_sizes(np.array([100, 15, 1]), 0.1).tolist()
    [10, 2, 1]
    """
    # 0.1 · 30 is 3.0000000000000004 on some machines; what rounding adds is not a unit.
    return np.ceil(np.round(sizes * share, 9)).astype(np.int64)


def smallest_draws(draws: Floats, strata: Integers, wanted: Integers) -> Flags:
    """Return which units are drawn: in each stratum those with the smallest draws.

    Parameters
    ----------
    draws
        One in [0, 1) for each unit, shape (units,).
    strata
        Stratum of each unit, shape (units,).
    wanted
        How many are drawn of each stratum, shape (strata,).

    Examples
    --------
    >>> smallest_draws(np.array([0.9, 0.1, 0.5]), np.array([0, 0, 1]), np.array([1, 1])).tolist()
    [False, True, True]
    """
    order = np.lexsort((draws, strata))
    sizes = np.bincount(strata, minlength=len(wanted))
    rank = np.arange(len(draws)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    drawn = np.zeros(len(draws), np.bool_)
    drawn[order] = rank < wanted[strata[order]]
    return drawn


@dataclass(frozen=True, repr=False)
class SubsamplePlan(Plan):
    """The units, their strata, and how many are drawn of each.

    Attributes
    ----------
    units
        Unit of each record.
    strata
        Stratum of each unit, shape (units,).
    wanted
        How many units are drawn of each stratum, shape (strata,).
    """

    units: Groups
    strata: Integers
    wanted: Integers

    def _transform(self, data: Microdata, draws: Draws) -> Microdata:
        check_rows(self.step.method, data, len(self.units.index))
        uniform = draws.uniform("record", data.rows)[first_records(self.units)]
        drawn = smallest_draws(uniform, self.strata, self.wanted)
        factors = np.bincount(self.strata, minlength=len(self.wanted)) / self.wanted
        index = self.units.index
        return with_kept(data, drawn[index], factors[self.strata][index])


class Subsample(Masker):
    """Publish a random sample of the records, so that nobody knows who is in the file.

    Of every stratum the same share is drawn, without replacement; parts of a record are rounded
    up, so that no stratum is lost and never fewer are drawn than were asked for. Weights are
    multiplied by N/n of the stratum: estimated totals keep their expectation. In a table without
    weights each record stands for N/n. The sample has a fixed size, so it is drawn from the whole
    table at once; of a table that is not in memory take ``table.sample(rows)``.

    Missing values of a stratum are a stratum of their own. Measures that compare records compare
    those that were drawn: the risk is that of a person known to be in the sample. Strata of few
    records are drawn almost whole, so choose few and large ones.

    References
    ----------
    Cochran (1977). Sampling Techniques, 3rd ed., Wiley: eq. 5.1 (stratified estimates of totals).

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> sample = sudare.apply(data, Subsample(share=0.25, strata=("sex",)), seed=1).data
    >>> sample.rows, bool(np.isclose(sample.weights.sum(), data.weights.sum(), rtol=0.1))
    (101, True)
    """

    works_on = "table"
    random = True
    roles = ("key", "sensitive", "other")

    columns: Annotated[
        tuple[str, ...] | None, "columns that must have values; whole records are drawn"
    ] = None
    share: Annotated[
        float | None, Between(0, 1, above=True), "share of the units that is drawn"
    ] = None
    n: Annotated[int | None, AtLeast(1), "how many units are drawn, in place of a share"] = None
    strata: Annotated[
        tuple[str, ...] | None, "columns: of each combination of their values a share is drawn"
    ] = None
    unit: Unit = "record"

    def refuse_empty(self, data: Microdata, names: Iterable[str]) -> None:
        """Refuse columns without values that were named, or a table without any value.

        Else records are drawn whatever they hold, also after a column was suppressed.
        """
        if self.columns or not any(map(data.has_values, names)):
            super().refuse_empty(data, names)

    def _fit(self, data: Microdata, columns: tuple[str, ...]) -> Plan:
        if self.share is not None and self.n is not None:
            raise SettingError("Subsample: give share or n, not both.")
        units = units_of("Subsample", data, self.unit)
        first = first_records(units)
        named = [data[name] for name in self.strata or ()]
        strata = groups(named).index if named else np.zeros(data.rows, np.int64)
        if (strata != strata[first][units.index]).any():
            raise ColumnError(
                "Subsample: members of a household differ in the strata; choose columns that "
                "households share, or draw records (unit = 'record')."
            )
        wanted = sample_sizes(np.bincount(strata[first]), self._share(len(first)))
        realized = float(f"{wanted.sum() / len(first):.3g}")
        weight = data.with_role("weight")
        step = self.step(weight, {name: {"share": realized} for name in weight})
        return SubsamplePlan(step, units, strata[first], wanted)

    def _share(self, units: int) -> float:
        if self.n is None:
            return 0.5 if self.share is None else self.share
        if self.n > units:
            raise SettingError(
                "Subsample: n must be at most {units}, as many as there are, got {given}.",
                units=units,
                given=self.n,
            )
        return self.n / units
