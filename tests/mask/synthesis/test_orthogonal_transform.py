import numpy as np
import pytest
from hypothesis import given, strategies as st

import sudare
from sudare.core.errors import ColumnError
from sudare.core.table.microdata import Microdata
from sudare.core.table.numeric import Numeric
from sudare.core.types import Floats
from sudare.engine.counting.weighted_moments import merge, moments
from sudare.mask import OrthogonalTransform
from sudare.mask.synthesis.orthogonal_transform import components_needed


def table(values: Floats) -> Microdata:
    return Microdata(tuple(Numeric(f"x{i}", v, role="key") for i, v in enumerate(values.T)))


def values_of(data: Microdata) -> Floats:
    return np.column_stack([c.values for c in data.columns if isinstance(c, Numeric)])


def mixed(seed: int, n: int = 200, p: int = 6) -> Floats:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, p)) @ rng.normal(size=(p, p)) * 10.0 ** rng.integers(-2, 4, p)


seeds = st.integers(0, 10**6)


@given(seeds, st.floats(0, 1))
def test_ilot_is_the_mean_share_of_variance_lost(seed: int, loss: float) -> None:
    before = mixed(seed)
    plan = OrthogonalTransform(loss=loss).fit(table(before))
    after = values_of(plan.transform(table(before)))
    lost = ((before - after) ** 2).mean(axis=0) / before.var(axis=0)
    public = plan.step.public
    correlation = np.asarray(np.corrcoef(before, rowvar=False))
    assert lost.mean() == pytest.approx(components_needed(correlation, loss)[1], abs=1e-9)
    assert lost.mean() == pytest.approx(public["x0"]["ilot"], rel=0.05, abs=1e-9)


@given(seeds, st.floats(0, 1))
def test_the_number_of_components_is_the_smallest_that_keeps_the_limit(
    seed: int, loss: float
) -> None:
    correlation = np.asarray(np.corrcoef(mixed(seed), rowvar=False))
    eigenvalues = np.sort(np.linalg.eigvalsh(correlation))[::-1]
    components, ilot = components_needed(correlation, loss)
    assert ilot == pytest.approx(eigenvalues[components:].sum() / 6, abs=1e-9)
    assert ilot <= loss + 1e-9
    assert components == 0 or eigenvalues[components - 1 :].sum() / 6 > loss


@pytest.mark.parametrize("basis", ["correlation", "covariance"])
@given(seed=seeds)
def test_no_loss_is_the_identity_and_means_always_stay(basis: str, seed: int) -> None:
    before = mixed(seed)
    for loss in (0.0, 0.3, 1.0):
        masker = OrthogonalTransform(loss=loss, basis=basis)  # type: ignore[arg-type]
        after = values_of(masker.fit(table(before)).transform(table(before)))
        scale = before.std(axis=0)
        assert np.abs(after.mean(axis=0) - before.mean(axis=0)).max() < 1e-9 * scale.max()
        if loss == 0:
            assert (np.abs(after - before) / scale).max() < 1e-6


def test_singular_data_keep_no_more_components_than_they_have() -> None:
    x = np.random.default_rng(1).normal(size=(50, 3))
    before = np.column_stack([x, x.sum(axis=1), x[:, 0] * 1000])
    plan = OrthogonalTransform(loss=0).fit(table(before))
    assert plan.step.public["x0"]["components"] == 3
    np.testing.assert_allclose(values_of(plan.transform(table(before))), before, atol=1e-9)


def test_constant_columns_stay_and_do_not_count() -> None:
    before = np.column_stack([np.full(40, 0.1), mixed(2, n=40, p=2)])
    plan = OrthogonalTransform(loss=0.5).fit(table(before))
    assert plan.step.public["x1"]["components"] == 1
    after = values_of(plan.transform(table(before)))
    np.testing.assert_allclose(after[:, 0], 0.1, rtol=1e-12)


def test_missing_values_stay_missing_and_count_as_the_mean() -> None:
    before = mixed(3)
    holes = before.copy()
    holes[5, 1] = np.nan
    plan = OrthogonalTransform(loss=0.4).fit(table(before))
    filled = before.copy()
    filled[5, 1] = before[:, 1].mean()
    after, expected = (values_of(plan.transform(table(x))) for x in (holes, filled))
    expected[5, 1] = np.nan
    np.testing.assert_allclose(after, expected, rtol=1e-9)


def test_by_hand_two_columns_become_their_mean_deviation() -> None:
    before = np.array([[1.0, 1.0], [2.0, 3.0], [3.0, 2.0]])
    after = values_of(sudare.apply(table(before), OrthogonalTransform(loss=0.3)).data)
    np.testing.assert_allclose(after, np.array([[1.0, 1.0], [2.5, 2.5], [2.5, 2.5]]))


def test_a_plan_from_merged_moments_is_the_plan_of_the_whole() -> None:
    data = sudare.datasets.expenditure_like(3000, seed=1)
    columns = [c for c in data.columns if isinstance(c, Numeric)]
    parts = [
        moments([c.take(np.arange(a, b)) for c in columns]) for a, b in ((0, 999), (999, 3000))
    ]
    masker = OrthogonalTransform(loss=0.1)
    plan, whole = masker.plan(data.names, merge(parts, len(columns))), masker.fit(data)
    assert plan.step.public["米"]["components"] == whole.step.public["米"]["components"]
    for column, other in zip(
        plan.transform(data).columns, whole.transform(data).columns, strict=True
    ):
        assert isinstance(column, Numeric)
        assert isinstance(other, Numeric)
        np.testing.assert_allclose(column.values, other.values, rtol=1e-6, atol=1e-6)


def test_a_table_without_a_complete_record_is_refused() -> None:
    data = table(np.array([[1.0, np.nan], [np.nan, 2.0]]))
    with pytest.raises(ColumnError, match="no record has a value in all 2 columns"):
        OrthogonalTransform().fit(data)
