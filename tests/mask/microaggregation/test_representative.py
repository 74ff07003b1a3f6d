"""What represents a group: means that keep the tails, and publish nobody who has all the weight."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

import sudare
from sudare.core import Role
from sudare.core.table.microdata import Microdata
from sudare.core.table.numeric import Numeric
from sudare.mask import Microaggregation, UnivariateMicroaggregation, VariableMicroaggregation
from sudare.mask.microaggregation.representative import group_means, ranked_means

records = st.lists(st.tuples(st.integers(-50, 50), st.integers(0, 5)), min_size=1, max_size=40)


@given(records)
def test_ranked_means_keep_the_mean_and_spread_no_less_than_plain_ones(
    rows: list[tuple[int, int]],
) -> None:
    values, groups = (np.array(part) for part in zip(*rows, strict=True))
    values = values.astype(float)
    plain, ranked = group_means(values, groups), ranked_means(values, groups)
    np.testing.assert_allclose(ranked.mean(), values.mean(), atol=1e-9)
    assert ranked.var() >= plain.var() - 1e-9
    for group in np.unique(groups):
        assert len(set(ranked[groups == group].tolist())) == 1
    order = np.argsort(plain, kind="stable")
    assert (np.diff(ranked[order]) >= -1e-9).all()


def test_the_tails_of_microaggregated_columns_are_kept() -> None:
    data = sudare.datasets.expenditure_like(600, seed=1)
    data = data.without(data.names[8:])
    plain = sudare.apply(data, Microaggregation(k=5)).data
    ranked = sudare.apply(data, Microaggregation(k=5, representative="ranked-mean")).data
    for name in data.names:
        spread = [np.std(t[name].values) for t in (plain, ranked, data)]  # type: ignore[attr-defined]
        assert spread[0] <= spread[1] <= spread[2] + 1e-9
        assert np.bincount(ranked[name].coded.codes).min() >= 5


WEIGHTS = st.sampled_from([0.0, 1e-9, 1.0, 3.0, 1e9])
KINDS = [Microaggregation, VariableMicroaggregation, UnivariateMicroaggregation]


def numbers(data: Microdata, name: str = "x") -> np.ndarray:
    column = data[name]
    assert isinstance(column, Numeric)
    return column.values


@pytest.mark.parametrize("kind", KINDS)
@given(st.lists(st.tuples(st.integers(0, 999), WEIGHTS), min_size=8, max_size=20), st.data())
def test_no_record_counts_for_nearly_all_or_nothing_of_its_group(
    kind: type[Microaggregation], rows: list[tuple[int, float]], data: st.DataObject
) -> None:
    values, weights = (np.array(part, float) for part in zip(*rows, strict=True))
    weight = Numeric("w", weights, role="weight")
    table = Microdata((Numeric("x", values, role="key"), weight))
    plan = kind(k=4).fit(table)
    person = data.draw(st.integers(0, len(rows) - 1))
    moved = values + np.where(np.arange(len(rows)) == person, 1000.0, 0.0)
    other = Microdata((Numeric("x", moved, role="key"), weight))
    change = (numbers(plan.transform(other)) - numbers(plan.transform(table))) / 1000
    group = change > 1e-12
    assert group[person]
    members = group.sum()
    assert members >= 4
    np.testing.assert_array_less(change[group], 2 / (members + 1) + 1e-9)
    np.testing.assert_array_less(1 / (2 * members - 1) - 1e-9, change[group])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("representative", ["median", "mode", "ranked-mean"])
def test_weights_choose_no_record_that_stands_for_its_group(
    kind: type[Microaggregation], representative: str
) -> None:
    rng = np.random.default_rng(3)
    values = rng.lognormal(size=60)
    weight = Numeric("w", np.where(rng.random(60) < 0.8, 0.0, 1e6), role="weight")
    table = Microdata((Numeric("x", values, role="key"), weight))
    masked = numbers(sudare.apply(table, kind(k=4, representative=representative)).data)  # type: ignore[arg-type]
    if representative == "ranked-mean":
        assert not np.isin(masked, values).any()
    else:
        plain = sudare.apply(table, kind(k=4, representative=representative, weighted=False))  # type: ignore[arg-type]
        np.testing.assert_array_equal(masked, numbers(plain.data))


@pytest.mark.parametrize("kind", KINDS)
def test_in_blocks_nobody_is_published_by_a_weight(
    kind: type[Microaggregation], tmp_path: Path
) -> None:
    rng = np.random.default_rng(5)
    values, heavy = rng.permutation(np.arange(60) ** 2), rng.random(60) < 0.2
    lines = [f"{x},{int(w)}" for x, w in zip(values, heavy, strict=True)]
    (tmp_path / "t.csv").write_text("\n".join(["x,w", *lines]) + "\n", encoding="utf-8")
    roles: dict[str, Role] = {"x": "key", "w": "weight"}
    read = sudare.read(tmp_path / "t.csv", roles=roles)
    opened = sudare.open(tmp_path / "t.csv", roles=roles)
    masked = sudare.apply(opened, kind(k=4)).data.sample(60)
    np.testing.assert_array_equal(numbers(masked), numbers(sudare.apply(read, kind(k=4)).data))
    assert not np.isin(numbers(masked), values).any()
