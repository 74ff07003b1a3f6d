"""Purchase histories in the workbench: from a file to its release, the same as by command."""

from pathlib import Path
from typing import Literal

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

import sudare
from sudare.cli import main
from sudare.transactions import write_history
from tests.workbench.serving import Bench, send
from tests.workbench.test_help import UNEXPLAINED


@pytest.fixture(scope="module")
def browser_client(bench: Bench) -> httpx.Client:
    """One browser for all tests of this module."""
    return bench.browser()


@pytest.fixture(scope="module")
def history(bench: Bench, browser_client: httpx.Client) -> str:
    """The address of the project of a small history, opened by its path."""
    folder = bench.folder / "shop"
    folder.mkdir()
    write_history(sudare.datasets.purchases_like(12, seed=1), folder / "T.csv")
    shown = browser_client.get("/histories", params={"path": str(folder / "T.csv")})
    assert "format of the contest" in shown.text
    path = str(folder / "T.csv")
    sent = send(browser_client, "/histories", "/histories", path=path, format="contest")
    return opened(bench, browser_client, sent)


def opened(bench: Bench, client: httpx.Client, sent: httpx.Response) -> str:
    """Follow an opening to the first screen of its project."""
    bench.finish()
    job = bench.site.jobs.job(sent.headers["location"].rpartition("/")[2])
    assert job.state == "done", job.error
    address = client.get(sent.headers["location"]).headers["location"]
    client.get(address)
    bench.finish()
    return address.removesuffix("/history")


def test_a_history_is_read_counted_and_every_k_is_judged(
    browser_client: httpx.Client, history: str
) -> None:
    page = browser_client.get(f"{history}/history").text
    assert "by 12 customers" in page
    assert "0.0730" in page  # 24 customers in pairs, section 5.3 of the paper
    assert "k = 7 keeps this even against attackers who hold the original" in page


def test_a_table_of_purchases_is_opened_by_naming_its_columns(
    bench: Bench, browser_client: httpx.Client
) -> None:
    folder = bench.folder / "sales"
    folder.mkdir()
    lines = ["Member,Bought day,JAN code,Unit price,Units,Shop"]
    lines += [
        f"M{i % 6},2024-05-0{1 + i % 9},A{i % 4},{1 + i % 3}.5,{i % 5},north" for i in range(60)
    ]
    (folder / "sales.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    path = str(folder / "sales.csv")
    shown = browser_client.get("/histories", params={"path": path}).text
    assert "<option selected>Unit price</option>" in shown
    names = {"customer": "Member", "date": "Bought day", "item": "JAN code"}
    amounts = {"price": "Unit price", "quantity": "Units"}
    sent = send(browser_client, "/histories", "/histories", path=path, **names, **amounts)
    project = opened(bench, browser_client, sent)
    page = browser_client.get(f"{project}/history").text
    assert "48 purchases by 6 customers" in page
    assert "Shop" in page
    assert "no quantity, or one of 0 or less" in page


def test_variants_are_mapped_and_attacked_and_tried_on_use_cases(
    bench: Bench, browser_client: httpx.Client, history: str
) -> None:
    send(browser_client, f"{history}/history/k", f"{history}/history", k="2")
    assert "Customers alike" in browser_client.get(f"{history}/protect").text
    send(browser_client, f"{history}/map", f"{history}/map")
    send(browser_client, f"{history}/attackers", f"{history}/attackers", variant="k = 2")
    bench.finish()
    assert "Mean error of the cells (U)" in browser_client.get(f"{history}/map").text
    page = browser_client.get(f"{history}/attackers").text
    assert "groups published alike" in page
    assert "frequent itemsets" in page


def test_a_masked_file_is_checked_by_line_and_column(
    bench: Bench, browser_client: httpx.Client, history: str
) -> None:
    wrong = bench.folder / "shop" / "A.csv"
    wrong.write_text("1,2010/12/1,X,1,1\n", encoding="ascii")
    form = f"{history}/history"
    sent = send(browser_client, f"{form}/check", form, path=str(wrong))
    bench.finish()
    assert "line 2" in browser_client.get(sent.headers["location"]).text


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_screen_of_a_history_can_be_read_by_everybody(
    page: Page, bench: Bench, history: str, scheme: Literal["light", "dark"]
) -> None:
    page.emulate_media(color_scheme=scheme)
    for screen in ("", "/history", "/protect", "/map", "/attackers", "/publish"):
        page.goto(f"{bench.url}{history}{screen}" if screen else f"{bench.url}/histories")
        page.wait_for_load_state("networkidle")
        if screen == "/map":
            expect(page.locator(".chart svg[aria-hidden]")).to_be_visible()
        page.set_viewport_size({"width": 1280, "height": 900})
        if screen:
            assert page.evaluate(UNEXPLAINED) == [], screen
        assert [v["id"] for v in Axe().run(page).response["violations"]] == [], screen
        page.set_viewport_size({"width": 360, "height": 740})
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, screen


def test_the_release_has_the_bytes_of_the_command_line(
    bench: Bench, browser_client: httpx.Client, history: str, tmp_path: Path
) -> None:
    send(browser_client, f"{history}/history/k", f"{history}/history", k="7")  # safe by any draw
    form = f"{history}/publish"
    refused = send(browser_client, form, form, variant="k = 7", folder="early")
    assert "not reviewed" in refused.text
    send(browser_client, f"{history}/history/review", f"{history}/history", reviewed="yes")
    send(browser_client, f"{form}/limit", form)
    send(browser_client, form, form, variant="k = 7", folder="out", seed="20181022")
    bench.finish()
    page = browser_client.get(form, params={"variant": "k = 7"}).text
    assert "released to" in page
    folder = bench.folder / "shop"
    command = ["history", "report", str(folder / "T.sudare.toml"), "--recipe", "k = 7"]
    with pytest.raises(SystemExit) as ended:
        main([*command, "--folder", str(tmp_path / "again"), "--seed", "20181022"])
    assert ended.value.code == 0
    for made in (folder / "out").iterdir():
        assert made.read_bytes() == (tmp_path / "again" / made.name).read_bytes(), made.name


def test_commands_for_tables_say_that_a_project_is_of_a_history(
    bench: Bench, history: str, capsys: pytest.CaptureFixture[str]
) -> None:
    project = bench.folder / "shop" / "T.sudare.toml"
    with pytest.raises(SystemExit) as ended:
        main(["compare", "-p", str(project)])
    assert ended.value.code == 2
    assert "sudare history" in capsys.readouterr().err
