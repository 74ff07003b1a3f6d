"""Numbers of persons, names and texts, under whatever heading; and what masking wrote is none."""

import numpy as np
import pytest

import sudare
from sudare.core import Categorical, Column, Numeric


def kinds(data: sudare.Microdata, *maskers: sudare.mask.Mondrian) -> set[tuple[str, str]]:
    masked = sudare.apply(data, maskers, seed=1)
    findings = sudare.release.gate(data, masked.data, masked.steps)
    return {(finding.kind, name) for finding in findings for name in finding.columns}


def test_ranges_and_sets_of_labels_are_not_free_text() -> None:
    rows = 300
    draws = np.random.default_rng(1)
    towns = tuple(f"town number {number:03d}" for number in range(150))
    town = Categorical("town", draws.integers(0, 150, rows).astype(np.int32), towns, role="key")
    data = sudare.Microdata((town,))
    findings = kinds(data, sudare.mask.Mondrian(k=3))
    assert ("free-text", "town") not in findings


def test_texts_that_were_there_before_are_free_text() -> None:
    texts = tuple(f"a remark of my own about case {number}, at length" for number in range(120))
    remark = Categorical("x", np.arange(120, dtype=np.int32), texts)
    key = Categorical(
        "key", np.repeat(np.arange(60, dtype=np.int32), 2), tuple(map(str, range(60))), role="key"
    )
    assert ("free-text", "x") in kinds(sudare.Microdata((remark, key)), sudare.mask.Mondrian(k=3))


def found_in(column: Column) -> set[tuple[str, bool]]:
    draws = np.random.default_rng(2)
    key = Categorical("key", draws.integers(0, 4, column.rows), tuple("abcd"), role="key")
    data = sudare.Microdata((key, column))
    masked = sudare.apply(data, sudare.mask.Pram(columns=("key",)), seed=1)
    findings = sudare.release.gate(data, masked.data, masked.steps)
    return {(f.kind, f.stops) for f in findings if f.columns == (column.name,)}


@pytest.mark.parametrize("heading", ["番", "号", "no", "code", "x"])
def test_numbers_of_persons_with_two_records_stop_a_release(heading: str) -> None:
    draws = np.random.default_rng(1)
    twice = draws.permutation(np.repeat(draws.choice(90_000, 300, replace=False) + 10_000, 2))
    kinds = found_in(Numeric(heading, twice.astype(np.float64)))
    assert kinds & {("outside-keys", True), ("undeclared-identifier", True)}
    codes = tuple(f"A{number:05d}" for number in range(300))
    some = Categorical(heading, draws.integers(0, 300, 600), codes)
    assert found_in(some) & {("outside-keys", True), ("undeclared-identifier", True)}


def test_bare_surnames_stop_a_release() -> None:
    draws = np.random.default_rng(1)
    names = ("佐藤", "鈴木", "高橋", "田中", "伊藤", "渡辺", "山本", "中村", "小林", "加藤")
    column = Categorical("x", draws.integers(0, 10, 400), names)
    assert found_in(column) == {("undeclared-identifier", True)}


def test_amounts_and_answers_are_no_numbers_of_persons() -> None:
    draws = np.random.default_rng(1)
    pay = Numeric("pay", np.round(draws.lognormal(6, 0.3, 600)), role="sensitive")
    colors = ("brown", "blue", "green", "gray", "black", "white", "red", "pink")
    assert not {stops for _, stops in found_in(pay)} - {False}
    assert not found_in(Categorical("color", draws.integers(0, 8, 600), colors))


PLACES = ("north", "south", "12歳", "20-24", "2001-12-24")


def test_a_label_that_is_the_name_of_its_column_is_no_record() -> None:
    draws = np.random.default_rng(1)
    names = ("premie", "sex", "habit")
    labels = (("full term", "premie"), ("f", "m"), ("nonsmoker", "smoker"))
    columns = (
        Categorical(name, draws.integers(0, 2, 300), own, role="key")
        for name, own in zip(names, labels, strict=True)
    )
    data = sudare.Microdata(tuple(columns))
    masked = sudare.apply(data, sudare.mask.Pram(retain=0.7), seed=1)
    assert not sudare.release.gate(data, masked.data, masked.steps).of_kind("headings")


@pytest.mark.parametrize(
    ("headings", "stops"),
    [
        (("west", "68", "98700"), True),
        (("west", "age", "income"), False),
        (("region", "2019", "2020"), False),
        (("region", "2019", "income"), True),
        (("region", "41", "42"), True),
        (("north", "age", "income"), True),
        (("1951-03-07", "age", "income"), True),
        (("67歳", "age", "income"), True),
        (("85-89", "age", "income"), True),
    ],
)
def test_a_record_that_was_taken_for_headings_stops_a_release(
    headings: tuple[str, str, str], stops: bool
) -> None:
    draws = np.random.default_rng(1)
    data = sudare.Microdata(
        (
            Categorical(headings[0], draws.integers(0, 5, 300), PLACES, role="key"),
            Numeric(headings[1], draws.integers(20, 70, 300) * 1.0, role="key"),
            Numeric(headings[2], draws.integers(20, 60, 300) * 100.0, role="sensitive"),
        )
    )
    masked = sudare.apply(data, sudare.mask.Mondrian(k=5))
    findings = sudare.release.gate(data, masked.data, masked.steps).of_kind("headings")
    assert bool(findings) == stops
    assert not any(heading in str(finding.detail) for finding in findings for heading in headings)
