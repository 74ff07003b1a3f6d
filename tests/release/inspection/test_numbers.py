"""Numbers, times and names by which a record is found, whatever was declared or done a little."""

import numpy as np
import pyarrow as pa
import pytest

import sudare
from sudare.catalog import METHODS, masker
from sudare.core import Categorical, Microdata, Numeric, Step
from sudare.core.types import Role
from sudare.release import Finding, gate

ROWS = 400
DRAWS = np.random.default_rng(3)
SEX = Categorical("sex", DRAWS.integers(0, 2, ROWS), ("f", "m"), role="key")


def findings_of(
    *columns: Categorical | Numeric, also: sudare.mask.Noise | None = None
) -> list[Finding]:
    data = Microdata((SEX, *columns))
    steps = [sudare.mask.Pram(columns=("sex",)), *([] if also is None else [also])]
    masked = sudare.apply(data, steps, seed=1)
    return [f for f in gate(data, masked.data, masked.steps) if f.columns == (columns[0].name,)]


def wealth(role: Role) -> Numeric:
    values = np.rint(np.random.default_rng(4).lognormal(9, 0.3, ROWS) / 1000) * 1000
    values[7] = 9e9
    return Numeric("wealth", values, role=role)


def test_what_is_far_out_stops_a_release_though_it_is_declared_as_sensitive() -> None:
    assert [(f.kind, f.stops) for f in findings_of(wealth("sensitive"))] == [
        ("exact-numbers", True)
    ]
    values = np.random.default_rng(5).lognormal(3, 0.3, ROWS)
    usual = findings_of(Numeric("wealth", values, role="sensitive"))
    assert [(f.kind, f.stops) for f in usual] == [("exact-numbers", False)]


def test_a_little_noise_does_not_hide_who_is_far_out() -> None:
    noise = sudare.mask.Noise(sd_ratio=0.01, columns=("wealth",))
    findings = findings_of(wealth("key"), also=noise)
    assert [(f.kind, f.count, f.stops) for f in findings] == [("exact-numbers", 1, True)]


def test_times_of_which_most_records_have_their_own_stop_a_release() -> None:
    times = tuple(f"2024/04/{n // 60 + 1:02d} 10:{n % 60:02d}:11" for n in range(ROWS - 1))
    codes = np.append(np.arange(ROWS - 1), 0)
    findings = findings_of(Categorical("entered", codes, times))
    assert [(f.kind, f.count) for f in findings] == [("outside-keys", ROWS)]


@pytest.mark.parametrize("heading", ["フリガナ", "母の旧姓", "担当者名"])
def test_a_heading_that_says_a_name_is_believed_though_few_names_occur(heading: str) -> None:
    names = Categorical(heading, np.arange(ROWS) % 4, ("カトウ", "サトウ", "スズキ", "タナカ"))
    assert "undeclared-identifier" in [f.kind for f in findings_of(names)]


def test_parameters_with_too_many_digits_stop_a_release() -> None:
    data = Microdata((SEX,))
    masked = sudare.apply(data, sudare.mask.Pram(), seed=1)
    precise = Step("Noise", ("sex",), {"sd_ratio": 0.123456}, {"sex": {"noise_sd": 12.3456789}})
    stated = Step("Noise", ("sex",), {"sd_ratio": 0.123456}, {"sex": {"noise_ratio": 0.123456}})
    kinds = [
        len(gate(data, masked.data, [*masked.steps, step]).of_kind("precise-parameters"))
        for step in (precise, stated)
    ]
    assert kinds == [1, 0]


@pytest.mark.parametrize(
    "name", [e.name for e in METHODS if e.family == "mask" and e.subject == "table"]
)
def test_no_method_of_ours_publishes_too_many_digits(name: str) -> None:
    data = sudare.datasets.toy(200, seed=2)
    masked = sudare.apply(data, masker(name, {}), seed=1)
    assert not gate(data, masked.data, masked.steps).of_kind("precise-parameters")


@pytest.mark.parametrize(("sd_ratio", "stops"), [(1e-4, True), (0.5, False)])
def test_noise_that_rounding_takes_away_is_no_masking(sd_ratio: float, stops: bool) -> None:
    rng = np.random.default_rng(5)
    data = Microdata((Numeric("pay", np.round(rng.normal(5000, 900, 400)), role="key"),))
    masked = sudare.apply(data, sudare.mask.Noise(sd_ratio=sd_ratio, columns=("pay",)), seed=3)
    kinds = {finding.kind for finding in gate(data, masked.data, masked.steps)}
    assert ("exact-numbers" in kinds) is stops


@pytest.mark.parametrize(("low", "severity"), [(80, "repaired"), (1, "stop")])
def test_rounded_weights_are_judged_by_whom_they_leave_alone(low: int, severity: str) -> None:
    rng = np.random.default_rng(6)
    keys = Categorical("key", np.arange(ROWS) % 80, tuple(map(str, range(80))), role="key")
    weights = np.round(rng.uniform(low, 120, ROWS), 1)
    data = Microdata((keys, SEX, Numeric("weight", weights, role="weight")))
    recipe = sudare.Recipe("r", [sudare.mask.Pram(columns=("sex",))])
    findings = sudare.publish(data, recipe, measures=[], seed=73915502846613094428817).findings
    (finding,) = findings.of_kind("weights")
    assert finding.severity == severity
    assert (finding.count <= 0.01 * ROWS) is (severity == "repaired")


def test_weights_are_rounded_though_keys_changed_at_random_are_all_different() -> None:
    rng = np.random.default_rng(6)
    age = Numeric("age", rng.integers(18, 95, ROWS).astype(np.float64), role="key")
    weights = Numeric("weight", np.exp(rng.normal(3, 0.3, ROWS)).round(4), role="weight")
    recipe = sudare.Recipe("r", [sudare.mask.Noise(columns=("age",), sd_ratio=0.3)])
    data = Microdata((age, weights))
    release = sudare.publish(data, recipe, measures=[], seed=73915502846613094428817)
    assert [f.severity for f in release.findings.of_kind("weights")] == ["repaired"]
    assert not np.isin(release.masked["weight"].numeric.values, weights.values).any()


@pytest.mark.parametrize(("role", "stops"), [("other", True), ("sensitive", False)])
def test_two_coordinates_that_two_share_each_stop_a_release_together(
    role: Role, stops: bool
) -> None:
    rng = np.random.default_rng(8)
    east, north = (rng.permutation(ROWS) // 2 * 0.0137 % 1 for _ in range(2))
    data = Microdata((SEX, Numeric("x", 135 + east), Numeric("y", 35 + north, role=role)))
    masked = sudare.apply(data, sudare.mask.Pram(columns=("sex",)), seed=1)
    findings = gate(data, masked.data, masked.steps).of_kind("exact-numbers")
    assert [set(f.columns) for f in findings if f.stops] == [{"x", "y"}] * stops


def test_weights_below_zero_are_not_released() -> None:
    weights = Numeric("weight", np.where(np.arange(ROWS) % 2, 1.0, -1.0), role="weight")
    recipe = sudare.Recipe("r", [sudare.mask.Pram(columns=("sex",))])
    with pytest.raises(sudare.errors.ColumnError, match="0 or more"):
        sudare.publish(Microdata((SEX, weights)), recipe, measures=[])


def test_a_range_does_not_end_at_the_number_of_who_is_far_out() -> None:
    draws = np.random.default_rng(7)
    wealth = np.rint(draws.gamma(3, 1000, 400))
    wealth[7] = 9_876_543
    sex = Categorical("sex", draws.integers(0, 2, 400), ("f", "m"), role="key")
    data = sudare.Microdata((sex, Numeric("wealth", wealth, role="key")))

    def stops(*maskers: sudare.core.Masker) -> set[tuple[str, ...]]:
        masked = sudare.apply(data, maskers, seed=1)
        findings = sudare.release.gate(data, masked.data, masked.steps)
        return {f.columns for f in findings.of_kind("exact-numbers") if f.stops}

    coded = sudare.mask.TopBottomCode(columns=("wealth",), top=8000.0)
    assert stops(sudare.mask.Mondrian(k=5)) == {("wealth",)}
    assert not stops(coded, sudare.mask.Mondrian(k=5))
    days = Numeric("wealth", wealth // 1000, role="key", storage=pa.date32())
    data = sudare.Microdata((sex, days))
    assert stops(sudare.mask.Mondrian(k=5)) == {("wealth",)}
