from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import sudare
from sudare.core.table.categorical import Categorical
from sudare.core.table.column import MISSING
from sudare.core.table.microdata import Microdata
from sudare.core.table.numeric import Numeric
from sudare.core.types import Array
from sudare.engine.counting.wildcards import MissingKeys, distinct_rows, wildcard_sizes
from sudare.mask import LocalSuppression
from sudare.mask.anonymity import suppression_search as search
from sudare.mask.anonymity.local_suppression import SuppressionPlan
from sudare.risk import KAnonymity, Uniques

tables = (
    st.integers(1, 4)
    .flatmap(
        lambda m: st.lists(
            st.lists(st.integers(-2, 3), min_size=m, max_size=m), min_size=1, max_size=40
        )
    )
    .filter(lambda rows: all(max(column) >= 0 for column in zip(*rows, strict=True)))
)
countings = st.sampled_from(["suppressed", "wildcard", "category"])


LABELS = tuple("abcdefghijklmnopqrst")


def table(codes: Array) -> Microdata:
    return Microdata(
        tuple(Categorical(f"c{j}", codes[:, j], LABELS, role="key") for j in range(codes.shape[1]))
    )


def codes_of(data: Microdata) -> Array:
    return np.stack([column.coded.codes_in(LABELS) for column in data.columns], axis=1)


def fitted(masker: LocalSuppression, data: Microdata) -> SuppressionPlan:
    plan = masker.fit(data)
    assert isinstance(plan, SuppressionPlan)
    return plan


def smallest(before: Microdata, after: Microdata, missing: MissingKeys) -> int:
    """Return k by a plain comparison of every pair of records."""
    codes = codes_of(after)
    gone = codes == MISSING
    wild = gone & (codes_of(before) != MISSING) if missing == "suppressed" else gone
    wild &= missing != "category"
    equal = codes[:, None] == codes[None]
    return int((equal | wild[:, None] | wild[None]).all(axis=2).sum(axis=1).min())


@given(tables, st.integers(1, 5), countings)
def test_every_record_shares_its_keys_with_k_records(
    rows: list[list[int]], k: int, missing: MissingKeys
) -> None:
    data = table(np.array(rows))
    masked = sudare.apply(data, LocalSuppression(k=k, missing=missing)).data
    if data.rows >= k:
        assert smallest(data, masked, missing) >= k
        assert KAnonymity(missing=missing)(data, masked).value == smallest(data, masked, missing)
    else:
        assert (codes_of(masked) == MISSING).all()


@given(tables, st.integers(2, 5))
def test_blanks_of_the_original_stay_and_are_no_wildcards(rows: list[list[int]], k: int) -> None:
    data = table(np.array(rows))
    blanks = codes_of(data) == MISSING
    masked = sudare.apply(data, LocalSuppression(k=k)).data
    assert (codes_of(masked)[blanks] == MISSING).all()
    if data.rows >= k:
        assert KAnonymity()(data, masked).value >= k


def test_blanks_do_not_make_uniques_safe() -> None:
    blank = [MISSING, MISSING]
    data = table(np.array([*([i, i] for i in range(5)), blank, blank, blank]))
    masked = sudare.apply(data, LocalSuppression(k=3)).data
    assert KAnonymity()(data, masked).value == 3
    assert Uniques()(data, masked).value == 0
    kept = sudare.apply(data, LocalSuppression(k=3, missing="wildcard")).data
    assert kept.equals(data)
    assert Uniques()(data, kept).value == 0.625
    result = KAnonymity(missing="wildcard")(data, kept)
    assert (result.value, KAnonymity()(data, kept).value) == (4, 1)
    assert "8 records share their keys with fewer than 4" in result.notes[0]


def test_a_blank_that_few_share_is_joined_by_records_that_lose_that_key() -> None:
    data = table(np.array([[0, 1], [0, 1], [0, 1], [0, 1], [0, 1], [MISSING, 1]]))
    masked = sudare.apply(data, LocalSuppression(k=3)).data
    assert KAnonymity()(data, masked).value >= 3
    assert not masked["c1"].missing.any()


@given(tables, st.integers(1, 5), countings)
def test_cells_become_missing_or_stay(rows: list[list[int]], k: int, missing: MissingKeys) -> None:
    data = table(np.array(rows))
    plan = fitted(LocalSuppression(k=k, missing=missing), data)
    before, after = codes_of(data), codes_of(plan.transform(data))
    lost = (before != MISSING) & (after == MISSING)
    assert (after[~lost] == before[~lost]).all()
    assert list(plan.suppressed.values()) == lost.sum(axis=0).tolist()


@given(tables, st.integers(2, 4))
@settings(max_examples=25)
def test_tables_that_are_safe_stay_as_they_are(rows: list[list[int]], k: int) -> None:
    data = table(np.repeat(np.array(rows), k, axis=0))
    assert sudare.apply(data, LocalSuppression(k=k)).data.equals(data)
    assert sudare.apply(data, LocalSuppression(k=k, missing="category")).data.equals(data)


def plain_suppressions(codes: Array, k: int) -> int:
    """A slow, obvious peer: each record in turn loses the column that brings it most matches."""
    table, lost = codes.copy(), 0
    for row in range(len(table)):
        while True:
            differs = (table != table[row]) & (table != MISSING) & (table[row] != MISSING)
            apart = differs.sum(axis=1)
            if (apart == 0).sum() >= k:
                break
            nearest = differs[apart == apart[apart > 0].min()]
            table[row, nearest.sum(axis=0).argmax()] = MISSING
            lost += 1
    return lost


@pytest.mark.parametrize("seed", range(3))
def test_no_more_cells_are_lost_than_with_a_plain_search(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sizes = (2, 5, 3, 8, 3, 9, 2)
    shares = [1 / np.arange(1, size + 1) ** 2 for size in sizes]
    codes = np.stack([rng.choice(len(p), 1500, p=p / p.sum()) for p in shares], axis=1)
    plan = fitted(LocalSuppression(k=3), table(codes))
    assert sum(plan.suppressed.values()) <= plain_suppressions(codes, 3)


def test_the_fewest_cells_are_lost_where_a_full_search_can_tell() -> None:
    codes = np.array([[0, 0], [0, 0], [0, 0], [0, 1], [1, 0]])
    data = table(codes)
    fewest = min(
        sum(map(sum, cells))
        for cells in product(product((0, 1), repeat=2), repeat=5)
        if wildcard_sizes(table(np.where(np.array(cells) == 1, MISSING, codes)).columns).min() >= 3
        and not any(map(any, cells[:3]))  # a record that is safe loses nothing
    )
    assert sum(fitted(LocalSuppression(k=3), data).suppressed.values()) == fewest


def test_by_hand_one_unique_loses_the_one_cell_that_tells_it_apart() -> None:
    masked = sudare.apply(table(np.array([[0, 1], [0, 1], [0, 1], [0, 2]])), LocalSuppression(k=3))
    assert codes_of(masked.data).tolist() == [[0, 1], [0, 1], [0, 1], [0, MISSING]]


def test_by_hand_a_class_of_its_own_needs_k_suppressed_records() -> None:
    data = table(np.array([[0, 1], [0, 2], [0, 3], [1, 1], [1, 1], [1, 1]]))
    masked = sudare.apply(data, LocalSuppression(k=3, missing="category")).data
    assert codes_of(masked).tolist() == [[0, MISSING]] * 3 + [[1, 1]] * 3


def test_a_single_leftover_joins_the_class_that_costs_least() -> None:
    data = table(np.array([[0, 1]] * 3 + [[2, 2]] * 9 + [[0, 3]]))
    masked = sudare.apply(data, LocalSuppression(k=3, missing="category")).data
    assert codes_of(masked).tolist() == [[0, MISSING]] * 3 + [[2, 2]] * 9 + [[0, MISSING]]


def test_important_columns_lose_fewer_cells() -> None:
    rng = np.random.default_rng(1)
    data = table(rng.integers(0, 6, (800, 4)))
    even = fitted(LocalSuppression(k=3), data).suppressed
    for name in data.names:
        spared = fitted(LocalSuppression(k=3, importance={name: 10}), data).suppressed
        assert spared[name] < even[name] / 2


def test_importance_of_a_column_that_is_no_key_is_refused(toy: Microdata) -> None:
    with pytest.raises(sudare.errors.ColumnError, match="did you mean 'region'"):
        LocalSuppression(importance={"regoin": 2}).fit(toy)


def test_numbers_and_values_that_do_not_apply_can_be_suppressed() -> None:
    numbers = Numeric(
        "age", np.array([5.0, 5, 5, 9, np.nan]), absent=np.array([0, 0, 0, 0, 1]), role="key"
    )
    masked = sudare.apply(Microdata((numbers,)), LocalSuppression(k=3)).data["age"]
    assert isinstance(masked, Numeric)
    assert masked.missing.tolist() == [False, False, False, True, True]
    assert not masked.not_applicable.any()


def test_many_keys_need_no_search_over_all_their_sets() -> None:
    rng = np.random.default_rng(1)
    data = table(rng.integers(0, 3, (120, 16)))
    for missing in ("suppressed", "wildcard", "category"):
        masked = sudare.apply(data, LocalSuppression(k=3, missing=missing)).data
        assert smallest(data, masked, missing) >= 3


def test_a_plan_masks_a_part_as_it_masks_the_whole(toy: Microdata) -> None:
    plan = LocalSuppression(k=3).fit(toy)
    part = np.arange(40, 90)
    assert plan.transform(toy.take(part)).equals(plan.transform(toy).take(part))


def test_levels_go_from_cheap_to_dear() -> None:
    costs = [2.0, 1.0, 5.0]
    prices = [
        {sum(cost for column, cost in enumerate(costs) if chosen >> column & 1) for chosen in level}
        for level in search.levels(costs)
    ]
    assert all(len(price) == 1 for price in prices)
    assert [min(price) for price in prices] == sorted(min(price) for price in prices)
    assert sum(map(len, search.levels(costs))) == 7


def test_a_cell_of_rows_is_safe_once_the_rows_at_most_risk_are_suppressed() -> None:
    data = table(np.array([[0, 1], [0, 2], [0, 3], [0, 4], [0, 4]]))
    rows, _ = distinct_rows(data.columns)
    cells = search.Cells(0b10, np.arange(4), np.zeros(4, np.int64))
    offer = search.relief(cells, rows.matches(np.arange(4)), rows.sizes, 3)
    assert offer.suppressed.sum() == 2
    assert (offer.paid.tolist(), offer.relieved.tolist()) == ([2], [5])
