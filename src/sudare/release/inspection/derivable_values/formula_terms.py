"""Terms of formulas that are made of two columns or more: products, ratios, the largest, and so on.

A masked number may follow from released ones as a·b + c, (a + b)/c or the larger of two. All terms
of two columns are compared with it at once, by the correlations alone; only the few that explain it
best, alone or with one more column, are fitted.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import reduce
from itertools import combinations, permutations

import numpy as np

from sudare.core import Floats

MOST_COLUMNS = 24  # of which terms are made
_MOST_SETS = 64  # terms, with or without a column, that are fitted
_BEYOND = 0.9  # share of the records in which the largest is not below its parts


def _quotient(first: Floats, second: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return first / second


_COMBINED: dict[str, Callable[[Floats, Floats], Floats]] = {
    "sum": np.add,
    "difference": lambda first, second: np.abs(first - second),
    "product": np.multiply,
    "quotient": _quotient,
    "largest": np.fmax,
    "smallest": np.fmin,
}
_IN_SUMS = ("product", "quotient", "difference")  # a sum in a sum is one of columns
_IN_PRODUCTS = ("sum", "difference")


@dataclass(frozen=True)
class FormulaTerm:
    """A column, or what is made of several.

    Attributes
    ----------
    names
        The columns.
    made_by
        How their numbers are combined; empty for a column by itself.
    """

    names: tuple[str, ...]
    made_by: str = ""

    def of(self, numbers: Mapping[str, Floats]) -> Floats:
        """Return its numbers, shape (n,).

        Examples
        --------
        >>> numbers = {"a": np.array([1.0, 5.0]), "b": np.array([2.0, 3.0])}
        >>> FormulaTerm(("a", "b"), "largest").of(numbers).tolist()
        [2.0, 5.0]
        """
        parts = [numbers[name] for name in self.names]
        return reduce(_COMBINED[self.made_by], parts) if self.made_by else parts[0]


def promising_terms(
    numbers: Mapping[str, Floats], target: Floats, *, of_logarithms: bool
) -> list[tuple[FormulaTerm, ...]]:
    """Return the terms, alone or with a column, by which a number is explained best.

    Parameters
    ----------
    numbers
        By column, what is released, each of shape (n,).
    target
        The number to be explained, shape (n,); not its logarithm.
    of_logarithms
        Whether terms are to be multiplied rather than added.
    """
    names = list(numbers)[:MOST_COLUMNS]
    terms = _terms(names, of_logarithms=of_logarithms)
    if not of_logarithms:
        terms += _extremes(numbers, target)
    columns = [FormulaTerm((name,)) for name in names]
    if not terms:
        return []
    scale = np.log if of_logarithms else np.asarray
    with np.errstate(divide="ignore", invalid="ignore"):
        made = _standard(scale(np.array([term.of(numbers) for term in terms])))
        single = _standard(scale(np.array([numbers[name] for name in names])))
        wanted = _standard(scale(target[None]))[0]
    explained = np.column_stack(
        [(made @ wanted) ** 2, _explained(made @ wanted, single @ wanted, made @ single.T)]
    )
    best = np.argsort(explained, axis=None)[::-1][:_MOST_SETS]
    rows, partners = np.unravel_index(best, explained.shape)
    return [
        (terms[row], columns[partner - 1]) if partner else (terms[row],)
        for row, partner in zip(rows.tolist(), partners.tolist(), strict=True)
    ]


def _terms(names: list[str], *, of_logarithms: bool) -> list[FormulaTerm]:
    terms = []
    for word in _IN_PRODUCTS if of_logarithms else _IN_SUMS:
        ordered = permutations if word == "quotient" else combinations
        terms += [FormulaTerm(pair, word) for pair in ordered(names, 2)]
    return terms


def _extremes(numbers: Mapping[str, Floats], target: Floats) -> list[FormulaTerm]:
    """Return the largest of the columns that a number is not below, and the other way round."""
    not_above = [name for name, own in numbers.items() if np.nanmean(own <= target) >= _BEYOND]
    not_below = [name for name, own in numbers.items() if np.nanmean(own >= target) >= _BEYOND]
    both = {"largest": not_above, "smallest": not_below}
    return [FormulaTerm(tuple(some), word) for word, some in both.items() if len(some) > 1]


def _standard(numbers: Floats) -> Floats:
    """Return numbers with mean 0 and length 1, shape (m, n); 0 where there is none."""
    finite = np.where(np.isfinite(numbers), numbers, np.nan)
    known = ~np.isnan(finite)
    count = np.maximum(known.sum(axis=1, keepdims=True), 1)
    centred = np.where(known, finite - np.nansum(finite, axis=1, keepdims=True) / count, 0.0)
    length = np.sqrt((centred**2).sum(axis=1, keepdims=True))
    return centred / np.where(length > 0, length, 1.0)


def _explained(by_term: Floats, by_column: Floats, together: Floats) -> Floats:
    """Return R² of a term and a column by their correlations, shape (terms, columns)."""
    term, column = by_term[:, None], by_column[None]
    apart = 1 - together**2
    joint = term**2 + column**2 - 2 * term * column * together
    return np.where(apart > 1e-6, joint / np.maximum(apart, 1e-6), 0.0)
