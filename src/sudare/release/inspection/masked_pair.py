"""A table before and after masking, record by record, as the checks of the gate look at it."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from sudare.catalog import find
from sudare.core import (
    Codes,
    Column,
    Flags,
    Floats,
    Integers,
    Microdata,
    Numeric,
    Step,
    label_codes,
    same_values,
)
from sudare.engine.counting import joint_keys, renumbered

DISTINCT_AMOUNTS = 50  # values from which numbers are compared by how far they are apart
_MOST_DIGITS = 6  # behind the point, of numbers that rounding may give back


@dataclass(frozen=True, eq=False, repr=False)
class MaskedPair:
    """The original and what would be released of it, with records in the same order.

    Attributes
    ----------
    before
        The original, with its identifiers.
    after
        The masked table without them.
    steps
        What was done.
    left_out
        Number of records of the original that masking left out.
    is_large
        Whether these are some records of tables that are not in memory.
    """

    before: Microdata
    after: Microdata
    steps: tuple[Step, ...] = ()
    left_out: int = 0
    is_large: bool = False

    @cached_property
    def masked(self) -> tuple[str, ...]:
        """Released columns that masking changed; new household numbers and weights do not count."""
        numbered = {*self.after.with_role("household"), *self.after.with_role("weight")}
        return tuple(
            name
            for name in self.after.names
            if name in self.before
            and name not in numbered
            and not same_values(self.before[name], self.after[name])
        )

    @property
    def is_renumbered(self) -> bool:
        """Whether the households have new numbers."""
        return any(step.method == "HouseholdNumbers" for step in self.steps)

    @cached_property
    def drawn(self) -> tuple[str, ...]:
        """Columns that a step changed at random."""
        return drawn_columns(self.steps)

    def changed(self, name: str) -> Flags:
        """Return which records have another value after masking than before, shape (n,)."""
        return changed(self.before[name], self.after[name])

    def sample(self, records: int) -> "MaskedPair":
        """Return the pair on some records, evenly spread; all where there are no more."""
        if self.after.rows <= records:
            return self
        rows = np.unique(np.linspace(0, self.after.rows - 1, records).astype(np.int64))
        return MaskedPair(self.before.take(rows), self.after.take(rows), self.steps)


def drawn_columns(steps: Iterable[Step]) -> tuple[str, ...]:
    """Return the columns that some steps changed at random."""
    return tuple(name for step in steps if _is_drawn(step) for name in step.columns)


def strata_of(step: Step) -> tuple[str, ...]:
    """Return the columns by which a step sampled records."""
    strata = step.settings.get("strata") if step.method == "Subsample" else None
    return tuple(strata) if isinstance(strata, list | tuple) else ()


def _is_drawn(step: Step) -> bool:
    """Return whether a step changed values at random; of some methods a setting decides it."""
    method: Any = find(step.method).method
    random = getattr(method, "random", False)
    return bool(method(**step.settings).random if isinstance(random, property) else random)


def changed(before: Column, after: Column) -> Flags:
    """Return which records have another value after masking than before, shape (n,).

    Numbers that most records get back by rounding, as noise of no effect leaves them, are the same.

    Examples
    --------
    >>> ages = Numeric("age", np.array([31.0, 40.0, np.nan]))
    >>> changed(ages, Numeric("age", np.array([31.0, np.nan, np.nan]))).tolist()
    [False, True, False]
    """
    if isinstance(before, Numeric) and isinstance(after, Numeric):
        differs = before.values != after.values
        blank = np.isnan(before.values) & np.isnan(after.values)
        differs &= ~blank & ~_restored(before.values, after.values, differs & ~blank)
        flags: Flags = differs | (before.not_applicable != after.not_applicable)
        return flags
    first, second = before.coded, after.coded
    labels = tuple(map(str, first.labels))
    own = label_codes(labels, labels)[first.codes]
    moved = label_codes(map(str, second.labels), labels)[second.codes]
    differing: Flags = own != moved
    return differing


def _restored(before: Floats, after: Floats, differs: Flags) -> Flags:
    """Return which numbers rounding gives back, where that is most of those that differ."""
    known = before[~np.isnan(before)]
    for digits in range(_MOST_DIGITS + 1):
        if (np.round(known, digits) == known).all():
            restored: Flags = differs & (np.round(after, digits) == before)
            return restored if 2 * restored.sum() > differs.sum() else np.zeros_like(differs)
    return np.zeros_like(differs)


def stated_number(text: str) -> float | None:
    """Return the number that a text is; None where it is none.

    Examples
    --------
    >>> stated_number("1,250"), stated_number("north")
    (1250.0, None)
    """
    with suppress(ValueError):
        return float(text.replace(",", ""))
    return None


def is_amount(column: Column) -> bool:
    """Return whether a column holds numbers of which few are equal."""
    return isinstance(column, Numeric) and len(column.coded.labels) > DISTINCT_AMOUNTS


def class_codes(column: Column) -> Codes:
    """Return codes from 0, with one each for missing and not applicable, shape (n,)."""
    codes: Codes = column.coded.codes + 2
    return codes


def joined(parts: Sequence[Codes]) -> Integers:
    """Return one code per combination of several codes that occurs, from 0, shape (n,)."""
    keys, cells = joint_keys([(codes, int(codes.max(initial=0)) + 1) for codes in parts])
    return renumbered(keys, cells)[0] if len(keys) else keys


def association(codes: Codes | Integers, values: Codes) -> float:
    """Return how much likelier a value is guessed by a code (Goodman and Kruskal's tau, adjusted).

    The excess of Σ n_ij² / n_i over what independence gives, as a share of the records.
    """
    records = len(codes)
    width = int(values.max(initial=0)) + 1
    groups = np.bincount(codes)
    pairs, counts = np.unique(codes.astype(np.int64) * width + values, return_counts=True)
    explained = float((counts**2 / groups[pairs // width]).sum()) / records
    base = float((np.bincount(values) ** 2).sum()) / records**2
    return explained - base - (np.count_nonzero(groups) - 1) * (1 - base) / max(records - 1, 1)
