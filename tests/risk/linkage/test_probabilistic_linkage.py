"""Probabilistic linkage against all pairs of records, one by one."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

import sudare
from sudare.core.table.categorical import Categorical
from sudare.core.table.numeric import Numeric
from sudare.core.types import Floats, Integers
from sudare.describe.pairing import comparable_codes
from sudare.risk import ProbabilisticLinkage
from sudare.risk.linkage.agreement import (
    Agreement,
    agreement_weights,
    known_weights,
    shared_terms,
)
from sudare.risk.linkage.probabilistic_linkage import linked_chances

cells: st.SearchStrategy[Integers] = st.lists(
    st.tuples(*(st.integers(-2, 2) for _ in range(6))), min_size=1, max_size=20
).map(np.array)


def agreement(before: Integers, after: Integers) -> Agreement:
    """Two tables of codes, column by column."""
    labels = tuple(range(50))
    pairs = [
        comparable_codes(Categorical("k", original, labels), Categorical("k", released, labels), 2)
        for original, released in zip(before.T, after.T, strict=True)
    ]
    return Agreement(*shared_terms(pairs))


def patterns_twin(values: Integers) -> Integers:
    """On which columns each released record agrees with each original, as bits, shape (n, n)."""
    before, after = values[:, :3], values[:, 3:]
    agree = (after[:, None] == before) & (before >= 0)
    sets: Integers = agree @ np.array([1, 2, 4])
    return sets


@given(cells)
def test_patterns_are_those_of_all_pairs(values: Integers) -> None:
    counted = agreement(values[:, :3], values[:, 3:]).patterns()
    expected = np.bincount(patterns_twin(values).ravel(), minlength=8)
    # Bit j of a set is its axis from the right.
    np.testing.assert_allclose(counted, expected, atol=1e-9)


@given(cells, st.lists(st.sampled_from([0.0, 0.5, 1.0, 2.5]), min_size=3, max_size=3).map(np.array))
def test_the_heaviest_original_is_found_as_among_all_pairs(
    values: Integers, weights: Floats
) -> None:
    chances = linked_chances(agreement(values[:, :3], values[:, 3:]), weights)
    flags = (patterns_twin(values)[:, :, None] >> np.arange(3)) & 1
    evidence = flags @ weights
    heaviest = evidence >= evidence.max(axis=1, keepdims=True) - 1e-9
    expected = np.diag(heaviest) / heaviest.sum(axis=1)
    np.testing.assert_allclose(chances, expected)


def test_weights_are_learnt_without_being_told_a_match() -> None:
    draws, n = np.random.default_rng(1), 2000
    sizes, swapped = np.array([50, 40, 30, 20, 4]), np.array([0.1, 0.4, 0.2, 0.1, 0.3])
    before, other = (draws.integers(0, sizes, (n, 5)) for _ in range(2))
    after = np.where(draws.random((n, 5)) < swapped, other, before)
    weights = agreement_weights(agreement(before, after).patterns(), 1 / n)
    u = 1 / sizes
    m = 1 - swapped * (1 - u)
    np.testing.assert_allclose(weights, np.log(m / u) - np.log((1 - m) / (1 - u)), atol=0.3)


def test_unchanged_records_are_linked_as_often_as_they_are_alone() -> None:
    data = sudare.datasets.toy()
    columns = ("sex", "region", "education")
    sizes = sudare.risk.KAnonymity(columns=columns)(data).by_record
    assert sizes is not None
    attack = ProbabilisticLinkage(columns=columns)(data)
    assert attack.value == pytest.approx((1 / sizes).mean())
    assert attack.interval is not None
    assert attack.interval[0] < attack.value < attack.interval[1]


def test_numbers_agree_where_their_class_is_the_same() -> None:
    original = Numeric("x", np.array([1.0, 2.0, 3.0, np.nan]))
    released = Numeric("x", np.array([1.4, 9.0, 2.9, 1.0]))
    before, after = comparable_codes(original, released, 2)
    assert before.tolist() == [0, 0, 1, -1]  # an edge belongs to the class below it
    assert after.tolist() == [0, 1, 1, 0]


def test_too_many_columns_are_refused() -> None:
    wide = sudare.Microdata(
        tuple(Categorical(f"k{column}", np.zeros(2), ("a",), role="key") for column in range(13))
    )
    with pytest.raises(sudare.errors.SettingError, match="at most 12 key columns"):
        ProbabilisticLinkage()(wide)


@pytest.mark.parametrize("kept", [(0.9, 0.1), (0.1, 0.9), (0.6, 0.0, 0.1, 0.3)])
def test_columns_that_say_little_hide_none_that_tells(kept: tuple[float, ...]) -> None:
    """Patterns alone do not tell which of two columns was masked; the published steps do."""
    draws, n = np.random.default_rng(1), 300
    before, other = (draws.integers(0, n, (n, len(kept))) for _ in range(2))
    after = np.where(draws.random((n, len(kept))) < kept, before, other)
    original, released = (
        sudare.Microdata(
            tuple(
                Categorical(f"k{at}", codes, tuple(range(n)), role="key")
                for at, codes in enumerate(side.T)
            )
        )
        for side in (before, after)
    )
    attack = ProbabilisticLinkage()(original, released)
    assert attack.value > max(attack.parts.values()) - 0.02


def test_who_knows_how_often_columns_stayed_has_the_weights_of_the_theory() -> None:
    draws, n = np.random.default_rng(1), 2000
    sizes, swapped = np.array([50, 4]), np.array([0.1, 0.4])
    before, other = (draws.integers(0, sizes, (n, 2)) for _ in range(2))
    after = np.where(draws.random((n, 2)) < swapped, other, before)
    tables = agreement(before, after)
    own = np.bincount(tables.own(), minlength=4).astype(np.float64)
    u = 1 / sizes
    m = 1 - swapped * (1 - u)
    expected = np.log(m / u) - np.log((1 - m) / (1 - u))
    np.testing.assert_allclose(known_weights(tables.patterns(), own), expected, atol=0.15)
