"""Use cases and statistics against slow twins, by hand, and as a loss."""

import subprocess
import sys
from collections import defaultdict
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.sparse import csr_array

from sudare.core.draws import draws_from
from sudare.core.errors import MissingPartError
from sudare.core.types import Floats
from sudare.datasets import purchases_like
from sudare.transactions import (
    CoarseDates,
    History,
    ItemFamilies,
    MaskedHistory,
    RowDeletion,
    UseCaseLoss,
    sample,
    use_case_errors,
)
from sudare.transactions.loss.history_statistics import all_statistics
from sudare.transactions.loss.itemsets import (
    LARGEST,
    frequent_itemsets,
    itemset_error,
    least_receipts,
    receipts,
)
from sudare.transactions.loss.rfm import cut_points, habits, rfm_error, rfm_table
from sudare.transactions.loss.sampling import Possible
from sudare.transactions.loss.similarity import (
    alike_pairs,
    cosines,
    scores,
    similarity_error,
    top_items,
)
from sudare.transactions.loss.use_cases import ERRORS, USE_CASES, Reference, sample_errors
from tests.transactions.strategies import histories


@given(histories())
def test_identity_has_no_error_anywhere(history: History) -> None:
    reference = Reference.of(history, min_support=0.5)
    drawn = sample(history, MaskedHistory.of(history), seed=1)
    errors = reference.errors(drawn)
    assert tuple(errors) == ERRORS
    assert set(errors.values()) == {0.0}


def baskets(history: History) -> list[set[str]]:
    """The receipts, one by one."""
    receipts = defaultdict(set)
    for row in range(history.rows):
        item = history.item_ids[history.items[row]]
        receipts[history.customers[row], history.dates[row]].add(item)
    return list(receipts.values())


@given(histories(), st.integers(1, 4))
def test_itemsets_are_those_of_brute_force(history: History, least: int) -> None:
    # Fewer days, so that receipts have several items.
    days = History(
        history.customers,
        history.dates % 2,
        history.items,
        history.prices,
        history.quantities,
        history.customer_ids,
        history.item_ids,
    )
    slips = baskets(days)
    assert receipts(days).shape[0] == len(slips)
    expected = {
        frozenset(chosen)
        for size in range(1, LARGEST + 1)
        for chosen in combinations(days.item_ids, size)
        if sum(set(chosen) <= slip for slip in slips) >= least
    }
    assert frequent_itemsets(days, least) == expected


@pytest.mark.parametrize(("share", "least"), [(1e-9, 5), (0.07, 7), (0.071, 8), (1.0, 100)])
def test_the_minimum_support_becomes_a_number_of_receipts(share: float, least: int) -> None:
    rows = 100
    history = History.from_rows("a" * rows, range(rows), "x" * rows, [1] * rows, [1] * rows)
    assert least_receipts(history, share) == least
    assert bool(frequent_itemsets(history, 100))
    assert not frequent_itemsets(history, 101)


def test_itemsets_that_only_the_original_has_are_lost() -> None:
    before, after = frequent_itemsets(shop(), 1), frequent_itemsets(shop().take(np.arange(5)), 1)
    assert itemset_error(before, after) == pytest.approx(1 / 4)  # x, y, xy stay, z goes
    assert itemset_error(set(), after) == 0


def test_equal_receipts_do_not_explode() -> None:
    items = [f"A{number}" for number in range(40)]
    history = History.from_rows(
        [str(customer) for customer in range(6) for _ in items],
        [1] * 240,
        items * 6,
        [1] * 240,
        [1] * 240,
    )
    assert len(frequent_itemsets(history, 5)) == 40 + 780 + 9_880 + 91_390


def dense_cosines(scored: Floats) -> Floats:
    """Cosines of all pairs of columns, zero where a column is."""
    lengths = np.linalg.norm(scored, axis=0)
    unit = scored / np.where(lengths > 0, lengths, 1)
    return unit.T @ unit


matrices = st.integers(0, 2**32 - 1).map(
    lambda seed: np.random.default_rng(seed).integers(0, 4, (5, 6)).astype(np.float64)
)


@given(matrices, matrices)
def test_similarities_are_those_of_the_dense_twin(before: Floats, after: Floats) -> None:
    pairs = alike_pairs(csr_array(before))
    error = similarity_error(cosines(csr_array(before), pairs), cosines(csr_array(after), pairs))
    first, second = dense_cosines(before), dense_cosines(after)
    alike = np.triu(first > 0, k=1)
    distance = np.abs(first - second)[alike].sum()
    expected = min(distance / first[alike].sum(), 1.0) if alike.any() else 0.0
    assert error == pytest.approx(expected, abs=1e-12)


def shop() -> History:
    """Ann buys 14 x on two days and 5 y; Bob buys 100 x and 30 y; Cat buys 11 z."""
    return History.from_rows(
        ["ann", "ann", "ann", "bob", "bob", "cat"],
        [1, 3, 3, 2, 2, 9],
        ["x", "x", "y", "x", "y", "z"],
        [100, 100, 50, 100, 50, 30],
        [6, 8, 5, 100, 30, 11],
    )


def test_scores_by_view() -> None:
    history = shop()
    views = {
        view: scores(history, view, history.item_ids).toarray().tolist()
        for view in ("wholesale", "retail", "top")
    }
    assert views["wholesale"] == [[1, 0, 0], [6, 2, 0], [0, 0, 0]]
    assert views["retail"] == [[0, 5, 0], [0, 0, 0], [0, 0, 11]]
    assert views["top"] == [[1, 1, 0], [1, 1, 0], [0, 0, 1]]


def test_scores_take_the_items_asked_for_in_their_order() -> None:
    assert scores(shop(), "top", ["z", "unknown", "x"]).toarray().tolist() == [
        [0, 0, 1],
        [0, 0, 1],
        [1, 0, 0],
    ]


def test_top_items_have_most_buyers_and_ties_go_to_the_larger_name() -> None:
    assert top_items(shop(), 2) == ("y", "x")
    assert top_items(shop()) == ("y", "x", "z")


def test_recency_frequency_and_money() -> None:
    measured = habits(shop())
    assert measured.recency.tolist() == [3, 2, 9]
    assert measured.frequency.tolist() == [3, 2, 1]
    assert measured.monetary.tolist() == [1650, 11500, 330]


def test_the_rfm_table_counts_every_customer_once_in_deciles() -> None:
    measured = habits(purchases_like(500, seed=3))
    table = rfm_table(measured, cut_points(measured))
    assert table.shape == (10, 10, 10)
    assert table.sum() == 500
    for axis in ((1, 2), (0, 1)):
        margin = table.sum(axis=axis)  # ties of dates and money are few
        assert margin.min() >= 30
        assert margin.max() <= 75


def test_the_rfm_error_of_equal_counts_is_defined() -> None:
    assert rfm_error(np.array([1, 1]), np.array([2, 0])) == 1.0


def test_statistics_are_those_of_numpy_in_days_since_2010() -> None:
    history = purchases_like(20, seed=1)
    by_column = all_statistics(history)
    assert by_column["date"]["min"] == history.dates.min() - 14610
    for name, expected in {
        "sum": history.prices.sum(),
        "mean": history.prices.mean(),
        "variance": history.prices.var(),
        "sd": history.prices.std(),
        "max": history.prices.max(),
        "min": history.prices.min(),
        "median": np.median(history.prices),
    }.items():
        assert by_column["price"][name] == pytest.approx(expected)


def test_deleted_rows_show_in_rows_and_sums() -> None:
    history = shop()
    gone = MaskedHistory.of(history).without_rows(np.arange(6) == 5)
    errors = use_case_errors(history, gone, samples=2, seed=1)
    assert errors["rows"] == 1
    assert errors["quantity_sum"] == 11
    assert errors["quantity_max"] == 0
    assert errors["top_items"] == pytest.approx(1 / 3)
    assert errors["top"] == 0


def masked_shop() -> tuple[History, MaskedHistory]:
    history = purchases_like(40, seed=2)
    masked = RowDeletion(share=0.2).mask(
        ItemFamilies(size=4).mask(CoarseDates().mask(history)), seed=1
    )
    return history, masked


def test_threads_change_nothing() -> None:
    history, masked = masked_shop()
    alone, threaded = (
        use_case_errors(history, masked, samples=4, seed=9, workers=workers) for workers in (1, 2)
    )
    assert alone == threaded
    assert alone != use_case_errors(history, masked, samples=4, seed=10)


def test_samples_that_nobody_waits_for_are_given_up() -> None:
    history, masked = masked_shop()
    samples = sample_errors(
        Reference.of(history), Possible.of(history, masked), draws_from(1), range(10_000), workers=2
    )
    number, errors = next(samples)
    samples.close()  # type: ignore[attr-defined]
    assert number < 10_000
    assert set(errors) == set(ERRORS)


def test_the_loss_is_the_mean_of_the_use_cases() -> None:
    history, masked = masked_shop()
    loss = UseCaseLoss(samples=3)
    result = loss(history, masked)
    assert tuple(result.parts) == USE_CASES
    assert result.value == pytest.approx(np.mean(list(result.parts.values())))
    assert result == loss(history, masked)
    assert 0 == loss(history).value < result.value


def test_without_the_itemset_library_the_error_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "rusket", None)
    with pytest.raises(MissingPartError, match=r"sudare\[histories\]"):
        frequent_itemsets(shop(), 1)


def test_importing_sudare_does_not_load_the_itemset_library() -> None:
    code = "import sys, sudare; sys.exit('rusket' in sys.modules or 'pandas' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
