"""What a release promises is what an attacker who knows the method meets."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import sudare
from sudare.cli.output import print_guarantees
from sudare.core import Categorical, Masker, Message, Microdata, Numeric, Role
from sudare.release.inspection.release_guarantees.guarantees import Condition, Guarantee
from sudare.release.inspection.release_guarantees.voided_promises import repeated_identifier
from sudare.release.report import release_report

SEED = 73915502846613094428817


def people(groups: dict[str, int], beside: dict[str, str] | None = None) -> Microdata:
    """Return records of one key, as many of each label as stated; a second column beside it."""
    labels = tuple(groups)
    codes = np.repeat(np.arange(len(labels)), list(groups.values()))
    columns = [Categorical("region", codes, labels, role="key")]
    if beside is not None:
        columns.append(Categorical("code", codes, tuple(beside[x] for x in labels), role="other"))
    return Microdata(tuple(columns))


def promised(data: Microdata, *maskers: Masker) -> Guarantee:
    recipe = sudare.Recipe("r", list(maskers))
    publication = sudare.publish(data, recipe, measures=["k-anonymity"], seed=SEED)
    return publication.guarantees[0]


def test_suppressed_records_are_no_company_to_those_that_were_kept() -> None:
    sizes = {"a": 40, "b": 5, **{f"rare {n}": 1 for n in range(20)}}
    promise = promised(people(sizes), sudare.mask.Suppression(k=5))
    assert promise.value == 5


@pytest.mark.parametrize("rare", [1, 2, 30])
def test_a_code_tells_a_merged_label_however_few_records_have_it(rare: int) -> None:
    sizes = {"north": 60, "south": 50, "island": rare}
    data = people(sizes, {"north": "1", "south": "2", "island": "9"})
    promise = promised(data, sudare.mask.GlobalRecode(min_share=0.3))
    assert promise.holds is False


def test_rules_after_randomization_void_its_promise() -> None:
    rng = np.random.default_rng(1)
    columns = [
        Categorical(name, rng.integers(0, 3, 300), ("x", "y", "z"), role="key")
        for name in ("a", "b")
    ]
    rules = sudare.mask.EditRules(rules=('b == "x" implies a == "x"',))
    randomized = sudare.mask.PkAnonymization(k=5, columns=("a",))
    recipe = sudare.Recipe("r", [randomized, rules])
    publication = sudare.publish(Microdata(tuple(columns)), recipe, seed=SEED)
    by_name = {promise.name: promise for promise in publication.guarantees}
    assert by_name["Pk-anonymity"].holds is False
    assert by_name["epsilon"].holds is False


def test_a_limit_is_judged_by_the_k_that_is_promised() -> None:
    rng = np.random.default_rng(2)
    columns = [
        Categorical(name, rng.integers(0, 8, 300), tuple("abcdefgh"), role="key")
        for name in ("a", "b")
    ]
    recipe = sudare.Recipe("r", [sudare.mask.LocalSuppression(k=5)])
    publication = sudare.publish(
        Microdata(tuple(columns)), recipe, limits=["k-anonymity >= 5"], seed=SEED
    )
    (limit, kept), promise = publication.verdicts()[0], publication.guarantees[0]
    result = dict(publication.measured)[limit.measure]
    assert result.value >= 5 > promise.value
    assert limit.value_of(result) == promise.value
    assert not kept
    with pytest.raises(sudare.errors.OutputError, match="misses the limit"):
        publication.write("never-written")
    [told] = publication.ledger().content["guarantees"]  # nothing that was asked for is kept
    assert (told["value"], told["stated"], told["holds"]) == (1, 1, False)


@pytest.mark.parametrize("share", [0.15, 0.42])
def test_a_condition_says_how_many_records_are_told_though_they_are_not_most(share: float) -> None:
    rng = np.random.default_rng(3)
    region = rng.integers(0, 6, 2_000)
    known = rng.random(2_000) < share
    columns = (
        Categorical("region", region, tuple("abcdef"), role="key"),
        Categorical("hint", np.where(known, region, 6), (*"abcdef", "?"), role="other"),
    )
    promise = promised(Microdata(columns), sudare.mask.GlobalRecode(min_share=0.3))
    untold = next(c for c in promise.conditions if "No other released column" in str(c.text))
    assert untold.holds is False
    assert "'hint' reveals the original value of 'region'" in str(untold.why_not)
    assert promise.holds is False


def test_how_many_people_have_several_records_is_not_told() -> None:
    person = np.append(np.arange(57) // 2 * 1.0, np.arange(43) + 100)
    columns = (
        Numeric("person", person, role="identifier"),
        Categorical("sex", np.arange(100) % 2, ("f", "m"), role="key"),
    )
    drawn = sudare.mask.RetentionReplacement(domains={"sex": ("f", "m")})
    recipe = sudare.Recipe("drawn", [drawn])
    made = sudare.publish(Microdata(columns), recipe, measures=(), seed=SEED)
    reasons = [str(reason) for promise in made.guarantees for reason in promise.why_not]
    assert "Records share their 'person' with others." in reasons
    assert not any(re.search("[0-9]", reason) for reason in reasons)


def crossed() -> Microdata:
    """Return records of two keys with many combinations that few share."""
    rng = np.random.default_rng(2)
    columns = [
        Categorical(name, rng.integers(0, 8, 300), tuple("abcdefgh"), role="key")
        for name in ("a", "b")
    ]
    return Microdata(tuple(columns))


SAID_OTHERWISE = [
    "individual-risk.max <= 0.2",
    "individual-risk.share_above(0.2) <= 0",
    "k-anonymity >= 5",
    "k-anonymity.min >= 5",
    "k-anonymity.lower >= 5",
    "k-anonymity.quantile(0) >= 5",
    "k-anonymity.share_below(5) <= 0",
]


@pytest.mark.parametrize("limit", SAID_OTHERWISE)
def test_a_limit_is_missed_however_it_is_written(limit: str) -> None:
    recipe = sudare.Recipe("r", [sudare.mask.LocalSuppression(k=5)])
    assert not sudare.publish(crossed(), recipe, limits=[limit], seed=SEED).keeps_limits
    compared = sudare.compare(crossed(), [recipe], limits=[limit])
    assert not compared.keeps(compared["r"])


def test_a_comparison_says_by_which_number_a_limit_is_missed() -> None:
    recipes = [
        sudare.Recipe(missing, [sudare.mask.LocalSuppression(k=5, missing=missing)])
        for missing in ("suppressed", "category")
    ]
    compared = sudare.compare(crossed(), recipes, limits=["k-anonymity >= 5"])
    [remark] = [text for text in compared.remarks() if text.startswith("suppressed: k-")]
    assert compared["suppressed"].results["KAnonymity"].value == 5
    assert remark.startswith("suppressed: k-anonymity: 5 if suppressed keys match every value, ")
    assert "2 for an attacker who knows them; limits are judged by the latter" in remark


@pytest.mark.parametrize("limit", SAID_OTHERWISE)
def test_a_limit_is_kept_however_it_is_written_where_blanks_are_a_category(limit: str) -> None:
    recipe = sudare.Recipe("r", [sudare.mask.LocalSuppression(k=5, missing="category")])
    assert sudare.publish(crossed(), recipe, limits=[limit], seed=SEED).keeps_limits


@pytest.mark.parametrize("limit", ["k-anonymity >= 5", "uniques <= 0", "individual-risk <= 0.02"])
def test_risk_is_the_same_however_a_file_is_opened(limit: str, tmp_path: Path) -> None:
    path = tmp_path / "crossed.csv"
    sudare.write(crossed(), path)
    roles: dict[str, Role] = {"a": "key", "b": "key"}
    recipe = sudare.Recipe("r", [sudare.mask.LocalSuppression(k=5)])
    releases = [
        sudare.publish(data, recipe, limits=[limit], seed=SEED)
        for data in (sudare.read(path, roles=roles), sudare.open(path, roles=roles))
    ]
    (results, others) = [dict(r.measured)[r.limits[0].measure] for r in releases]
    assert results.informed == pytest.approx(others.informed)
    assert results.value == pytest.approx(others.value)
    assert releases[0].keeps_limits == releases[1].keeps_limits
    assert [release.guarantees[0].holds for release in releases] == [False, False]


@pytest.mark.parametrize(("how", "conditions"), [("random", 1), ("nearest", 0)])
def test_a_key_rounded_at_random_is_changed_at_random(how: str, conditions: int) -> None:
    ages = Numeric("age", np.arange(200.0) % 50, role="key")
    rounding = sudare.mask.Rounding(columns=("age",), base=30, how=how)  # type: ignore[arg-type]
    promise = promised(Microdata((ages,)), rounding)
    at_random = [c for c in promise.conditions if "No key was changed at random" in str(c.text)]
    assert [c.holds for c in at_random] == [False] * conditions


def epsilon_and_k(*maskers: Masker) -> list[Guarantee]:
    rng = np.random.default_rng(5)
    town = Categorical("town", rng.integers(0, 5, 400), tuple("abcde"), role="key")
    age = Numeric("age", rng.integers(0, 90, 400).astype(np.float64), role="key")
    recipe = sudare.Recipe("r", list(maskers))
    publication = sudare.publish(Microdata((town, age)), recipe, seed=SEED)
    return [g for g in publication.guarantees if g.name in ("epsilon", "Pk-anonymity")]


TOWN = sudare.mask.RetentionReplacement(columns=("town",), retain=0.3)
AGE = sudare.mask.BoundedLaplace(columns=("age",), scale_ratio=0.5, bounds={"age": (0, 90)})
CLASSES = sudare.mask.RetentionReplacement(columns=("age",), retain=0.3)
STATED = {"town": {"a": "ab", "b": "ab", "c": "c", "d": "de", "e": "de"}}


@pytest.mark.parametrize(
    ("masker", "drawn", "learnt"),
    [
        (sudare.mask.GlobalRecode(columns=("town",), min_share=0.3), TOWN, True),
        (sudare.mask.GlobalRecode(columns=("town",), maps=STATED), TOWN, False),
        (sudare.mask.UnivariateMicroaggregation(columns=("age",), k=5), AGE, True),
        (sudare.mask.TopBottomCode(columns=("age",)), AGE, True),
        (sudare.mask.TopBottomCode(columns=("age",), top=80), AGE, False),
        (sudare.mask.Intervals(columns=("age",)), CLASSES, True),
        (sudare.mask.Intervals(columns=("age",), bounds={"age": (0, 90)}), CLASSES, False),
        (sudare.mask.Rounding(columns=("age",), base=10), AGE, False),
        (sudare.mask.RemoveRecords(rarest=0.01), TOWN, True),
        (sudare.mask.RemoveRecords(where={"town": ("a", "b")}), TOWN, True),
        (sudare.mask.RemoveRecords(where={"age": ">= 40"}), TOWN, True),
        (sudare.mask.Subsample(share=0.4, strata=("town",)), TOWN, True),
        (sudare.mask.Subsample(share=0.4, strata=("age",)), TOWN, True),
        (sudare.mask.Subsample(share=0.4), TOWN, False),
        (sudare.mask.EditRules(rules=('town == "a" implies age == 5',)), TOWN, True),
        (sudare.mask.EditRules(rules=("age from 0 to 80",)), AGE, False),
        (sudare.mask.GlobalRecode(columns=("town",), min_share=0.3), AGE, False),
    ],
)
def test_epsilon_does_not_cover_what_an_earlier_step_read_of_the_data(
    masker: Masker, drawn: Masker, learnt: bool
) -> None:
    promises = epsilon_and_k(masker, drawn)
    assert len(promises) == 2
    for promise in promises:
        texts = [str(reason) for reason in promise.why_not]
        assert any("ε does not cover" in text for text in texts) == learnt


@pytest.mark.parametrize("engine", [sudare.read, sudare.open])
def test_pk_counts_those_who_lack_the_same_in_the_same_way_in_memory_and_in_blocks(
    tmp_path: Path, engine: Any
) -> None:
    """Sixty have no job, and one has none that applies; who lives in the south is told."""
    rows = [("" if n < 60 else "abc"[n % 3], "south" if n % 2 else "north") for n in range(600)]
    rows[500] = ("888", "south")
    path = tmp_path / "jobs.csv"
    path.write_text("job,area\n" + "".join(f"{job},{area}\n" for job, area in rows))
    data = engine(path, roles={"job": "key", "area": "key"}, not_applicable={"job": ["888"]})
    drawn = sudare.mask.PkAnonymization(k=20, columns=("job",), domains={"job": tuple("abc")})
    release = sudare.publish(data, sudare.Recipe("r", [drawn]), measures=[], seed=SEED)
    (kept,) = (g for g in release.guarantees if g.name == "Pk-anonymity")
    assert kept.value == 1
    assert any("61 records show" in str(condition.text) for condition in kept.conditions)


@pytest.mark.parametrize(
    ("settings", "alone", "holds"),
    [({}, True, False), ({}, False, False), ({"domains": {"town": ("a", "b", "c")}}, True, True)],
)
def test_whether_one_person_has_a_category_does_not_show_in_what_epsilon_needs(
    settings: dict[str, Any], alone: bool, holds: bool | None
) -> None:
    """The same steps have the same conditions: a category may be one person's, or nobody's."""
    codes = np.arange(400) % 2
    codes[: 1 if alone else 2] = 2
    town = Categorical("town", codes, tuple("abc"), role="key")
    drawn = sudare.mask.RetentionReplacement(columns=("town",), retain=0.3, **settings)
    release = sudare.publish(Microdata((town,)), sudare.Recipe("r", [drawn]), seed=SEED)
    (epsilon,) = (g for g in release.guarantees if g.name == "epsilon")
    (known,) = (c for c in epsilon.conditions if "known to all" in str(c.text))
    assert known.holds is holds


def broken(recipe: sudare.Recipe, **more: Any) -> list[tuple[str, bool]]:
    publication = sudare.publish(crossed(), recipe, seed=SEED, **more)
    findings = publication.findings.of_kind("broken-promise")
    return [(finding.severity, finding.stops) for finding in findings]


def test_a_promise_of_k_that_does_not_hold_stops_until_it_is_accepted_by_name() -> None:
    recipe = sudare.Recipe("r", [sudare.mask.LocalSuppression(k=5)])
    assert broken(recipe) == [("stop", True)]
    assert broken(recipe, confirmations=["broken-promise:a,b"]) == [("stop", False)]


def test_the_remedy_of_a_broken_promise_works_as_it_is_written(tmp_path: Path) -> None:
    recipe = sudare.Recipe("r", [sudare.mask.LocalSuppression(k=5)])
    (finding,) = sudare.publish(crossed(), recipe, seed=SEED).findings.of_kind("broken-promise")
    (setting,) = re.findall(r"missing = \"\w+\"", str(finding.remedy))
    text = f'name = "r"\n[[steps]]\nmethod = "local-suppression"\nk = 5\n{setting}\n'
    (tmp_path / "r.toml").write_text(text, encoding="utf-8")
    assert broken(sudare.Recipe.read(tmp_path / "r.toml")) == []


@pytest.mark.parametrize(
    "masker",
    [
        sudare.mask.Mondrian(k=5),
        sudare.mask.FullDomain(k=5),
        sudare.mask.Suppression(k=5),
        sudare.mask.LocalSuppression(k=5, missing="category"),
    ],
    ids=lambda masker: type(masker).__name__,
)
def test_promises_of_k_that_hold_do_not_stop(masker: Masker) -> None:
    assert broken(sudare.Recipe("r", [masker])) == []


@pytest.mark.parametrize("limit", ["k-anonymity >= 2", "k-anonymity: missing = 'wildcard' >= 5"])
def test_no_weaker_limit_lifts_a_promise_of_k_that_does_not_hold(limit: str) -> None:
    recipe = sudare.Recipe("r", [sudare.mask.LocalSuppression(k=5)])
    assert broken(recipe, limits=[limit]) == [("stop", True)]


def with_blanks() -> Microdata:
    """Return a key of which one record of many has no value, and a sensitive value of each."""
    codes = np.repeat([0, 1, -1], [30, 30, 1])
    area = Categorical("area", codes, ("a", "b"), role="key")
    illness = Categorical("illness", np.arange(61) % 3, tuple("xyz"), role="sensitive")
    return Microdata((area, illness))


def test_a_limit_by_wildcards_is_kept_with_a_caution_and_promises_nothing() -> None:
    recipe = sudare.Recipe("r", [sudare.mask.GlobalRecode(min_share=0.1)])
    limit = "k-anonymity: missing = 'wildcard' >= 5"
    release = sudare.publish(with_blanks(), recipe, limits=[limit], seed=SEED)
    assert [f.severity for f in release.findings.of_kind("broken-promise")] == ["note"]
    assert release.keeps_limits
    by_wildcards = release.guarantees[-1]
    assert (by_wildcards.stated, by_wildcards.value, by_wildcards.holds) == (31, 1, False)


@pytest.mark.parametrize(("name", "suppressed"), [("l-diversity", 1.0), ("t-closeness", 2 / 3)])
def test_l_and_t_are_promised_to_an_attacker_who_knows_what_was_suppressed(
    name: str, suppressed: float
) -> None:
    codes = np.repeat([0, 1, 2], [30, 30, 3])
    values = np.r_[np.arange(60) % 3, 0, 0, 0]
    area = Categorical("area", codes, tuple("abc"), role="key")
    illness = Categorical("illness", values, tuple("xyz"), role="sensitive")
    data = Microdata((area, illness))
    recipe = sudare.Recipe("r", [sudare.mask.LocalSuppression(k=4)])
    release = sudare.publish(data, recipe, measures=[name], seed=SEED)
    promise = next(g for g in release.guarantees if g.name == name)
    assert promise.value == pytest.approx(suppressed, abs=0.05)
    assert promise.value != promise.stated
    assert promise.holds is False
    assert any("those that were suppressed" in str(c.text) for c in promise.conditions)


def test_a_later_step_that_undoes_l_is_a_broken_promise() -> None:
    fewer = sudare.mask.GlobalRecode(
        columns=("illness",), maps={"illness": dict.fromkeys("xyz", "any")}
    )
    suppress = sudare.mask.Suppression(k=2, l=3)
    data = with_blanks()
    recipes: dict[tuple[str, ...], list[Masker]] = {
        (): [suppress],
        ("broken-promise",): [suppress, fewer],
    }
    for kinds, maskers in recipes.items():
        release = sudare.publish(data, sudare.Recipe("r", maskers), seed=SEED)
        assert [f.kind for f in release.findings.of_kind("broken-promise")] == list(kinds)


def test_l_is_told_as_it_was_asked_for_and_with_what_blanks_mean() -> None:
    rng = np.random.default_rng(1)
    age = Numeric("age", np.where(rng.random(300) < 0.1, np.nan, rng.integers(18, 90, 300)))
    illness = Categorical("illness", rng.integers(-1, 3, 300), tuple("xyz"), role="sensitive")
    data = Microdata((age, illness)).assigning(roles={"age": "key"})
    release = sudare.publish(
        data, sudare.Recipe("r", [sudare.mask.Mondrian(k=4, l=2)]), measures=[], seed=SEED
    )
    (promise,) = (g for g in release.guarantees if g.name == "l-diversity")
    assert [c.holds for c in promise.conditions if "A blank counts" in str(c.text)] == [None]
    told = {g["name"]: g["value"] for g in release.ledger().content["guarantees"]}
    assert (told["k-anonymity"], told["l-diversity"]) == (4, 2)


def test_epsilon_does_not_hold_where_the_order_of_the_records_is_kept() -> None:
    """Of a file sorted by town, the place of a record tells it."""
    town = Categorical("town", np.arange(400) // 100, tuple("abcd"), role="key")
    drawn = sudare.mask.RetentionReplacement(domains={"town": tuple("abcd")})
    recipe = sudare.Recipe("r", [drawn])
    for accepted, holds in (["order"], False), ([], True):
        made = sudare.publish(
            Microdata((town,)), recipe, measures=[], seed=SEED, confirmations=accepted
        )
        (epsilon,) = (g for g in made.guarantees if g.name == "epsilon")
        assert (epsilon.holds is not False) is holds


@pytest.mark.parametrize("later", [False, True])
@pytest.mark.parametrize(
    "masker",
    [
        sudare.mask.Microaggregation(columns=("rank", "age"), k=5),
        sudare.mask.Noise(columns=("rank",), sd_ratio=2.0),
        sudare.mask.Shuffling(columns=("rank",), given=("age",)),
        sudare.mask.Mondrian(columns=("rank", "age"), k=50),
    ],
    ids=lambda masker: type(masker).__name__,
)
def test_steps_on_a_column_that_follows_from_a_randomized_one_void_its_claims(
    masker: Masker, later: bool
) -> None:
    rng = np.random.default_rng(6)
    code = rng.integers(0, 4, 600)
    columns = (
        Categorical("town", code, tuple("abcd"), role="key"),
        Numeric("age", rng.integers(0, 90, 600).astype(np.float64), role="key", scale="ratio"),
        Numeric("rank", code * 100.0, role="sensitive", scale="ratio"),
    )
    drawn = sudare.mask.RetentionReplacement(columns=("town",), domains={"town": tuple("abcd")})
    recipe = sudare.Recipe("r", [drawn, masker] if later else [masker, drawn])
    made = sudare.publish(Microdata(columns), recipe, measures=[], seed=SEED)
    claims = {g.name: g.holds for g in made.guarantees if g.name in ("epsilon", "Pk-anonymity")}
    assert claims == {"epsilon": False, "Pk-anonymity": False}


def held(data: Microdata, *maskers: Any, name: str) -> bool | None:
    """Return whether a promise of a release holds, as it is printed."""
    recipe = sudare.Recipe("r", list(maskers))
    measures = [sudare.risk.KAnonymity(), sudare.risk.LDiversity()] if data.sensitive else []
    published = sudare.publish(data, recipe, measures=measures, seed=1)
    holds = next(g.holds is not False for g in published.guarantees if g.name == name)
    if name != "epsilon":
        assert any(f.kind == "broken-promise" for f in published.findings.stops) is not holds
    return holds


def patients(number: np.ndarray[Any, Any], illness: np.ndarray[Any, Any]) -> Microdata:
    """Return records with an identifier, two keys and an illness."""
    labels = tuple(f"r{n}" for n in range(4))
    area = (number // 40 % 4).astype(np.int32)
    return Microdata(
        (
            Categorical(
                "id",
                number.astype(np.int32),
                tuple(map(str, range(number.max() + 1))),
                role="identifier",
            ),
            Categorical("area", area, labels, role="key"),
            Numeric("age", number % 40 + 20.0, role="key"),
            Categorical("illness", illness.astype(np.int32), ("a", "b", "c"), role="sensitive"),
        )
    )


@pytest.mark.parametrize(("visits", "holds"), [(1, True), (6, False), (25, False)])
def test_k_and_l_hold_for_records_only_where_each_person_has_one(visits: int, holds: bool) -> None:
    number = np.repeat(np.arange(320), visits)
    data = patients(number, np.arange(len(number)) % 3)
    for name in ("k-anonymity", "l-diversity"):
        assert held(data, sudare.mask.Mondrian(k=5, l=2), name=name) is holds


def test_two_people_of_one_name_are_for_a_person_to_judge_beside_a_number_of_their_own() -> None:
    data = patients(np.arange(320), np.arange(320) % 3)
    names = tuple(f"n{n}" for n in range(319))
    named = Categorical("name", np.arange(320, dtype=np.int32) % 319, names, role="identifier")
    recipe = sudare.Recipe("r", [sudare.mask.Mondrian(k=5, l=2)])
    table = Microdata((*data.columns, named))
    k = sudare.publish(table, recipe, measures=[sudare.risk.KAnonymity()], seed=1).guarantees[0]
    assert [c.holds for c in k.conditions if "one record" in str(c.text)] == [None]


def test_an_amount_that_was_only_left_out_may_be_accepted_by_name() -> None:
    amounts = Numeric("amount", np.arange(300) % 290 * 7.5, role="identifier")
    table = Microdata((*crossed().columns, amounts))
    recipe = sudare.Recipe("r", [sudare.mask.Mondrian(k=5)])
    (shared,) = sudare.publish(table, recipe, measures=[], seed=SEED).findings.of_kind(
        "broken-promise"
    )
    assert "declared only to leave it out" in str(shared.remedy)
    accepted = sudare.publish(
        table, recipe, measures=[], confirmations=["broken-promise:amount"], seed=SEED
    )
    assert accepted.findings.of_kind("broken-promise")[0].confirmed


def visits(heads: dict[str, np.ndarray[Any, Any]], person: np.ndarray[Any, Any]) -> pl.DataFrame:
    """Return visits of people who keep their sex and town, and whose age moves by a year."""
    rng = np.random.default_rng(4)
    drawn = {"age": rng.integers(20, 60, 5000), "sex": rng.choice(["f", "m"], 5000)}
    drawn["town"] = rng.choice(list("ABCD"), 5000)
    keys = {name: values[person] for name, values in drawn.items()}
    keys["age"] = keys["age"] + rng.integers(0, 2, len(person))
    return pl.DataFrame({**heads, **keys})


@pytest.mark.parametrize("in_blocks", [False, True])
@pytest.mark.parametrize(
    ("heads", "shared"),
    [
        (lambda p: {"patient": np.char.add("P", p.astype(str))}, "patient"),
        (lambda p: {"x1": (p % 12).astype(str), "x2": (p // 12).astype(str)}, "x1, x2"),
        (lambda p: {"school": (np.arange(len(p)) % 7).astype(str)}, None),
    ],
)
def test_people_with_many_records_are_known_by_their_keys_whatever_the_heading(
    heads: Any, shared: str | None, in_blocks: bool, tmp_path: Path
) -> None:
    person = np.repeat(np.arange(100), 30)
    frame = visits(heads(person), person)
    roles: Any = dict.fromkeys(heads(person), "identifier")
    roles |= dict.fromkeys(("age", "sex", "town"), "key")
    frame.write_csv(tmp_path / "v.csv")
    data = (sudare.open if in_blocks else sudare.read)(tmp_path / "v.csv", roles=roles)
    assert repeated_identifier(data) == shared


@pytest.mark.parametrize(
    "before",
    [
        sudare.mask.Pram(columns=("illness",), retain=0.8),
        sudare.mask.RetentionReplacement(columns=("illness",), retain=0.8),
        sudare.mask.EditRules(rules=('age <= 30 implies illness == "b"',)),
        sudare.mask.LocalSuppression(k=200, columns=("illness",)),
    ],
)
def test_l_does_not_hold_by_sensitive_values_that_a_step_made_up(before: Any) -> None:
    number = np.arange(640)
    data = patients(number, (number // 40 % 4 == 0) * (number % 3))
    last = sudare.mask.Suppression(k=5, l=2, columns=("area",), missing="category")
    assert held(data, before, last, name="l-diversity") is False


@pytest.mark.parametrize("maps", [{"r0": "west"}, {f"r{n}": "west" for n in range(3)}])
def test_epsilon_does_not_hold_where_a_recoding_leaves_labels_of_the_table(
    maps: dict[str, str],
) -> None:
    data = patients(np.arange(320), np.zeros(320)).without(("id", "illness"))
    recoded = sudare.mask.GlobalRecode(columns=("area",), maps={"area": maps})
    drawn = sudare.mask.RetentionReplacement(columns=("area",), retain=0.5)
    assert held(data, recoded, drawn, name="epsilon") is False


@pytest.mark.parametrize("settings", [{"bounds": {"area": (0, 1)}}, {"domains": {"age": (0, 50)}}])
def test_epsilon_does_not_hold_where_the_other_kind_of_limits_is_stated(
    settings: dict[str, Any],
) -> None:
    data = patients(np.arange(320), np.zeros(320)).without(("id", "illness"))
    (name,) = next(iter(settings.values()))
    drawn = sudare.mask.PkAnonymization(k=3, columns=(name,), **settings)
    assert held(data, drawn, name="epsilon") is False


def asked_of(ages: str) -> Microdata:
    """Return people with an age, an area, and an answer that some of them have."""
    rng = np.random.default_rng(4)
    age, area, answer = (rng.integers(low, high, 1_500) for low, high in ((0, 90), (0, 8), (0, 5)))
    sex, some = rng.integers(0, 2, 1_500), rng.random(1_500)
    blank = {
        "old": age > 60,
        "oldest": age > 80,
        "young, and some others": (age < 15) | (some < 0.2),
        "women of an age": (sex == 0) | (age < 15) | (age > 49),
        "chance": some < 0.3,
        "more of the old": some < 0.2 + 0.4 * (age > 60),
    }[ages]
    return Microdata(
        (
            Numeric("age", age.astype(float), role="key"),
            Categorical("area", area, tuple("abcdefgh"), role="key"),
            Categorical("sex", sex, ("m", "f"), role="key"),
            Categorical("answer", np.where(blank, -1, answer), tuple("vwxyz"), role="sensitive"),
        )
    )


@pytest.mark.parametrize(
    ("ages", "stops"),
    [
        ("old", True),
        ("oldest", True),
        ("young, and some others", True),
        ("women of an age", True),
        ("chance", False),
        ("more of the old", False),
    ],
)
@pytest.mark.parametrize("opened", [False, True])
def test_whether_there_is_a_value_must_not_rule_out_records_that_share_their_keys(
    ages: str, tmp_path: Path, *, stops: bool, opened: bool
) -> None:
    recipe = sudare.Recipe("r", [sudare.mask.Mondrian(k=5)])
    data: Any = asked_of(ages)
    if opened:
        sudare.write(data, tmp_path / "t.csv")
        data = sudare.open(tmp_path / "t.csv", roles={c.name: c.role for c in data.columns})
    made = sudare.publish(data, recipe, seed=SEED)
    findings = [f for f in made.findings.of_kind("absence") if "there is a value" in str(f)]
    assert [finding.severity for finding in findings] == (["stop"] if stops else [])
    assert all((promise.holds is False) is stops for promise in made.guarantees)
    if stops:
        accepted = sudare.publish(data, recipe, seed=SEED, confirmations=[findings[0].name])
        assert not accepted.findings.stops


@pytest.mark.parametrize("promised", [{"l": 2}, {"l": 3, "diversity": "entropy"}, {"t": 0.8}])
def test_l_and_t_count_only_values_where_it_is_known_that_there_is_one(
    promised: dict[str, Any],
) -> None:
    recipe = sudare.Recipe("r", [sudare.mask.Mondrian(k=5, **promised)])
    made = sudare.publish(asked_of("oldest"), recipe, seed=SEED)
    (finding,) = made.findings.of_kind("absence")
    assert f"{next(iter(promised))} = " in str(finding)
    assert all(promise.holds is False for promise in made.guarantees)


def test_the_blanks_of_a_column_changed_at_random_rule_out_records_too() -> None:
    steps = [sudare.mask.Mondrian(k=5), sudare.mask.Pram(columns=("answer",), retain=0.5)]
    made = sudare.publish(asked_of("old"), sudare.Recipe("r", steps), seed=SEED)
    assert [finding.columns for finding in made.findings.of_kind("absence")] == [("answer", "age")]


@pytest.mark.parametrize(
    ("income", "severity"),
    [("none of children", ["stop"]), ("low of the young", ["note"]), ("by chance", [])],
)
def test_a_value_that_follows_from_a_key_for_some_people_is_no_promise_of_k(
    income: str, severity: list[str]
) -> None:
    """Children have no income; a class of them and others tells which records are theirs."""
    rng = np.random.default_rng(5)
    age, area, some = rng.integers(0, 90, 2_000), rng.integers(0, 8, 2_000), rng.random(2_000)
    oldest, high = (18, 0.5) if income == "low of the young" else (16, 0.9)
    is_high = (some < high) & ((age > oldest) | (income == "by chance"))
    data = Microdata(
        (
            Numeric("age", age.astype(float), role="key"),
            Categorical("area", area, tuple("abcdefgh"), role="key"),
            Categorical("income", is_high.astype(int), ("0", "1"), role="sensitive"),
        )
    )
    made = sudare.publish(data, sudare.Recipe("r", [sudare.mask.Mondrian(k=5)]), seed=SEED)
    assert [finding.severity for finding in made.findings.of_kind("twin")] == severity
    assert (made.guarantees[0].holds is False) is bool(severity)


@pytest.mark.parametrize(("least", "stops"), [(5, True), (1, False)])
def test_a_limit_on_k_is_a_promise_whatever_the_method(least: int, stops: bool) -> None:
    """Microaggregation promises no k, and a question of some ages tells its records apart."""
    rng = np.random.default_rng(1)
    age = rng.integers(0, 95, 1500)
    asked = np.where(age < 16, np.nan, rng.integers(1000, 9000, 1500))
    data = Microdata(
        (
            Numeric("age", age * 1.0, role="key"),
            Numeric("q7", np.rint(asked / 2000) * 2000, role="sensitive"),
        )
    )
    grouped = sudare.mask.Microaggregation(k=5, columns=("age",))
    masked = sudare.apply(data, grouped, seed=1)
    limit = sudare.release.Limit.parse(f"k-anonymity >= {least}")
    plain, limited = (
        sudare.release.gate(data, masked.data, masked.steps, limits=limits).of_kind("absence")
        for limits in ((), (limit,))
    )
    assert not any(finding.stops for finding in plain)
    assert any(finding.stops for finding in limited) == stops


def test_what_was_searched_for_and_not_found_is_no_yes_in_any_output(
    capsys: pytest.CaptureFixture[str],
) -> None:
    data = people({"north": 60, "south": 50, "island": 3})
    recipe = sudare.Recipe("r", [sudare.mask.GlobalRecode(min_share=0.3)])
    made = sudare.publish(data, recipe, measures=["k-anonymity"], seed=SEED)
    (promise,) = made.guarantees
    assert promise.holds is None
    assert [c.holds for c in promise.conditions if c.searched is not None] == [None]
    (told,) = made.ledger().content["guarantees"]
    assert told["holds"] is None
    print_guarantees(made.guarantees)
    page = release_report(made).html()
    for output in (capsys.readouterr().out, page):
        assert "k = 53 on the keys region" in output
        assert "nothing found, not proved" in output
        assert "Other rules, those for few people and those with exceptions may exist." in output


def test_a_promise_of_counted_conditions_alone_holds() -> None:
    yes, no, unknown = (Condition(Message("Nobody."), answer) for answer in (True, False, None))
    held = [Guarantee("k-anonymity", 5, 5, made).holds for made in ((yes,), (yes, unknown))]
    assert held == [True, None]
    assert Guarantee("k-anonymity", 5, 5, (yes, unknown, no)).holds is False
