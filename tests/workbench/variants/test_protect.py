"""Protect and map: variants are made step by step, tried, compared and found."""

from pathlib import Path

import httpx
import pytest

import sudare
from sudare.core import SettingError
from sudare.workbench.variants import RecipeEdits
from tests.workbench.serving import Bench, send

TWO_STEPS = {
    "name": "a",
    "steps": [{"method": "global-recode", "min_share": 0.1}, {"method": "pram"}],
}


def finished(bench: Bench) -> None:
    """Wait until no job is at work; tables that cannot be counted are the matter of others."""
    for job in (job for job in bench.site.jobs.jobs() if job.kind != "count"):
        ended = bench.site.jobs.wait(job.id)
        assert ended.state == "done", ended.error


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
    finished(bench)
    shown = client.get(f"{address}/protect").text
    assert shown.count('<ul class="effect">') == 2
    assert "k-anonymity &gt;= 2" in shown
    send(client, f"{address}/map", f"{address}/map")
    finished(bench)
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
    finished(bench)
    assert "recipes tried" in client.get(page).text
    assert send(client, f"{page}/found", page).status_code == 303
    assert [recipe.name for recipe in sudare.Project.open(file).recipes] == ["found"]


def test_values_of_the_data_are_on_neither_page(bench: Bench, own: tuple[str, Path]) -> None:
    address, _ = own
    client: httpx.Client = bench.browser()
    for screen in ("protect", "map"):
        assert "Hokkaido" not in client.get(f"{address}/{screen}").text


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
