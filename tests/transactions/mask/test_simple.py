"""Simple maskers, and the promises that every masker and measure of histories keeps."""

from datetime import date, timedelta

import numpy as np
import pytest
from hypothesis import given, strategies as st

import sudare
from sudare import catalog
from sudare.transactions import (
    CellDeletion,
    CoarseDates,
    History,
    ItemFamilies,
    MaskedHistory,
    PriceBands,
    Pseudonyms,
    QuantityBands,
    RowDeletion,
    check,
    utility,
)
from sudare.transactions.files.history_files import masked_lines
from sudare.transactions.mask.simple import Period, period_of
from sudare.transactions.methods import HistoryMasker, HistoryMeasure

ENTRIES = {entry.name: entry for entry in catalog.METHODS if entry.subject == "history"}
MASKERS = [name for name, entry in ENTRIES.items() if entry.family == "mask"]
MEASURES = [name for name, entry in ENTRIES.items() if entry.family != "mask"]


@pytest.fixture(scope="module")
def history() -> History:
    return sudare.datasets.purchases_like(12, seed=3)


def masker(name: str) -> HistoryMasker:
    method = catalog.masker(name, {})
    assert isinstance(method, HistoryMasker)
    return method


def measure(name: str) -> HistoryMeasure:
    method = catalog.measure(name, {}, "history")
    assert isinstance(method, HistoryMeasure)
    return method


@pytest.mark.parametrize("name", MASKERS)
def test_a_masked_history_passes_the_check(name: str, history: History) -> None:
    assert check(history, masker(name).mask(history, seed=1)) == []


@pytest.mark.parametrize("name", MASKERS)
def test_the_same_seed_gives_the_same_file(name: str, history: History) -> None:
    first, second, third = (masked_lines(masker(name).mask(history, seed=s)) for s in (1, 1, 2))
    assert first == second
    assert (first == third) is not masker(name).random


@pytest.mark.parametrize("name", MASKERS)
def test_a_masker_tells_what_it_did_and_refuses_tables(name: str, history: History) -> None:
    masked = sudare.apply(history, [masker(name), Pseudonyms()], seed=1)
    assert [step.method for step in masked.steps] == [name, "Pseudonyms"]
    assert set(masked.steps[0].columns) <= {"customer", "date", "item", "price", "quantity"}
    with pytest.raises(sudare.errors.InputError, match="for purchase histories"):
        sudare.apply(sudare.datasets.toy(), masker(name))


@pytest.mark.parametrize("name", MEASURES)
def test_the_original_has_the_best_loss(name: str, history: History) -> None:
    result = measure(name)(history)
    if measure(name).kind == "loss":
        assert result.value == result.best
    masked = RowDeletion(share=0.5).mask(history, seed=1)
    assert measure(name).kind == "risk" or result.better_than(measure(name)(history, masked))
    with pytest.raises(sudare.errors.InputError, match="for purchase histories"):
        measure(name)(sudare.datasets.toy())  # type: ignore[arg-type]


def test_table_methods_refuse_histories(history: History) -> None:
    with pytest.raises(sudare.errors.InputError, match="Pram is for tables"):
        sudare.apply(history, sudare.mask.Pram())
    with pytest.raises(sudare.errors.InputError, match="Uniques is for tables"):
        sudare.risk.Uniques()(history)  # type: ignore[arg-type]


@given(
    number=st.integers(14610, 15339),
    period=st.sampled_from(["week", "decade", "month", "quarter", "year"]),
)
def test_periods_are_those_of_the_calendar(number: int, period: Period) -> None:
    first, last = (int(end[0]) for end in period_of(np.array([number]), period))
    day, start, end = (date(1970, 1, 1) + timedelta(days=n) for n in (number, first, last))
    assert start <= day <= end
    following = end + timedelta(days=1)
    if period == "week":
        assert (start.weekday(), (end - start).days) == (0, 6)
    elif period == "decade":
        assert (start.day, start.month) == (min((day.day - 1) // 10, 2) * 10 + 1, day.month)
        assert following.day in {1, 11, 21}
    else:
        months = {"month": 1, "quarter": 3, "year": 12}[period]
        assert (start.day, following.day) == (1, 1)
        assert (start.month - 1) % months == 0
        spanned = (following.year - start.year) * 12 + following.month - start.month
        assert spanned == months


def test_bands_begin_at_multiples(history: History) -> None:
    prices = PriceBands(width=2.0).mask(history).prices
    assert (prices.low % 200 == np.where(prices.low == 1, 1, 0)).all()
    assert ((prices.high + 1) % 200 == 0).all()
    quantities = QuantityBands(width=12).mask(history).quantities
    assert (quantities.low % 12 == 1).all()
    assert (quantities.high % 12 == 0).all()


def test_families_share_a_beginning(history: History) -> None:
    with pytest.raises(sudare.errors.SettingError, match="a longer prefix"):
        ItemFamilies(prefix=1).mask(history)
    sets = ItemFamilies(prefix=4).mask(history).items
    for number in range(len(sets.sizes)):
        assert len({sets.item_ids[code][:4] for code in sets.members_of(number)}) == 1
    with pytest.raises(sudare.errors.SettingError, match="sets already"):
        ItemFamilies().mask(ItemFamilies().mask(history))


def test_steps_add_up_and_deleted_rows_stay_deleted(history: History) -> None:
    gone = RowDeletion(share=0.4).mask(history, seed=5)
    chain = [CoarseDates(), PriceBands(), QuantityBands(), ItemFamilies(), Pseudonyms()]
    masked = sudare.apply(gone, chain, seed=6).data
    assert isinstance(masked, MaskedHistory)
    assert (masked.gone == gone.gone).all()
    assert check(history, masked) == []
    assert utility(history, masked) > utility(history, gone)
    wider = CoarseDates(period="year").mask(CoarseDates(period="decade").mask(history))
    assert masked_lines(wider) == masked_lines(CoarseDates(period="year").mask(history))


def test_new_pseudonyms_are_a_random_numbering(history: History) -> None:
    masked = Pseudonyms().mask(history, seed=4)
    assert sorted(set(masked.pseudonyms.tolist())) == list(range(1, 13))
    assert masked.pseudonyms.tolist() != MaskedHistory.of(history).pseudonyms.tolist()


def test_columns_that_are_not_there_are_refused(history: History) -> None:
    with pytest.raises(sudare.errors.SettingError, match="date, item, price and quantity"):
        CellDeletion(columns=("customer",)).mask(history)


def test_histories_are_compared_like_tables(history: History) -> None:
    comparison = sudare.compare(
        history,
        {"as it is": [], "months": CoarseDates(), "families": [ItemFamilies(), Pseudonyms()]},
        [sudare.transactions.CellError()],
        seed=1,
    )
    values = [c.results["CellError"].value for c in comparison.candidates]
    assert values[0] == 0 < values[1] < values[2]
    with pytest.raises(sudare.errors.InputError, match="no roles and no scales"):
        sudare.Recipe("x", [], roles={"a": "key"}).apply(history)


def test_nothing_of_a_history_is_printed(history: History) -> None:
    masked = MaskedHistory.of(history)
    assert repr(history) == "<History 790 rows: 12 customers, 597 items>"
    assert "rows deleted" in repr(masked)
    for text in (repr(masked.items), repr(masked.dates)):
        assert len(text) < 100
