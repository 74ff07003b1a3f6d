"""Formulas by which released numbers together give a masked one: sums, products, roots of sums.

A formula is looked for by least squares on some records, of which the worst are left out, so that
it is found although it fails for some. A sum of logarithms is a product of powers: products,
ratios, and indices such as the body mass. To the best two terms more are added, each time the one
that goes with what is left to explain (matching pursuit); those that the others can do without are
taken out again.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from sudare.core import Flags, Floats, Numeric
from sudare.release.inspection.derivable_values.formula_terms import (
    FormulaTerm,
    formula_terms,
    made_by_terms,
    standard,
)

_KEPT = 0.6  # share of the records that the formula has to fit
_ROUNDS = 4
_FEWEST = 30  # records
_FAR = 0.5  # part of the usual distance from the middle by which sums of all columns may be off
_MOST_TERMS = 8  # that are chosen one by one
_LIKELY = 250  # terms of which all pairs are tried
_APART = 1e-6  # part of a term that another does not explain, from which they are two
_NEEDLESS = 1.5  # times as far off as a formula may be with fewer terms
_AS_MANY = 0.98  # share of the records that it must still fit with fewer terms
_EXACT = 1e-9  # part of the usual distance from the middle by which an exact formula is off

Shape = Literal["sum", "product", "root"]
_UNDONE: dict[Shape, Callable[[Floats], Floats]] = {
    "sum": np.asarray,
    "product": np.exp,
    "root": np.sqrt,
}


@dataclass(frozen=True, eq=False)
class Formula:
    """A number as a constant plus multiples of terms, the root of that, or a product of powers.

    Attributes
    ----------
    terms
        What it is computed from.
    coefficients
        The constant, then one multiple or power for each, shape (1 + m,).
    shape
        "sum", "product" (of powers) or "root" (of a sum).
    """

    terms: tuple[FormulaTerm, ...]
    coefficients: Floats
    shape: Shape

    @property
    def names(self) -> tuple[str, ...]:
        """The columns it is computed from."""
        return tuple(dict.fromkeys(name for term in self.terms for name in term.names))

    def made(self, numbers: Mapping[str, Floats]) -> Floats:
        """Return the numbers that it gives, shape (n,); NaN where a part is missing."""
        parts = _parts(self.terms, numbers, self.shape)
        with np.errstate(all="ignore"):
            total = self.coefficients[0] + self.coefficients[1:] @ parts
            made: Floats = _UNDONE[self.shape](total)
        return np.where(np.isfinite(made), made, np.nan)


def formulas(numbers: Mapping[str, Floats], target: Floats) -> Iterator[Formula]:
    """Yield the best formula of few terms, and of all columns, as sums, products and roots.

    Parameters
    ----------
    numbers
        By column, what is released, each of shape (n,).
    target
        The numbers to be computed, shape (n,).

    Examples
    --------
    >>> draws = np.random.default_rng(1)
    >>> parts = {"height": draws.uniform(1.5, 1.9, 90), "index": draws.uniform(18, 35, 90)}
    >>> weight = parts["index"] * parts["height"] ** 2
    >>> products = [formula for formula in formulas(parts, weight) if formula.shape == "product"]
    >>> dict(zip(products[0].names, products[0].coefficients[1:].round(3).tolist()))
    {'index': 1.0, 'height': 2.0}
    """
    for shape in _UNDONE:
        usable = _usable(numbers, target, shape)
        if len(usable) < 2:
            continue
        wanted = _reshaped(target, shape)
        terms = formula_terms(usable, target, of_logarithms=shape == "product")
        yield from _pursued(terms, _parts(terms, usable, shape), wanted, shape)
        squared = shape == "root"
        columns = [FormulaTerm((name,) * (1 + squared), "product" * squared) for name in usable]
        parts = _parts(columns, usable, shape)
        yield from _without_needless(columns, parts, wanted, shape)


def completed(rest: Numeric, before: Numeric, shown: Floats) -> Floats | None:
    """Return the numbers that a remainder and a number near by give: 45,678 by 678 and 45,900.

    None where a column is no remainder of the masked one.
    """
    apart = (before.values - rest.values)[before.known & rest.known]
    if not len(apart) or (apart != np.rint(apart)).any() or np.abs(apart).max() > 1e15:
        return None
    divisor = int(np.gcd.reduce(np.rint(apart).astype(np.int64)))
    if divisor <= np.nanmax(rest.values) - np.nanmin(rest.values) or divisor < 2:
        return None
    made: Floats = rest.values + divisor * np.rint((shown - rest.values) / divisor)
    return made


def _reshaped(target: Floats, shape: Shape) -> Floats:
    if shape == "product":
        return np.log(np.where(target > 0, target, np.nan))
    return target if shape == "sum" else target**2


def _parts(terms: Sequence[FormulaTerm], numbers: Mapping[str, Floats], shape: Shape) -> Floats:
    made = made_by_terms(terms, numbers)
    return np.log(np.where(made > 0, made, np.nan)) if shape == "product" else made


def _usable(numbers: Mapping[str, Floats], target: Floats, shape: Shape) -> dict[str, Floats]:
    """Return the columns of more than one number that are there for most records."""
    if shape != "sum" and not _mostly(target > 0, ~np.isnan(target)):
        return {}
    return {
        name: values
        for name, values in numbers.items()
        if _mostly(~np.isnan(values), np.ones(len(values), np.bool_))
        and np.nanmin(values) < np.nanmax(values)
        and (shape != "product" or _mostly(values > 0, ~np.isnan(values)))
    }


def _mostly(flags: Flags, among: Flags) -> bool:
    return bool((flags & among).sum() > 0.5 * among.sum() > 0)


def _pursued(
    terms: list[FormulaTerm], parts: Floats, target: Floats, shape: Shape
) -> Iterator[Formula]:
    """Yield the formula of the terms that explain most, each what those before it leave."""
    scaled = standard(parts)
    chosen = _best_pair(scaled, standard(target[None])[0])
    while True:
        coefficients, off = _trimmed(parts[chosen], target, rounds=1)
        if len(chosen) >= min(_MOST_TERMS, len(terms)) or _limit(off) < _EXACT * _distance(target):
            break
        left = target - coefficients[0] - coefficients[1:] @ parts[chosen]
        fits = np.abs(scaled @ standard(left[None])[0])
        fits[chosen] = -1
        chosen = [*chosen, int(fits.argmax())]
    yield from _without_needless([terms[number] for number in chosen], parts[chosen], target, shape)


def _best_pair(scaled: Floats, target: Floats) -> list[int]:
    """Return the two terms that explain most together, among those that explain most by themselves.

    Terms and target have mean 0 and length 1, so that their products are correlations.
    """
    alone = scaled @ target
    likely = np.argsort(-np.abs(alone), kind="stable")[:_LIKELY]
    own, together = alone[likely], scaled[likely] @ scaled[likely].T
    apart = 1 - together**2
    joint = own[:, None] ** 2 + own[None] ** 2 - 2 * own[:, None] * own[None] * together
    explained = np.where(apart > _APART, joint / np.maximum(apart, _APART), -1.0)
    return [int(likely[number]) for number in np.unravel_index(explained.argmax(), explained.shape)]


def _without_needless(
    terms: list[FormulaTerm], parts: Floats, target: Floats, shape: Shape
) -> Iterator[Formula]:
    """Yield the formula of some terms, if it explains much, without those that it needs not."""
    places = list(range(len(terms)))
    coefficients, off = _trimmed(parts, target)
    if not _limit(off) < _FAR * _distance(target):
        return
    near = _NEEDLESS * _limit(off) + _EXACT * _distance(target)
    fewest = _AS_MANY * (off <= near).sum()
    while len(places) > 1:
        spread = np.nanstd(parts[places], axis=1) * np.abs(coefficients[1:])
        tried = np.argsort(spread) if len(places) <= _MOST_TERMS else spread.argmin()[None]
        fewer = [[*places[:part], *places[part + 1 :]] for part in tried]
        fits = [_trimmed(parts[rest], target) for rest in fewer]
        counts = [int((off <= near).sum()) for _, off in fits]
        best = int(np.argmax(counts))
        if counts[best] < fewest:
            break
        places, coefficients = fewer[best], fits[best][0]
    yield Formula(tuple(terms[number] for number in places), coefficients, shape)


def _distance(target: Floats) -> float:
    """Return how far numbers are from their middle, in as many records as a formula has to fit."""
    return _limit(np.abs(target - np.nanmedian(target)))


def _limit(off: Floats) -> float:
    known = off[np.isfinite(off)]
    if len(known) < _FEWEST:
        return np.inf
    return float(np.quantile(known, _KEPT, method="lower"))


def _trimmed(parts: Floats, target: Floats, rounds: int = _ROUNDS) -> tuple[Floats, Floats]:
    """Return least squares on the records that fit best, and how far the formula is off in each.

    Parameters
    ----------
    parts
        Columns, shape (m, n).
    target
        Shape (n,).
    rounds
        How often the records that fit worst are left out, and the others fitted anew; 1 for never.

    Returns
    -------
    The constant and the coefficients, shape (1 + m,), and the errors, shape (n,), NaN where a
    number is missing.
    """
    known = ~np.isnan(parts).any(axis=0) & ~np.isnan(target)
    wanted = target[known]
    if len(wanted) < _FEWEST:
        return np.zeros(1 + len(parts)), np.full(len(target), np.nan)
    middle = parts[:, known].mean(axis=1, keepdims=True)
    scale = parts[:, known].std(axis=1, keepdims=True)
    scale = np.where(scale > 0, scale, 1.0)
    design = np.vstack([np.ones(len(wanted)), (parts[:, known] - middle) / scale]).T
    used = np.ones(len(wanted), np.bool_)
    for _ in range(rounds):
        solution = np.linalg.lstsq(design[used], wanted[used], rcond=1e-10)[0]
        error = np.abs(design @ solution - wanted)
        used = error <= np.quantile(error, _KEPT)
    off = np.full(len(target), np.nan)
    off[known] = error
    multiples = solution[1:] / scale[:, 0]
    return np.append(solution[0] - multiples @ middle[:, 0], multiples), off
