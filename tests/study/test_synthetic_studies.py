"""The membership study and the page on usefulness."""

import numpy as np
import pytest

import sudare
from sudare.core import Numeric
from sudare.study import membership, usefulness
from tests.risk.inference.populations import people


def test_an_unmasked_release_gives_everybody_away_and_a_constant_nobody() -> None:
    data = people(240, 1)
    bare = membership(data, [], rounds=6, seed=1)
    by_attacker = {
        row["attacker"]: row for row in bare.tables["attackers"] if row["records"] == "all"
    }
    assert set(by_attacker) == {
        "nearest record",
        "density ratio",
        "fit of models",
        "shared rare values",
        "shadow models",
    }
    assert by_attacker["shadow models"]["advantage"] > 0.75
    assert bare.tables["records"][0]["told_in_every_round"] > 200
    swapped = sudare.mask.SequentialSynthesis(min_leaf=60, columns=data.names)
    safe = membership(data, [sudare.mask.Rounding(base=1e9), swapped], rounds=4, seed=1)
    assert all(row["advantage_low"] < 0.2 for row in safe.tables["attackers"])
    assert "told=" not in repr(safe)


def test_the_study_needs_pairs_of_rounds() -> None:
    with pytest.raises(sudare.errors.SettingError, match="even number"):
        membership(people(20, 1), [], rounds=5)


def test_the_same_seed_gives_the_same_study() -> None:
    data, masker = people(120, 1), sudare.mask.Noise(sd_ratio=0.5, columns=("age", "pay"))
    first, second = (membership(data, masker, rounds=4, seed=3) for _ in range(2))
    assert first.tables == second.tables
    np.testing.assert_array_equal(first.told, second.told)


def test_the_page_says_in_a_sentence_whether_the_tables_can_be_told_apart() -> None:
    data = people(300, 1)
    assert "cannot tell" in usefulness(data, data).title
    page = usefulness(data, sudare.apply(data, sudare.mask.Noise(sd_ratio=1.0), seed=1).data)
    assert "can tell" in page.title
    assert {row["loss"] for row in page.tables["losses"]} >= {"ForestTest", "TailLoss", "KMarginal"}
    assert "joint distributions of three columns" in page.report().html()


def test_the_page_says_where_the_classifier_is_fooled_by_copies() -> None:
    data = people(600, 1)
    shuffled = data.take(np.random.default_rng(1).permutation(600))
    page = usefulness(data, shuffled)
    assert "cannot tell" in page.title
    assert "the masked one copies" in page.title  # on the terminal and on the page


def test_a_single_column_is_judged_by_the_attackers_that_need_no_other() -> None:
    data = sudare.Microdata((Numeric("pay", np.arange(60.0), role="key"),))
    study = membership(data, sudare.mask.Rounding(columns=("pay",)), rounds=4, seed=1)
    by_attacker = {row["attacker"]: row["advantage"] for row in study.tables["attackers"]}
    assert by_attacker["fit of models"] == 0


def test_numbers_of_any_size_give_a_page() -> None:
    huge = np.linspace(-1.7, 1.7, 40) * 1e308
    tables = [sudare.Microdata((Numeric("pay", each),)) for each in (huge, -np.abs(huge))]
    assert len(usefulness(*tables).tables["losses"]) == 8
