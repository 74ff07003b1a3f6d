"""A mask counts by what it hides: other names and rare changes hide nothing."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

import sudare
from sudare.core import Categorical, Masker, Microdata, Numeric
from sudare.core.types import Role
from sudare.release import Findings, gate
from sudare.release.inspection.derivable_values.effects import leads_back

ROWS = 600
DRAWS = np.random.default_rng(4)
LETTERS = tuple("abcdef")
REGION = Categorical("region", DRAWS.integers(0, 6, ROWS), LETTERS, role="key")
PAY = Numeric("pay", np.round(DRAWS.lognormal(8, 0.4, ROWS), 2), role="sensitive")
SURNAMES = ["佐藤", "鈴木", "高橋", "田中", "伊藤", "渡辺", "山本", "中村"]
NAMES = tuple(f"{first}{last}" for first in SURNAMES for last in ("太郎", "花子", "一郎"))
WHO = Categorical("who", DRAWS.integers(0, len(NAMES), ROWS), NAMES)


def findings_of(column: Categorical | Numeric, masker: Masker) -> Findings:
    data = Microdata((column,))
    masked = sudare.apply(data, masker, seed=2**90)
    return gate(data, masked.data, masked.steps)


def recoded(column: Categorical, new: dict[str, str]) -> Masker:
    return sudare.mask.GlobalRecode(columns=(column.name,), maps={column.name: new})


def test_other_names_for_the_same_categories_stop_a_release() -> None:
    findings = findings_of(REGION, recoded(REGION, {letter: letter.upper() for letter in LETTERS}))
    assert [(f.columns, f.count, f.stops) for f in findings.of_kind("ineffective")] == [
        (("region",), ROWS, True)
    ]


def test_two_categories_merged_do_not_excuse_new_names_for_the_others() -> None:
    new = {letter: letter.upper() for letter in "abcd"} | {"e": "E", "f": "E"}
    rest = int((REGION.codes < 4).sum())
    assert [f.count for f in findings_of(REGION, recoded(REGION, new)).of_kind("ineffective")] == [
        rest
    ]


def test_rare_categories_merged_are_masked() -> None:
    codes = np.where(np.arange(ROWS) < 8, np.arange(ROWS) % 4 + 2, np.arange(ROWS) % 2)
    rare = Categorical("region", codes, LETTERS, role="key")
    assert not findings_of(rare, sudare.mask.GlobalRecode(min_share=0.1)).of_kind("ineffective")


@pytest.mark.parametrize(("retain", "stops"), [(0.995, True), (0.98, True), (0.8, False)])
def test_random_changes_count_by_how_many_values_they_hide(retain: float, stops: bool) -> None:
    findings = findings_of(REGION, sudare.mask.Pram(columns=("region",), retain=retain))
    assert [f.stops for f in findings.of_kind("ineffective")] == [True] * stops


@pytest.mark.parametrize(
    ("masker", "stops"),
    [
        (sudare.mask.Noise(sd_ratio=1e-5, columns=("pay",)), True),
        (sudare.mask.Rounding(base=0.1, columns=("pay",)), True),
        (sudare.mask.Noise(sd_ratio=0.3, columns=("pay",)), False),
        (sudare.mask.Rounding(base=1000, columns=("pay",)), False),
    ],
)
def test_numbers_that_are_nearest_to_their_own_are_not_hidden(masker: Masker, stops: bool) -> None:
    assert [f.stops for f in findings_of(PAY, masker).of_kind("ineffective")] == [True] * stops


@pytest.mark.parametrize("role", ["key", "sensitive", "other"])
def test_noise_that_rounding_takes_away_hides_nothing_whatever_the_role(role: Role) -> None:
    days = Numeric("days", DRAWS.integers(0, 30, ROWS).astype(np.float64), role=role)
    findings = findings_of(days, sudare.mask.Noise(sd_ratio=1e-3, columns=("days",)))
    assert [(f.kind, f.count) for f in findings if f.stops] == [("ineffective", ROWS)]


def test_an_identifier_under_other_names_is_still_one() -> None:
    findings = findings_of(WHO, recoded(WHO, {name: f"P{n}" for n, name in enumerate(NAMES)}))
    kinds = {(f.kind, f.stops) for f in findings if f.columns == ("who",)}
    assert kinds == {("undeclared-identifier", True), ("ineffective", True)}


def test_names_that_became_a_few_classes_are_no_names_any_more() -> None:
    findings = findings_of(WHO, recoded(WHO, {name: f"G{n % 3}" for n, name in enumerate(NAMES)}))
    assert [f for f in findings if f.stops] == []


@given(st.permutations(range(6)), st.integers(0, 5), st.integers(0, 5))
def test_every_renaming_leads_back_and_no_merged_category_does(
    order: list[int], first: int, second: int
) -> None:
    moved = np.array(order)[REGION.codes]
    renamed = Categorical("region", moved, tuple(f"n{n}" for n in range(6)))
    assert leads_back(REGION, renamed).all()
    merged = Categorical("region", np.where(moved == first, second, moved), renamed.labels)
    together = (moved == first) | (moved == second)
    expected = ~together if first != second else np.ones(ROWS, np.bool_)
    assert (leads_back(REGION, merged) == expected).all()


def test_blanks_that_were_filled_hide_nothing_and_need_not() -> None:
    codes = np.where(np.arange(ROWS) % 9 == 0, -1, REGION.codes)
    gaps = Categorical("region", codes, LETTERS, role="key")
    filled = Microdata((Categorical("region", REGION.codes, LETTERS, role="key"),))
    steps = sudare.apply(filled, sudare.mask.Pram(), seed=2**90).steps
    assert not gate(Microdata((gaps,)), filled, steps).of_kind("ineffective")


@pytest.mark.parametrize("turned", [True, False])
def test_values_drawn_anew_hide_whichever_way_chance_falls(turned: bool) -> None:
    sex = Categorical("sex", np.arange(400) % 2, ("f", "m"), role="key")
    drawn = (sex.codes + (np.arange(400) // 2 % 20 < (11 if turned else 9))) % 2
    after = Microdata((Categorical("sex", drawn, ("f", "m"), role="key"),))
    steps = sudare.apply(after, sudare.mask.Pram(), seed=2**90).steps
    assert not gate(Microdata((sex,)), after, steps).of_kind("ineffective")
