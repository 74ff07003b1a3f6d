import numpy as np
import pytest
from hypothesis import given, strategies as st

import sudare
from sudare import errors
from sudare.core.table.categorical import Categorical
from sudare.core.table.column import NOT_APPLICABLE
from sudare.core.table.microdata import Microdata
from sudare.core.table.numeric import Numeric
from sudare.core.types import Floats
from sudare.engine.counting.counts import group_sizes
from sudare.mask.microaggregation.mdav import Microaggregation, MicroaggregationPlan
from sudare.mask.microaggregation.metric import coordinates
from sudare.mask.microaggregation.representative import group_means, group_medians, group_modes
from sudare.mask.microaggregation.variable_microaggregation import VariableMicroaggregation

KEYS = ("sex", "age", "region", "education", "occupation")


def numbers(data: Microdata, name: str) -> Floats:
    column = data[name]
    assert isinstance(column, Numeric)
    return column.values


def fitted(masker: Microaggregation, data: Microdata) -> MicroaggregationPlan:
    plan = masker.fit(data)
    assert isinstance(plan, MicroaggregationPlan)
    return plan


def table(*columns: list[float], weights: list[float] | None = None) -> Microdata:
    made = [Numeric(f"x{i}", np.array(values), role="key") for i, values in enumerate(columns)]
    if weights is not None:
        made.append(Numeric("w", np.array(weights), role="weight"))
    return Microdata(tuple(made))


@pytest.mark.parametrize("k", [2, 3, 7])
@pytest.mark.parametrize("kind", [Microaggregation, VariableMicroaggregation])
def test_every_combination_of_masked_values_occurs_k_times(
    kind: type[Microaggregation], k: int, toy: Microdata
) -> None:
    masked = kind(k=k).fit(toy).transform(toy)
    assert group_sizes([masked[name] for name in KEYS]).min() >= k


@given(st.integers(6, 60), st.integers(2, 5), st.integers(0, 99))
def test_means_are_preserved(rows: int, k: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    data = table(rng.normal(50, 9, rows).tolist(), rng.lognormal(2, 1, rows).tolist())
    masked = Microaggregation(k=k).fit(data).transform(data)
    for name in data.names:
        assert numbers(masked, name).mean() == pytest.approx(numbers(data, name).mean(), rel=1e-12)


def test_weighted_totals_are_preserved_where_there_are_weights(toy: Microdata) -> None:
    assert toy.weights is not None
    masker = Microaggregation(columns=("age", "education"))
    masked = masker.fit(toy).transform(toy)
    total = (toy.weights * numbers(toy, "age")).sum()
    assert (toy.weights * numbers(masked, "age")).sum() == pytest.approx(total, rel=1e-12)
    plain = Microaggregation(columns=("age", "education"), weighted=False).fit(toy).transform(toy)
    assert numbers(plain, "age").mean() == pytest.approx(numbers(toy, "age").mean(), rel=1e-12)


def test_by_hand_two_groups_of_two() -> None:
    data = table([1, 2, 11, 14])
    assert numbers(Microaggregation(k=2).fit(data).transform(data), "x0").tolist() == [
        1.5,
        1.5,
        12.5,
        12.5,
    ]


def test_the_public_share_allows_for_the_variance(toy: Microdata) -> None:
    plan = fitted(Microaggregation(columns=("age", "education"), weighted=False), toy)
    share = plan.step.public["age"]["sse_share"]
    before, after = numbers(toy, "age"), numbers(plan.transform(toy), "age")
    assert after.var() / (1 - share) == pytest.approx(before.var(), rel=0.5 * share)
    assert 0 < plan.loss < plan.loss_unrefined < 1
    assert plan.step.public["education"] == {}  # how many changed tells single records


def test_order_of_records_changes_no_record(toy: Microdata) -> None:
    shuffled = np.random.default_rng(4).permutation(toy.rows)
    expected = Microaggregation().fit(toy).transform(toy).take(shuffled)
    there = toy.take(shuffled)
    assert Microaggregation().fit(there).transform(there).equals(expected)


@pytest.mark.parametrize("scale", ["sd", "range"])
def test_units_of_measurement_do_not_matter(scale: str, toy: Microdata) -> None:
    age = toy["age"]
    assert isinstance(age, Numeric)
    other = toy.replacing([Numeric("age", age.values * 12 + 3, role="key")])
    plans = [fitted(Microaggregation(scale=scale), data) for data in (toy, other)]  # type: ignore[arg-type]
    np.testing.assert_array_equal(plans[0].groups["age"], plans[1].groups["age"])


def test_importance_draws_groups_along_a_column() -> None:
    rng = np.random.default_rng(1)
    data = table(rng.normal(size=200).tolist(), rng.normal(size=200).tolist())
    plain, drawn = (
        fitted(Microaggregation(importance=importance), data).step.public
        for importance in (None, {"x0": 100.0})
    )
    assert drawn["x0"]["sse_share"] < plain["x0"]["sse_share"] < drawn["x1"]["sse_share"]


def test_groups_stay_inside_strata(toy: Microdata) -> None:
    plan = fitted(
        Microaggregation(
            strata=("sex", "region"), columns=("age", "income"), rare_absence="suppress"
        ),
        toy,
    )
    strata = toy["region"].coded.codes * 2 + toy["sex"].coded.codes
    for group in range(plan.groups["age"].max() + 1):
        assert len(np.unique(strata[plan.groups["age"] == group])) == 1


def test_absent_values_stay_and_are_grouped_with_their_like() -> None:
    job = Categorical("job", np.array([0, 0, -1, -1, -2, -2, 1, 1]), ("a", "b"), role="key")
    pay = Numeric("pay", np.array([1, 3, 5, 7, np.nan, np.nan, 9, 11.0]), role="key")
    data = Microdata((job, pay))
    masked = Microaggregation(k=2).fit(data).transform(data)
    assert masked["job"].coded.codes.tolist() == [
        0,
        0,
        -1,
        -1,
        NOT_APPLICABLE,
        NOT_APPLICABLE,
        1,
        1,
    ]
    np.testing.assert_array_equal(numbers(masked, "pay"), [2, 2, 6, 6, np.nan, np.nan, 10, 10])


def test_a_rare_pattern_of_absence_is_refused_or_suppressed() -> None:
    data = table([1, 2, 3, 4, np.nan], [1, 2, 3, 4, 5])
    with pytest.raises(errors.SettingError, match="1 records lack values that fewer than k = 2"):
        Microaggregation(k=2).fit(data)
    masked = Microaggregation(k=2, rare_absence="suppress").fit(data).transform(data)
    np.testing.assert_allclose(numbers(masked, "x1"), [8 / 3, np.nan, 8 / 3, 8 / 3, np.nan])


def test_suppressed_records_are_as_many_as_k_or_all_of_their_stratum() -> None:
    data = table([1, 2, 3, np.nan], [1, 2, 3, 4])
    masked = Microaggregation(k=3, rare_absence="suppress").fit(data).transform(data)
    assert np.isnan(numbers(masked, "x1")).all()


def test_those_without_values_keep_suppressed_records_company() -> None:
    data = table([1, 2, 3, np.nan, np.nan, np.nan], [1, 2, 3, 4, np.nan, np.nan])
    masked = Microaggregation(k=3, rare_absence="suppress").fit(data).transform(data)
    np.testing.assert_array_equal(numbers(masked, "x1"), [2, 2, 2, np.nan, np.nan, np.nan])


@given(st.data(), st.integers(2, 5), st.sampled_from([Microaggregation, VariableMicroaggregation]))
def test_whatever_values_are_absent_the_masked_records_are_k_anonymous(
    drawn: st.DataObject, k: int, kind: type[Microaggregation]
) -> None:
    rows = drawn.draw(st.integers(2 * k, 40))
    rng = np.random.default_rng(drawn.draw(st.integers(0, 999)))
    kinds = rng.choice(
        3, (3, rows), p=drawn.draw(st.sampled_from([(0.9, 0.08, 0.02), (0.5, 0.3, 0.2)]))
    )
    kinds[:, 0] = 0  # a column without any value is refused
    pay = np.where(kinds[0] > 0, np.nan, rng.normal(size=rows))
    age = np.where(kinds[1] > 0, np.nan, rng.normal(size=rows))
    job = np.where(kinds[2] > 0, -kinds[2], rng.integers(0, 4, rows))
    half = np.repeat([0, 1], [k, rows - k])
    data = Microdata(
        (
            Numeric("pay", pay, role="key", absent=kinds[0] == 2),
            Numeric("age", age, role="key"),
            Categorical("job", job, tuple("abcd"), role="key"),
            Categorical("half", half, ("one", "other")),
        )
    )
    strata = drawn.draw(st.sampled_from([(), ("half",)]))
    masker = kind(k=k, columns=("pay", "age", "job"), strata=strata, rare_absence="suppress")
    masked = masker.fit(data).transform(data)
    assert group_sizes([masked[name] for name in ("pay", "age", "job", *strata)]).min() >= k


def test_a_plan_is_for_the_records_it_was_fitted_on(toy: Microdata) -> None:
    plan = Microaggregation().fit(toy)
    with pytest.raises(errors.MismatchError, match="groups 400 records, these data have 10"):
        plan.transform(toy.take(np.arange(10)))


def test_too_few_records_are_refused_with_their_number(toy: Microdata) -> None:
    with pytest.raises(errors.SettingError, match="4 records are fewer than k = 5"):
        Microaggregation(k=5).fit(table([1, 2, 3, 4]))
    with pytest.raises(errors.SettingError, match=r"smallest of \d+ strata has \d+ records"):
        Microaggregation(k=30, strata=("region",)).fit(toy)
    with pytest.raises(errors.SettingError, match="k must be at least 2"):
        Microaggregation(k=1)


def test_settings_that_contradict_the_columns_are_refused(toy: Microdata) -> None:
    with pytest.raises(errors.SettingError, match="'sex' cannot be both masked and used"):
        Microaggregation(columns=("sex", "age"), strata=("sex",)).fit(toy)
    with pytest.raises(errors.SettingError, match="importance names column 'income'"):
        Microaggregation(importance={"income": 2.0}).fit(toy)
    with pytest.raises(errors.ColumnError, match="did you mean 'region'"):
        Microaggregation(strata=("regio",)).fit(toy)


def test_constant_columns_and_one_column_work() -> None:
    data = table([3.0] * 7)
    plan = fitted(Microaggregation(), data)
    assert plan.loss == 0
    assert plan.transform(data).equals(data)


def test_blocks_are_used_above_the_limit() -> None:
    rng = np.random.default_rng(1)
    data = table(*rng.normal(size=(4, 3000)).tolist())
    exact, split = (fitted(Microaggregation(exact_up_to=limit), data) for limit in (3000, 1000))
    assert split.loss_unrefined > exact.loss_unrefined
    assert split.loss < exact.loss_unrefined


def test_variable_groups_lose_less_on_clusters_of_uneven_size() -> None:
    rng = np.random.default_rng(3)
    centers = np.repeat(100 * rng.normal(size=(40, 2)), rng.integers(3, 6, 40), axis=0)
    data = table(*(centers + rng.normal(size=centers.shape)).T.tolist())
    fixed = fitted(Microaggregation(refine=False), data)
    variable = fitted(VariableMicroaggregation(gain=1.1), data)
    assert variable.loss < 0.5 * fixed.loss


def test_distances_of_categories_are_0_or_1_and_of_ranks_their_difference() -> None:
    color = Categorical("color", np.array([0, 1, 2]), ("r", "g", "b"))
    grade = Categorical("grade", np.array([0, 1, 3]), tuple("abcd"), scale="ordinal")
    apart = coordinates([color], "none", [1.0])
    assert np.linalg.norm(apart[0] - apart[1]) == pytest.approx(1)
    assert coordinates([grade], "none", [4.0]).ravel().tolist() == [0, 2, 6]
    for column in (color, grade):
        assert coordinates([column], "sd", [1.0]).var(axis=0).sum() == pytest.approx(1)


groups_and_values = st.integers(1, 30).flatmap(
    lambda n: st.tuples(
        st.lists(st.integers(0, 4), min_size=n, max_size=n),
        st.lists(st.integers(-5, 5), min_size=n, max_size=n),
        st.lists(st.integers(1, 4), min_size=n, max_size=n),
    )
)


@given(groups_and_values)
def test_representatives_are_their_twins(drawn: tuple[list[int], list[int], list[int]]) -> None:
    groups, values, counts = map(np.array, drawn)
    means = group_means(values.astype(float), groups, counts.astype(float))
    low, high = group_medians(values, groups, counts.astype(float))
    modes = group_modes(values, groups, counts.astype(float))
    for group in np.unique(groups):
        here = groups == group
        repeated = np.sort(np.repeat(values[here], counts[here]))
        assert means[here] == pytest.approx(repeated.mean())
        assert set(low[here]) == {repeated[(len(repeated) - 1) // 2]}
        assert set(high[here]) == {repeated[len(repeated) // 2]}
        levels, times = np.unique(repeated, return_counts=True)
        assert set(modes[here]) == {levels[np.argmax(times)]}


def test_median_and_mode_stand_for_numbers_and_ranks() -> None:
    x = Numeric("x", np.array([1.0, 1.0, 4.0, 5.0]), role="key")
    grade = Categorical("g", np.array([0, 1, 2, 2]), tuple("abc"), role="key", scale="ordinal")
    data = Microdata((x, grade))
    median, mode = (
        Microaggregation(k=4, representative=kind).fit(data).transform(data)
        for kind in ("median", "mode")
    )
    assert numbers(median, "x").tolist() == [2.5] * 4
    assert median["g"].coded.codes.tolist() == [1] * 4
    assert numbers(mode, "x").tolist() == [1] * 4
    assert mode["g"].coded.codes.tolist() == [2] * 4


def test_equal_values_keep_their_value_to_the_last_digit() -> None:
    assert group_means(np.full(3, 0.1), np.zeros(3, np.int64)).tolist() == [0.1] * 3
    data = sudare.datasets.toy(30)
    masked = Microaggregation(k=30, columns=("age",)).fit(data).transform(data)
    assert len(np.unique(numbers(masked, "age"))) == 1
