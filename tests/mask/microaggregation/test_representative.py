"""What represents a group: means that keep the tails."""

import numpy as np
from hypothesis import given, strategies as st

import sudare
from sudare.mask import Microaggregation
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
