"""Whoever lives together tells what was masked of one of them, with and without a number."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, strategies as st

import sudare
from sudare.core import Categorical, Masker, Microdata, Numeric
from sudare.core.types import Role, Scale
from sudare.release import Finding, gate
from sudare.release.inspection.derivable_values.relations import told_by_relation
from sudare.release.inspection.derivable_values.shared_ranges import narrowed
from sudare.release.inspection.masked_pair import MaskedPair

HOUSEHOLDS = 300
DRAWS = np.random.default_rng(8)
SIZES = DRAWS.integers(1, 5, HOUSEHOLDS)
OF = np.repeat(np.arange(HOUSEHOLDS), SIZES)
AREA = DRAWS.integers(0, 12, HOUSEHOLDS)[OF]
AGE = DRAWS.integers(0, 9, len(OF))


def told(role: Role, masker: Masker, *, shared: bool = True) -> list[Finding]:
    draws = np.random.default_rng(9)
    income = draws.integers(100, 900, HOUSEHOLDS)[OF] if shared else draws.integers(0, 9, len(OF))
    data = Microdata(
        (
            Numeric("世帯番号", OF.astype(np.float64), role=role),
            Categorical("area", AREA, tuple(f"a{n}" for n in range(12)), role="key"),
            Categorical("age", AGE, tuple(f"{n}0" for n in range(9)), role="key"),
            Numeric("income", income.astype(np.float64), role="sensitive"),
        )
    )
    masked = sudare.apply(data, masker, seed=2**90)
    findings = gate(data, masked.data, masked.steps).of_kind("twin")
    return [finding for finding in findings if finding.columns[-1] == "area"]


@pytest.mark.parametrize(
    "masker",
    [
        sudare.mask.LocalSuppression(k=8, columns=("area", "age")),
        sudare.mask.Pram(columns=("area",), retain=0.6),
    ],
)
@pytest.mark.parametrize("role", ["household", "identifier"])
def test_the_others_of_a_household_tell_what_was_masked(role: Role, masker: Masker) -> None:
    teller = "世帯番号" if role == "household" else "income"
    findings = told(role, masker)
    assert [(f.columns, f.stops) for f in findings] == [((teller, "area"), True)]
    assert findings[0].count > 10


def test_households_that_share_nothing_else_are_not_found() -> None:
    assert not told("identifier", sudare.mask.Pram(columns=("area",), retain=0.6), shared=False)


def region_findings(data: Microdata, masker: Masker) -> list[Finding]:
    masked = sudare.apply(data, masker, seed=2**90)
    findings = gate(data, masked.data, masked.steps).of_kind("twin")
    return [finding for finding in findings if finding.columns[-1] == "region"]


def test_sets_that_members_show_of_a_shared_value_are_put_together() -> None:
    data = sudare.datasets.toy()
    publication = sudare.publish(data, sudare.Recipe("r", [sudare.mask.Mondrian(k=5)]))
    (finding,) = publication.findings.of_kind("twin")
    assert (finding.columns, finding.stops) == (("household", "region"), True)
    assert publication.guarantees[0].holds is False
    assert finding.detail in publication.guarantees[0].why_not


@pytest.mark.parametrize(
    ("left_out", "masker"),
    [
        (["household"], sudare.mask.Mondrian(k=5)),
        ([], sudare.mask.FullDomain(k=5, suppression_limit=0.0)),
        ([], sudare.mask.GlobalRecode(columns=("region",), min_share=0.2)),
    ],
)
def test_without_the_number_or_recoded_for_everybody_members_narrow_nothing(
    left_out: list[str], masker: Masker
) -> None:
    assert not region_findings(sudare.datasets.toy().without(left_out), masker)


def pair_of(ordered: bool, shown: list[str | None], *, values: list[int]) -> MaskedPair:
    """Return two households of two and one of one, of which a column was generalized by hand."""
    labels = tuple(dict.fromkeys(label for label in shown if label is not None))
    codes = np.array([-1 if label is None else labels.index(label) for label in shown])
    scale: Scale = "ordinal" if ordered else "nominal"
    own = Categorical("area", np.array(values), ("a", "b", "c", "d"), scale=scale, role="key")
    number = Numeric("home", np.array([1.0, 1, 2, 2, 3]), role="household")
    return MaskedPair(
        Microdata((number, own)),
        Microdata((number, Categorical("area", codes, labels, role="key"))),
    )


@pytest.mark.parametrize(
    ("ordered", "shown", "count"),
    [
        (False, ["a | b", "b | c", "a | b", "a | b", "b | c"], 2),  # b alone fits the first two
        (True, ["a–b", "b–c", "a–b", "a–b", "b–c"], 2),
        (True, ["a–b", "a–b", "a–b", "a–b", "c"], 0),
        (False, ["a | b", None, "a | b", "a | b", "b | c"], 1),  # it was suppressed
    ],
)
def test_what_fits_all_members_is_counted_by_hand(
    ordered: bool, shown: list[str | None], count: int
) -> None:
    pair = pair_of(ordered, shown, values=[1, 1, 0, 0, 2])
    assert narrowed(pair, "area", np.array([0, 0, 1, 1, 2]))[0] == count


@given(st.data())
def test_members_who_show_the_same_label_tell_nothing_more(data: st.DataObject) -> None:
    values = data.draw(st.lists(st.integers(0, 3), min_size=5, max_size=5))
    shown = ["a | b" if value < 2 else "c | d" for value in values]
    shown = [shown[0], shown[0], shown[2], shown[2], shown[4]]
    values = [values[0], values[0], values[2], values[2], values[4]]
    ordered = data.draw(st.booleans())
    pair = pair_of(ordered, list(shown), values=values)
    assert narrowed(pair, "area", np.array([0, 0, 1, 1, 2]))[0] == 0


@pytest.mark.parametrize("seed", [1, 2])  # of nine suppressed, few and most of them
def test_an_amount_that_was_suppressed_stands_in_the_row_of_another_member(seed: int) -> None:
    income = np.random.default_rng(seed).integers(20, 180, HOUSEHOLDS)[OF] * 5.0
    data = Microdata(
        (
            Numeric("home", OF.astype(np.float64), role="household"),
            Numeric("region", income, role="key"),
            Categorical("age", AGE, tuple(f"{n}0" for n in range(9)), role="key"),
        )
    )
    (finding,) = region_findings(data, sudare.mask.LocalSuppression(k=2))
    assert finding.columns == ("home", "region")
    assert finding.stops


COUPLE = np.repeat(np.arange(400), 2)
PARTNER = np.arange(800).reshape(400, 2)[:, ::-1].ravel()


def couples(share: float) -> Microdata:
    """Return couples, a share of whom states the age of the other, and all what both earn."""
    drawn = np.random.default_rng(10)
    age = drawn.integers(20, 90, 800).astype(np.float64)
    stated = np.where(drawn.random(800) < share, age[PARTNER], np.nan)
    earned = drawn.integers(100, 900, 400)[COUPLE].astype(np.float64)
    return Microdata(
        (
            Numeric("home", COUPLE.astype(np.float64), role="household"),
            Numeric("age", age, role="key"),
            Numeric("age of the other", stated, role="other"),
            Numeric("earned together", earned, role="other"),
        )
    )


@pytest.mark.parametrize(("share", "stops"), [(0.05, []), (0.2, [True])])
def test_the_age_of_one_in_the_row_of_the_other_is_told_from_a_tenth_on(
    share: float, stops: list[bool]
) -> None:
    data = couples(share)
    masked = sudare.apply(data, sudare.mask.Rounding(columns=("age",), base=20), seed=2**90)
    findings = gate(data, masked.data, masked.steps)
    told = [f for f in findings.of_kind("twin") if f.columns[:2] == ("home", "age of the other")]
    assert [f.stops for f in told] == stops
    (exact,) = [f for f in findings.of_kind("exact-numbers") if "earned together" in f.columns]
    assert exact.stops
    assert exact.count > 300


@pytest.mark.parametrize(("share", "stops"), [(0.03, []), (0.5, [True])])
def test_members_tell_a_masked_value_from_a_tenth_on(share: float, stops: list[bool]) -> None:
    drawn = np.random.default_rng(11)
    homes = np.repeat(np.arange(300), 4)
    agreed = (drawn.random(300) < share)[homes]
    area = np.where(agreed, drawn.integers(0, 12, 300)[homes], drawn.integers(0, 12, 1_200))
    data = Microdata(
        (
            Numeric("home", homes.astype(np.float64), role="household"),
            Categorical("area", area, tuple(f"a{n}" for n in range(12)), role="key"),
        )
    )
    masked = sudare.apply(data, sudare.mask.Pram(columns=("area",), retain=0.6), seed=2**90)
    told = gate(data, masked.data, masked.steps).of_kind("twin")
    assert [f.stops for f in told] == stops


@pytest.mark.parametrize("rent_is_shared", [True, False])
def test_a_spouse_is_found_by_what_couples_share_although_no_household_is_declared(
    rent_is_shared: bool,
) -> None:
    drawn = np.random.default_rng(10)
    couple = np.repeat(np.arange(400), 2)
    age = drawn.integers(20, 90, 800).astype(np.float64)
    rent = np.round(drawn.lognormal(11, 1, 400))[couple]
    data = Microdata(
        (
            Numeric("age", age, role="key"),
            Numeric("age of spouse", age.reshape(-1, 2)[:, ::-1].ravel(), role="sensitive"),
            Numeric("rent", rent if rent_is_shared else drawn.permutation(rent), role="sensitive"),
            Categorical("area", drawn.integers(0, 12, 400)[couple], tuple("abcdefghijkl")),
        )
    )
    masked = sudare.apply(data, sudare.mask.Noise(sd_ratio=0.3, columns=("age",)), seed=2**90)
    findings = gate(data, masked.data, masked.steps).of_kind("twin")
    told = [finding.columns for finding in findings if finding.stops]
    assert told == ([("rent", "age of spouse", "age")] if rent_is_shared else [])


@pytest.mark.parametrize("seed", range(20))
def test_whoever_knows_all_members_finds_a_household_among_those_with_the_same_members(
    seed: int,
) -> None:
    """Households are grouped by the keys of their members, one by one."""
    rng = np.random.default_rng(seed)
    rows = int(rng.integers(20, 60))
    number, age, sex = (rng.integers(0, n, rows) for n in (rows // 2, 9, 2))
    numbers = tuple(map(str, range(rows)))
    lived = Categorical("number", number.astype(np.int32), numbers, role="household")
    labels = tuple(map(str, range(9)))
    tables = [
        Microdata(
            (lived, *(Categorical(n, c.astype(np.int32), labels, role="key") for n, c in own))
        )
        for own in ((("age", age), ("sex", sex)), (("age", age // 5), ("sex", sex)))
    ]
    members = [
        tuple(sorted(zip((age // 5)[number == n].tolist(), sex[number == n].tolist(), strict=True)))
        for n in np.unique(number)
    ]
    alike = min(Counter(members).values())
    k = min(Counter(zip((age // 5).tolist(), sex.tolist(), strict=True)).values())
    notes = [
        str(finding.detail)
        for finding in gate(tables[0], tables[1], []).of_kind("household-numbers")
        if finding.severity == "note"
    ]
    assert bool(notes) is (alike < k)
    assert all(f"finds it among {alike} household" in note for note in notes)
    assert all(f"though {k} records" in note for note in notes)


def test_a_release_tells_both_that_numbers_are_new_and_that_households_stand_out() -> None:
    homes = np.repeat(np.arange(30.0), 2)
    age = Categorical("age", np.arange(60) % 7 % 3, ("x", "y", "z"), role="key")
    data = Microdata((age, Numeric("home", homes, role="household")))
    coarser = sudare.mask.GlobalRecode(columns=("age",), maps={"age": {"z": "y"}})
    recipe = sudare.Recipe("coarser", [coarser])
    told = sudare.publish(data, recipe, measures=[]).findings.of_kind("household-numbers")
    assert [finding.severity for finding in told] == ["note", "repaired"]


def families(*, follow_rules: bool) -> Microdata:
    """Return households of a head, often a spouse of the other sex and children, or of anybody."""
    rng = np.random.default_rng(7)
    sizes = rng.choice([1, 2, 3, 4], 500, p=[0.2, 0.4, 0.2, 0.2])
    household = np.repeat(np.arange(500), sizes)
    member = np.arange(len(household)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    relation, sex = np.minimum(member, 2), rng.integers(0, 2, len(household))
    sex[member == 1] = 1 - sex[np.flatnonzero(member == 1) - 1]
    if not follow_rules:
        order = rng.permutation(len(household))
        relation, sex = relation[order], sex[order]
    age, job = rng.integers(0, 6, len(sex)), rng.choice(8, len(sex), p=np.arange(8, 0, -1) / 36)
    return Microdata(
        (
            Numeric("household", household.astype(float), role="household"),
            Categorical("relation", relation, ("head", "spouse", "child"), role="key"),
            Categorical("sex", sex, ("m", "f"), role="key"),
            Categorical("age", age, tuple("012345"), role="key"),
            Categorical("job", job, tuple("abcdefgh"), role="key"),
        )
    )


@pytest.mark.parametrize("follow_rules", [True, False])
@pytest.mark.parametrize("hidden", ["relation", "sex"])
def test_other_members_tell_a_suppressed_value_by_rules_of_households(
    hidden: str, *, follow_rules: bool
) -> None:
    """A household has one head, beside head and spouse are children, spouses have two sexes."""
    importance = {name: 1 if name == hidden else 9 for name in ("relation", "sex", "age", "job")}
    step = sudare.mask.LocalSuppression(k=5, missing="category", importance=importance)
    data = families(follow_rules=follow_rules)
    made = sudare.publish(data, sudare.Recipe("r", [step]), seed=73915502846613094428817)
    assert (~made.masked[hidden].known).sum() > 5
    stopped = [finding.columns for finding in made.findings.of_kind("twin") if finding.stops]
    assert (("household", hidden) in stopped) is follow_rules
    assert (made.guarantees[0].holds is False) is follow_rules


def test_what_few_households_have_in_common_is_no_rule() -> None:
    rng = np.random.default_rng(8)
    household, age = rng.integers(0, 2_000, 4_000), rng.integers(0, 40, 4_000)
    household[:8], age[:8] = 2_000, 7  # eight people of one age live together
    before = Categorical("age", age, tuple(map(str, range(40))), role="key")
    after = Categorical("age", np.where(np.arange(4_000) % 8, age, -1), before.labels, role="key")
    pair = MaskedPair(Microdata((before,)), Microdata((after,)))
    assert not told_by_relation(pair, "age", household.astype(np.int32)).any()
