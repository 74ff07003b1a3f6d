"""What the published recipe names: labels that few had, or that were taken out."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sudare
from sudare.core import Categorical, Masker, Microdata, Numeric
from sudare.release import Findings

SIZES = {"none": 300, "common": 200, "frequent": 90, "rare": 3}
FAITH = Categorical(
    "faith", np.repeat(np.arange(4), list(SIZES.values())), tuple(SIZES), role="sensitive"
)


def findings_of(masker: Masker, *confirmations: str) -> Findings:
    recipe = sudare.Recipe("r", [masker])
    data = Microdata((FAITH,))
    publication = sudare.publish(
        data, recipe, measures=[], confirmations=confirmations, seed=73915502846613094428817
    )
    return publication.findings


def merged(*labels: str) -> Masker:
    new = dict.fromkeys(labels, "other")
    return sudare.mask.GlobalRecode(columns=("faith",), maps={"faith": new})


@pytest.mark.parametrize(
    ("masker", "counts"),
    [
        (merged("rare", "frequent"), [3]),
        (merged("common", "frequent"), []),
        (sudare.mask.RemoveRecords(where={"faith": ("frequent",)}), [90]),
        (sudare.mask.GlobalRecode(columns=("faith",), min_share=0.05), []),
    ],
)
def test_labels_that_a_recipe_gives_away_stop_a_release(masker: Masker, counts: list[int]) -> None:
    findings = findings_of(masker).of_kind("recipe-values")
    assert [finding.count for finding in findings if finding.stops] == counts
    assert not any(label in str(f.detail) for f in findings for label in ("rare", "frequent"))


def test_they_are_accepted_by_name() -> None:
    findings = findings_of(merged("rare", "frequent"), "recipe-values:faith")
    assert [finding.confirmed for finding in findings.of_kind("recipe-values")] == [True]


CITY = {"P": 300, "Q": 200, "R": 98, "Aogashima": 1, "Mikurajima": 1}
PARENTS = {"P": "N", "Q": "N", "R": "S", "Aogashima": "S", "Mikurajima": "S", "Miyake": "S"}
PARENTS |= {"N": "all", "S": "all"}
RULES = ('town == "Aogashima" implies town == "P"', 'town == "Mikurajima" implies town == "P"')


def towns() -> Microdata:
    town = Categorical("town", np.repeat(np.arange(5), list(CITY.values())), tuple(CITY))
    ages = np.append(np.arange(599.0) % 60 + 20, 113.0)
    return Microdata((replace(town, role="key"), Numeric("age", ages)))


@pytest.mark.parametrize(
    ("masker", "columns"),
    [
        (sudare.mask.FullDomain(k=5, hierarchies={"town": {"parents": PARENTS}}), ["town"]),
        (sudare.mask.EditRules(columns=("town",), rules=RULES), ["town"]),
        (sudare.mask.EditRules(columns=("age",), rules=("age == 113 implies age == 60",)), ["age"]),
        (sudare.mask.EditRules(columns=("age",), rules=("age >= 113 implies age == 60",)), ["age"]),
        (sudare.mask.EditRules(columns=("age",), rules=("age >= 22 implies age == 60",)), []),
        (sudare.mask.RemoveRecords(where={"age": ">= 113"}), ["age"]),
        (sudare.mask.RemoveRecords(where={"age": ">= 70"}), []),
        (sudare.mask.RemoveRecords(where={"age": ">= 114"}, rarest=0.01), []),
    ],
)
def test_rare_values_stop_a_release_wherever_its_recipe_names_them(
    masker: Masker, columns: list[str]
) -> None:
    publication = sudare.publish(
        towns(), sudare.Recipe("r", [masker]), measures=[], seed=73915502846613094428817
    ).findings.of_kind("recipe-values")
    assert [name for finding in publication for name in finding.columns] == columns


def test_a_hierarchy_may_list_labels_that_nobody_or_many_have() -> None:
    data = towns()
    data = data.take(np.flatnonzero(data["town"].coded.codes < 3))
    masker = sudare.mask.FullDomain(k=250, hierarchies={"town": {"parents": PARENTS}})
    release = sudare.publish(
        data, sudare.Recipe("r", [masker]), measures=[], seed=73915502846613094428817
    )
    assert not release.findings.of_kind("recipe-values")


@pytest.mark.parametrize(
    ("word", "stops"), [("Aogashima", True), ("113", True), ("n/a", False), ("999", False)]
)
def test_a_word_for_no_value_that_is_a_value_stops_a_release(
    tmp_path: Path, word: str, stops: bool
) -> None:
    path = tmp_path / "towns.csv"
    path.write_text("town,sex\n" + "P,m\nQ,f\n" * 40 + f"{word},m\n")
    data = sudare.read(path, roles={"town": "key"}, missing={"town": [word]})
    recipe = sudare.Recipe("r", [sudare.mask.Pram(columns=("town",))])
    release = sudare.publish(data, recipe, measures=[], seed=73915502846613094428817)
    assert bool(release.findings.of_kind("recipe-values")) is stops


@pytest.mark.parametrize(
    ("masker", "stops"),
    [
        (sudare.mask.RemoveRecords(rarest=0.02, columns=("town",)), True),
        (sudare.mask.TopBottomCode(top_share=0.05, columns=("town",)), True),
        (sudare.mask.GlobalRecode(min_share=0.05, columns=("town",)), False),  # "R・Aogashima"
    ],
)
def test_a_stated_order_names_a_label_that_one_record_had(
    tmp_path: Path, masker: Masker, stops: bool
) -> None:
    path = tmp_path / "towns.csv"
    path.write_text("town,sex\n" + "P,m\nQ,f\nR,m\n" * 30 + "Aogashima,m\n")
    order = ["P", "Q", "R", "Aogashima", "Miyake"]
    data = sudare.read(path, roles={"town": "key"}, orders={"town": order})
    recipe = sudare.Recipe("r", [masker])
    release = sudare.publish(data, recipe, measures=[], seed=73915502846613094428817)
    findings = release.findings.of_kind("recipe-values")
    assert any(finding.stops for finding in findings) is stops


def test_a_label_that_was_removed_is_named_though_a_later_step_draws_it() -> None:
    towns_drawn = sudare.mask.PkAnonymization(k=5, columns=("town",), domains={"town": tuple(CITY)})
    removed = sudare.mask.RemoveRecords(where={"town": ("Aogashima",)})
    for steps, columns in (([removed, towns_drawn], ["town"]), ([towns_drawn], [])):
        recipe = sudare.Recipe("r", steps)
        release = sudare.publish(towns(), recipe, measures=[], seed=73915502846613094428817)
        named = release.findings.of_kind("recipe-values")
        assert [name for finding in named for name in finding.columns] == columns


def bounded(top: float) -> list[Masker]:
    """Return every way to state a bound of incomes."""
    last = f"{top:g}" if top < 1e6 else f"{top:f}"
    noise = sudare.mask.BoundedLaplace(columns=("income",), bounds={"income": (0, top)})
    coded = [
        sudare.mask.TopBottomCode(columns=("income",), top=top),
        sudare.mask.TopBottomCode(top={"income": top}),
        sudare.mask.Intervals(columns=("income",), bounds={"income": (0, top)}),
        sudare.mask.Intervals(columns=("income",), breaks={"income": (100_000, top)}),
        sudare.mask.PkAnonymization(columns=("income",), k=5, bounds={"income": (0, top)}),
        sudare.mask.RemoveRecords(where={"income": f"> {last}"}),
    ]
    rules = [
        f"income <= {last}",
        f"income from 0 to {last}",
        f"income > {last} implies income == 0",
    ]
    return [noise, *coded, *(sudare.mask.EditRules(rules=(rule,)) for rule in rules)]


def stopped_by(masker: Masker, incomes: Any, **more: Any) -> list[Any]:
    sex = Categorical("sex", np.arange(len(incomes)) % 2, ("f", "m"), role="key")
    data = Microdata((sex, Numeric("income", incomes, role="sensitive", scale="ratio")))
    recipe = sudare.Recipe("r", [masker, sudare.mask.Pram(columns=("sex",))])
    try:
        made = sudare.publish(data, recipe, measures=[], seed=73915502846613094428817, **more)
    except sudare.errors.SudareError:  # bounds that the data do not fit
        return []
    return [f for f in made.findings.of_kind("recipe-values") if f.stops]


@pytest.mark.parametrize("way", range(10))
def test_a_bound_that_few_reach_stops_a_release_until_it_is_accepted(way: int) -> None:
    """One has 987,654, nobody has more; 987,653 has one record beyond it."""
    incomes = np.append(np.arange(400.0) * 777 + 60_000, 987_654.0)
    for top, refused in (987_654.0, set[int]()), (987_653.0, {0, 3, 5}):
        masker = bounded(top)[way]
        findings = stopped_by(masker, incomes)
        assert [finding.columns for finding in findings] == [("income",)] * (way not in refused)
        assert not stopped_by(masker, incomes, confirmations=["recipe-values:income"])


@pytest.mark.parametrize("way", range(10))
@pytest.mark.parametrize("top", [1_000_000.0, 1_234_567.0, 300_000.0])
def test_a_bound_beyond_all_or_below_many_passes(way: int, top: float) -> None:
    incomes = np.append(np.arange(400.0) * 777 + 60_000, 987_654.0)
    assert not stopped_by(bounded(top)[way], incomes)


def test_a_bound_that_many_share_passes() -> None:
    incomes = np.append(np.arange(400.0) * 777 + 60_000, np.full(30, 987_654.0))
    assert not any(stopped_by(masker, incomes) for masker in bounded(987_654.0))


def classes(word: str, number: float) -> dict[str, Any]:
    """Return a hierarchy that states a number."""
    if word == "cuts":
        return {"cuts": [[100_000, number], [100_000]]}
    return {"widths": [5_000], "start": number} if word == "start" else {"widths": [number]}


@pytest.mark.parametrize("word", ["cuts", "start", "widths", "base"])
@pytest.mark.parametrize(
    ("number", "stops"), [(987_654.0, True), (300_000.0, False), (123_456.0, False)]
)
def test_a_number_of_one_record_in_classes_stops_a_release(
    word: str, number: float, *, stops: bool
) -> None:
    incomes = np.append(np.arange(400.0) * 777 + 60_000, 987_654.0)
    if word == "base":
        maskers: list[Masker] = [sudare.mask.Rounding(columns=("income",), base=number)]
    else:
        hierarchies = {"income": classes(word, number)}
        columns = ("sex", "income")
        maskers = [
            sudare.mask.FullDomain(columns=columns, k=3, hierarchies=hierarchies),
            sudare.mask.Mondrian(columns=columns, k=3, hierarchies=hierarchies),
        ]
    assert [bool(stopped_by(masker, incomes)) for masker in maskers] == [stops] * len(maskers)


@pytest.mark.parametrize("width", [3, 12, 96])
def test_a_width_that_few_are_below_or_above_passes(width: int) -> None:
    ages = np.append(np.arange(400.0) % 60 + 20, [2.0, 11.0, 98.0])
    assert not stopped_by(sudare.mask.Rounding(columns=("income",), base=width), ages)


@pytest.mark.parametrize(("day", "stops"), [("2024-07-01", False), ("2024-07-03", True)])
def test_a_class_of_dates_may_begin_with_a_month(day: str, stops: bool, tmp_path: Path) -> None:
    days = np.datetime64("2024-01-01") + np.arange(900) % 300
    sexes = np.where(np.arange(900) % 2, "m", "f")
    lines = [f"{date},{sex}" for date, sex in zip(days, sexes, strict=True)]
    (tmp_path / "d.csv").write_text("\n".join(["admitted,sex", *lines]))
    data = sudare.read(tmp_path / "d.csv", roles={"admitted": "key", "sex": "key"})
    number = float(np.datetime64(day).astype(int))
    masker = sudare.mask.Intervals(columns=("admitted",), breaks={"admitted": (number,)})
    made = sudare.publish(data, sudare.Recipe("r", [masker]), measures=[])
    assert bool(made.findings.of_kind("recipe-values")) is stops


@pytest.mark.parametrize("accepted", [False, True])
def test_a_review_does_not_show_values_for_which_the_recipe_is_stopped(
    accepted: bool, tmp_path: Path
) -> None:
    named = {"Aogashima": "isles", "Mikurajima": "isles"}
    recode = sudare.mask.GlobalRecode(columns=("town",), maps={"town": named})
    made = sudare.publish(
        towns(),
        sudare.Recipe("r", [recode]),
        measures=[],
        confirmations=["recipe-values:town"] * accepted,
    )
    assert made.may_show_recipe is accepted
    folder = made.write_review(tmp_path / "review")
    pages = "".join(path.read_text("utf-8") for path in folder.iterdir())
    assert ("Aogashima" in pages) is accepted
    assert (folder / "recipe.toml").exists() is accepted
