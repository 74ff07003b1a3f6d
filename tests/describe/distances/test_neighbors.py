"""Nearest records, against the plain matrix of all distances."""

import numpy as np
import pytest

from sudare.core import Floats
from sudare.describe.distances import densities, nearest
from sudare.describe.distances.neighbors import common_neighbors


def points(rows: int, columns: int, seed: int) -> Floats:
    draws = np.random.default_rng(seed)
    kinds = [draws.random(rows), draws.integers(0, 5, rows), draws.integers(0, 2, rows)]
    cells = [draws.permutation(kinds[at % 3]) for at in range(columns)]
    return np.column_stack([np.zeros((rows, 0)), *cells])


def distances(targets: Floats, others: Floats) -> Floats:
    return np.asarray(np.minimum(np.abs(targets[:, None] - others[None]), 1).sum(axis=2))


@pytest.mark.parametrize("rows", [1, 63, 64, 65, 129, 1000])
@pytest.mark.parametrize("columns", [0, 1, 3, 12])
def test_nearest_records_are_those_of_the_whole_matrix(rows: int, columns: int) -> None:
    targets, others = points(40, columns, 1), points(rows, columns, 2)
    targets[20:] = targets[:20]  # the same people twice
    secret = np.arange(rows) % 3.0
    near = nearest(targets, others, secret=(secret, np.ones(40), np.ones(40)))
    apart = distances(targets, others)
    tied = apart <= apart.min(axis=1, keepdims=True) + 1e-12
    assert near.distance == pytest.approx(apart.min(axis=1), abs=1e-12)
    assert near.ties.tolist() == tied.sum(axis=1).tolist()
    assert near.hits.tolist() == (tied & (secret == 1)).sum(axis=1).tolist()
    assert nearest(targets, others).distance.tolist() == near.distance.tolist()
    assert densities(targets, others, 0.1) == pytest.approx(np.exp(-apart / 0.1).mean(axis=1))


def test_nobody_is_the_nearest_of_himself() -> None:
    others = points(300, 3, 3)
    own = np.arange(0, 300, 7)
    apart = distances(others[own], others)
    apart[np.arange(len(own)), own] = np.inf
    near = nearest(others[own], others, skipped=own)
    assert near.distance == pytest.approx(apart.min(axis=1), abs=1e-12)


def test_neighbors_by_two_sets_of_columns_are_the_same_records() -> None:
    targets, others = points(40, 6, 1), points(500, 6, 2)
    reach = [np.full(40, 0.5), np.full(40, 1.2)]
    sides = [slice(0, 2), slice(2, 6)]
    common = common_neighbors([targets[:, s] for s in sides], [others[:, s] for s in sides], reach)
    within = [
        distances(targets[:, s], others[:, s]) <= r[0] for s, r in zip(sides, reach, strict=True)
    ]
    assert common.tolist() == (within[0] & within[1]).sum(axis=1).tolist()
