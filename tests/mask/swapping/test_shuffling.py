import numpy as np
import pytest
from hypothesis import given, strategies as st

import sudare
from sudare.core.errors import SettingError
from sudare.core.table.categorical import Categorical
from sudare.core.table.microdata import Microdata
from sudare.core.table.numeric import Numeric
from sudare.core.types import Floats
from sudare.engine.counting.correlations import correlation
from sudare.mask import Shuffling
from sudare.mask.swapping.shuffling import fitted, normal_scores, regressors


def values_of(data: Microdata, name: str) -> Floats:
    column = data[name]
    assert isinstance(column, Numeric)
    return column.values


def spearman(x: Floats, y: Floats) -> float:
    both = ~np.isnan(x) & ~np.isnan(y)
    ranks, other = (np.argsort(np.argsort(v[both])) for v in (x, y))
    return float(correlation(np.stack([ranks, other]).astype(float))[0, 1])


@given(
    st.lists(
        st.tuples(st.one_of(st.none(), st.integers(0, 9)), st.integers(0, 3), st.integers(-2, 2)),
        min_size=1,
        max_size=40,
    ).filter(lambda rows: any(row[0] is not None for row in rows)),
    st.integers(0, 2**32),
)
def test_margins_are_kept_exactly(rows: list[tuple[int | None, int, int]], seed: int) -> None:
    x = np.array([np.nan if row[0] is None else row[0] for row in rows])
    data = Microdata(
        (
            Numeric("x", x, role="sensitive"),
            Numeric("y", np.array([row[1] for row in rows]), role="sensitive"),
            Categorical("z", np.array([row[2] for row in rows]), tuple("abc"), role="key"),
        )
    )
    masked = sudare.apply(data, Shuffling(), seed=seed).data
    for name in ("x", "y"):
        before, after = values_of(data, name), values_of(masked, name)
        np.testing.assert_array_equal(np.isnan(after), np.isnan(before))
        np.testing.assert_array_equal(np.sort(after), np.sort(before))


def copula(rows: int = 20_000) -> Microdata:
    rng = np.random.default_rng(1)
    given = rng.normal(size=rows)
    first = 0.7 * given + rng.normal(size=rows)
    second = -0.5 * given + 0.6 * first + rng.normal(size=rows)
    group = (rng.random(rows) < 0.3).astype(int)
    return Microdata(
        (
            Numeric("s", np.exp(given), role="key"),
            Categorical("g", group, ("a", "b"), role="key"),
            Numeric("x", np.exp(first + group), role="sensitive"),
            Numeric("y", second**3, role="sensitive"),
        )
    )


def test_rank_correlations_are_kept_approximately() -> None:
    data = copula()
    masked = sudare.apply(data, Shuffling(columns=("x", "y"), given=("s", "g")), seed=1).data
    for name, other in (("x", "y"), ("s", "x"), ("s", "y")):
        before = spearman(values_of(data, name), values_of(data, other))
        after = spearman(values_of(masked, name), values_of(masked, other))
        assert after == pytest.approx(before, abs=0.02), (name, other)
    group = data["g"].coded.codes
    gap = [
        float(np.median(np.log(values_of(table, "x"))[group == 1]))
        - float(np.median(np.log(values_of(table, "x"))[group == 0]))
        for table in (data, masked)
    ]
    assert gap[1] == pytest.approx(gap[0], abs=0.1)


def test_given_the_regressors_new_values_say_nothing_about_old_ones() -> None:
    data = copula()
    masked = sudare.apply(data, Shuffling(columns=("x", "y"), given=("s", "g")), seed=1).data
    inputs = regressors([data["s"], data["g"]])
    for name in ("x", "y"):
        old, new = normal_scores(data[name]), normal_scores(masked[name])
        left = [scores - fitted(inputs, scores) for scores in (old, new)]
        assert abs(correlation(np.stack(left))[0, 1]) < 0.03


def test_without_regressors_relations_among_the_shuffled_stay() -> None:
    data = copula()
    masked = sudare.apply(data, Shuffling(columns=("x", "y"), given=()), seed=1).data
    before, after = (spearman(values_of(t, "x"), values_of(t, "y")) for t in (data, masked))
    assert after == pytest.approx(before, abs=0.02)
    assert abs(spearman(values_of(masked, "x"), values_of(masked, "s"))) < 0.03


def test_other_keys_are_given_by_default(toy: Microdata) -> None:
    plan = Shuffling(columns=("age",)).fit(toy)
    assert plan.given == ("sex", "region", "education", "occupation")  # type: ignore[attr-defined]


def test_a_column_cannot_be_shuffled_and_given(toy: Microdata) -> None:
    with pytest.raises(SettingError, match="'age' cannot be both shuffled and given"):
        Shuffling(columns=("age",), given=("age",)).fit(toy)


def test_ordinal_categories_can_be_shuffled(toy: Microdata) -> None:
    masked = sudare.apply(toy, Shuffling(columns=("education",)), seed=1).data
    before, after = toy["education"].coded.codes, masked["education"].coded.codes
    assert (before != after).any()
    np.testing.assert_array_equal(np.bincount(before), np.bincount(after))
