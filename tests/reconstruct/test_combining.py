import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats

import sudare
from sudare.core.errors import SettingError
from sudare.core.table.microdata import Microdata
from sudare.core.table.numeric import Numeric
from sudare.core.types import Floats
from sudare.mask import MultipleImputation
from sudare.mask.synthesis.column_models.conditional import Model
from sudare.reconstruct import combine
from sudare.reconstruct.combining import Rule

HAND = ([10.0, 12.0, 14.0], [2.0, 2.0, 2.0])  # q̄ = 12, b = 4, v̄ = 2, m = 3


@pytest.mark.parametrize(
    ("rule", "variance", "freedom"),
    [
        ("fitted", 2 * (1 + 1 / 3), np.inf),
        ("proper", 2 * (1 + 2 / 3), np.inf),
        ("full", 4 / 3 * 4 - 2, 2 * (1 - 2 / (16 / 3)) ** 2),
        ("partial", 4 / 3 + 2, 2 * (1 + 2 / (4 / 3)) ** 2),
        ("missing", 4 / 3 * 4 + 2, 2 * (1 + 2 / (16 / 3)) ** 2),
    ],
)
def test_three_versions_by_hand(rule: Rule, variance: float, freedom: float) -> None:
    combined = combine(*HAND, rule=rule)
    assert combined.estimate == 12
    assert combined.within == 2
    assert combined.between == 4
    assert combined.variance == pytest.approx(variance)
    assert combined.freedom == pytest.approx(max(freedom, 1))
    half = stats.t.ppf(0.975, max(freedom, 1)) * np.sqrt(variance)
    np.testing.assert_allclose(combined.interval(), (12 - half, 12 + half))


def test_a_negative_variance_of_fully_synthetic_data_becomes_the_one_within() -> None:
    combined = combine([5.0, 5.1, 4.9], [2.0, 3.0, 4.0], rule="full")
    assert combined.adjusted
    assert combined.variance == 3
    assert combined.freedom == 2


def test_versions_that_agree_leave_the_variance_within_and_a_normal_interval() -> None:
    for rule in ("partial", "missing"):
        combined = combine([[1.0, 2.0]] * 4, [[4.0, 9.0]] * 4, rule=rule)
        np.testing.assert_array_equal(combined.variance, [4, 9])
        low, high = combined.interval(0.9)
        np.testing.assert_allclose((high - low) / 2, stats.norm.ppf(0.95) * np.array([2, 3]))


@given(
    st.lists(st.tuples(st.floats(-1e3, 1e3), st.floats(0, 1e3)), min_size=2, max_size=9),
    st.sampled_from(["fitted", "proper", "full", "partial", "missing"]),
    st.floats(-1e3, 1e3),
    st.floats(0.1, 100),
)
def test_units_do_not_matter(
    versions: list[tuple[float, float]], rule: Rule, shift: float, scale: float
) -> None:
    points, squares = np.array(versions).T
    combined = combine(points, squares, rule=rule)
    other = combine(shift + scale * points, scale**2 * squares, rule=rule)
    assert combined.variance >= 0
    assert combined.freedom >= 1
    if np.ptp(points) > 1e-3:  # rounding of equal estimates is a variance, too
        near = abs(combined.variance) < 1e-6 * (combined.between + combined.within)
        assert near or other.variance == pytest.approx(scale**2 * combined.variance, rel=1e-3)


def test_what_cannot_be_combined_is_refused() -> None:
    with pytest.raises(SettingError, match="at least 2 versions"):
        combine([1.0], [1.0], rule="full")
    with pytest.raises(SettingError, match="one variance for each"):
        combine([1.0, 2.0], [1.0], rule="full")
    with pytest.raises(SettingError, match="rule must be one of fitted, proper, full"):
        combine([1.0, 2.0], [1.0, 1.0], rule="half")  # type: ignore[arg-type]
    with pytest.raises(SettingError, match="variances 0 or more"):
        combine([1.0, 2.0], [1.0, -1.0], rule="full")
    with pytest.raises(SettingError, match="confidence"):
        combine(*HAND, rule="full").interval(95)


def mean_and_slope(table: Microdata) -> tuple[Floats, Floats]:
    """Return the mean of y and its slope on x, and their variances."""
    x, y = (c.values for c in (table["x"], table["y"]) if isinstance(c, Numeric))
    apart = x - x.mean()
    slope = apart @ y / (apart @ apart)
    left = y - y.mean() - slope * apart
    error = left @ left / (len(x) - 2) / (apart @ apart)
    return np.array([y.mean(), slope]), np.array([y.var(ddof=1) / len(y), error])


@pytest.mark.parametrize(
    ("rule", "model"),
    [
        ("fitted", "regression"),
        ("proper", "regression"),
        ("partial", "regression"),
        ("missing", "regression"),
        ("partial", "tree"),
    ],
)
def test_intervals_cover_the_truth_as_often_as_they_say(rule: Rule, model: Model) -> None:
    repeats = 60
    covered, alone = np.zeros(2), np.zeros(2)
    for repeat in range(repeats):
        rng = np.random.default_rng(repeat)
        x = rng.normal(size=200)
        y = 0.6 * x + 0.8 * rng.normal(size=200)
        if rule == "missing":  # more often where x is large: leaving these out would bias the mean
            y[rng.random(200) < 1 / (1 + np.exp(1 - x))] = np.nan
        data = Microdata((Numeric("x", x, role="key"), Numeric("y", y, role="sensitive")))
        masker = MultipleImputation(
            m=10,
            model=model,
            columns=("x", "y") if rule in ("fitted", "proper") else ("y",),
            proper=rule != "fitted",
            records="missing" if rule == "missing" else "all",
        )
        made = sudare.versions(data, masker, seed=repeat)
        assert made[0].steps[0].public["y"]["rule"] == rule
        points, squares = zip(*(mean_and_slope(version.data) for version in made), strict=True)
        low, high = combine(points, squares, rule=rule).interval(0.95)
        truth = np.array([0.0, 0.6])
        covered += (low <= truth) & (truth <= high)
        alone += np.abs(points[0] - truth) < 1.96 * np.sqrt(squares[0])
    assert (covered / repeats >= 0.87).all()  # 0.95 within three standard errors
    assert (alone < covered).all(), "one version, taken as real data, promises too much"


@pytest.mark.parametrize("size_ratio", [1.0, 4.0])
def test_one_synthetic_table_of_any_size_is_enough(size_ratio: float) -> None:
    rng = np.random.default_rng(1)
    rows, repeats = 200, 2000
    drawn = round(rows * size_ratio)
    originals = rng.normal(size=(repeats, rows))
    made = rng.normal(originals.mean(axis=1), originals.std(axis=1), size=(drawn, repeats))
    pooled = combine(
        [made.mean(axis=0)], [made.var(axis=0) / drawn], rule="fitted", size_ratio=size_ratio
    )
    low, high = pooled.interval(0.95)
    assert np.mean((low <= 0) & (high >= 0)) == pytest.approx(0.95, abs=0.02)
