"""Purchase histories from tables of purchases of any kind."""

from datetime import date, datetime
from pathlib import Path

import polars as pl
import pytest

import sudare
from sudare.core import Microdata
from sudare.transactions import (
    MaskedHistory,
    derive_history,
    history_from,
    read_history,
    use_case_errors,
    write_history,
)

COLUMNS = {
    "customer": "member",
    "date": "bought_at",
    "item": "jan",
    "price": "unit_price",
    "quantity": "units",
}


def sales(**changed: object) -> Microdata:
    """Six purchases of which the last four are returns, gifts and strangers'."""
    columns = {
        "member": ["1001.0", "1002.0", "1002.0", None, "1003.0", "1003.0"],
        "bought_at": [datetime(2024, 4, day, 10, 30) for day in range(1, 7)],
        "jan": ["4901234567894"] * 5 + ["a-1"],
        "unit_price": [120.0, 98.5, 98.5, 98.5, 0.0, 5.0],
        "units": [2.0, 1.0, -1.0, 1.0, 1.0, 1.0],
        "store": ["Shibuya"] * 6,
    }
    frame = pl.DataFrame(columns | changed)
    return sudare.read(frame, scales={"member": "nominal", "jan": "nominal"})


def test_other_names_floats_times_and_long_codes_are_taken() -> None:
    derived = derive_history(sales(), columns=COLUMNS)
    history = derived.history
    assert history.rows == 2
    assert history.customer_ids == ("1001", "1002")
    assert history.item_ids == ("4901234567894",)
    assert history.prices.tolist() == [12000, 9850]
    assert derived.unused == ("store",)
    assert (history.rules.first_date, history.rules.last_date) == (
        date(2024, 1, 1),
        date(2024, 12, 31),
    )
    assert history.rules.item_length == 13


def test_more_columns_become_part_of_the_item() -> None:
    data = sales(jan=["7", "12", "12", "7", "7", "7"], store=["A", "B9", None, "A", "A", "A"])
    derived = derive_history(data, columns={**COLUMNS, "item": "store+jan"})
    assert derived.history.item_ids == ("0A07", "B912")
    assert derived.unused == ()
    families = sudare.transactions.ItemFamilies(prefix=2)
    assert families.mask(derived.history, seed=1).items.sizes.tolist() == [1, 1]


@pytest.mark.parametrize("times", [None, [f"2024/4/{day} 10:30" for day in range(1, 7)]])
def test_an_item_has_the_hour_of_a_time_and_numbers_for_words(times: list[str] | None) -> None:
    words = {"store": ["Shibuya", "東京", "Shibuya", "Ueno", "Ueno", "Ueno"]}
    data = sales(**(words if times is None else {**words, "bought_at": times}))
    derived = derive_history(data, columns={**COLUMNS, "item": "bought_at+store+jan"})
    assert derived.history.item_ids == ("1014901234567894", "1034901234567894")
    assert derived.numbered == {"store": ("Shibuya", "Ueno", "東京")}
    assert derived.unused == ()


def test_rows_left_out_are_counted_once_with_their_reason() -> None:
    derived = derive_history(sales(), columns=COLUMNS)
    assert sum(derived.left_out.values()) == 4
    assert derived.left_out["no customer"] == 1
    assert derived.left_out["no quantity, or one of 0 or less or above 2147483647"] == 1


def test_days_and_customers_can_be_chosen() -> None:
    derived = derive_history(sales(), columns=COLUMNS, last_date=date(2024, 4, 1))
    assert derived.history.rows == 1
    derived = derive_history(sales(), columns=COLUMNS, customers=["1002"])
    assert derived.history.customer_ids == ("1002",)
    assert derived.left_out["another customer"] == 3


def test_texts_of_dates_with_times_are_days() -> None:
    texts = [f"2024/4/{day} 9:15" for day in range(1, 7)]
    assert (
        history_from(sales(bought_at=texts), columns=COLUMNS).dates.tolist()
        == history_from(sales(), columns=COLUMNS).dates.tolist()
    )


def test_parts_of_units_are_refused_with_their_number() -> None:
    with pytest.raises(sudare.errors.ColumnError, match="'units': 1 quantity is not a whole"):
        derive_history(sales(units=[2.5, 1.0, -1.0, 1.0, 1.0, 1.0]), columns=COLUMNS)


def test_a_table_without_purchases_is_refused() -> None:
    with pytest.raises(sudare.errors.ColumnError, match="no row has a customer"):
        derive_history(sales(units=[0.0] * 6), columns=COLUMNS)


def test_a_history_of_long_codes_is_read_by_its_rules(tmp_path: Path) -> None:
    history = history_from(sales(), columns=COLUMNS)
    write_history(history, tmp_path / "T.csv")
    again = read_history(tmp_path / "T.csv", rules=history.rules)
    assert again.item_ids == history.item_ids
    with pytest.raises(sudare.errors.InputError, match="the date must lie between"):
        read_history(tmp_path / "T.csv")


def test_a_sampled_history_is_scored_as_it_is() -> None:
    history = sudare.datasets.purchases_like(20, seed=1)
    assert set(use_case_errors(history, history).values()) == {0.0}
    masked = MaskedHistory.of(history)
    assert use_case_errors(history, history) == use_case_errors(history, masked, samples=1, seed=1)
