"""What released columns tell about the value that a record had before it was masked.

Of each record, the value is told by the *other* records that agree with it in what was released: a
column without equal values, which would tell everything by itself, tells nothing here, and neither
do the few records of a household. A column of many values tells by its order, where the values next
to it belong to the same one, and names by the few records that share each, since everybody knows
what belongs to a name. What chance would give is subtracted, and so is what anybody guesses of a
column in which nearly all records have the same value.
"""

import math
import re
from dataclasses import dataclass

import numpy as np

from sudare.core import Array, Categorical, Codes, Column, Flags, Floats, Numeric
from sudare.engine.frames import numbers_of_texts
from sudare.release.inspection.masked_pair import (
    MaskedPair,
    changed,
    class_codes,
    is_amount,
    joined,
)

_DIGIT = re.compile(r"\d")
_PURE = 0.95  # share of the other records that have the value
_DENSE = 1 << 22
_CLOSER = 4  # times nearer to the true number than the masked one is
_COMMON = 0.1  # share of the records with one number, from which anybody guesses it
_STRAY = 0.005  # share of the records that may stand outside their class
_FEWEST = 4  # other records that agree; fewer may be the rest of a household
_THIN = 5  # records per value; with fewer, the order of the values is looked at
_FUNCTION = 0.98  # share of the records that are revealed, from which each value reveals one
ENOUGH = 30  # of them
_HIDDEN_TOO = 0.9  # share of the hidden records that must be revealed too, by any that agree


@dataclass(frozen=True)
class Telling:
    """How many records a column tells.

    Attributes
    ----------
    told
        Number of masked values that it tells, less what chance would give.
    hidden
        Number of masked values that nobody could guess from what they became.
    chance
        Variance of what chance would give.
    follows
        Whether the values of the original follow from the column, so that few are told surely too.
    """

    told: float
    hidden: int
    chance: float = 0.0
    follows: bool = False

    @property
    def share(self) -> float:
        """Share of the hidden values that are revealed."""
        return self.told / self.hidden if self.hidden else 0.0

    @property
    def is_most(self) -> bool:
        """Whether more than half of the hidden values are revealed, by two standard errors.

        Examples
        --------
        >>> Telling(14, 25).is_most, Telling(140, 250).is_most, Telling(180, 250).is_most
        (False, False, True)
        """
        error = math.sqrt(self.told * max(1 - self.share, 0))
        return self.told - 2 * error > self.hidden / 2

    @property
    def is_sure(self) -> bool:
        """Whether more are revealed than by chance."""
        return self.follows or bool(self.told >= 3 + 3 * self.chance**0.5)


class HiddenCategory:
    """Categories of a masked column that nobody could guess from what they became.

    Parameters
    ----------
    before, after
        The column before and after masking.
    """

    def __init__(self, before: Column, after: Column) -> None:
        known = before.coded.known
        self.values: Codes = class_codes(before)
        self.shown: Codes = class_codes(after)
        counts, places = _cells(self.shown, self.values)
        commonest = np.zeros(int(self.shown.max(initial=0)) + 1, np.int64)
        order = np.argsort(counts.sizes, kind="stable")
        commonest[counts.groups[order]] = counts.values[order]
        self.uncommon: Flags = known & (self.values != np.bincount(self.values).argmax())
        self.surprising: Flags = known & (self.values != commonest[self.shown])
        self.hidden: Flags = self.surprising & changed(before, after)
        totals = np.bincount(self.shown)
        of_value = np.unique(np.stack([counts.groups, counts.values]), axis=1)
        self.is_recoded = of_value.shape[1] == len(np.unique(self.values))
        chance = counts.sizes[places] / totals[self.shown]
        guessed = (np.bincount(self.values) / max(len(self.values), 1))[self.values]
        self.chance: Floats = chance if self.is_recoded else np.maximum(chance, guessed)
        self.impure: Floats = (1 - _PURE) * np.minimum(1, 2 * (1 - guessed))

    def told_by(
        self, parts: list[Codes], known: Flags | None = None, fewest: int = _FEWEST
    ) -> Telling:
        """Return what released codes tell; records outside ``known`` tell nothing."""
        hidden = self.hidden if known is None else self.hidden & known
        if len(parts) == 1 and self._follow(parts[0], known, fewest):  # rare values too
            return Telling(float(hidden.sum()), int(self.hidden.sum()), follows=True)
        agreed, others = self._agreed(joined([*parts, self.shown] if self.is_recoded else parts))
        told = agreed & (others >= fewest)
        return self._judged(told[hidden], self.chance[hidden] ** np.maximum(others[hidden], 1))

    def _agreed(self, group: Array) -> tuple[Flags, Array]:
        """Return whether the others of each record's group have its value, and how many they are.

        Of a value that most records have, fewer may differ: anybody guesses it without the group.
        """
        counts, places = _cells(group, self.values)
        others = np.bincount(group)[group] - 1
        return others + 1 - counts.sizes[places] <= self.impure * others, others

    def _follow(self, codes: Codes, known: Flags | None, fewest: int) -> bool:
        """Return whether the values follow from a column by itself wherever enough records tell.

        What is hidden must follow as well: a column that was merged in the same way tells the rest.
        """
        agreed, others = self._agreed(codes)
        counted, hidden = self.uncommon & (others >= fewest), self.hidden & (others > 0)
        if known is not None:
            counted, hidden = counted & known, hidden & known
        if counted.sum() < ENOUGH or agreed[counted].mean() < _FUNCTION:
            return False
        return not hidden.any() or bool(agreed[hidden].mean() >= _HIDDEN_TOO)

    def told_by_order(self, values: Array, known: Flags) -> Telling:
        """Return what the order of released values tells: those next to it have the same one."""
        rows = np.flatnonzero(known)
        block = self.shown[rows] if self.is_recoded else np.zeros(len(rows), np.int64)
        order = _in_order(block, values[rows])
        own, below, above = (rows[part] for part in order)
        told = (self.values[own] == self.values[below]) & (self.values[own] == self.values[above])
        if self.is_recoded:
            told &= (self.shown[own] == self.shown[below]) & (self.shown[own] == self.shown[above])
        hidden = self.hidden[own]
        return self._judged(told[hidden], self.chance[own][hidden] ** 2)

    def _judged(self, told: Flags, chance: Floats) -> Telling:
        excess = float(told.sum() - chance.sum())
        variance = float((chance * (1 - chance)).sum())
        return Telling(max(excess, 0.0), int(self.hidden.sum()), variance)


class HiddenNumber:
    """Numbers of a masked column, and how far they are from what they became."""

    def __init__(self, before: Numeric, after: Column) -> None:
        self.values: Floats = before.values
        hidden = before.known & changed(before, after)
        shown = after.values if isinstance(after, Numeric) else np.full(before.rows, np.nan)
        blank = np.isnan(shown)
        if blank.any():
            shown = np.where(blank, _middle(self.values, class_codes(after), before.known), shown)
        self.error: Floats = np.abs(self.values - shown)
        levels, counts = np.unique(self.values[before.known], return_counts=True)
        is_common = counts.max(initial=0) > _COMMON * before.rows
        guess = levels[counts.argmax()] if is_common else np.nan  # many have nothing
        middle = float(np.mean(self.values[before.known])) if before.known.any() else np.nan
        guessed = self._is_near(guess) | self._is_near(middle)  # behind noise that wide
        self.hidden: Flags = hidden & (self.error > 0) & ~guessed

    def told_by(self, parts: list[Codes], known: Flags | None = None) -> Telling:
        """Return what released codes tell: the mean of the others that agree comes nearer."""
        usable = ~np.isnan(self.values) if known is None else known & ~np.isnan(self.values)
        places = np.unique(joined(parts), return_inverse=True)[1]
        sizes = np.bincount(places, usable)
        sums = np.bincount(places, np.where(usable, self.values, 0.0))
        with np.errstate(invalid="ignore", divide="ignore"):
            means = (sums[places] - self.values) / (sizes[places] - 1)
        return self._judged(means, usable & (sizes[places] > _FEWEST))

    def told_by_order(self, values: Array, known: Flags, classes: Codes | None = None) -> Telling:
        """Return what the order tells: a number between those of the neighbors comes nearer.

        With classes, neighbors are those of the same class.
        """
        rows = np.flatnonzero(known & ~np.isnan(self.values))
        order = _in_order(np.zeros(len(rows)) if classes is None else classes[rows], values[rows])
        own, below, above = (rows[part] for part in order)
        made = np.full(len(self.values), np.nan)
        gap = values[above] - values[below]
        share = np.where(gap > 0, (values[own] - values[below]) / np.where(gap > 0, gap, 1), 0.5)
        made[own] = self.values[below] + share * (self.values[above] - self.values[below])
        return self._judged(made, ~np.isnan(made))

    def told_by_value(self, made: Floats, among: Flags | None = None) -> Telling:
        """Return what numbers tell that were computed from released ones."""
        return self._judged(made, ~np.isnan(made), among)

    def told_as_equal(self, values: Floats) -> Telling:
        """Return how many numbers of a column are unchanged, beyond what chance gives."""
        equal = self.hidden & (values == self.values)
        levels, own = np.unique(self.values[self.hidden], return_counts=True)
        others, counts = np.unique(values[~np.isnan(values)], return_counts=True)
        _, here, there = np.intersect1d(levels, others, return_indices=True)
        chance = float((own[here] * counts[there]).sum() / len(values))
        return Telling(max(equal.sum() - chance, 0.0), int(self.hidden.sum()), chance)

    def told_by_class(self, codes: Codes) -> Telling:
        """Return what a column tells that holds the class of the original: decile, age group.

        It is one where records in the order of the original have each class in one stretch; of a
        flag, one of the two values. A class tells a number where its middle is nearer than the
        masked number is; classes of which this is so for few do not count.
        """
        rows = np.flatnonzero(~np.isnan(self.values))
        in_order = codes[rows[np.argsort(self.values[rows], kind="stable")]]
        classes = len(np.unique(in_order))
        stretches = 1 + int((np.diff(in_order) != 0).sum())
        if classes < 2 or stretches > max(classes, 3) + _STRAY * len(rows):
            return Telling(0, int(self.hidden.sum()))
        middles = _middle(self.values, codes, ~np.isnan(self.values))
        near = np.bincount(codes, self.hidden & (np.abs(middles - self.values) < self.error))
        hidden = np.bincount(codes, self.hidden)
        return Telling(float(near[near > hidden / 2].sum()), int(hidden.sum()))

    def _judged(self, made: Floats, usable: Flags, among: Flags | None = None) -> Telling:
        hidden = self.hidden if among is None else self.hidden & among
        told = hidden & usable & self._is_near(made)
        return Telling(float(told.sum()), int(hidden.sum()))

    def _is_near(self, made: Floats | float) -> Flags:
        near: Flags = np.abs(made - self.values) <= self.error / _CLOSER
        return near


def is_thin(column: Column) -> bool:
    """Return whether so few records share a value that its order is looked at instead."""
    return len(column.coded.labels) * _THIN > column.rows


@dataclass(frozen=True, eq=False)
class _Cells:
    """Combinations of group and value that occur, and how many records have each."""

    groups: Array
    values: Array
    sizes: Array


def _cells(groups: Array, values: Codes) -> tuple[_Cells, Array]:
    """Return the combinations that occur, and that of each record."""
    width = int(values.max(initial=0)) + 1
    keys = groups.astype(np.int64) * width + values
    top = int(keys.max(initial=0)) + 1
    if top <= max(_DENSE, 4 * len(keys)):
        counts = np.bincount(keys, minlength=top)
        occurring = np.flatnonzero(counts)
        place_of = np.zeros(top, np.int64)
        place_of[occurring] = np.arange(len(occurring))
        cells = _Cells(occurring // width, occurring % width, counts[occurring])
        return cells, place_of[keys]
    occurring, places, counts = np.unique(keys, return_inverse=True, return_counts=True)
    return _Cells(occurring // width, occurring % width, counts), places


def _in_order(block: Array, values: Array) -> tuple[Array, Array, Array]:
    """Return records, and for each a record with the next lower and the next higher value.

    Equal values are no neighbors: they may be those of one household. Records whose value is the
    lowest or the highest are left out.
    """
    anyhow = np.random.default_rng(0).permutation(len(values))
    order = anyhow[np.lexsort((values[anyhow], block[anyhow]))]
    is_new = (np.diff(values[order], prepend=np.nan) != 0) | (
        np.diff(block[order], prepend=-1) != 0
    )
    first = order[is_new]
    run = np.cumsum(is_new) - 1
    inner = (run > 0) & (run < len(first) - 1)
    return order[inner], first[run[inner] - 1], first[run[inner] + 1]


def _middle(values: Floats, groups: Codes, known: Flags) -> Floats:
    """Return the middle of the known numbers of each record's group, shape (n,)."""
    middles = np.full(int(groups.max(initial=0)) + 1, np.nan)
    rows = np.flatnonzero(known)
    rows = rows[np.lexsort((values[rows], groups[rows]))]
    starts = np.flatnonzero(np.diff(groups[rows], prepend=-1))
    ends = np.append(starts[1:], len(rows))
    middles[groups[rows][starts]] = values[rows][(starts + ends - 1) // 2]
    return middles[groups]


def hidden_values(pair: MaskedPair, name: str) -> HiddenCategory | HiddenNumber:
    """Return the values of a masked column that nobody could guess from what they became."""
    before, after = pair.before[name], pair.after[name]
    if isinstance(before, Numeric) and is_amount(before):
        return HiddenNumber(before, after)
    return HiddenCategory(before, after)


def told_by_columns(hidden: HiddenCategory | HiddenNumber, columns: list[Column]) -> Telling:
    """Return what columns tell together; one of many values, by its order or as a name.

    The order of a first one of many values is looked at within the classes of a second.
    """
    if len(columns) == 2 and is_thin(columns[0]) and isinstance(hidden, HiddenNumber):
        first, second = columns
        known = first.known & second.known
        return hidden.told_by_order(ordered_numbers(first), known, class_codes(second))
    if len(columns) > 1 or not is_thin(columns[0]):
        known = np.logical_and.reduce([column.known for column in columns])
        return hidden.told_by([class_codes(column) for column in columns], known)
    column = columns[0]
    by_order = hidden.told_by_order(ordered_numbers(column), column.known)
    if isinstance(hidden, HiddenNumber) or read_numbers(column) is not None:
        return by_order
    by_name = hidden.told_by([class_codes(column)], column.known, fewest=1)
    return max(by_order, by_name, key=lambda telling: (telling.is_sure, telling.told))


def ordered_numbers(column: Column) -> Floats:
    """Return the numbers of a column; of text, those that it writes, or else its order."""
    if isinstance(column, Numeric):
        return column.values
    coded = column.coded
    numbers = _written_numbers(coded)
    places = np.arange(len(coded.labels), dtype=np.float64) if numbers is None else numbers
    return np.append(places, [np.nan, np.nan])[coded.codes]


def _written_numbers(column: Categorical) -> Floats | None:
    texts = [str(label) for label in column.labels]
    if not texts or not all(map(_DIGIT.search, texts)):  # sooner seen than read
        return None
    read = numbers_of_texts(texts)
    return read.numbers if read.readable.all() else None


def read_numbers(column: Column) -> Numeric | None:
    """Return a column as numbers, if every text of it writes one."""
    if isinstance(column, Numeric):
        return column
    written = _written_numbers(column.coded)
    return None if written is None else Numeric(column.name, ordered_numbers(column))
