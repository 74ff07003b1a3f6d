"""Twins in purchase histories: what is published in a row must not name what was masked in it."""

from typing import Any

import numpy as np
import pytest

import sudare
from sudare.core.errors import OutputError
from sudare.release.inspection import Finding, history_gate
from sudare.release.inspection.derivable_values import Telling
from sudare.release.inspection.history_twins import _finding
from sudare.transactions import (
    CellDeletion,
    CoarseDates,
    CustomerAnonymity,
    History,
    HistoryMasker,
    HistoryRules,
    ItemFamilies,
    MaskedHistory,
    PriceBands,
    Pseudonyms,
    QuantityBands,
    RowDeletion,
)

SEED = 73915502846613094428817
HISTORY = sudare.datasets.purchases_like(200, seed=1)
NO_PRICES = CellDeletion(columns=("price",))


def masked_by(history: History, *maskers: HistoryMasker) -> MaskedHistory:
    masked = MaskedHistory.of(history)
    for masker in maskers:
        masked = masker.mask(masked, seed=1)
    return masked


def twins(history: History, *maskers: HistoryMasker) -> list[Finding]:
    return list(history_gate(history, masked_by(history, *maskers)).of_kind("twin"))


@pytest.mark.parametrize(
    ("maskers", "stops"),
    [
        ([ItemFamilies(size=10)], [("price", "item")]),
        ([ItemFamilies(size=20), RowDeletion(share=0.3)], [("price", "item")]),
        ([ItemFamilies(size=10), PriceBands(width=0.02)], [("price", "item")]),
        ([PriceBands(width=1.0)], [("item", "price")]),
        ([NO_PRICES, QuantityBands()], [("item", "price")]),
        ([ItemFamilies(size=10), PriceBands(width=5.0)], []),
        ([ItemFamilies(size=10), NO_PRICES], []),
        ([CellDeletion(columns=("item",))], []),
        ([CoarseDates()], []),
        ([QuantityBands()], []),
        ([RowDeletion(share=0.3)], []),
        ([CustomerAnonymity(k=2)], []),
        ([CustomerAnonymity(k=7)], []),
        ([CustomerAnonymity(k=3, representative="center")], []),
        ([ItemFamilies(size=5), CustomerAnonymity(k=3)], []),
    ],
)
def test_a_history_is_stopped_where_other_cells_name_most_of_what_was_masked(
    maskers: list[HistoryMasker], stops: list[tuple[str, ...]]
) -> None:
    assert [finding.columns for finding in twins(HISTORY, *maskers) if finding.stops] == stops


def shop(**columns: Any) -> History:
    """Return purchases of 400 customers, three each, with some columns as they are given."""
    rng = np.random.default_rng(3)
    rows = 1_200
    drawn: dict[str, Any] = {"items": rng.integers(100, 140, rows)}
    drawn["dates"] = rng.integers(15_000, 15_300, rows)
    drawn |= {"prices": rng.integers(100, 120, rows), "quantities": rng.integers(1, 20, rows)}
    drawn |= columns
    people = (1_000 + np.repeat(np.arange(400), 3)).astype(str)
    items = drawn.pop("items").astype(str)
    return History.from_rows(people.tolist(), items=items.tolist(), **drawn)


def test_two_columns_name_together_what_neither_names() -> None:
    """The item of a family is the sum of price and quantity: none of them tells it alone."""
    drawn = shop()
    item = 100 + (drawn.prices + drawn.quantities) % 10
    (finding,) = twins(shop(items=item), ItemFamilies(size=10), CoarseDates())
    assert (finding.columns, finding.severity) == (("price", "quantity", "item"), "stop")
    assert [f.columns for f in twins(shop(), ItemFamilies(size=10), CoarseDates())] == []


def test_a_customers_own_purchases_name_nothing() -> None:
    """Each customer buys one item at one price that nobody else has: that tells nobody's item."""
    own = np.repeat(np.arange(400), 3)
    assert twins(shop(items=100 + own % 40, prices=1_000 + own), ItemFamilies(size=10)) == []


def test_half_of_the_cells_are_no_stop() -> None:
    """The price is that of the item for two purchases in five, and else of any."""
    drawn, some = shop(), np.random.default_rng(4).random(1_200)
    item = drawn.items + 100
    for share, severity in ((0.9, "stop"), (0.4, "note")):
        prices = np.where(some < share, 100 + item % 10, 100 + drawn.prices % 10)
        findings = twins(shop(items=item, prices=prices), ItemFamilies(size=10))
        assert [(f.columns, f.severity) for f in findings] == [(("price", "item"), severity)]


def test_what_was_not_masked_and_a_file_without_rows_have_no_twins() -> None:
    for masker in (Pseudonyms(), RowDeletion(share=1.0)):
        assert twins(HISTORY, masker) == []


def test_cells_of_sets_that_were_all_deleted_are_looked_at() -> None:
    rules = HistoryRules(set_size=1)
    history = History.from_rows("ab", [15_000, 15_001], "xy", [100, 100], [1, 1], rules=rules)
    assert masked_by(history, CustomerAnonymity(k=2)).items.deleted.all()
    assert twins(history, CustomerAnonymity(k=2)) == []


def test_a_twin_is_confirmed_by_its_name_and_tells_the_public_no_number(tmp_path: Any) -> None:
    recipe = sudare.Recipe("families", [ItemFamilies(size=10), CoarseDates()])
    stopped = sudare.publish(HISTORY, recipe, measures=[], seed=SEED)
    (finding,) = stopped.findings.of_kind("twin")
    assert finding.name == "twin:price,item"
    assert not any(map(str.isdigit, str(finding.told())))
    with pytest.raises(OutputError, match="the gate stops the release"):
        stopped.write(tmp_path / "out")
    names = [each.name for each in stopped.findings.stops]
    assert sudare.publish(HISTORY, recipe, measures=[], seed=SEED, confirmations=names).may_leave


def test_the_remedy_is_one_that_helps() -> None:
    """To delete banded prices as well is none: items name them without what was left of them."""
    banded = [PriceBands(width=1.0)]
    (finding,) = twins(HISTORY, *banded)
    assert str(finding.remedy) == "Publish 'item' in wider bands or larger families, or not at all."
    for remedy in (ItemFamilies(size=50), CellDeletion(columns=("item",))):
        assert twins(HISTORY, *banded, remedy) == []
    assert [each.stops for each in twins(HISTORY, *banded, NO_PRICES)] == [True]


def test_what_a_single_purchase_tells_is_said_in_the_singular() -> None:
    told = _finding("price", ("item",), Telling(1.0, 1), is_noted=False)
    assert "in 1 of the 1 purchase where it was masked" in str(told.detail)
