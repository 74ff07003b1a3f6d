"""A column is a twin by what it tells beyond the masked column itself and beyond any guess."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sudare
from sudare.core import Array, Categorical, LargeTable, Masker, Measure, Microdata, Numeric, Role
from sudare.release import Findings, Publication
from sudare.release.inspection import NamedConfirmation

SEED = 73915502846613094428817
ROWS = 3_000
REGIONS = tuple(f"region {n}" for n in range(10))
RARE = np.array([1_400, 1_400, *[10] * 20])  # records of each job; twenty are rare


def column(name: str, codes: Array, role: Role = "key") -> Categorical:
    return Categorical(name, codes, tuple(f"{name} {n}" for n in range(codes.max() + 1)), role=role)


def published(*columns: Categorical, by: Masker, confirmed: tuple[str, ...] = ()) -> Publication:
    data, recipe = Microdata(columns), sudare.Recipe("r", [by])
    return sudare.publish(
        data, recipe, measures=["k-anonymity"], seed=SEED, confirmations=confirmed
    )


def told(findings: Findings) -> list[tuple[str, ...]]:
    return [f.columns for kind in ("twin", "absence") for f in findings.of_kind(kind)]


def test_what_merging_left_as_it_was_is_not_told_by_another_column() -> None:
    rng = np.random.default_rng(1)
    job = np.repeat(np.arange(22), RARE)
    other = column("other", rng.integers(0, 4, ROWS))
    recode = sudare.mask.GlobalRecode(columns=("job",), min_share=0.01)
    assert not told(published(column("job", job), other, by=recode).findings)


@pytest.mark.parametrize("rare", [1, 3, 10])
def test_a_code_beside_merged_rare_labels_tells_them(rare: int) -> None:
    job = np.repeat(np.arange(22), [1_400, 1_400, *[rare] * 20])
    recode = sudare.mask.GlobalRecode(columns=("job",), min_share=0.01)
    code = column("code", job, "other")
    findings = published(column("job", job), code, by=recode).findings
    assert [f.severity for f in findings.of_kind("twin") if f.columns == ("code", "job")] == [
        "stop"
    ]


def test_two_columns_that_were_merged_alike_tell_nothing_of_each_other() -> None:
    job = np.repeat(np.arange(22), RARE)
    recode = sudare.mask.GlobalRecode(columns=("job", "code"), min_share=0.01)
    assert not told(published(column("job", job), column("code", job), by=recode).findings)


@pytest.mark.parametrize("retain", [0.8, 0.9])
def test_the_value_that_nearly_all_have_is_guessed_and_not_told(retain: float) -> None:
    rng = np.random.default_rng(2)
    nationality = np.where(rng.random(ROWS) < 0.986, 0, rng.integers(1, 4, ROWS))
    columns = (column("nationality", nationality), column("industry", rng.integers(0, 15, ROWS)))
    pram = sudare.mask.Pram(columns=("nationality",), retain=retain)
    assert not told(published(*columns, by=pram).findings)


@pytest.mark.parametrize("common", [0.5, 0.9])
def test_a_code_tells_the_common_value_of_two_as_well(common: float) -> None:
    sex = (np.random.default_rng(3).random(ROWS) > common).astype(np.int32)
    pram = sudare.mask.Pram(columns=("sex",), retain=0.5)
    findings = published(column("sex", sex), column("code", sex, "other"), by=pram).findings
    assert ("code", "sex") in told(findings)


def towns(rng: np.random.Generator) -> tuple[Categorical, Categorical]:
    """Return regions, and names of so many towns in them that few records share one."""
    town = rng.integers(0, 750, ROWS)
    names = tuple("".join(rng.choice(list("aeioukstnhm"), 8)) for _ in range(750))
    region = rng.integers(0, 10, 750)[town]
    return (
        Categorical("region", region, REGIONS, role="key"),
        Categorical("town", town, names, role="other"),
    )


def test_names_of_towns_tell_a_region_that_was_merged() -> None:
    halves = {name: "north" if n < 5 else "south" for n, name in enumerate(REGIONS)}
    recode = sudare.mask.GlobalRecode(columns=("region",), maps={"region": halves})
    publication = published(*towns(np.random.default_rng(4)), by=recode)
    assert ("town", "region") in told(publication.findings)
    assert not publication.may_leave
    assert publication.guarantees[0].holds is False


def test_names_that_have_nothing_to_do_with_a_region_tell_nothing() -> None:
    rng = np.random.default_rng(5)
    region, town = towns(rng)
    shuffled = Categorical("region", rng.permutation(region.codes), REGIONS, role="key")
    pram = sudare.mask.Pram(columns=("region",), retain=0.5)
    assert not told(published(shuffled, town, by=pram).findings)


def test_a_promise_about_keys_names_them_beside_a_twin_of_another_column() -> None:
    rng = np.random.default_rng(6)
    job = rng.integers(0, 12, 1_500)
    columns = (
        column("sex", rng.integers(0, 2, 1_500)),
        column("job", job, "other"),
        column("code", job, "other"),
    )
    pram = sudare.mask.Pram(columns=("job",), retain=0.5)
    publication = published(*columns, by=pram, confirmed=("twin:code,job",))
    assert told(publication.findings) == [("code", "job")]
    texts = [str(condition.text) for condition in publication.guarantees[0].conditions]
    assert any("the masked values of: sex." in text for text in texts)


def test_a_confirmed_twin_does_not_cover_the_opposite() -> None:
    rng = np.random.default_rng(6)
    job = rng.integers(0, 12, 600)
    columns = (column("sex", rng.integers(0, 2, 600)), column("job", job), column("code", job))
    for masked, stops in (("job", False), ("code", True)):
        pram = sudare.mask.Pram(columns=(masked,), retain=0.5)
        findings = published(*columns, by=pram, confirmed=("twin:code,job",)).findings
        assert any(finding.kind == "twin" for finding in findings.stops) == stops


@pytest.mark.parametrize(("most", "stops"), [(None, False), (600, False), (20, True)])
def test_a_confirmation_covers_no_more_records_than_it_says(most: int | None, stops: bool) -> None:
    rng = np.random.default_rng(6)
    job = rng.integers(0, 12, 600)
    columns = (column("sex", rng.integers(0, 2, 600)), column("job", job), column("code", job))
    pram = sudare.mask.Pram(columns=("job",), retain=0.5)
    findings = published(*columns, by=pram).findings
    confirmed = findings.confirmed_by([NamedConfirmation("twin", ("code", "job"), most)])
    assert any(finding.kind == "twin" for finding in confirmed.stops) == stops


@pytest.mark.parametrize(
    ("band", "stops", "opened"),
    [
        ("of age", True, False),
        ("of age and sex", True, False),
        ("of all", True, False),
        ("by chance", False, False),
        ("of age", True, True),
    ],
)
def test_a_column_that_follows_from_keys_must_not_part_records_that_share_them(
    band: str, stops: bool, opened: bool, tmp_path: Path
) -> None:
    age, sex, job, chance = keys_and_chance()
    bands = {
        "of age": age // 20,
        "of age and sex": age // 20 * 2 + sex,
        "of all": age // 30 * 8 + sex * 4 + job % 4,
        "by chance": chance,
    }
    columns = (column("age", age), column("sex", sex), column("job", job))
    data: Microdata | LargeTable = Microdata((*columns, column("band", bands[band], "other")))
    if opened:
        sudare.write(data, tmp_path / "t.csv")
        roles: dict[str, Role] = {"age": "key", "sex": "key", "job": "key", "band": "other"}
        data = sudare.open(tmp_path / "t.csv", roles=roles)
    recipe = sudare.Recipe("r", [sudare.mask.Mondrian(k=5, columns=("age", "sex", "job"))])
    release = sudare.publish(data, recipe, measures=["k-anonymity"], seed=SEED)
    stopped = [f.columns[0] for f in release.findings.of_kind("twin") if f.severity == "stop"]
    assert ("band" in stopped) is stops
    (k,) = (guarantee for guarantee in release.guarantees if guarantee.name == "k-anonymity")
    assert (k.holds is False) is stops


@pytest.mark.parametrize("opened", [False, True])
@pytest.mark.parametrize("promised", [{"k": 10}, {"k": 2, "l": 3}, {"k": 2, "t": 0.4}])
@pytest.mark.parametrize(("weights", "stops"), [("of age", True), ("by chance", False)])
def test_rounded_weights_that_follow_from_keys_must_not_part_records_that_share_them(
    weights: str, promised: dict[str, Any], tmp_path: Path, *, opened: bool, stops: bool
) -> None:
    """Weights by which a survey was adjusted to the ages of a population tell the decade."""
    age, sex, job, chance = keys_and_chance()
    decade = {"of age": age // 10, "by chance": chance}[weights]
    ill = column("ill", np.random.default_rng(5).integers(0, 4, len(age)), "sensitive")
    keys = (column("age", age), column("sex", sex), column("job", job))
    weight = Numeric("weight", 10.0 + 3 * decade, role="weight")
    data: Microdata | LargeTable = Microdata((*keys, ill, weight))
    if opened:
        sudare.write(data, tmp_path / "t.csv")
        roles: dict[str, Role] = {c.name: c.role for c in (*keys, ill, weight)}
        data = sudare.open(tmp_path / "t.csv", roles=roles)
    recipe = sudare.Recipe("r", [sudare.mask.Mondrian(**promised)])
    release = sudare.publish(data, recipe, measures=["k-anonymity"], seed=SEED)
    stopped = [f.columns[0] for f in release.findings.of_kind("twin") if f.severity == "stop"]
    assert ("weight" in stopped) is stops
    assert all((guarantee.holds is False) is stops for guarantee in release.guarantees)


@pytest.mark.parametrize("large", [60, 2_000])  # people of two towns beside small ones
def test_weights_of_a_sample_in_strata_must_not_part_records_that_share_their_keys(
    large: int,
) -> None:
    """Who knows how many people live in a town knows the weight: N / ⌈0.3 N⌉, rounded."""
    towns = np.repeat(np.arange(56), [*[2, 3, 4, 5, 6, 7, 9, 11, 13] * 6, large, large])
    rng = np.random.default_rng(6)
    data = Microdata(
        (
            column("town", rng.permutation(towns)),
            column("age", rng.integers(20, 80, len(towns))),
            Numeric("weight", np.ones(len(towns)), role="weight"),
        )
    )
    steps = [sudare.mask.Subsample(share=0.3, strata=("town",)), sudare.mask.Mondrian(k=5)]
    release = sudare.publish(data, sudare.Recipe("r", steps), seed=SEED)
    assert [f.columns for f in release.findings.of_kind("twin")] == [("weight", "town")]
    assert release.guarantees[0].holds is False


def keys_and_chance() -> tuple[Array, Array, Array, Array]:
    rng = np.random.default_rng(4)
    age, sex, job, chance = (rng.integers(0, count, ROWS) for count in (90, 2, 12, 5))
    return age, sex, job, chance


@pytest.mark.parametrize(
    ("fee", "stops"),
    [("of age and illness", True), ("of two keys and illness", True), ("of illness", False)],
)
@pytest.mark.parametrize("opened", [False, True])
def test_a_column_that_follows_from_keys_and_another_must_not_rule_out_records(
    fee: str, stops: bool, opened: bool, tmp_path: Path
) -> None:
    """Of a fee by age and illness, each record shows whether it fits the age of a person."""
    age, sex, job, illness = keys_and_chance()
    fees = {
        "of age and illness": (age // 15 + illness) % 6,
        "of two keys and illness": (age // 15 + 2 * sex + illness) % 6,
        "of illness": illness // 2,
    }
    keys = (column("age", age), column("sex", sex), column("job", job))
    others = (column("illness", illness, "sensitive"), column("fee", fees[fee], "other"))
    data: Microdata | LargeTable = Microdata((*keys, *others))
    if opened:
        sudare.write(data, tmp_path / "t.csv")
        roles = {held.name: held.role for held in (*keys, *others)}
        data = sudare.open(tmp_path / "t.csv", roles=roles)
    recipe = sudare.Recipe("r", [sudare.mask.Mondrian(k=5)])
    release = sudare.publish(data, recipe, measures=["k-anonymity"], seed=SEED)
    assert ([f.columns[0] for f in release.findings.of_kind("twin")] == ["fee"]) is stops
    assert (release.guarantees[0].holds is False) is stops
    if stops:
        assert "this can leave k = 1 instead of k = 5" in str(release.guarantees[0].why_not[0])


@pytest.mark.parametrize(
    ("fee", "stops"),
    [
        ("of age and two others", True),
        ("of two keys and two others", True),
        ("of age and three others", True),
        ("of the others", False),
        ("of nothing", False),
    ],
)
def test_a_column_that_follows_from_keys_and_several_others_must_not_rule_out_records(
    fee: str, stops: bool
) -> None:
    rng = np.random.default_rng(6)
    age, sex, job, illness, ward, size, chance = (
        rng.integers(0, n, 8_000) for n in (80, 2, 12, 5, 4, 3, 9)
    )
    fees = {
        "of age and two others": (age // 20 + illness + ward) % 5,
        "of two keys and two others": age // 65 * 3 + sex + illness + ward,
        "of age and three others": age // 20 + 2 * illness + ward + 3 * size,
        "of the others": illness + ward,
        "of nothing": chance,
    }
    others = {"ward": ward, "size": size, "chance": chance, "fee": fees[fee]}
    release = published(
        column("age", age),
        column("sex", sex),
        column("job", job),
        column("illness", illness, "sensitive"),
        *(column(name, codes, "other") for name, codes in others.items()),
        by=sudare.mask.Mondrian(k=5),
    )
    twins = [f.columns[0] for f in release.findings.of_kind("twin") if f.stops]
    assert twins == (["fee"] if stops else [])
    assert (release.guarantees[0].holds is False) is stops


def left_of_classes(classes: Array, age: Array, illness: Array, fee: Array) -> Iterator[Array]:
    """Yield the shares of illnesses among the records that fit each person, one by one."""
    seen = set(zip(age.tolist(), illness.tolist(), fee.tolist(), strict=True))
    for own in range(len(age)):
        alike = np.flatnonzero(classes == classes[own])
        fits = [n for n in alike if (int(age[own]), int(illness[n]), int(fee[n])) in seen]
        yield np.bincount(illness[fits], minlength=6) / len(fits)


@pytest.mark.parametrize("letter", ["l", "t"])
def test_l_and_t_hold_for_whoever_rules_out_records(letter: str) -> None:
    job, age = np.repeat(np.arange(200), 20), np.tile(np.arange(20) % 12, 200)
    illness = np.random.default_rng(9).integers(0, 6, 4_000)
    fee = (age // 3 + illness) % 4
    others = (column("illness", illness, "sensitive"), column("fee", fee, "other"))
    before = Microdata((column("job", job), column("age", age), *others))
    after = Microdata((column("job", job), column("age", age // 6), *others))
    measure: Measure = sudare.risk.LDiversity() if letter == "l" else sudare.risk.TCloseness()
    promise: dict[str, Any] = {letter: measure(before, after).value}
    (step,) = sudare.Recipe("r", [sudare.mask.Mondrian(k=2, **promise)]).apply(after, seed=1).steps
    (twin,) = sudare.release.gate(before, after, [step]).of_kind("twin")
    assert twin.columns == ("fee", "age")
    shares = np.stack(list(left_of_classes(job * 2 + age // 6, age, illness, fee)))
    whole = np.bincount(illness) / len(illness)
    diversity, distance = (shares > 0).sum(axis=1), np.abs(shares - whole).sum(axis=1) / 2
    worst = diversity.min() if letter == "l" else distance.max()
    assert f"{letter} = {worst:.4g} instead" in str(twin.detail)


def test_l_holds_for_whoever_knows_what_follows_from_the_keys() -> None:
    age, sex, job, illness = keys_and_chance()
    columns = (column("age", age // 3), column("sex", sex), column("job", job))
    classes = column("classes", age // 20, "other")
    release = published(
        *columns,
        classes,
        column("illness", illness, "sensitive"),
        by=sudare.mask.Mondrian(k=2, l=3),
    )
    details = [str(f.detail) for f in release.findings.of_kind("twin")]
    assert any("this leaves k = 1, l = 1 instead of k = 2, l = 3" in text for text in details)


def test_k_of_a_method_that_promises_none_is_parted_by_the_class_of_an_amount() -> None:
    rng = np.random.default_rng(5)
    income = rng.lognormal(6, 0.5, 600).round(2)
    amount = Numeric("income", income, role="key")
    classes = column("class", np.digitize(income, [300, 400, 600]), "other")
    recipe = sudare.Recipe("r", [sudare.mask.Microaggregation(k=5, columns=("income",))])
    release = sudare.publish(
        Microdata((amount, classes)), recipe, measures=["k-anonymity"], seed=SEED
    )
    (k,) = release.guarantees
    assert k.holds is False
    assert "class" in str(k.why_not[0])


@pytest.mark.parametrize(
    ("confirmed", "twins"), [((), []), (("weights:weight",), [("weight", "job")])]
)
def test_exact_weights_tell_the_strata_that_were_masked_after_sampling(
    confirmed: tuple[str, ...], twins: list[tuple[str, ...]]
) -> None:
    """Each weight is multiplied by N/n of its stratum: rounded ones do not tell it any more."""
    rng = np.random.default_rng(4)
    job = column("job", rng.choice(5, 900, p=[0.31, 0.27, 0.2, 0.13, 0.09]))
    weights = Numeric("weight", np.exp(rng.normal(3, 0.3, 900)).round(1), role="weight")
    sample = sudare.mask.Subsample(share=0.37, strata=("job",))
    recipe = sudare.Recipe("r", [sample, sudare.mask.Pram(columns=("job",), retain=0.5)])
    data = Microdata((job, weights))
    release = sudare.publish(data, recipe, measures=[], seed=SEED, confirmations=confirmed)
    assert [f.columns for f in release.findings.of_kind("twin") if f.stops] == twins


def test_what_the_mean_of_all_tells_behind_wide_noise_is_told_by_no_column() -> None:
    rng = np.random.default_rng(4)
    pay = Numeric("pay", np.round(rng.lognormal(8, 0.4, 900)), role="key")
    job = column("job", rng.integers(0, 5, 900), "other")
    recipe = sudare.Recipe("r", [sudare.mask.BoundedLaplace(columns=("pay",))])
    release = sudare.publish(Microdata((pay, job)), recipe, measures=[], seed=SEED)
    assert not release.findings.of_kind("twin")


@pytest.mark.parametrize("is_told", [True, False])
def test_an_order_within_the_classes_of_another_column_tells_a_number(*, is_told: bool) -> None:
    """Tax rises with income by a rule of its own for each status."""
    rng = np.random.default_rng(8)
    income, status = np.round(rng.lognormal(8.5, 0.5, 1_000)), rng.integers(0, 3, 1_000)
    rise = income if is_told else rng.permutation(income)
    tax = np.round(rise * np.array([0.1, 0.2, 0.35])[status] + np.maximum(0, rise - 5_000) / 4, 2)
    columns = Numeric("income", income, role="key"), Numeric("tax", tax, role="sensitive")
    data = Microdata((*columns, column("status", status, "sensitive")))
    noise = sudare.Recipe("r", [sudare.mask.Noise(columns=("income",), sd_ratio=0.5)])
    findings = sudare.publish(data, noise, measures=[], seed=SEED).findings
    stops = [f.columns for f in findings.of_kind("twin") if f.stops]
    assert stops == ([("tax", "status", "income")] if is_told else [])


def test_a_flag_that_says_in_which_range_a_masked_number_lies_stops_a_release() -> None:
    rng = np.random.default_rng(3)
    age = rng.integers(18, 95, 1500)
    data = Microdata(
        (
            Numeric("age", age * 1.0, role="key"),
            Categorical("senior", ((age >= 65) & (age < 75)).astype(np.int32), ("no", "yes")),
            Categorical("member", rng.integers(0, 2, 1500).astype(np.int32), ("no", "yes")),
        )
    )

    def twins(sd_ratio: float) -> list[tuple[str, ...]]:
        masked = sudare.apply(data, sudare.mask.Noise(sd_ratio=sd_ratio, columns=("age",)), seed=3)
        findings = sudare.release.gate(data, masked.data, masked.steps)
        return [finding.columns for finding in findings.of_kind("twin") if finding.stops]

    assert twins(0.3) == [("senior", "age")]
    assert not twins(0.02)  # who sees the age knows as much


def test_blanks_that_say_in_which_range_a_masked_number_lies_stop_a_release() -> None:
    """A question that only people of some ages are asked, whatever they answer."""
    rng = np.random.default_rng(3)
    age = rng.integers(18, 95, 1500)
    asked = np.where((age >= 65) & (age < 75), rng.integers(0, 3, 1500), -1)
    anybody = np.where(rng.integers(0, 4, 1500) > 0, rng.integers(0, 3, 1500), -1)
    data = Microdata(
        (
            Numeric("age", age * 1.0, role="key"),
            Categorical("helper", asked.astype(np.int32), ("a", "b", "c")),
            Categorical("hobby", anybody.astype(np.int32), ("a", "b", "c")),
        )
    )

    def absences(sd_ratio: float) -> list[tuple[str, ...]]:
        masked = sudare.apply(data, sudare.mask.Noise(sd_ratio=sd_ratio, columns=("age",)), seed=3)
        findings = sudare.release.gate(data, masked.data, masked.steps)
        return [finding.columns for finding in findings.of_kind("absence") if finding.stops]

    assert absences(0.3) == [("helper", "age")]
    assert not absences(0.02)
