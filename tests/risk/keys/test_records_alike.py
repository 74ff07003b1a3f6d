"""What is left of suppression for an attacker who knows the keys of a person."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, strategies as st

import sudare
from sudare.core import Categorical, Microdata, Numeric, Role
from sudare.mask import LocalSuppression
from sudare.risk import HouseholdRisk, IndividualRisk, KAnonymity, LDiversity, TCloseness, Uniques
from sudare.risk.keys.records_alike import records_alike

CODES = st.lists(st.tuples(*[st.integers(0, 2)] * 3), min_size=1, max_size=12)


def column(name: str, codes: list[int]) -> Categorical:
    return Categorical(name, np.array(codes), ("x", "y", "z"), role="key")


@given(CODES)
def test_records_that_look_alike_are_counted_one_by_one(records: list[tuple[int, ...]]) -> None:
    after = [column(name, [r[i] - 1 for r in records]) for i, name in enumerate("abc")]
    assert records_alike(after).tolist() == [records.count(record) for record in records]


@given(CODES, st.data())
def test_whoever_rules_out_what_equal_keys_did_not_become_finds_no_fewer_than_k(
    records: list[tuple[int, ...]], data: st.DataObject
) -> None:
    """Blanks go by the keys alone; the attacker knows that, and the keys of one person."""
    blanked = data.draw(st.sets(st.sampled_from(sorted(set(records)))))
    became = {r: (r[0], -1 if r in blanked else r[1], r[2]) for r in records}
    released = [became[record] for record in records]
    before, after = (
        Microdata(tuple(column(n, [r[i] for r in rows]) for i, n in enumerate("abc")))
        for rows in (records, released)
    )
    smallest = min(released.count(row) for row in became.values())
    assert KAnonymity()(before, after).judged == smallest


@given(CODES, st.data())
def test_entries_that_stand_for_several_records_count_as_these(
    records: list[tuple[int, ...]], data: st.DataObject
) -> None:
    some = st.lists(st.integers(1, 3), min_size=len(records), max_size=len(records))
    copies = np.array(data.draw(some))
    lost = st.lists(st.booleans(), min_size=len(records), max_size=len(records))
    before = [column(n, [r[i] for r in records]) for i, n in enumerate("abc")]
    after = [
        Categorical(old.name, np.where(data.draw(lost), -1, old.codes), old.labels, role="key")
        for old in before
    ]
    rows = np.repeat(np.arange(len(records)), copies)
    apart = records_alike([key.take(rows) for key in after])
    assert records_alike(after, copies)[rows].tolist() == apart.tolist()


def test_the_smallest_group_comes_with_what_an_informed_attacker_finds() -> None:
    data = sudare.datasets.toy()
    masked = sudare.apply(data, LocalSuppression(k=3), seed=1)
    result = KAnonymity()(data, masked.data)
    assert result.value >= 3
    note = next(note for note in result.notes if "who knows their keys" in note)
    assert not note.startswith("for 0 of")
    strict = sudare.apply(data, LocalSuppression(k=3, missing="category"), seed=1)
    assert KAnonymity()(data, strict.data).judged >= 3


def one_of_four_suppressed(weights: list[float] | None = None) -> tuple[Microdata, Microdata]:
    """Return three people of one age, and one of another, whose age was suppressed."""
    role = [] if weights is None else [Numeric("w", np.array(weights), role="weight")]
    before = column("age", [0, 0, 0, 1])
    return Microdata((before, *role)), Microdata((column("age", [0, 0, 0, -1]), *role))


def test_who_is_alone_for_an_informed_attacker_is_counted_by_hand() -> None:
    result = Uniques()(*one_of_four_suppressed())
    assert (result.value, result.informed, result.judged) == (0.0, 0.25, 0.25)
    judged = result.as_judged()
    assert judged.parts == {"age": 0.25}
    assert judged.by_record is not None
    assert judged.by_record.tolist() == [False, False, False, True]


@pytest.mark.parametrize("model", ["negative-binomial", "poisson"])
def test_individual_risk_for_an_informed_attacker_is_that_of_the_records_that_fit(
    model: str,
) -> None:
    tables = one_of_four_suppressed()
    result = IndividualRisk(model=model)(*tables)  # type: ignore[arg-type]
    assert result.value == pytest.approx(1 / 4)  # without weights, 1 of the 4 that match
    assert result.informed == pytest.approx((3 / 3 + 1) / 4)  # the fourth is known to be another
    assert result.as_judged().parts["largest risk"] == 1.0
    weighted = IndividualRisk(model=model)(*one_of_four_suppressed([9.0] * 4))  # type: ignore[arg-type]
    assert result.informed is not None
    assert weighted.informed is not None
    assert weighted.value < weighted.informed < result.informed


def test_household_risk_for_an_informed_attacker_is_that_of_its_members() -> None:
    home = Numeric("home", np.array([1.0, 2.0, 3.0, 3.0]), role="household")
    before, after = (Microdata((*table.columns, home)) for table in one_of_four_suppressed())
    result = HouseholdRisk()(before, after)
    assert result.value == pytest.approx((1 / 4 + 1 / 4 + 2 * (1 - (3 / 4) ** 2)) / 4)
    assert result.informed == pytest.approx((1 / 3 + 1 / 3 + 2 * 1) / 4)


def test_an_informed_risk_by_weights_says_that_it_is_an_approximation() -> None:
    for measure in (IndividualRisk(), HouseholdRisk()):
        plain, weighted = (measure(*one_of_four_suppressed(w)) for w in (None, [9.0] * 4))
        assert not any("approximation" in note for note in plain.notes)
        assert any("approximation" in note for note in weighted.notes)


@given(CODES, st.data())
def test_no_attacker_who_knows_the_keys_gets_below_the_l_or_above_the_t_that_is_judged(
    records: list[tuple[int, ...]], data: st.DataObject
) -> None:
    flags = st.lists(st.booleans(), min_size=len(records), max_size=len(records))
    known = [[record[c] for record in records] for c in range(2)]
    released = [
        [-1 if f else code for f, code in zip(data.draw(flags), k, strict=True)] for k in known
    ]
    illness = Categorical(
        "illness", np.array([r[2] for r in records]), ("x", "y", "z"), role="sensitive"
    )
    before, after = (
        Microdata((column("a", codes[0]), column("b", codes[1]), illness))
        for codes in (known, released)
    )
    least, most = LDiversity()(before, after), TCloseness(distance="equal")(before, after)
    shares = np.bincount(illness.codes, minlength=3) / len(records)
    for i in range(len(records)):
        fits = [
            all(released[c][j] in (-1, known[c][i]) for c in range(2)) for j in range(len(records))
        ]
        values = np.bincount(illness.codes[fits], minlength=3)
        assert least.judged <= (values > 0).sum()
        assert most.judged >= np.abs(values / values.sum() - shares).sum() / 2 - 1e-9


@given(CODES, st.data())
def test_risks_are_never_judged_below_their_value(
    records: list[tuple[int, ...]], data: st.DataObject
) -> None:
    flags = st.lists(st.booleans(), min_size=len(records), max_size=len(records))
    before = [column(n, [r[i] for r in records]) for i, n in enumerate("abc")]
    after = [
        Categorical(old.name, np.where(data.draw(flags), -1, old.codes), old.labels, role="key")
        for old in before
    ]
    tables = Microdata(tuple(before)), Microdata(tuple(after))
    k = KAnonymity()(*tables).judged
    risk = IndividualRisk()(*tables).as_judged()
    assert (Uniques()(*tables).judged > 0) == (k == 1)
    assert risk.parts["largest risk"] == pytest.approx(1 / k)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_blank_text_that_a_file_makes_missing_was_not_suppressed(
    ending: str, tmp_path: Path
) -> None:
    roles: dict[str, Role] = {"a": "key", "b": "key"}
    data = sudare.read(
        pl.DataFrame({"a": ["u"] * 5 + ["v"] * 5 + [""], "b": ["p"] * 11}), roles=roles
    )
    path = sudare.write(data, f"{tmp_path}/t.{ending}")
    again = sudare.read(path, roles=roles)
    assert KAnonymity()(data, again).value == KAnonymity()(data).value == 1
