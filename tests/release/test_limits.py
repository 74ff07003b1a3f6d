"""Limits: on values, parts, quantiles and ends of intervals; every way to write them."""

import re
from dataclasses import replace

import numpy as np
import pytest

import sudare
from sudare.catalog import Subject, find
from sudare.core import Language, Result, SettingError, say, speaking
from sudare.release import Limit
from sudare.risk import IndividualRisk, Reidentification
from sudare.transactions import Reidentification as HistoryReidentification

RISKS = np.array([0.05, 0.05, 0.1, 0.3])
RESULT = Result(
    "IndividualRisk",
    0.125,
    0,
    1,
    parts={"a": 0.2, "b": 0.4},
    interval=(0.1, 0.15),
    baseline=0.025,
    by_record=RISKS,
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("individual-risk <= 1", 0.125),
        ("individual-risk.max <= 1", 0.3),
        ("individual-risk.min <= 1", 0.05),
        ("individual-risk.share_above(0.1) <= 1", 0.25),
        ("individual-risk.share_below(0.1) <= 1", 0.5),
        ("individual-risk.quantile(0.5) <= 1", 0.075),
        ("individual-risk.lower <= 1", 0.1),
        ("individual-risk.upper <= 1", 0.15),
        ("individual-risk.worst_column <= 1", 0.4),
        ("individual-risk.above_baseline <= 1", 0.1),
        ("individual-risk[a] <= 1", 0.2),
        ("individual-risk.max: model = 'poisson' <= 1", 0.3),
    ],
)
def test_a_limit_looks_at_one_number_of_a_result(text: str, value: float) -> None:
    limit = Limit.parse(text)
    assert limit.value_of(RESULT) == pytest.approx(value)
    assert isinstance(limit.measure, IndividualRisk)
    assert Limit.parse(str(limit)) == limit


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_limit_names_several_parts_by_what_their_names_begin_with(language: Language) -> None:
    with speaking(language):
        rare = say("rarest stratum")
        parts = {f"{rare}, {say('nearest record')}, x": 0.4, f"{rare}, {{y}}": 0.5, "z": 0.9}
        result = Result("MembershipInference", 0.1, 0, 1, parts=parts)
        for text, value in (
            ("rarest stratum", 0.5),
            ("rarest stratum, nearest record", 0.4),
            ("rarest stratum, {y}", 0.5),
        ):
            limit = Limit.parse(f"membership-inference[{text}]: control = 'held' <= 0.2")
            assert limit.value_of(result) == value
            assert Limit.parse(str(limit)) == limit


@pytest.mark.parametrize("sign", [">=", "=>", "≧", "≥", "＞＝"])
def test_at_least_is_understood_however_it_is_written(sign: str) -> None:
    assert Limit.parse(f"k-anonymity {sign} 5").comparison == ">="


@pytest.mark.parametrize("sign", ["<=", "=<", "≦", "≤"])
def test_at_most_is_understood_however_it_is_written(sign: str) -> None:
    assert Limit.parse(f"uniques{sign}0.05").comparison == "<="


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("ｋ-ａｎｏｎｙｍｉｔｙ　≧　５", "k-anonymity >= 5"),
        ("reidentification＜＝０．０５", "reidentification <= 0.05"),
        ("t-closeness[年齢（歳）] ≦ ０．２", "t-closeness[年齢（歳）] <= 0.2"),
    ],
)
def test_full_width_letters_are_read_as_half_width_ones_but_for_names(
    written: str, read: str
) -> None:
    assert Limit.parse(written) == Limit.parse(read)
    assert str(Limit.parse(written)) == read


def test_the_end_of_an_exact_value_is_the_value() -> None:
    data = sudare.datasets.toy(60)
    limit = Limit.parse("uniques.upper <= 0.01")
    result = limit.measure(data)
    assert limit.value_of(result) == result.value


def test_a_facet_that_does_not_exist_is_refused_with_the_nearest() -> None:
    with pytest.raises(
        SettingError, match=r"individual-risk has no '.maximum'; did you mean '.max'"
    ):
        Limit.parse("individual-risk.maximum <= 0.2")
    with pytest.raises(SettingError, match=r"there are: \.max, "):
        Limit.parse("individual-risk.zzz <= 0.2")


def test_a_facet_that_a_result_lacks_is_refused_with_those_it_has() -> None:
    result = Result("Uniques", 0.5, 0, 1)
    with pytest.raises(SettingError, match=r"Uniques has no '.max' here; it has: .lower, .upper"):
        Limit.parse("uniques.max <= 1").value_of(result)
    with pytest.raises(SettingError, match=r"Uniques has no '\.max' here"):
        Limit.parse("uniques.max <= 1").value_of(replace(result, by_record=np.array([np.nan])))
    with pytest.raises(SettingError, match="has no part 'income'; it has: a, b"):
        Limit.parse("individual-risk[income] <= 1").value_of(RESULT)


@pytest.mark.parametrize(
    "text",
    [
        "individual-risk.quantile <= 1",
        "individual-risk.max(3) <= 1",
        "individual-risk.quantile(2) <= 1",
        "individual-risk.share_above(much) <= 1",
        "individual-risk[a].max <= 1",
        "individual-risk",
    ],
)
def test_what_is_no_limit_is_refused(text: str) -> None:
    with pytest.raises(SettingError):
        Limit.parse(text)


def test_the_same_name_means_the_measure_of_the_data_at_hand() -> None:
    assert isinstance(Limit.parse("reidentification < 1").measure, Reidentification)
    of_history = Limit.parse("reidentification < 1", "history")
    assert isinstance(of_history.measure, HistoryReidentification)
    assert str(of_history) == "reidentification < 1"


def test_a_release_is_judged_by_a_facet() -> None:
    recipe = sudare.Recipe("five alike", [sudare.mask.Mondrian(k=5)])
    data = sudare.datasets.toy(300)
    limits = ["reidentification.max <= 0.2", "individual-risk.share_above(0.21) <= 0"]
    assert sudare.publish(data, recipe, limits=limits, seed=1).keeps_limits
    strict = sudare.publish(data, recipe, limits=["reidentification.max <= 0.01"], seed=1)
    assert not strict.keeps_limits


def test_a_facet_is_compared_like_any_measure() -> None:
    data = sudare.datasets.toy(200)
    limit = Limit.parse("individual-risk.max <= 0.5")
    comparison = sudare.compare(
        data, {"as it is": [], "pairs": sudare.mask.Mondrian(k=2)}, [limit.quantity, "uniques"]
    )
    values = [float(row["IndividualRisk.max"]) for row in comparison.table()]
    assert values[0] > values[1] > 0
    assert comparison.title("IndividualRisk.max") == "Individual and global risk .max"


@pytest.mark.parametrize("subject", ["table", "history"])
def test_an_unknown_measure_is_answered_with_measures_alone(subject: Subject) -> None:
    with pytest.raises(SettingError, match="available: reidentification, ") as refusal:
        Limit.parse("k匿名性 >= 5", subject)
    offered = str(refusal.value).partition("available: ")[2].rstrip(".…, ").split(", ")
    assert {find(name).family for name in offered} <= {"risk", "loss"}


@pytest.mark.parametrize(
    ("limit", "turned"),
    [("k-anonymity <= 5", "k-anonymity >= 5"), ("uniques > 0.01", "uniques < 0.01")],
)
def test_a_limit_that_only_bad_results_keep_is_refused(limit: str, turned: str) -> None:
    stated = Limit.parse(limit)
    result = stated.measure(sudare.datasets.toy())
    for judge in (stated.met_by, stated.judged):
        with pytest.raises(SettingError, match=re.escape(f"write {turned} for")):
            judge(result)
