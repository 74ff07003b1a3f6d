"""Terms of formulas: columns, their roots and logarithms, products, quotients, differences.

A masked number may follow from released ones as a·b + c·d, (a + b)/c, √(a² + b²) or the larger of
two, which is half of a + b + |a − b|. All terms are compared with it at once, by their correlation
with what is left to explain.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations, combinations_with_replacement, groupby, permutations

import numpy as np

from sudare.core import Floats

_MOST_COLUMNS = 24  # of which terms are made
_IN_THREES = 8  # of which products of three are made
_BEYOND = 0.9  # share of the records in which the largest is not below its parts

_COMBINED: dict[str, Callable[[Floats, Floats], Floats]] = {
    "sum": np.add,
    "difference": lambda first, second: np.abs(first - second),
    "product": np.multiply,
    "quotient": np.divide,
    "largest": np.fmax,
    "smallest": np.fmin,
}
_CHANGED: dict[str, Callable[[Floats], Floats]] = {"root": np.sqrt, "logarithm": np.log}


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


def made_by_terms(terms: Sequence[FormulaTerm], numbers: Mapping[str, Floats]) -> Floats:
    """Return the numbers of terms, shape (terms, n); NaN where there is none.

    Examples
    --------
    >>> numbers = {"a": np.array([1.0, 5.0]), "b": np.array([2.0, 3.0])}
    >>> made_by_terms([FormulaTerm(("a", "b"), "largest")], numbers).tolist()
    [[2.0, 5.0]]
    """
    places = {name: number for number, name in enumerate(numbers)}
    table = np.array(list(numbers.values()))
    blocks = []
    with np.errstate(all="ignore"):
        for (word, _), alike in groupby(terms, lambda term: (term.made_by, len(term.names))):
            chosen = np.array([[places[name] for name in term.names] for term in alike])
            parts = [table[column] for column in chosen.T]
            if word in _CHANGED:
                blocks.append(_CHANGED[word](parts[0]))
            else:
                blocks.append(reduce(_COMBINED[word], parts) if word else parts[0])
    made = np.concatenate(blocks)
    return np.where(np.isfinite(made), made, np.nan)


def formula_terms(
    numbers: Mapping[str, Floats], target: Floats, *, of_logarithms: bool
) -> list[FormulaTerm]:
    """Return the terms that may explain a number, of the columns that go with it most closely.

    Parameters
    ----------
    numbers
        By column, what is released, each of shape (n,).
    target
        The number to be explained, shape (n,); not its logarithm.
    of_logarithms
        Whether terms are to be multiplied rather than added.
    """
    fits = np.abs(standard(np.array(list(numbers.values()))) @ standard(target[None])[0])
    order = np.argsort(-fits, kind="stable").tolist() if len(fits) > _MOST_COLUMNS else None
    names = list(numbers)
    names = [names[number] for number in order[:_MOST_COLUMNS]] if order else names
    alone = [(name,) for name in names]
    pairs, few = list(combinations(names, 2)), names[:_IN_THREES]
    sets: dict[str, Iterable[tuple[str, ...]]]
    if of_logarithms:
        sets = {"": alone, "sum": pairs, "difference": pairs}
    else:
        sets = {
            "": alone,
            "root": alone,
            "logarithm": alone,
            "product": (*combinations_with_replacement(names, 2), *combinations(few, 3)),
            "quotient": permutations(names, 2),
            "difference": pairs,
            "largest": (*pairs, *_beyond(numbers, target)),
            "smallest": (*pairs, *_beyond(numbers, target, below=True)),
        }
    return [FormulaTerm(some, word) for word, those in sets.items() for some in those]


def _beyond(
    numbers: Mapping[str, Floats], target: Floats, *, below: bool = False
) -> Iterator[tuple[str, ...]]:
    """Yield the columns of which a number may be the largest: it is not below them."""
    sign = -1 if below else 1
    names = [n for n, own in numbers.items() if np.nanmean(sign * own <= sign * target) >= _BEYOND]
    if len(names) > 2:
        yield tuple(names)


def standard(numbers: Floats) -> Floats:
    """Return numbers with mean 0 and length 1, shape (m, n); 0 where there is none."""
    known = np.isfinite(numbers)
    count = np.maximum(known.sum(axis=1, keepdims=True), 1)
    means = np.where(known, numbers, 0.0).sum(axis=1, keepdims=True) / count
    centred = np.where(known, numbers - means, 0.0)
    length = np.sqrt((centred**2).sum(axis=1, keepdims=True))
    return centred / np.where(length > 0, length, 1.0)
