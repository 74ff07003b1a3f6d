import numpy as np
import pytest
from hypothesis import given, strategies as st

import sudare
from sudare.core.table.categorical import Categorical
from sudare.core.table.microdata import Microdata
from sudare.core.table.numeric import Numeric
from sudare.core.types import Codes, Floats
from sudare.mask.randomize.pram import (
    InvariantPlan,
    Pram,
    invariant_matrix,
    invariant_retention,
    randomized,
    retention_matrix,
)


@given(st.integers(1, 60), st.floats(0, 1))
def test_matrices_are_stochastic(categories: int, retain: float) -> None:
    matrix = retention_matrix(categories, retain)
    np.testing.assert_allclose(matrix.sum(axis=1), 1)
    assert (matrix >= 0).all()


def test_categories_move_as_often_as_the_matrix_says() -> None:
    matrix = np.array([[0.7, 0.2, 0.1], [0.0, 0.5, 0.5], [0.3, 0.0, 0.7]])
    codes = np.repeat([0, 1, 2], 100_000).astype(np.int32)
    drawn = randomized(codes, matrix, np.random.default_rng(1).random(len(codes)))
    shares = np.bincount(codes * 3 + drawn, minlength=9).reshape(3, 3) / 100_000
    np.testing.assert_allclose(shares, matrix, atol=0.006)
    assert shares[1, 0] == 0
    assert shares[2, 1] == 0


@pytest.mark.parametrize("draw", [0.0, 0.5, np.nextafter(1.0, 0.0)])
def test_the_extreme_draws_give_codes_that_are_possible(draw: float) -> None:
    matrix = np.tile([0.5, 0.5, 0.0], (3, 1))
    codes = np.array([0, 1, 2], np.int32)
    drawn = randomized(codes, matrix, np.full(3, draw))
    assert (matrix[codes, drawn] > 0).all()


def drawn_by_one_search(codes: Codes, matrix: Floats, uniform: Floats) -> Codes:
    """The same in NumPy: rows of sums, each moved up by its number, make one ascending list."""
    size = len(matrix)
    ladder = (np.cumsum(matrix, axis=1) + np.arange(size)[:, None]).ravel()
    last = size - 1 - np.argmax(matrix[:, ::-1] > 0, axis=1)
    new = np.searchsorted(ladder, codes + uniform, side="right") - codes * size
    return np.where(codes < 0, codes, np.clip(new, 0, last[codes])).astype(np.int32)


@given(st.integers(2, 400), st.integers(0, 2**32), st.sampled_from([0.0, 0.5, 0.95]))
def test_draws_are_found_by_a_search_in_each_row(size: int, seed: int, retain: float) -> None:
    rng = np.random.default_rng(seed)
    matrix = retain * np.eye(size) + (1 - retain) * rng.dirichlet(np.full(size, 0.2), size)
    codes = rng.integers(-2, size, 50).astype(np.int32)
    uniform = np.append(rng.random(48), [0.0, np.nextafter(1.0, 0.0)])
    given_codes = codes.copy()
    expected = drawn_by_one_search(codes, matrix, uniform)
    np.testing.assert_array_equal(randomized(codes, matrix, uniform), expected)
    np.testing.assert_array_equal(codes, given_codes)


def test_frequencies_can_be_recovered_with_the_public_matrix() -> None:
    data = sudare.datasets.toy(50_000)
    masked = sudare.apply(data, Pram(retain=0.6, columns=("region",)), seed=1)
    public = masked.steps[0].public["region"]
    region, released = data["region"], masked.data["region"]
    assert isinstance(region, Categorical)
    assert isinstance(released, Categorical)
    observed = np.bincount(released.codes) / data.rows
    recovered = np.linalg.solve(public["matrix"].T, observed)
    np.testing.assert_allclose(recovered, np.bincount(region.codes) / data.rows, atol=0.01)


def test_a_matrix_of_one_keeps_and_of_zero_always_moves(toy: sudare.Microdata) -> None:
    kept = sudare.apply(toy, Pram(retain=1.0), seed=1).data
    assert kept.equals(toy)
    moved = sudare.apply(toy, Pram(retain=0.0, columns=("sex",)), seed=1).data
    assert sudare.loss.DirectComparison(columns=("sex",))(toy, moved).value == 1


matrices = st.integers(1, 8).flatmap(
    lambda size: st.lists(
        st.lists(st.integers(0, 9), min_size=size, max_size=size).filter(any),
        min_size=size,
        max_size=size,
    )
)


@given(matrices, st.data())
def test_an_invariant_matrix_keeps_the_shares(rows: list[list[int]], more: st.DataObject) -> None:
    matrix = np.array(rows, float)
    matrix /= matrix.sum(axis=1, keepdims=True)
    sizes = st.lists(st.integers(0, 50), min_size=len(rows), max_size=len(rows)).filter(any)
    shares = np.array(more.draw(sizes), float)
    shares /= shares.sum()
    made = invariant_matrix(matrix, shares)
    np.testing.assert_allclose(shares @ made, shares, atol=1e-12)
    np.testing.assert_allclose(made.sum(axis=1), 1)
    assert (made >= 0).all()


@given(st.lists(st.integers(0, 50), min_size=1, max_size=12).filter(any), st.floats(0, 1))
def test_an_invariant_matrix_retains_every_category_and_keeps_the_shares(
    sizes: list[int], retain: float
) -> None:
    shares = np.array(sizes) / sum(sizes)
    made = invariant_retention(shares, retain)
    np.testing.assert_allclose(shares @ made, shares, atol=1e-12)
    np.testing.assert_allclose(made.sum(axis=1), 1)
    assert (made >= 0).all()
    assert (made.diagonal() >= retain).all()


def test_the_plan_tells_no_share_and_the_step_what_was_drawn_with(toy: sudare.Microdata) -> None:
    masker = Pram(retain=0.5, invariant=True, columns=("region", "sex"))
    plan = masker.fit(toy)
    assert plan.step.public == {}
    masked = sudare.apply(toy, masker, seed=1)
    for name, public in masked.steps[0].public.items():
        shares = 2 * (public["matrix"] - 0.5 * np.eye(len(public["labels"])))
        np.testing.assert_allclose(shares, shares[[0]].repeat(len(shares), axis=0), atol=1e-12)
        exact = np.bincount(toy[name].coded.codes) / toy.rows
        assert not np.allclose(shares[0], exact, atol=1e-4)
    assert plan.transform(toy, seed=1).equals(masked.data)


def test_shares_stay_in_the_table_up_to_chance() -> None:
    data = sudare.datasets.toy(60_000)
    masker = Pram(retain=0.5, invariant=True, columns=("region",))
    masked = sudare.apply(data, masker, seed=1)
    before, after = data["region"].coded.codes, masked.data["region"].coded.codes
    for code, share in enumerate(np.bincount(before) / data.rows):
        stayed = (after[before == code] == code).mean()
        assert stayed == pytest.approx(0.5 + 0.5 * share, abs=0.02)
    np.testing.assert_allclose(
        np.bincount(after) / data.rows, np.bincount(before) / data.rows, atol=0.006
    )


def test_weighted_shares_stay_where_weights_count() -> None:
    even = np.arange(40_000) % 2
    data = Microdata(
        (
            Categorical("sex", even, ("f", "m"), role="key"),
            Numeric("weight", np.where(even, 9.0, 1.0), role="weight"),
        )
    )
    masked = sudare.apply(data, Pram(invariant=True, weighted=True), seed=1)
    public = masked.steps[0].public["sex"]["matrix"]
    np.testing.assert_allclose(public[0], [0.8 + 0.2 * 0.1, 0.2 * 0.9], atol=0.001)


@pytest.mark.parametrize("heavy", [1.0, 37.0])
def test_noise_hides_the_record_of_the_largest_weight(heavy: float) -> None:
    """Whichever category it has, what is drawn differs by no more than ε allows."""
    weights = np.append(np.ones(99), heavy)
    counts = []
    for code in (0, 1):
        data = Microdata(
            (
                Categorical("sex", np.append(np.arange(99) % 2, code), ("f", "m"), role="key"),
                Numeric("weight", weights, role="weight"),
            )
        )
        plan = Pram(invariant=True, weighted=True).fit(data)
        assert isinstance(plan, InvariantPlan)
        counts.append(plan.counts["sex"])
    (first, reach), (other, same) = counts
    assert reach == same
    assert np.abs(first - other).max() <= reach
    assert weights.sum() / heavy == pytest.approx(first.sum() / np.abs(first - other).max())


def test_a_given_matrix_is_followed(toy: sudare.Microdata) -> None:
    plan = Pram(matrix={"sex": [[0, 1], [1, 0]]}).fit(toy)  # type: ignore[dict-item]
    assert plan.step.columns == ("sex",)
    np.testing.assert_array_equal(
        plan.transform(toy, seed=1)["sex"].coded.codes, 1 - toy["sex"].coded.codes
    )


def test_a_given_matrix_can_be_made_invariant(toy: sudare.Microdata) -> None:
    masker = Pram(matrix={"sex": ((0.6, 0.4), (0.1, 0.9))}, invariant=True)
    shares = np.bincount(toy["sex"].coded.codes) / toy.rows
    public = sudare.apply(toy, masker, seed=1).steps[0].public["sex"]["matrix"]
    np.testing.assert_allclose(shares @ public, shares, atol=0.05)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (((1.0,),), "must have 2 rows and columns"),
        (((1.0, 0.0), (0.5,)), "must have 2 rows and columns"),
        (((1.0, 0.0), (0.5, 0.6)), "add up to 1"),
        (((1.5, -0.5), (0.5, 0.5)), "add up to 1"),
    ],
)
def test_what_is_no_matrix_of_probabilities_is_refused(
    toy: sudare.Microdata, rows: tuple[tuple[float, ...], ...], message: str
) -> None:
    with pytest.raises(sudare.errors.SettingError, match=message):
        Pram(matrix={"sex": rows}).fit(toy)


def test_matrices_travel_in_a_recipe(toy: sudare.Microdata) -> None:
    import tomllib

    from sudare.release.recipe import Recipe

    recipe = Recipe("given", [Pram(matrix={"sex": ((0.6, 0.4), (0.1, 0.9))}, invariant=True)])
    again = Recipe.from_mapping(tomllib.loads(recipe.to_toml()))
    assert again.maskers == recipe.maskers
