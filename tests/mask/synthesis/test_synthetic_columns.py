import numpy as np
import pytest
from hypothesis import given, strategies as st

from sudare.core.table.categorical import Categorical
from sudare.core.table.column import Column
from sudare.core.table.numeric import Numeric
from sudare.core.types import Floats
from sudare.mask.synthesis.column_models.predictors import Predictor, Ranks, category_scores, states
from sudare.mask.synthesis.draw_codes import (
    chosen,
    donated,
    probabilities,
    regressed,
    whitened,
)
from sudare.mask.synthesis.synthetic_columns import smoothed, spliced

cells = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 9), st.floats(0.1, 5)), min_size=1, max_size=30
)


@given(cells, st.lists(st.tuples(st.integers(0, 29), st.floats(0, 1, exclude_max=True))))
def test_donors_are_drawn_from_the_leaf_in_proportion_to_weights(
    donors: list[tuple[int, int, float]], wanted: list[tuple[int, float]]
) -> None:
    leaf, codes, weights = (np.array(part) for part in zip(*donors, strict=True))
    new_leaf = np.array([leaf[number % len(leaf)] for number, _ in wanted], int)
    uniform = np.array([u for _, u in wanted], float)
    drawn = donated(leaf, codes, weights, new_leaf, uniform)
    for where, u, code in zip(new_leaf, uniform, drawn, strict=True):
        inside = sorted((c, w) for part, c, w in donors if part == where)
        target, total = u * sum(w for _, w in inside), 0.0
        passed = []
        for c, w in inside:
            passed.append((total - 1e-9, total + w + 1e-9, c))
            total += w
        assert any(low <= target <= high and c == code for low, high, c in passed)


@given(
    st.lists(st.integers(-20, 20).map(lambda i: i / 4), min_size=1, max_size=20),
    st.lists(st.floats(0, 1, exclude_max=True), min_size=20, max_size=20),
)
def test_smoothing_moves_lonely_numbers_less_than_half_the_way(
    values: list[float], draws: list[float]
) -> None:
    column = Numeric("x", np.array(values))
    ranks = Ranks.of(column, np.ones(len(values)))
    codes = column.coded.codes.astype(np.int64)
    moved = smoothed(ranks, codes, np.array(draws)[: len(values)])
    assert moved.min() >= min(values)
    assert moved.max() <= max(values)
    whole = all(v == round(v) for v in values)
    for before, after in zip(values, moved, strict=True):
        if values.count(before) > 1:
            assert after == before
        nearest = min(abs(v - after) for v in values)
        # To round takes half a unit away from one side and adds it to the other.
        assert abs(before - after) <= nearest + 1e-9 + whole


def test_ranks_by_hand() -> None:
    ranks = Ranks.of(Numeric("x", np.array([3.0, 1.0, 1.0, np.nan])), np.array([2.0, 1, 1, 9]))
    assert ranks.levels.tolist() == [1, 3]
    assert ranks.sizes.tolist() == [2, 1]
    assert ranks.top.tolist() == [0.5, 1]
    np.testing.assert_allclose(ranks.scores, [-0.6744898, 0.6744898])


def test_a_level_that_nobody_has_keeps_a_finite_score() -> None:
    column = Categorical("o", np.array([0, 0]), ("a", "b", "c"), scale="ordinal")
    assert np.isfinite(Ranks.of(column, np.ones(2)).scores).all()


def test_categories_are_ordered_by_their_share_of_a_binary_target() -> None:
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 6, 3000)
    share = np.array([0.5, 0.1, 0.9, 0.3, 0.7, 0.2])
    target = (rng.random(3000) < share[codes]).astype(np.int64)
    (scores,) = category_scores(codes, 7, target, np.ones(3000)).T
    order = np.argsort(scores[:6]).tolist()
    assert order in ([1, 5, 3, 0, 4, 2], [2, 4, 0, 3, 5, 1])
    assert scores[6] == 0, "a category that nobody has"


def test_a_pair_that_always_goes_together_does_not_hide_the_others() -> None:
    rng = np.random.default_rng(7)
    codes = rng.integers(0, 4, 4000)
    target = np.where(codes == 3, 2, (rng.random(4000) < 0.2 + 0.3 * codes).astype(np.int64))
    scores = category_scores(codes, 4, target, np.ones(4000))
    assert scores.shape == (4, 2)
    assert np.ptp(scores[:3, 0]) < 1e-6
    assert abs(np.corrcoef(scores[:3, 1], [0, 1, 2])[0, 1]) > 0.99


def test_absent_values_are_told_apart_from_all_others() -> None:
    column = Numeric(
        "x", np.array([1.0, 2.0, np.nan, np.nan]), absent=np.array([False, False, False, True])
    )
    assert states(column).tolist() == [0, 0, 1, 2]
    predictor = Predictor(column, column, np.ones(4))
    old, new = predictor.for_tree(np.zeros(4), np.arange(4))
    assert len(set(old.ravel().tolist())) == 4
    np.testing.assert_array_equal(old, new)
    old, _ = predictor.for_regression
    assert old[:, 1:].tolist() == [[0, 0], [0, 0], [1, 0], [0, 1]]


def test_a_logit_finds_the_shares_of_groups() -> None:
    rng = np.random.default_rng(2)
    x = rng.integers(0, 2, 4000).astype(float)
    y = (rng.random(4000) < np.where(x == 1, 0.8, 0.3)).astype(np.int64)
    inputs = np.column_stack([np.ones(4000), x])
    shares = probabilities(inputs, y, np.ones(4000), np.array([[1.0, 0.0], [1.0, 1.0]]))
    expected = [y[x == 0].mean(), y[x == 1].mean()]
    np.testing.assert_allclose(shares[:, 1], expected, atol=0.01)


def test_the_logit_is_that_of_scikit_learn() -> None:
    from sklearn.linear_model import LogisticRegression

    rng = np.random.default_rng(6)
    x = rng.normal(size=(500, 3)) @ rng.normal(size=(3, 3))
    y = (x @ rng.normal(size=(3, 4)) + rng.gumbel(size=(500, 4))).argmax(axis=1)
    weights = rng.exponential(size=500)
    inputs = np.column_stack([np.ones(500), x])
    shares = probabilities(inputs, y, weights, inputs)
    turned, _ = whitened(x, weights, x)
    peer = LogisticRegression(C=1.0, tol=1e-8, max_iter=1000)
    peer.fit(turned, y, sample_weight=weights * 500 / weights.sum())
    np.testing.assert_allclose(shares, peer.predict_proba(turned), atol=0.01)


def test_separated_categories_keep_finite_slopes() -> None:
    x = np.repeat([0.0, 1.0], 50)
    inputs = np.column_stack([np.ones(100), x])
    shares = probabilities(inputs, x.astype(np.int64), np.ones(100), inputs)
    assert shares[0, 0] > 0.95
    assert shares[-1, 1] > 0.95


def test_regressed_scores_have_variance_one_and_the_right_correlation() -> None:
    rng = np.random.default_rng(3)
    x: Floats = rng.normal(size=20_000)
    y = 0.6 * x + 0.8 * rng.normal(size=20_000)
    inputs = np.column_stack([np.ones(20_000), x, 2 * x])  # the last depends on the others
    drawn = regressed(inputs, y, np.ones(20_000), inputs, rng.random(20_000))
    assert drawn.var() == pytest.approx(1, abs=0.03)
    assert np.corrcoef(x, drawn)[0, 1] == pytest.approx(0.6, abs=0.02)


def test_the_largest_draw_chooses_a_category_that_exists() -> None:
    thirds = np.full((1, 3), 1 / 3 - 1e-12)
    assert chosen(thirds, np.array([1 - 2.0**-53])).tolist() == [2]


def test_splicing_keeps_what_is_kept() -> None:
    original: Column = Numeric(
        "x", np.array([1.0, np.nan, 3.0]), absent=np.array([False, True, False])
    )
    synthetic: Column = Numeric("x", np.array([7.0, 8.0, np.nan]))
    joined = spliced(original, synthetic, np.array([False, True, False]))
    assert isinstance(joined, Numeric)
    np.testing.assert_array_equal(joined.values, [7, np.nan, np.nan])
    assert joined.not_applicable.tolist() == [False, True, False]
    assert joined.missing.tolist() == [False, False, True]


def test_the_largest_and_the_smallest_of_one_record_are_never_drawn() -> None:
    values = np.array([17.0, 20000.5, 30000.0, 987654.0])
    ranks = Ranks.of(Numeric("income", values), np.ones(4))
    draws = np.random.default_rng(1).random(2000)
    drawn = smoothed(ranks, np.tile(np.arange(4), 500), draws)
    assert not np.isin(drawn, values[[0, -1]]).any()
    assert drawn.min() > 17
    assert drawn.max() < 987654


@pytest.mark.parametrize("gap", [1, 2, 3])
def test_whole_numbers_of_one_record_at_the_ends_move_by_one_at_least(gap: int) -> None:
    values = np.array([17.0, 17.0 + gap, 60.0, 60.0, 987654.0 - gap, 987654.0])
    ranks = Ranks.of(Numeric("income", values), np.ones(6))
    draws = np.random.default_rng(1).random(2000)
    drawn = smoothed(ranks, np.tile(np.arange(5), 400), draws)
    assert not np.isin(drawn, [17.0, 987654.0]).any()
    assert (drawn == np.rint(drawn)).all()
    assert (drawn[2::5] == 60).all()
