"""From columns to the matrix of a regression, the same for a table before and after masking."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sudare.core import Column, Floats, Microdata, Numeric, label_codes
from sudare.engine.counting import in_units, label_counts, magnitude, moments

OTHERS, ABSENT = "(others)", "(missing)"  # terms for what has no label of its own
_NOWHERE = -9  # a code that no record has
_MOST_LEVELS = 30  # rarer labels share one indicator, so that a name does not become a thousand
_SQUARED = 500  # squares of numbers beyond this power of two, or of its inverse, may be lost
_FARTHEST = 1e100  # z-scores beyond it say no more


@dataclass(frozen=True)
class Design:
    """How columns become numbers: z-scores of numbers, indicators of labels and of absence."""

    numbers: dict[str, tuple[float, float]]
    labels: dict[str, tuple[str, ...]]

    @classmethod
    def of(cls, before: Microdata, after: Microdata, columns: Sequence[str]) -> "Design":
        """Learn means and sds of numbers from the original, labels from both tables."""
        numbers, labels = {}, {}
        for name in columns:
            column = before[name]
            if isinstance(column, Numeric):
                numbers[name] = _mean_and_sd(column)
            else:
                labels[name] = _frequent([column, after[name]])
        return cls(numbers, labels)

    def matrix(self, data: Microdata) -> tuple[Floats, tuple[str, ...]]:
        """Return the matrix, shape (n, p), without an intercept, and which column each is of."""
        parts: list[Floats] = []
        owners: list[str] = []
        for name, (mean, sd) in self.numbers.items():
            parts += _number_parts(data[name], mean, sd)
            owners += [name] * (len(parts) - len(owners))
        for name, labels in self.labels.items():
            parts += _label_parts(data[name], labels)
            owners += [name] * (len(parts) - len(owners))
        if not parts:
            return np.zeros((data.rows, 0)), ()
        return np.column_stack(parts), tuple(owners)

    def terms(self) -> list[tuple[str, str]]:
        """Return the column and the label of each column of the matrix; no label for numbers."""
        numbers = [(name, term) for name in self.numbers for term in ("", ABSENT)]
        labels = [
            (name, term)
            for name, known in self.labels.items()
            for term in (*known[1:], OTHERS, ABSENT)
        ]
        return numbers + labels


def _frequent(versions: Sequence[Column]) -> tuple[str, ...]:
    """Return the most frequent labels of both tables, the reference first."""
    counts: Counter[str] = Counter()
    for column in versions:
        coded = column.coded
        numbers = label_counts(coded).astype(np.int64)
        counts.update(dict(zip(map(str, coded.labels), numbers.tolist(), strict=True)))
    return tuple(sorted(counts, key=lambda label: (-counts[label], label))[: _MOST_LEVELS + 1])


def _mean_and_sd(column: Numeric) -> tuple[float, float]:
    known = column.values[column.known]
    if not len(known):
        return 0.0, 1.0
    power = magnitude(known)
    if abs(power) > _SQUARED:
        reduced = in_units(known, power)
        copies = None if column.copies is None else column.copies[column.known]
        mean = np.average(reduced, weights=copies)
        sd = np.sqrt(np.average((reduced - mean) ** 2, weights=copies))
        return float(np.ldexp(mean, power)), float(np.ldexp(sd, power)) or 1.0
    if column.copies is None:
        return float(known.mean()), float(known.std()) or 1.0
    summary = moments([column])
    return float(summary.mean[0]), float(summary.sd[0]) or 1.0


def _number_parts(column: Column, mean: float, sd: float) -> list[Floats]:
    if isinstance(column, Numeric):
        values, absent = column.values, ~column.known
    else:  # numbers that were recoded to labels tell nothing as numbers
        values, absent = np.full(column.rows, np.nan), np.ones(column.rows, dtype=np.bool_)
    usual = np.array([mean, sd])
    power = 2 if magnitude(usual) > _SQUARED else 0  # so that differences do not overflow
    middle, unit = in_units(usual, power)
    with np.errstate(over="ignore"):
        scores = np.clip((in_units(values, power) - middle) / unit, -_FARTHEST, _FARTHEST)
    return [np.where(absent, 0.0, scores), absent.astype(np.float64)]


def _label_parts(column: Column, labels: Sequence[str]) -> list[Floats]:
    """Return indicators of all labels but the reference, of all other labels, and of absence."""
    coded = column.coded
    named = label_codes(labels, [str(label) for label in coded.labels], _NOWHERE)[:-2]
    parts = [(coded.codes == code).astype(np.float64) for code in named[1:]]
    others = (coded.codes >= 0) & ~np.isin(coded.codes, named)
    return [*parts, others.astype(np.float64), (coded.codes < 0).astype(np.float64)]
