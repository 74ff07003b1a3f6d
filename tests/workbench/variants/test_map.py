"""The map: axes of choice, a frame that marks variants, a star, and a click that opens."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import sudare
from sudare.cli import main
from sudare.workbench.variants import COMPARING, RecipeEdits
from tests.workbench.serving import Bench, send


@pytest.fixture
def starred_file(bench: Bench, filled: str) -> Path:
    """The project with three variants that were compared."""
    return bench.site.opened(filled.rpartition("/")[2]).path


def test_both_axes_are_chosen_and_the_chart_follows(bench: Bench, filled: str) -> None:
    client = bench.browser()
    axes = {"risk": "Reidentification", "loss": "TotalVariation"}
    shown = client.get(f"{filled}/map", params=axes).text
    assert '<option value="TotalVariation" selected>' in shown
    chart = client.get(f"{filled}/map/chart", params={**axes, "width": "500"}).json()
    dots = next(layer for layer in chart["layer"] if "params" in layer)
    assert dots["encoding"]["x"]["title"] == "Total variation"
    assert dots["encoding"]["y"]["title"] == "Re-identification"
    assert chart["width"] < 500
    unknown = client.get(f"{filled}/map", params={"risk": "TotalVariation"})
    assert unknown.status_code == 400


def test_a_limit_on_a_part_of_a_measure_is_forbidden_area_too(bench: Bench, filled: str) -> None:
    client = bench.browser()
    shown = client.get(f"{filled}/map").text
    (name,) = re.findall(r'<option value="([^"]*max[^"]*)"', shown)
    chart = client.get(f"{filled}/map/chart", params={"risk": name}).json()
    assert any(layer["mark"].get("style") == "limit" for layer in chart["layer"])


def test_variants_are_framed_and_opened_by_mouse(page: Page, bench: Bench, filled: str) -> None:
    page.goto(f"{bench.url}{filled}/map?risk=Reidentification&loss=TotalVariation")
    expect(page.locator("[data-map][data-ready]")).to_be_visible()
    chart = page.locator(".chart svg")
    chart.scroll_into_view_if_needed()
    box = chart.locator(".background").first.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] - 9, box["y"] + 9)
    page.mouse.down()
    page.mouse.move(box["x"] - 9, box["y"] + box["height"] + 9, steps=4)  # beyond the edge
    page.mouse.up()
    expect(page.locator("[data-marked]")).to_have_text("5")  # all of it is in the frame
    expect(page.locator("[data-mark]").first).to_be_visible()
    page.get_by_role("button", name="Mark none").click()
    expect(page.locator("[data-marked]")).to_have_text("0")
    page.reload()
    expect(page.locator("[data-map][data-ready]")).to_be_visible()
    point = chart.locator(".mark-symbol path").nth(2)
    point.scroll_into_view_if_needed()
    point.click()
    page.wait_for_url("**/protect?variant=*")


def test_variants_are_marked_by_keys_without_a_picture(
    page: Page, bench: Bench, filled: str
) -> None:
    page.goto(f"{bench.url}{filled}/map?risk=KAnonymity&loss=TotalVariation")
    page.locator("[name=risk_from]").first.press_sequentially("3")
    expect(page.locator("[data-marked]")).to_have_text("1")
    expect(page.locator("tr.current")).to_contain_text("coarse")
    page.locator("[name=risk_from]").first.press("Enter")  # by the server, too
    page.wait_for_url("**risk_from=3**")
    expect(page.locator("tr.current")).to_contain_text("coarse")
    page.locator("#axis-risk").select_option("Reidentification")
    page.wait_for_url("**risk=Reidentification**")
    expect(page.locator("[name=risk_from]").first).to_have_value("")


def test_the_star_is_what_the_command_line_releases(
    bench: Bench, filled: str, starred_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    client, before = bench.browser(), starred_file.read_bytes()
    command = ["mask", "-p", str(starred_file), "-o", str(starred_file.parent / "out.csv")]
    with pytest.raises(SystemExit):
        main([*command, "--internal"])
    assert "several recipes" in capsys.readouterr().err
    send(client, f"{filled}/map/star", f"{filled}/map", variant="merged")
    assert sudare.Project.open(starred_file).recipe().name == "merged"
    assert "★" in client.get(f"{filled}/map").text
    assert 'variant=merged" aria-current="page"' in client.get(f"{filled}/release").text
    star = client.get(f"{filled}/map/chart").json()["layer"][-1]
    assert [value["recipe"] for value in star["data"]["values"]] == ["merged"]
    with pytest.raises(SystemExit) as ended:
        main([*command, "--internal"])
    assert ended.value.code == 0, capsys.readouterr().err
    send(client, f"{filled}/map/star", f"{filled}/map", variant="merged")  # taken back
    assert sudare.Project.open(starred_file).sections.release.recipe == ""
    for _ in range(2):
        send(client, f"{filled}/undo", f"{filled}/map")
    assert starred_file.read_bytes() == before


def test_the_star_follows_a_variant_that_is_renamed_or_removed() -> None:
    edits = RecipeEdits(({"name": "a", "steps": []}, {"name": "b", "steps": []}), "a")
    assert edits.renamed("a", "c")["release"] == {"recipe": "c"}
    assert edits.removed("a")["release"] == {"recipe": None}
    assert "release" not in edits.removed("b")


def test_the_table_and_the_picture_agree_on_who_keeps_the_limits(bench: Bench, filled: str) -> None:
    opened = bench.site.opened(filled.rpartition("/")[2])
    result = bench.site.trials.state(opened, COMPARING, opened.current()).result
    assert result is not None
    comparison = result["comparison"]
    by_table = [all(row["kept"].values()) for row in result["rows"]]
    assert by_table == [comparison.keeps(candidate) for candidate in comparison.candidates]
