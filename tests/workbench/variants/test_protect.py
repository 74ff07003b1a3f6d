"""Protect and map: variants are made step by step, tried, compared and found."""

import re
import shlex
from html import unescape
from pathlib import Path
from typing import Any

import httpx
import pytest

import sudare
from sudare.core import SettingError
from sudare.web import CSRF_FIELD
from sudare.workbench.session_code import hidden_labels
from sudare.workbench.variants import RecipeEdits
from tests.workbench.serving import Bench, hidden, send

TWO_STEPS = {
    "name": "a",
    "steps": [{"method": "global-recode", "min_share": 0.1}, {"method": "pram"}],
}


@pytest.fixture
def own(bench: Bench, tmp_path: Path) -> tuple[str, Path]:
    """The address and the file of a project of its own."""
    path = tmp_path / "people.csv"
    sudare.write(sudare.datasets.toy(120, seed=2), path)
    address = bench.opened(path)
    return address, bench.site.opened(address.rpartition("/")[2]).path


def test_a_variant_is_built_moved_and_removed(bench: Bench, own: tuple[str, Path]) -> None:
    address, file = own
    client = bench.browser()
    page = f"{address}/protect"
    send(client, f"{page}/variant", page, action="add", name="mild")
    send(client, f"{page}/step/add", page, variant="mild", method="global-recode")
    send(client, f"{page}/step/add", page, variant="mild", method="pram")
    told = send(client, f"{page}/step/settings", page, variant="mild", step="1", retain="0.7")
    assert told.status_code == 303
    (recipe,) = sudare.Project.open(file).recipes
    assert [type(masker).__name__ for masker in recipe.maskers] == ["GlobalRecode", "Pram"]
    assert recipe.maskers[1].settings() == {"retain": 0.7}
    send(client, f"{page}/step", page, variant="mild", step="1", action="up")
    send(client, f"{page}/step", page, variant="mild", step="1", action="remove")
    send(client, f"{page}/variant", page, variant="mild", action="duplicate", name="strong")
    recipes = sudare.Project.open(file).recipes
    assert [recipe.name for recipe in recipes] == ["mild", "strong"]
    assert [type(masker).__name__ for masker in recipes[1].maskers] == ["Pram"]
    send(client, f"{page}/variant", page, variant="mild", action="remove")
    assert [recipe.name for recipe in sudare.Project.open(file).recipes] == ["strong"]


def test_settings_out_of_their_limits_are_refused(bench: Bench, own: tuple[str, Path]) -> None:
    address, file = own
    client = bench.browser()
    page = f"{address}/protect"
    send(client, f"{page}/variant", page, action="add", name="mild")
    send(client, f"{page}/step/add", page, variant="mild", method="pram")
    before = file.read_bytes()
    told = send(client, f"{page}/step/settings", page, variant="mild", step="0", retain="1.5")
    assert told.status_code == 400
    assert "retain must be between 0 and 1" in told.text
    assert file.read_bytes() == before


def test_a_trial_tells_what_each_step_costs_and_brings(bench: Bench, own: tuple[str, Path]) -> None:
    address, file = own
    project = sudare.Project.open(file)
    project.edited({"recipes": [TWO_STEPS], "limits": {"keep": ["k-anonymity >= 2"]}}).save()
    client = bench.browser()
    send(client, f"{address}/protect/try", f"{address}/protect", variant="a")
    bench.finish()
    shown = client.get(f"{address}/protect").text
    assert shown.count('<ul class="effect">') == 2
    assert "k-anonymity &gt;= 2" in shown
    send(client, f"{address}/map", f"{address}/map")
    bench.finish()
    shown = client.get(f"{address}/map").text
    assert "as it is" in shown
    chart = client.get(f"{address}/map/chart").json()
    assert chart["layer"]


def test_a_search_becomes_a_variant(bench: Bench, own: tuple[str, Path]) -> None:
    address, file = own
    client = bench.browser()
    page = f"{address}/protect"
    told = send(client, f"{page}/find", page, trials="6")
    assert "state a limit first" in told.text
    sudare.Project.open(file).edited({"limits": {"keep": ["uniques <= 0.9"]}}).save()
    send(client, f"{page}/find", page, trials="6")
    bench.finish()
    assert "recipes tried" in client.get(page).text
    assert send(client, f"{page}/found", page).status_code == 303
    assert [recipe.name for recipe in sudare.Project.open(file).recipes] == ["found"]


def test_values_of_the_data_are_on_neither_page(bench: Bench, own: tuple[str, Path]) -> None:
    address, _ = own
    client: httpx.Client = bench.browser()
    for screen in ("protect", "map"):
        assert "Hokkaido" not in client.get(f"{address}/{screen}").text


def test_merged_labels_are_hidden_and_stay_when_other_settings_are_saved(
    bench: Bench, own: tuple[str, Path]
) -> None:
    address, file = own
    step = {"method": "global-recode", "maps": {"region": {"Hokkaido": "North-by-hand"}}}
    sudare.Project.open(file).edited({"recipes": [{"name": "a", "steps": [step]}]}).save()
    client, page = bench.browser(), f"{address}/protect"
    shown = client.get(page).text
    assert "maps = …" in shown
    assert "North-by-hand" not in shown
    assert 'name="maps"' not in shown
    settings = {"variant": "a", "step": "0", "min_share": "0.1"}
    assert send(client, f"{page}/step/settings", page, **settings).status_code == 303
    kept = sudare.Project.open(file).recipes[0].maskers[0].settings()
    assert kept["min_share"] == 0.1
    assert kept["maps"] == step["maps"]
    send(client, "/values", page, show="yes", next="/")
    shown = client.get(page).text
    assert 'name="maps"' in shown
    assert "North-by-hand" in shown


def test_options_of_a_method_are_no_labels() -> None:
    step = {"method": "local-suppression", "missing": "category"}
    assert hidden_labels(step) == step
    assert hidden_labels({"method": "remove-records", "where": {"a": "x"}})["where"] == "…"


def test_ends_are_hidden_where_they_are_labels_and_shown_where_they_are_numbers() -> None:
    step = {"method": "top-bottom-code", "top": {"school": "college"}, "bottom": {"age": 10}}
    assert hidden_labels(step) == {**step, "top": "…"}
    assert hidden_labels({**step, "top": "college"})["top"] == "…"
    rules = {"method": "edit-rules", "rules": ["sex == 'female'"]}
    assert hidden_labels(rules)["rules"] == "…"


@pytest.mark.parametrize("screen", ["protect", "release"])
def test_a_command_takes_a_variant_of_any_name_as_one_word(
    bench: Bench, own: tuple[str, Path], screen: str
) -> None:
    address, file = own
    name = "it's $(touch x) {project}"
    sudare.Project.open(file).edited({"recipes": [{"name": name, "steps": []}]}).save()
    shown = unescape(bench.browser().get(f"{address}/{screen}").text)
    lines = [line for line in shown.splitlines() if "--recipe" in line]
    (command,) = {match[0] for line in lines for match in re.finditer(r"sudare \w+ -p [^<]*", line)}
    words = shlex.split(command)
    assert words[words.index("--recipe") + 1] == name
    assert words[words.index("-p") + 1] == file.name


def test_edits_that_make_no_sense_are_refused() -> None:
    edits = RecipeEdits((TWO_STEPS, {"name": "b", "steps": []}))
    assert edits.free_name("a") == "a 2"
    with pytest.raises(SettingError, match="no such step"):
        edits.step_moved("a", 0, -1)
    with pytest.raises(SettingError, match="no such step"):
        edits.step_removed("b", 0)
    with pytest.raises(SettingError, match="'b' already"):
        edits.renamed("a", "b")
    with pytest.raises(SettingError, match="there is no recipe 'c'"):
        edits.removed("c")


def test_the_solutions_of_a_step_are_listed_and_one_is_chosen(
    bench: Bench, own: tuple[str, Path]
) -> None:
    address, file = own
    step = {"method": "full-domain", "k": 3, "columns": ["sex", "region"]}
    steps = [{"method": "global-recode", "min_share": 0.05}, step]
    sudare.Project.open(file).edited({"recipes": [{"name": "a", "steps": steps}]}).save()
    client, page = bench.browser(), f"{address}/lattice?variant=a&step=1"
    assert page in unescape(client.get(f"{address}/protect?variant=a").text)
    send(client, f"{address}/lattice", page, variant="a", step="1")
    bench.finish()
    assert 'aria-label="Use solution 1"' in client.get(page).text
    chart = client.get(f"{address}/lattice/chart?variant=a&step=1").json()
    assert used_in(chart) == ["0 · 0"]
    second = client.get(page)  # another tab
    send(client, f"{address}/lattice/choose", page, variant="a", step="1", solution="1")
    levels: Any = sudare.Project.open(file).recipe("a").maskers[1].settings()["levels"]
    assert "chosen" in client.get(page).text  # what was listed is listed still
    chart = client.get(f"{address}/lattice/chart?variant=a&step=1&width=99999999").json()
    assert (used_in(chart), chart["width"]) == ([" · ".join(map(str, levels.values()))], 1000)
    known = {name: hidden(second, name) for name in (CSRF_FIELD, "revision")}
    for form, fields in (("lattice/choose", {"solution": "2"}), ("protect/step", {"step": "9"})):
        late = client.post(
            f"{address}/{form}", data={**known, "variant": "a", "step": "1", **fields}
        )
        assert late.status_code == 409
        assert "chose the levels of a step" in unescape(late.text)
    send(client, f"{address}/lattice/choose", page, variant="a", step="1", solution="")
    assert "levels" not in sudare.Project.open(file).recipe("a").maskers[1].settings()
    assert "does not choose among levels" in client.get(f"{address}/lattice?variant=a&step=0").text


def used_in(chart: dict[str, Any]) -> list[str]:
    """The solutions around which a ring is drawn."""
    return [point["name"] for point in chart["data"]["values"] if point["is_used"]]


def test_a_solution_that_suppresses_too_much_cannot_be_chosen(
    bench: Bench, own: tuple[str, Path]
) -> None:
    address, file = own
    client = bench.browser()
    strict = {"method": "full-domain", "k": 50, "columns": ["sex", "region"]}
    strict["suppression_limit"] = 0.0
    sudare.Project.open(file).edited({"recipes": [{"name": "b", "steps": [strict]}]}).save()
    page = f"{address}/lattice?variant=b&step=0"
    send(client, f"{address}/lattice", page, variant="b", step="0")
    bench.finish()
    last = str(client.get(page).text.count("<tr>") - 2)
    told = send(client, f"{address}/lattice/choose", page, variant="b", step="0", solution=last)
    assert "suppresses more records" in told.text
