"""Utility: the contest's figures, and the law that defines the error of a range."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

import sudare
from sudare.core.errors import SettingError
from sudare.transactions import (
    CellDeletion,
    CellError,
    History,
    ItemFamilies,
    MaskedHistory,
    Ranges,
    read_history,
    utility,
)
from sudare.transactions.loss.cell_error import amount_errors, cell_errors, range_error
from tests.transactions.strategies import histories, masked_histories


@pytest.fixture(scope="module")
def final(real_data: Path) -> History:
    """The history of the 2018 final."""
    return read_history(real_data / "pwscup2018_final_T.csv")


def everywhere(history: History, low: int, high: int) -> Ranges:
    return Ranges(np.full(history.rows, low), np.full(history.rows, high))


def day(text: str) -> int:
    return int(np.datetime64(text, "D").astype(np.int64))


def test_figures_of_the_final(final: History) -> None:
    plain = MaskedHistory.of(final)
    year = everywhere(final, day("2010-12-01"), day("2011-11-30"))
    prices = everywhere(final, 4, 85280)
    assert utility(final, plain) == 0
    assert utility(final, plain.with_amounts({"date": year})) == pytest.approx(
        0.285477583082027, abs=1e-15
    )
    assert utility(final, plain.with_amounts({"price": prices})) == pytest.approx(
        19.96328764161241, abs=1e-14
    )
    assert utility(final, ItemFamilies(size=10).mask(final)) == pytest.approx(
        0.2249370878977277, abs=1e-15
    )
    assert utility(final, CellDeletion(columns=("quantity",)).mask(final)) == 0.25
    assert utility(final, plain.without_rows(np.ones(final.rows, dtype=np.bool_))) == 1.0


def test_figure_of_months_up_to_the_28th(final: History) -> None:
    months = final.dates.astype("datetime64[D]").astype("datetime64[M]")
    first = months.astype("datetime64[D]").astype(np.int64)
    early = final.dates - first < 28
    dates = Ranges(np.where(early, first, final.dates), np.where(early, first + 27, final.dates))
    masked = MaskedHistory.of(final).with_amounts({"date": dates})
    assert utility(final, masked) == pytest.approx(0.019312596525453782, abs=1e-16)


@given(x=st.integers(-50, 50), a=st.integers(-50, 50), width=st.integers(0, 60))
def test_the_error_of_a_range_is_the_mean_distance_to_its_values(
    x: int, a: int, width: int
) -> None:
    values = np.arange(a, a + width + 1)
    expected = np.abs(x - values).mean()
    error = range_error(np.array([x]), np.array([a]), np.array([a + width]))[0]
    assert error == pytest.approx(expected, rel=1e-12, abs=1e-12)


@given(data=st.data(), history=histories())
def test_errors_agree_with_the_definition_cell_by_cell(
    data: st.DataObject, history: History
) -> None:
    masked = data.draw(masked_histories(history))
    errors = cell_errors(history, masked)
    sets = masked.items
    for row in range(history.rows):
        number = sets.cells[row]
        members = [] if number < 0 else list(sets.members_of(int(number)))
        share = np.mean([code != history.items[row] for code in members]) if members else 1.0
        assert errors["item"][row] == pytest.approx(share)
    whole = float(np.mean([column.mean() for column in errors.values()]))
    assert utility(history, masked) == pytest.approx(whole)
    assert CellError()(history, masked).value == pytest.approx(whole)


@given(data=st.data(), history=histories())
def test_columns_count_what_their_weights_say(data: st.DataObject, history: History) -> None:
    masked = data.draw(masked_histories(history))
    result = CellError(weights={"date": 0, "item": 3})(history, masked)
    parts = result.parts
    expected = (3 * parts["item"] + parts["price"] + parts["quantity"]) / 5
    assert result.value == pytest.approx(expected)
    assert CellError(weights={})(history, masked).value == CellError()(history, masked).value


@pytest.mark.parametrize("weights", [{"item": -1}, {"items": 1}, {"item": np.inf}])
def test_weights_that_are_none_are_refused(weights: dict[str, float]) -> None:
    with pytest.raises(SettingError, match="weights must be numbers"):
        CellError(weights=weights)


def test_one_column_must_count() -> None:
    with pytest.raises(SettingError, match="above 0"):
        CellError(weights=dict.fromkeys(("date", "item", "price", "quantity"), 0.0))


def test_a_column_that_does_not_vary_makes_every_other_value_infinitely_far() -> None:
    cells = Ranges(np.array([5, 5, 6]), np.array([5, 6, 6])).without(np.array([False, False, True]))
    errors = amount_errors(np.array([5, 5, 5]), cells, 0.0)
    assert errors.tolist() == [0.0, np.inf, 1.0]


def test_files_of_other_length_are_refused() -> None:
    history = sudare.datasets.purchases_like(3, seed=1)
    with pytest.raises(sudare.errors.MismatchError, match="deleted ones too"):
        utility(history, MaskedHistory.of(history).take(np.arange(2)))
