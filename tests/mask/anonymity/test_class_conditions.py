"""The kernels of the conditions and of the lattice, against formulas and plain counting."""

import numpy as np
from hypothesis import given, strategies as st

from sudare.describe.diversity import (
    distinct,
    effective,
    equal_distance,
    hierarchical_distance,
    ordered_distance,
    recursive,
    spread,
)
from sudare.mask.anonymity.class_conditions import ClassConditions, histograms, rejected
from sudare.mask.anonymity.lattice.level_tables import begun, by_class, lattice_of
from tests.describe.test_diversity import groups_of


@given(
    st.integers(0, 10**6),
    st.integers(1, 3),
    st.sampled_from([0.0, 1.0, 1.5, 2.0, 3.0]),
    st.sampled_from([0.05, 0.2, 0.5, 1.0]),
    st.integers(0, 3),
)
def test_the_kernel_admits_what_the_formulas_do(
    seed: int, diversity: int, least: float, t: float, distance: int
) -> None:
    rng = np.random.default_rng(seed)
    values = np.unique(rng.integers(0, 5, 60), return_inverse=True)[1]
    classes = np.unique(rng.integers(0, 8, 60), return_inverse=True)[1]
    given_ = spread(classes, values)
    kinds = len(given_.shares)
    groups = groups_of(kinds, rng)
    if distance == 1:
        groups = groups[:1]
    counts = histograms(classes, values, len(given_.sizes), kinds)
    conditions = ClassConditions(
        k=4,
        diversity=diversity if least else 0,
        l=least or 1.0,
        c=2.0,
        t=t,
        starts=np.array([0, kinds]),
        shares=given_.shares,
        distances=np.array([distance]),
        groups=groups.astype(np.int32),
        heights=np.array([len(groups)]),
    )
    far = [
        np.zeros(len(given_.sizes)),
        equal_distance(given_),
        ordered_distance(given_),
        hierarchical_distance(given_, groups),
    ][distance]
    many = {1: distinct(given_), 2: effective(given_), 3: recursive(given_, 2.0)}[diversity]
    expected = (given_.sizes >= 4) & (many >= (least or 1.0) - 1e-9) & (far <= t + 1e-9)
    assert (~rejected(counts, given_.sizes, conditions)).tolist() == expected.tolist()


@given(st.integers(0, 10**6), st.integers(1, 60))
def test_rolled_up_tables_hold_the_counts_of_the_records(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    leaves = [rng.integers(0, size, n).astype(np.int32) for size in (4, 6, 3)]
    groups = [
        np.concatenate((groups_of(size, rng), np.zeros((1, size), np.int64))).astype(np.int32)
        for size in (4, 6, 3)
    ]
    values = rng.integers(0, 3, (n, 1)).astype(np.int32)
    lattice = lattice_of(leaves, groups, values)
    table, settled = lattice.table(), list[np.ndarray]()
    for key, column in enumerate(lattice.keys):
        table = begun(table)
        for level in sorted(rng.choice(len(groups[column]), 2).tolist()):  # by way of a lower level
            table = lattice.settled(table, key, level)
        settled.append(groups[column][level][leaves[column]])
        rest = [leaves[other] for other in lattice.keys[key + 1 :]]
        sizes = np.unique(np.stack(settled), axis=1, return_counts=True)[1]
        counts = np.unique(np.stack([*settled, *rest]), axis=1, return_counts=True)[1]
        assert sorted(table.sizes.tolist()) == sorted(sizes.tolist())
        assert sorted(table.counts.tolist()) == sorted(counts.tolist())
        kinds = np.unique(np.stack([*settled, values[:, 0]]), axis=1, return_counts=True)[1]
        by_value = by_class(table)
        assert sorted(by_value.counts.tolist()) == sorted(kinds.tolist())
        assert (np.add.reduceat(by_value.counts, by_value.starts[:-1]) == table.sizes).all()
