"""Linkage by brute force, ties, scales; and the kernels beside their NumPy twins."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

import sudare
from sudare.core.errors import MismatchError, SettingError
from sudare.core.methods.measure import Result
from sudare.core.table.categorical import Categorical
from sudare.core.table.microdata import Microdata
from sudare.core.table.numeric import Numeric
from sudare.core.types import Floats
from sudare.risk import RecordLinkage
from sudare.risk.linkage import linkage_search
from sudare.risk.linkage.boxes import Boxed, distinct_rows, kinds
from sudare.risk.linkage.linkage_search import rivals
from sudare.risk.linkage.record_linkage import attack_space, linked, part_name


def brute_force(synthetic: Floats, original: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """Numbers of nearer and of equally near originals: the twin of the kernels."""
    gaps = (weight * (synthetic[:, None] - original[None]) ** 2).sum(axis=2)
    own = np.diag(gaps)[:, None]
    closer = gaps < own * (1 - 1e-12)
    return closer.sum(axis=1), (gaps <= own * (1 + 1e-12)).sum(axis=1) - closer.sum(axis=1) - 1


grids = st.tuples(st.integers(1, 40), st.integers(1, 5), st.integers(1, 4), st.integers(0, 10**6))


@given(grids)
def test_rivals_are_those_of_brute_force_with_all_its_ties(
    shape: tuple[int, int, int, int],
) -> None:
    n, p, levels, seed = shape
    rng = np.random.default_rng(seed)
    original, synthetic = rng.integers(0, levels, (2, n, p)).astype(float)
    weight = rng.integers(0, 3, p).astype(float)
    counted = rivals(synthetic, original, weight, cap=n)
    closer, ties = brute_force(synthetic, original, weight)
    assert counted.closer.tolist() == closer.tolist()
    assert counted.ties.tolist() == ties.tolist()


@pytest.mark.parametrize("noise", [0.0, 1e-9, 0.1, 1.0, 5.0])
@pytest.mark.parametrize("offset", [0.0, 1e7])
def test_every_view_and_every_cap_counts_as_brute_force_does(noise: float, offset: float) -> None:
    rng = np.random.default_rng(3)
    original = np.exp(rng.normal(size=(1500, 12)) * rng.uniform(0.1, 2, 12))
    original[::7] = original[1::7][: len(original[::7])]
    original += offset
    synthetic = original + noise * rng.normal(size=original.shape)
    weight = rng.uniform(0.5, 2, 12)
    closer, ties = brute_force(synthetic, original, weight)
    everything = rivals(synthetic, original, weight, cap=1500)
    assert everything.closer.tolist() == closer.tolist()
    assert everything.ties.tolist() == ties.tolist()
    for k in (1, 5):
        counted = rivals(synthetic, original, weight, cap=k)
        np.testing.assert_array_equal(linked(counted, k), linked(everything, k))
    search = linkage_search._search(synthetic, original, weight)
    for directions in (1, 4, 8, 12):
        nearer = np.zeros(1500, np.int64)
        same = search.attack.copies[search.attack.own] - 1
        for box in search.records.boxes:
            search.view(directions).scan(box, nearer, same, 1500)
        np.testing.assert_array_equal(nearer, closer[search.records.order])
        np.testing.assert_array_equal(same, ties[search.records.order])


def test_boxes_hold_every_record_once_and_dismiss_nobody_near() -> None:
    points = np.random.default_rng(2).normal(size=(5000, 6))
    boxed = Boxed.dealt(points)
    assert sorted(boxed.order.tolist()) == list(range(5000))
    assert boxed.boxes[0].start == 0
    assert boxed.boxes[-1].stop == 5000
    within = boxed.within_reach(boxed.sketch[:50], np.full(50, 1.0))
    low, high = boxed.edges
    point = boxed.sketch[:50, None]
    twin = (np.maximum(np.maximum(low - point, point - high), 0) ** 2).sum(axis=2) <= 1
    np.testing.assert_array_equal(within, twin)
    gaps = np.linalg.norm(boxed.points[:50, None] - boxed.points[None], axis=2)
    for number, box in enumerate(boxed.boxes):
        assert within[(gaps[:, box] <= 1).any(axis=1), number].all()


def test_rows_that_share_a_key_are_told_apart() -> None:
    rows = np.random.default_rng(3).integers(0, 3, (50, 2)).astype(float)
    by_bits, by_nothing = distinct_rows(rows), kinds(rows, np.zeros(50))
    for expected, actual in zip(by_bits, by_nothing, strict=True):
        np.testing.assert_array_equal(expected, actual)


def table(values: Floats) -> Microdata:
    return Microdata(tuple(Numeric(f"x{i}", v, role="key") for i, v in enumerate(values.T)))


def risk(before: Floats, after: Floats, **settings: object) -> Result:
    return RecordLinkage(**settings)(table(before), table(after))  # type: ignore[arg-type]


def test_by_hand() -> None:
    before = np.array([[0.0], [1.0], [1.0], [5.0], [9.0]])
    after = np.array([[0.1], [1.0], [0.4], [7.0], [2.0]])
    # ranks: own first; tie of two; behind one with a tie; tie of two; last
    result = risk(before, after, k=(1, 2))
    assert result.parts[part_name(1)] == pytest.approx((1 + 0.5 + 0 + 0.5 + 0) / 5)
    assert result.parts[part_name(2)] == pytest.approx((1 + 1 + 0.5 + 1 + 0) / 5)
    assert result.value == result.parts[part_name(1)]
    assert result.by_record is not None
    full = risk(before, after, ranks="all")
    assert full.by_record is not None
    assert full.by_record.tolist() == [1, 1.5, 2.5, 1.5, 5]


def test_all_are_linked_when_the_attacker_takes_everybody() -> None:
    before, after = np.random.default_rng(1).normal(size=(2, 50, 3))
    assert risk(before, after, k=50).value == 1
    assert risk(before, after, k=999).value == 1
    assert risk(before[:1], after[:1]).value == 1


def test_distinct_records_are_all_linked_to_themselves() -> None:
    data = sudare.datasets.expenditure_like(800, seed=2)
    result = RecordLinkage(k=(1, 3))(data, data)
    assert result.value == 1
    assert result.interval is not None
    assert result.interval[0] > 0.99


def test_equal_records_are_told_apart_by_luck_only() -> None:
    same = np.repeat(np.array([[1.0, 2.0], [3.0, 4.0]]), 10, axis=0)
    result = risk(same, same, k=(1, 5))
    assert result.parts[part_name(1)] == pytest.approx(0.1)
    assert result.parts[part_name(5)] == pytest.approx(0.5)


def test_random_pairs_are_linked_as_often_as_by_a_guess() -> None:
    rng = np.random.default_rng(5)
    before, after = rng.normal(size=(2, 4000, 4))
    result = risk(before, after, k=(40, 400))
    assert result.parts[part_name(40)] == pytest.approx(0.01, abs=0.004)
    assert result.parts[part_name(400)] == pytest.approx(0.1, abs=0.01)
    assert result.parts["k = 400, beyond a guess"] == pytest.approx(0, abs=0.01)


@pytest.mark.parametrize("scale", ["sd", "robust", "rank"])
def test_a_scale_makes_the_unit_of_a_column_irrelevant(scale: str) -> None:
    rng = np.random.default_rng(6)
    before = rng.normal(size=(300, 3))
    after = before + rng.normal(size=before.shape)
    stretched = np.array([1.0, 1000.0, 0.01])
    plain, other = (
        risk(before, after, scale=scale),
        risk(before * stretched, after * stretched, scale=scale),
    )
    assert plain.value == pytest.approx(other.value)
    assert risk(before * stretched, after * stretched).value != pytest.approx(plain.value)


def test_robust_scale_falls_back_where_most_values_are_equal() -> None:
    before = np.zeros((10, 3))
    before[0, 0] = before[:, 1][:] = 5.0
    before[:, 2] = np.arange(10)
    _, _, weight = attack_space(before, before, "robust")
    assert weight[0] == pytest.approx(1 / before[:, 0].var())
    assert weight[1] == 0
    assert weight[2] == pytest.approx(1 / 2.5**2)


def test_missing_values_of_the_original_count_as_the_mean() -> None:
    before = np.array([[0.0, 1.0], [4.0, np.nan], [8.0, 3.0]])
    after = np.array([[0.5, 1.0], [4.0, np.nan], [8.0, 3.0]])
    filled_before, filled_after = (np.where(np.isnan(x), 2.0, x) for x in (before, after))
    assert risk(before, after).value == risk(filled_before, filled_after).value


@pytest.mark.parametrize("columns", [1, 3, 6])
@pytest.mark.parametrize("moved", [0.0, 0.1])
def test_suppressed_numbers_are_as_near_to_any_original(columns: int, moved: float) -> None:
    rng = np.random.default_rng(columns)
    before = rng.normal(size=(300, columns)).round(1)
    after = before + moved * rng.normal(size=before.shape)
    after[rng.random(after.shape) < 0.4] = np.nan
    after[0] = np.nan
    apart = np.nansum((after[:, None] - before) ** 2, axis=2)
    own = np.diag(apart)[:, None]
    closer, ties = apart < own - 1e-12, np.abs(apart - own) <= 1e-12
    chances = np.where(closer.any(axis=1), 0, 1 / ties.sum(axis=1))
    assert risk(before, after).value == pytest.approx(chances.mean())
    for k in (2, 300):
        expected = np.clip((k - closer.sum(axis=1)) / ties.sum(axis=1), 0, 1).mean()
        assert risk(before, after, k=k).value == pytest.approx(expected)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"k": 0}, "k must be at least 1, got 0"),
        ({"k": (1, 0)}, "k must be at least 1, got 0"),
        ({"k": ()}, "k must be at least one number"),
        ({"scale": "log"}, "scale must be"),
        ({"confidence": 1.0}, "confidence must be"),
    ],
)
def test_bad_settings_are_refused(settings: dict[str, object], message: str) -> None:
    with pytest.raises(SettingError, match=message):
        RecordLinkage(**settings)  # type: ignore[arg-type]


def test_a_column_that_became_categories_is_refused() -> None:
    before = table(np.arange(3.0)[:, None])
    after = Microdata((Categorical("x0", np.zeros(3), ("0-2",), role="key"),))
    with pytest.raises(MismatchError, match="numbers before masking and categories after"):
        RecordLinkage()(before, after)
