"""Diversity and closeness of classes, against definitions said slowly and a linear program."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.optimize import linprog

from sudare.core.table.categorical import Categorical
from sudare.core.types import Floats, Integers
from sudare.describe.diversity import (
    distinct,
    effective,
    equal_distance,
    hierarchical_distance,
    ordered_distance,
    recursive,
    spread,
    value_codes,
)


def moved(p: Floats, q: Floats, far: Floats) -> float:
    """Return the least work that turns one distribution into the other."""
    m = len(p)
    rows = np.kron(np.eye(m), np.ones(m))
    columns = np.kron(np.ones(m), np.eye(m))
    solved = linprog(far.ravel(), A_eq=np.vstack((rows, columns)), b_eq=np.concatenate((p, q)))
    return float(solved.fun)


def groups_of(size: int, rng: np.random.Generator) -> Integers:
    levels = [np.arange(size)]
    for _ in range(int(rng.integers(0, 3))):
        merged = rng.integers(0, max(size // 2, 1), size)
        levels.append(np.unique(merged[levels[-1]], return_inverse=True)[1])
    return np.stack(levels)


def far_apart(groups: Integers) -> Floats:
    """Return i / H for values that first meet at level i of the H above them."""
    meet = [groups[:, a, None] == groups for a in range(groups.shape[1])]
    levels = [np.where(m.any(axis=0), m.argmax(axis=0), len(groups)) for m in meet]
    return np.array(levels) / len(groups)


@given(st.integers(0, 10**6), st.integers(1, 30), st.integers(1, 6))
def test_distances_are_the_least_work(seed: int, n: int, size: int) -> None:
    rng = np.random.default_rng(seed)
    values = np.unique(rng.integers(0, size, n), return_inverse=True)[1]
    classes = np.unique(rng.integers(0, 3, n), return_inverse=True)[1]
    given_ = spread(classes, values)
    kinds = len(given_.shares)
    groups = groups_of(kinds, rng)
    rank = np.arange(kinds)
    ways = {
        "equal": (equal_distance(given_), 1.0 - np.eye(kinds)),
        "ordered": (ordered_distance(given_), abs(rank[:, None] - rank) / max(kinds - 1, 1)),
        "hierarchical": (hierarchical_distance(given_, groups), far_apart(groups)),
    }
    for distances, far in ways.values():
        for group in range(len(given_.sizes)):
            p = np.bincount(values[classes == group], minlength=kinds) / (classes == group).sum()
            assert distances[group] == pytest.approx(moved(p, given_.shares, far), abs=1e-7)


@given(st.integers(0, 10**6), st.integers(1, 40), st.sampled_from([0.5, 1.0, 2.0, 3.5]))
def test_diversities_are_those_of_the_definition(seed: int, n: int, c: float) -> None:
    rng = np.random.default_rng(seed)
    values = np.unique(rng.integers(0, 5, n), return_inverse=True)[1]
    classes = np.unique(rng.integers(0, 4, n), return_inverse=True)[1]
    given_ = spread(classes, values)
    for number in range(len(given_.sizes)):
        counts = np.sort(np.bincount(values[classes == number]))[::-1]
        counts = counts[counts > 0]
        share = counts / counts.sum()
        assert distinct(given_)[number] == len(counts)
        assert effective(given_)[number] == pytest.approx(np.exp(-(share * np.log(share)).sum()))
        holds = [
            level
            for level in range(1, len(counts) + 1)
            if counts[0] < c * counts[level - 1 :].sum()
        ]
        assert recursive(given_, c)[number] == max([1, *holds])


def test_absent_values_come_last() -> None:
    column = Categorical("x", np.array([2, -1, 0, -2, 2]), ("a", "b", "c"))
    assert value_codes(column).tolist() == [1, 3, 0, 2, 1]
