from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

import sudare
from sudare.core.errors import ColumnError, SettingError
from sudare.core.table.categorical import Categorical
from sudare.core.table.microdata import Microdata
from sudare.core.table.numeric import Numeric
from sudare.core.types import Floats
from sudare.engine.counting.counts import cross_table, groups
from sudare.mask import MultipleImputation, Pram, SequentialSynthesis
from sudare.mask.synthesis.column_models.conditional import Model

MODELS: tuple[Model, ...] = ("tree", "regression")


def values_of(data: Microdata, name: str) -> Floats:
    column = data[name]
    assert isinstance(column, Numeric)
    return column.values


def related(rows: int = 4000) -> Microdata:
    """Numbers, ordinal and nominal columns that depend on each other, with a skewed income."""
    rng = np.random.default_rng(1)
    group = rng.choice(3, rows, p=[0.5, 0.3, 0.2])
    grade = np.clip(np.rint(rng.normal(2 + 0.8 * (group == 1), 1.0)), 0, 4).astype(int)
    income = np.exp(rng.normal(0.5 * grade + (group == 2), 0.6))
    income[rng.random(rows) < 0.2] = 0.0
    kind = (rng.random((rows, 1)) > np.array([[0.6, 0.9], [0.2, 0.5], [0.1, 0.2]])[group]).sum(1)
    return Microdata(
        (
            Categorical("group", group, tuple("abc"), role="key"),
            Categorical("grade", grade, tuple("01234"), role="key", scale="ordinal"),
            Categorical("kind", kind, tuple("xyz"), role="key"),
            Numeric("income", income, role="sensitive"),
        )
    )


rows_of_three = st.lists(
    st.tuples(st.one_of(st.none(), st.integers(0, 6)), st.integers(-2, 2), st.integers(-2, 2)),
    min_size=1,
    max_size=30,
).filter(lambda rows: all(any(r[i] not in {None, -1, -2} for r in rows) for i in range(3)))


@given(rows_of_three, st.sampled_from(MODELS), st.booleans(), st.integers(0, 2**32))
def test_drawn_values_are_values_that_somebody_has(
    rows: list[tuple[int | None, int, int]], model: Model, proper: bool, seed: int
) -> None:
    x, c, o = (list(part) for part in zip(*rows, strict=True))
    data = Microdata(
        (
            Numeric("x", np.array([np.nan if v is None else v for v in x]), role="key"),
            Categorical("c", np.array(c), tuple("abc"), role="key"),
            Categorical("o", np.array(o), tuple("abc"), role="sensitive", scale="ordinal"),
        )
    )
    masker = SequentialSynthesis(model=model, proper=proper, smooth=False)
    made = sudare.apply(data, masker, seed=seed).data
    for name in data.names:
        before, after = data[name].coded, made[name].coded
        assert set(after.labels_that_occur()) <= set(before.labels_that_occur())
        assert before.missing.any() or not after.missing.any()
        assert before.not_applicable.any() or not after.not_applicable.any()


@pytest.mark.parametrize("model", MODELS)
def test_margins_and_relations_are_kept_approximately(model: Model) -> None:
    data = related()
    made = sudare.apply(data, SequentialSynthesis(model=model), seed=2).data
    for pair in (("group", "grade"), ("group", "kind"), ("grade", "kind")):
        before, after = (cross_table([t[name] for name in pair]) / t.rows for t in (data, made))
        assert np.abs(before - after).sum() / 2 < 0.06, pair
    for code in range(3):
        means = [
            np.log1p(values_of(t, "income"))[t["group"].coded.codes == code].mean()
            for t in (data, made)
        ]
        assert means[1] == pytest.approx(means[0], abs=0.1)
    zeros = [(values_of(t, "income") == 0).mean() for t in (data, made)]
    assert zeros[1] == pytest.approx(zeros[0], abs=0.03)


@pytest.mark.parametrize("model", MODELS)
def test_fully_synthetic_records_have_nothing_to_do_with_their_place(model: Model) -> None:
    data = related()
    made = sudare.apply(data, SequentialSynthesis(model=model), seed=2).data
    for name in data.names:
        old, new = data[name].coded.codes, made[name].coded.codes
        assert abs(np.corrcoef(old, new)[0, 1]) < 0.06


def test_pairs_of_adult_differ_no_more_than_those_of_a_bootstrap(real_data: Path) -> None:
    columns = ("workclass", "education", "occupation", "relationship", "income")
    adult = sudare.datasets.adult(real_data / "adult.csv")
    adult = adult.without([name for name in adult.names if name not in columns])
    made = sudare.apply(adult, SequentialSynthesis(columns=columns), seed=1).data
    again = adult.take(np.random.default_rng(1).integers(0, adult.rows, adult.rows))

    def apart(other: Microdata) -> float:
        """Return the mean total variation of the tables of all pairs."""
        tables = (
            cross_table([adult[a], adult[b]]) - cross_table([other[a], other[b]])
            for a, b in combinations(columns, 2)
        )
        return float(np.mean([np.abs(table).sum() / 2 / adult.rows for table in tables]))

    assert apart(made) < 1.2 * apart(again)


def test_not_applicable_follows_its_rule() -> None:
    many = sudare.datasets.toy(5000)
    columns = ("age", "sex", "occupation", "income")
    made = sudare.apply(many, SequentialSynthesis(columns=columns), seed=1).data
    young = values_of(made, "age") < 15
    for name in ("occupation", "income"):
        np.testing.assert_array_equal(made[name].not_applicable, young)
        share, missing = many[name].missing.mean(), made[name].missing.mean()
        assert missing == pytest.approx(share, abs=0.015)


def test_partial_synthesis_keeps_other_columns_and_the_relation_with_them() -> None:
    data = related()
    made = sudare.apply(data, SequentialSynthesis(columns=("income",)), seed=3)
    assert made.steps[0].columns == ("income",)
    assert made.data["group"] is data["group"]
    grade = data["grade"].coded.codes
    scores = [np.log1p(values_of(t, "income")) for t in (data, made.data)]
    before, after = (np.corrcoef(grade, score)[0, 1] for score in scores)
    assert after == pytest.approx(before, abs=0.04)


def test_only_records_at_risk_are_replaced(toy: Microdata) -> None:
    masker = SequentialSynthesis(records="at-risk", k=3, columns=("income", "age"))
    made = sudare.apply(toy, masker, seed=1)
    at_risk = groups([toy[name] for name in toy.keys]).size_of_record < 3
    for name in ("income", "age"):
        before, after = values_of(toy, name), values_of(made.data, name)
        assert (before != after)[at_risk].any()
        np.testing.assert_array_equal(before[~at_risk], after[~at_risk])
    assert made.steps[0].public["age"]["rule"] == "partial"


@pytest.mark.parametrize("model", MODELS)
def test_only_missing_values_are_imputed(toy: Microdata, model: Model) -> None:
    masker = SequentialSynthesis(
        records="missing", model=model, columns=("occupation", "income"), smooth=False
    )
    made = sudare.apply(toy, masker, seed=1).data
    for name in ("occupation", "income"):
        before, after = toy[name], made[name]
        assert before.missing.any()
        assert not after.missing.any()
        np.testing.assert_array_equal(after.not_applicable, before.not_applicable)
        labels = before.coded.labels
        np.testing.assert_array_equal(
            after.coded.codes_in(labels)[~before.missing], before.coded.codes[~before.missing]
        )


@pytest.mark.parametrize("model", MODELS)
def test_new_records_are_as_the_weighted_table_is(model: Model) -> None:
    rng = np.random.default_rng(5)
    group = rng.integers(0, 2, 6000)
    income = rng.normal(group, 1.0)
    data = Microdata(
        (
            Categorical("group", group, ("a", "b"), role="key"),
            Numeric("income", income, role="sensitive"),
            Numeric("w", np.where(group == 1, 9.0, 1.0), role="weight"),
        )
    )
    made = sudare.apply(data, SequentialSynthesis(model=model), seed=1).data
    assert (made["group"].coded.codes == 1).mean() == pytest.approx(0.9, abs=0.02)
    assert values_of(made, "income").mean() == pytest.approx(0.9, abs=0.06)
    columns = ("w", "group", "income")
    made = sudare.apply(data, SequentialSynthesis(model=model, columns=columns), seed=1).data
    assert (made["group"].coded.codes == 1).mean() == pytest.approx(0.5, abs=0.03)
    assert np.average(values_of(made, "income"), weights=made.weights) == pytest.approx(
        0.9, abs=0.1
    )


def test_only_records_of_the_original_have_weights_and_households(toy: Microdata) -> None:
    full, partial = SequentialSynthesis(), SequentialSynthesis(columns=("income",))
    drawn = set(toy.names) - {*toy.keys, *toy.sensitive}
    assert set(full.leaves_out(toy)) == drawn
    assert set(full.fit(toy).transform(toy, seed=1).names) == {*toy.keys, *toy.sensitive}
    assert partial.fit(toy).transform(toy, seed=1).names == toy.names
    with_weights = SequentialSynthesis(columns=(*toy.keys, *toy.sensitive, "weight"))
    assert with_weights.fit(toy).transform(toy, seed=1).weights is not None


def test_columns_are_drawn_in_the_order_named(toy: Microdata) -> None:
    plans = [SequentialSynthesis(columns=c).fit(toy) for c in (("age", "sex"), ("sex", "age"))]
    assert [plan.step.columns for plan in plans] == [("age", "sex"), ("sex", "age")]
    first, second = (plan.transform(toy, seed=1) for plan in plans)
    assert not first.equals(second)


def test_a_plan_makes_as_many_records_as_the_other_table_has(toy: Microdata) -> None:
    plan = SequentialSynthesis(columns=("income",)).fit(toy)
    some = toy.take(np.arange(50))
    assert plan.transform(some, seed=1).rows == 50
    stranger = Categorical("region", np.zeros(50), ("elsewhere",), role="key")
    with pytest.raises(ColumnError, match="did not occur when the method was fitted"):
        plan.transform(some.replacing([stranger]), seed=1)


@pytest.mark.parametrize("model", MODELS)
def test_given_columns_may_be_empty_or_without_weight(model: Model) -> None:
    columns = (
        Numeric("empty", np.full(6, np.nan), role="key"),
        Numeric("light", np.array([1.0, 2, np.nan, np.nan, np.nan, np.nan]), role="key"),
        Categorical("c", np.array([0, 0, 1, 1, 0, 1]), ("a", "b"), role="sensitive"),
        Numeric("w", np.array([0.0, 0, 1, 1, 1, 1]), role="weight"),
    )
    masker = SequentialSynthesis(model=model, columns=("c",))
    assert sudare.apply(Microdata(columns), masker, seed=1).data["c"].known.all()


def test_a_leaf_has_no_fewer_donors_than_asked_for() -> None:
    data = related(60)
    masker = SequentialSynthesis(min_leaf=60, columns=("income",), smooth=False)
    made = sudare.apply(data, masker, seed=1).data
    rich = values_of(made, "income")[data["grade"].coded.codes == 4]
    assert set(rich) <= set(values_of(data, "income"))


def test_strata_keep_relations_that_only_a_rare_group_has() -> None:
    rng = np.random.default_rng(1)
    x, group = rng.normal(size=2000), np.where(np.arange(2000) < 30, 1, 0)
    group[-3:] = 2  # fewer than a leaf: drawn as the others are
    y = np.where(group == 1, x, rng.normal(size=2000))
    labels = ("common", "rare", "three")
    data = Microdata(
        (
            Categorical("group", group, labels, role="key"),
            Numeric("x", x, role="key"),
            Numeric("y", y, role="key"),
        )
    )
    together = []
    for strata in ((), ("group",)):
        made = sudare.apply(data, SequentialSynthesis(strata=strata), seed=1).data
        rare = made["group"].coded.codes == 1
        assert rare.sum() > 15
        together.append(np.corrcoef(values_of(made, "x")[rare], values_of(made, "y")[rare])[0, 1])
    assert together[0] < 0.5
    assert together[1] > 0.8
    given = SequentialSynthesis(columns=("y",), strata=("group",), model="regression")
    assert sudare.apply(data, given, seed=1).data["x"] is data["x"]


def test_a_bootstrap_has_some_records_copied_more_often_than_others() -> None:
    """Why one proper version is riskier: donors are drawn by weights of their own."""
    data = Microdata((Numeric("x", np.arange(400.0) + 0.5, role="key"),))
    spread = []
    for proper in (False, True):
        masker = SequentialSynthesis(proper=proper, smooth=False)
        made = [values_of(sudare.apply(data, masker, seed=s).data, "x") for s in range(10)]
        copies = np.stack([np.bincount(x.astype(int), minlength=400) for x in made])
        spread.append(float(copies.var(axis=1).mean()))
    assert spread == pytest.approx([1.0, 2.0], rel=0.15)  # by chance, and by weights besides


def test_versions_differ_in_what_is_imputed_and_in_nothing_else(toy: Microdata) -> None:
    chain = [Pram(columns=("sex",)), MultipleImputation(m=3, columns=("income",))]
    made = sudare.versions(toy, chain, seed=4)
    assert len(made) == 3
    assert made[0].data.equals(sudare.apply(toy, chain, seed=4).data)
    for version in made[1:]:
        assert np.array_equal(version.data["sex"].coded.codes, made[0].data["sex"].coded.codes)
        assert not version.data.equals(made[0].data)
    assert not made[1].data.equals(made[2].data)
    assert len(sudare.versions(toy, Pram(), seed=4)) == 1


def test_a_recipe_makes_versions_and_a_comparison_measures_the_first(toy: Microdata) -> None:
    masker = MultipleImputation(m=2, columns=("income",))
    recipe = sudare.Recipe("imputed", [masker])
    assert [v.data.rows for v in recipe.versions(toy, seed=1)] == [400, 400]
    comparison = sudare.compare(toy, [recipe], [sudare.loss.TotalVariation()], seed=1)
    alone = sudare.loss.TotalVariation()(toy, recipe.apply(toy, seed=1).data)
    assert comparison["imputed"].results["TotalVariation"].value == alone.value


def test_what_cannot_be_synthesized_is_refused(toy: Microdata) -> None:
    with pytest.raises(SettingError, match="'age' cannot be both synthesized and given"):
        SequentialSynthesis(columns=("age",), given=("age",)).fit(toy)
    names = Categorical("name", np.arange(2000), tuple(range(2000)), role="key")
    with pytest.raises(ColumnError, match="has 2000 categories, more than 1000"):
        SequentialSynthesis().fit(Microdata((names,)))
    empty = Numeric("x", np.array([1.0, np.nan]), role="sensitive")
    weight = Numeric("w", np.array([0.0, 1.0]), role="weight")
    with pytest.raises(ColumnError, match="only in records of weight 0"):
        SequentialSynthesis().fit(Microdata((empty, weight)))
    with pytest.raises(ColumnError, match="without key columns no record is at risk"):
        SequentialSynthesis(records="at-risk").fit(Microdata((empty,)))
