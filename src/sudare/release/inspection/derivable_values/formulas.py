"""Formulas by which released numbers together give a masked one: weighted sums, and products.

Of columns, and of terms that are made of several (a·b + c, (a + b)/c, the larger of two).

A formula is looked for by least squares on some records, of which the worst are left out, so
that it is found although it fails for some. A weighted sum of logarithms is a product of powers:
products, ratios, and indices such as the body mass.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from sudare.core import Array, Flags, Floats
from sudare.release.inspection.derivable_values.formula_terms import FormulaTerm, promising_terms

_KEPT = 0.6  # share of the records that the formula has to fit
_ROUNDS = 4
_PAIRS_AT_ONCE = 256
_FEWEST = 30  # records
_FAR = 0.5  # part of the standard deviation by which a formula may be off to be looked at further


@dataclass(frozen=True, eq=False)
class Formula:
    """A number as a constant plus multiples of others, or as a product of their powers.

    Attributes
    ----------
    terms
        What it is computed from.
    coefficients
        The constant, then one multiple or power for each, shape (1 + m,).
    of_logarithms
        Whether it is a product of powers.
    """

    terms: tuple[FormulaTerm, ...]
    coefficients: Floats
    of_logarithms: bool

    @property
    def names(self) -> tuple[str, ...]:
        """The columns it is computed from."""
        return tuple(dict.fromkeys(name for term in self.terms for name in term.names))

    def made(self, numbers: Mapping[str, Floats]) -> Floats:
        """Return the numbers that it gives, shape (n,); NaN where a part is missing."""
        parts = _scaled(
            np.array([term.of(numbers) for term in self.terms]), of_logarithms=self.of_logarithms
        )
        with np.errstate(over="ignore"):
            total = self.coefficients[0] + self.coefficients[1:] @ parts
            made: Floats = np.exp(total) if self.of_logarithms else total
        return np.where(np.isfinite(made), made, np.nan)


def formulas(numbers: Mapping[str, Floats], target: Floats) -> Iterator[Formula]:
    """Yield the best formula of two columns, of all, and of terms, as sums and as products.

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
    >>> products = [formula for formula in formulas(parts, weight) if formula.of_logarithms]
    >>> products[0].coefficients[1:].round(3).tolist()
    [2.0, 1.0]
    """
    for of_logarithms in (False, True):
        usable = _usable(numbers, target, of_logarithms=of_logarithms)
        if len(usable) < 2:
            continue
        names = tuple(usable)
        parts = _scaled(np.array(list(usable.values())), of_logarithms=of_logarithms)
        wanted = _scaled(target[None], of_logarithms=of_logarithms)[0]
        pairs = np.array(list(combinations(range(len(names)), 2)))
        fitted, errors = _best_pairs(parts, wanted, pairs)
        best = int(np.argmin(errors))
        if np.isfinite(errors[best]):
            chosen = tuple(FormulaTerm((names[part],)) for part in pairs[best])
            yield Formula(chosen, fitted[best], of_logarithms)
        if len(names) > 2:
            yield from _of_all(names, parts, wanted, of_logarithms=of_logarithms)
        yield from _of_terms(usable, target, of_logarithms=of_logarithms)


def _usable(
    numbers: Mapping[str, Floats], target: Floats, *, of_logarithms: bool
) -> dict[str, Floats]:
    """Return the columns of more than one number that are there for most records."""
    if of_logarithms and not _mostly(target > 0, ~np.isnan(target)):
        return {}
    return {
        name: values
        for name, values in numbers.items()
        if _mostly(~np.isnan(values), np.ones(len(values), np.bool_))
        and np.nanmin(values) < np.nanmax(values)
        and (not of_logarithms or _mostly(values > 0, ~np.isnan(values)))
    }


def _mostly(flags: Flags, among: Flags) -> bool:
    return bool((flags & among).sum() > 0.5 * among.sum() > 0)


def _scaled(numbers: Floats, *, of_logarithms: bool) -> Floats:
    """Return numbers or their logarithms; NaN where there is none."""
    if not of_logarithms:
        return numbers
    return np.log(np.where(numbers > 0, numbers, np.nan))


def _best_pairs(parts: Floats, target: Floats, pairs: Array) -> tuple[Floats, Floats]:
    """Return the coefficients of every pair of columns, and how far the formula is off."""
    fitted = np.zeros((len(pairs), 3))
    errors = np.full(len(pairs), np.inf)
    for start in range(0, len(pairs), _PAIRS_AT_ONCE):
        some = slice(start, start + _PAIRS_AT_ONCE)
        fitted[some], errors[some] = _trimmed(parts[pairs[some]], target)
    return fitted, errors


def _of_all(
    names: tuple[str, ...], parts: Floats, target: Floats, *, of_logarithms: bool
) -> Iterator[Formula]:
    """Yield the formula of all columns, without those that it can do without."""
    places = np.arange(len(names))
    coefficients, error = _trimmed(parts[None], target)
    if not error[0] < _FAR * np.nanstd(target):
        return
    spread = np.nanstd(parts, axis=1) * np.abs(coefficients[0, 1:])
    for part in np.argsort(spread):
        rest = places[places != part]
        if len(rest) < 2:
            break
        fewer, off = _trimmed(parts[rest][None], target)
        if off[0] > 1.5 * error[0] + 1e-9 * np.nanstd(target):
            continue
        places, coefficients, error = rest, fewer, np.maximum(off, error)
    if len(places) > 2:
        terms = tuple(FormulaTerm((names[part],)) for part in places)
        yield Formula(terms, coefficients[0], of_logarithms)


def _of_terms(
    numbers: Mapping[str, Floats], target: Floats, *, of_logarithms: bool
) -> Iterator[Formula]:
    """Yield the best formula of a term that is made of several columns."""
    wanted = _scaled(target[None], of_logarithms=of_logarithms)[0]
    sets = promising_terms(numbers, target, of_logarithms=of_logarithms)
    for size in (1, 2):
        alike = [terms for terms in sets if len(terms) == size]
        if not alike:
            continue
        made = np.array([[term.of(numbers) for term in terms] for terms in alike])
        made = _scaled(made, of_logarithms=of_logarithms)
        fitted, errors = _trimmed(np.where(np.isfinite(made), made, np.nan), wanted)
        best = int(np.argmin(errors))
        if np.isfinite(errors[best]):
            yield Formula(alike[best], fitted[best], of_logarithms)


def _trimmed(parts: Floats, target: Floats) -> tuple[Floats, Floats]:
    """Return least squares on the records that fit best, and the middle error among all.

    Parameters
    ----------
    parts
        Sets of columns, shape (sets, columns, n).
    target
        Shape (n,).

    Returns
    -------
    The constant and the coefficients, shape (sets, 1 + columns), and an error for each set.
    """
    known = ~np.isnan(parts).any(axis=1) & ~np.isnan(target)
    middle = np.nanmean(parts, axis=2, keepdims=True)
    scale = np.nanstd(parts, axis=2, keepdims=True)
    scale = np.where(scale > 0, scale, 1.0)
    ones = np.ones((parts.shape[0], 1, parts.shape[2]))
    design = np.nan_to_num(np.concatenate([ones, (parts - middle) / scale], axis=1))
    wanted = np.nan_to_num(target)
    used = known
    for _ in range(_ROUNDS):
        weighted = design * used[:, None, :]
        gram = weighted @ design.transpose(0, 2, 1)
        solution = np.linalg.pinv(gram, hermitian=True) @ (weighted @ wanted)[..., None]
        off = np.abs((design * solution).sum(axis=1) - wanted)
        off = np.where(known, off, np.inf)
        limit = np.quantile(off, _KEPT, axis=1, keepdims=True, method="lower")
        used = known & (off <= limit)
    coefficients = solution[..., 0]
    multiples = coefficients[:, 1:] / scale[..., 0]
    constant = coefficients[:, 0] - (multiples * middle[..., 0]).sum(axis=1)
    error = np.where(known.sum(axis=1) >= _FEWEST, limit[:, 0], np.inf)
    return np.column_stack([constant, multiples]), error
