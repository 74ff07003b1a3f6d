"""A history carries the rules of its contest to all that masks, checks and attacks it."""

from dataclasses import replace
from datetime import date
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import sudare
from sudare import catalog
from sudare.core.errors import SettingError
from sudare.transactions import (
    PWSCUP_2018,
    CoarseDates,
    CustomerAnonymity,
    History,
    HistoryRules,
    ItemFamilies,
    MaskedHistory,
    PriceBands,
    Pseudonyms,
    QuantityBands,
    Reidentification,
    RowDeletion,
    attack_all,
    check,
    read_history,
    read_masked,
    sample,
    score_guess,
    write_history,
    write_masked,
)
from sudare.transactions.files.history_files import masked_lines
from sudare.transactions.history import AMOUNTS
from sudare.transactions.methods import HistoryMasker

RULES = HistoryRules(
    first_date=date(2024, 1, 10),
    last_date=date(2025, 12, 20),
    max_price_cents=24_950,
    max_quantity=6_000,
    set_size=2,
    chance=Fraction(1, 10),
)
FOURTEEN_YEARS = (date(2024, 1, 10) - date(2010, 1, 10)).days
MASKERS = [e.name for e in catalog.METHODS if e.subject == "history" and e.family == "mask"]
MILD = {"ItemFamilies": {"size": 2}}


def of_another_year() -> History:
    before = sudare.datasets.purchases_like(12, seed=3)
    days = np.minimum(before.dates + FOURTEEN_YEARS, (RULES.last_date - date(1970, 1, 1)).days)
    return replace(
        before,
        dates=days,
        prices=np.minimum(before.prices, RULES.max_price_cents),
        quantities=np.minimum(before.quantities, RULES.max_quantity),
        rules=RULES,
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    write_history(of_another_year(), tmp_path / "T.csv")
    return tmp_path / "T.csv"


@pytest.mark.parametrize("name", MASKERS)
def test_what_is_masked_keeps_to_the_rules_of_the_history(
    name: str, path: Path, tmp_path: Path
) -> None:
    history = read_history(path, rules=RULES)
    masker = catalog.masker(name, MILD.get(name, {}))
    assert isinstance(masker, HistoryMasker)
    masked = Pseudonyms().mask(masker.mask(history, seed=1), seed=2)
    write_masked(masked, tmp_path / "A.csv")
    assert check(history, tmp_path / "A.csv") == []
    assert read_masked(tmp_path / "A.csv", rules=RULES).rules == masked.rules == RULES


@pytest.mark.parametrize(
    "masker", [CoarseDates(period="year"), PriceBands(width=100.0), QuantityBands(width=700)]
)
@pytest.mark.parametrize("rules", [RULES, PWSCUP_2018])
def test_coarser_cells_hold_the_true_value_whatever_the_rules(
    masker: HistoryMasker, rules: HistoryRules
) -> None:
    history = replace(of_another_year(), rules=rules)
    masked = masker.mask(history)
    assert check(history, masked) == []
    assert not any(masked.amounts(name).deleted.any() for name in AMOUNTS)


def test_a_date_beyond_the_rules_keeps_its_whole_period() -> None:
    day = (date(2024, 3, 5) - date(1970, 1, 1)).days
    history = History.from_rows(["1"], [day], ["A0"], [150], [1])
    assert masked_lines(CoarseDates().mask(history)) == ["1,[2024/3/1;2024/3/31],A0,1.5,1"]


def test_customers_alike_have_no_larger_sets_than_the_rules_allow() -> None:
    history = of_another_year()
    masked = CustomerAnonymity(k=3).mask(history, seed=1)
    assert masked.items.sizes.max() == 2
    assert check(history, masked) == []
    assert check(
        history, CustomerAnonymity(k=3).mask(replace(history, rules=HistoryRules()), seed=1)
    )


def test_a_family_larger_than_a_set_is_refused() -> None:
    with pytest.raises(SettingError, match="more than 2 items"):
        ItemFamilies(size=3).mask(of_another_year())


def test_rows_and_samples_keep_the_rules() -> None:
    history = of_another_year()
    masked = RowDeletion(share=0.5).mask(history, seed=1)
    assert history.take(np.arange(3)).rules == masked.take(np.arange(3)).rules == RULES
    assert sample(history, masked, seed=1).rules == RULES
    assert history.fingerprint() != replace(history, rules=HistoryRules()).fingerprint()


def test_attacks_are_judged_by_the_rules_of_the_history() -> None:
    history = of_another_year()
    masked = CoarseDates().mask(history)
    needed = [o.score.needed for o in attack_all(history, masked).outcomes]
    assert needed == [o.score.needed for o in attack_all(history, masked, rules=RULES).outcomes]
    names = dict.fromkeys(range(1, 13), history.customer_ids[0])
    assert score_guess(history, masked, names).needed["contest"] == 7
    assert score_guess(history, masked, names, rules=HistoryRules()).needed["contest"] == 11
    by_rules, stated = Reidentification()(history, masked), Reidentification(chance=0.1)
    assert by_rules.value == stated(replace(history, rules=HistoryRules()), masked).value
    assert by_rules.value != Reidentification(chance=1 / 3)(history, masked).value


def test_the_study_masks_by_the_rules_of_the_history(tmp_path: Path) -> None:
    history = of_another_year()
    write_masked(MaskedHistory.of(history), tmp_path / "A.csv")
    assert len(sudare.study.history(history, samples=1, seed=1).outcomes) == 11
    study = sudare.study.history(history, [tmp_path / "A.csv"], samples=1, seed=1)
    assert study.outcomes["A"].utility == 0
