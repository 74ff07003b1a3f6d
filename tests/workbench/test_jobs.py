"""The four jobs of the workbench in a real browser, from a file to its release, in two languages.

The files are compared byte by byte with those of the command line.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

import sudare
from sudare.cli import main
from sudare.core import LANGUAGES, Language, say, speaking
from tests.workbench.serving import Bench

SEED = "730219"


@dataclass
class Worker:
    """Somebody at the workbench, in one language, who knows what its buttons are called."""

    page: Page
    bench: Bench
    language: Language
    project: str = ""

    def says(self, text: str, **words: object) -> str:
        """What a sentence is in the language of the page."""
        with speaking(self.language):
            return say(text, **words)

    def click(self, text: str, within: str = "main") -> None:
        self.page.locator(within).get_by_role("button", name=self.says(text), exact=True).click()

    def sees(self, text: str, **words: object) -> None:
        shown = self.page.get_by_text(self.says(text, **words)).first
        expect(shown).to_be_visible()

    def opens(self, path: Path) -> Path:
        """Open a table from the start page, and return its project."""
        self.page.goto(f"{self.bench.url}/language/{self.language}?next=/")
        self.page.locator("#path").fill(str(path))
        self.click("Open")
        self.page.wait_for_url("**/columns")
        self.project = self.page.url.removesuffix("/columns")
        expect(self.page.locator(".cards .card").first).to_be_visible()
        return path.with_name(f"{path.stem}.sudare.toml")

    def goes(self, screen: str) -> None:
        self.page.goto(f"{self.project}/{screen}")
        expect(self.page.locator("[data-job]")).to_have_count(0)

    def gives_role(self, column: str, role: str) -> None:
        row = self.page.locator(f"li[data-drag='{column}']")
        row.locator("select").select_option(role)
        moved = f"section[data-drop={role}] li[data-drag='{column}']"
        expect(self.page.locator(moved)).to_be_visible()

    def accepts_all_roles(self) -> None:
        self.click("I have checked all of them: accept")
        self.sees("You have reviewed this project.")

    def adds(self, method: str, **settings: str) -> None:
        """Add a step to the variant that is shown."""
        cards = self.page.locator("ol.stack > li h2")
        before = cards.count()
        self.page.locator("#method").select_option(method)
        self.page.locator("form:has(#method) button").click()
        if self.page.url.count("add="):
            self.click("Add", "form.card:has(input[name=asked])")
        expect(cards).to_have_count(before + 1)
        if settings:
            card = self.page.locator("ol.stack > li").nth(before)
            card.locator("summary").first.click()
            for name, value in settings.items():
                card.locator(f"[name={name}]").fill(value)
            card.get_by_role("button", name=self.says("Use these settings")).click()
            expect(card.locator("code")).to_be_visible()

    def starts_variant(self) -> None:
        variants = self.page.locator("nav.tabs a")
        before = variants.count()
        self.click("New variant")
        expect(variants).to_have_count(before + 1)

    def chooses_solution(self, number: int) -> None:
        """Look through the solutions of the step that is shown, and take one."""
        self.page.get_by_role("link", name=self.says("Look through the solutions")).click()
        self.click("List the solutions")
        expect(self.page.locator(".chart svg")).to_be_visible()
        choice = self.says("Use solution {number}", number=number)
        self.page.get_by_role("button", name=choice, exact=True).click()
        self.page.wait_for_url("**/protect?*")
        expect(self.page.locator("ol.stack code")).to_contain_text("levels")

    def tries(self) -> None:
        self.click("Try this variant")
        expect(self.page.locator("ul.effect").first).to_be_visible()

    def releases(self, project: Path, encoding: str = "utf-8") -> Path:
        """Release the first variant, and compare every file with that of the command line."""
        page = self.page
        self.goes("release")
        page.locator("#text-title").fill("A release")
        page.locator("#text-office").fill("An office")
        self.click("Use these texts")
        self.sees("Saved.")
        if encoding != "utf-8":
            page.locator("#encoding").select_option(encoding)
            self.click("Write it like this")
            expect(page.locator("#encoding option[selected]")).to_have_text(encoding)
        page.get_by_text(self.says("A seed of your own")).click()
        page.locator("#seed").fill(SEED)
        self.click("Check this variant")
        expect(page.locator("ul.checklist")).to_be_visible()
        self._accepts_findings()
        self.sees("It may leave.")
        self.click("Write the release")
        self.sees("Written to {folder}.", folder=project.parent / f"{_stem(project)}-release")
        released = project.parent / f"{_stem(project)}-release"
        self._command(project, "report", "--folder", str(project.parent / "line"))
        assert _content(released) == _content(project.parent / "line")
        self._command(project, "mask", "-o", str(project.parent / "masked.csv"))
        assert (project.parent / "masked.csv").read_bytes() == _content(released)["masked.csv"]
        return released

    def _accepts_findings(self) -> None:
        stops = self.page.locator("ul.checklist li.stops")
        left = stops.count()
        while left:
            finding = stops.first
            finding.locator("summary").click()
            finding.locator("[name=by]").fill("Sato")
            finding.locator("[name=reason]").fill("made up for a test")
            finding.get_by_role("button", name=self.says("Accept"), exact=True).click()
            left -= 1
            expect(stops).to_have_count(left)

    def _command(self, project: Path, command: str, *options: str) -> None:
        recipe = sudare.Project.open(project).recipes[0].name
        line = [command, "-p", str(project), "--recipe", recipe, *options, "--seed", SEED]
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("SUDARE_LANG", self.language)
            with pytest.raises(SystemExit) as ended:
                main(line)
        assert ended.value.code == 0, line


def _stem(project: Path) -> str:
    return project.name.removesuffix(".sudare.toml")


def _content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture(params=LANGUAGES)
def worker(request: pytest.FixtureRequest, browser: Browser, bench: Bench, page: Page) -> Worker:
    """Somebody at a page, in each language."""
    del browser
    return Worker(page, bench, request.param)


def residents(path: Path, people: int = 90) -> Path:
    """A city hall's list: CP932, with names, addresses, dates of birth and codes."""
    draw = np.random.default_rng(5)
    towns = ("東町", "西町", "南町", "北町")
    lines = ["氏名,住所,生年月日,性別,市区町村コード,世帯人員,世帯主との続柄"]
    for number in range(people):
        town = towns[draw.integers(4)]
        born = f"{1940 + draw.integers(70)}-{1 + draw.integers(12):02d}-{1 + draw.integers(28):02d}"
        relation = ("本人", "配偶者", "子")[draw.integers(3)]
        person = f"山田{number}郎,桜市{town}{number + 1}番地,{born},{'男女'[draw.integers(2)]}"
        lines.append(f"{person},1310{draw.integers(4)},{1 + draw.integers(5)},{relation}")
    path.write_bytes(("\r\n".join(lines) + "\r\n").encode("cp932"))
    return path


def test_a_city_hall_makes_open_data_of_its_resident_list(worker: Worker, tmp_path: Path) -> None:
    project = worker.opens(residents(tmp_path / "residents.csv"))
    worker.goes("roles")
    for column, role in (
        ("氏名", "identifier"),
        ("住所", "identifier"),
        ("生年月日", "identifier"),
    ):
        worker.gives_role(column, role)
    for column in ("性別", "市区町村コード", "世帯人員", "世帯主との続柄"):
        worker.gives_role(column, "key")
    worker.accepts_all_roles()
    worker.goes("risk")
    worker.sees("Risk before masking")
    worker.goes("protect")
    worker.starts_variant()
    worker.adds("local-suppression", k="4")
    worker.tries()
    released = worker.releases(project, encoding="cp932")
    table = (released / "masked.csv").read_bytes().decode("cp932")
    assert "性別" in table
    assert "山田" not in table


def test_a_survey_statistician_releases_weighted_households(worker: Worker, tmp_path: Path) -> None:
    path = tmp_path / "survey.csv"
    sudare.write(sudare.datasets.toy(150, seed=4), path)
    project = worker.opens(path)
    worker.goes("roles")
    worker.accepts_all_roles()
    worker.goes("risk")
    worker.sees("of the people of this table could be named, on average")
    worker.goes("protect")
    worker.starts_variant()
    worker.adds("local-suppression", k="2")
    worker.adds("pram", retain="0.9")
    worker.starts_variant()
    worker.adds("pram", retain="0.7")
    worker.goes("map")
    worker.click("Compare all variants")
    expect(worker.page.locator(".chart svg")).to_be_visible()
    worker.goes("compare")
    worker.click("Compare these two")
    worker.sees("Pairs of columns that changed most")
    released = worker.releases(project)
    assert b"<html" in (released / "report.html").read_bytes()


ROLES = (("weight", "other"), ("household", "identifier"), ("condition", "sensitive"))


def test_a_privacy_engineer_exports_a_recipe_for_a_pipeline(worker: Worker, tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    sudare.write(sudare.datasets.toy(200, seed=6), path)
    project = worker.opens(path)
    page = worker.page
    worker.goes("roles")
    for column, role in ROLES:
        worker.gives_role(column, role)
    worker.accepts_all_roles()
    limits = ["k-anonymity >= 5", "l-diversity[condition] >= 2", "t-closeness[condition] <= 0.5"]
    sudare.Project.open(project).edited({"limits": {"keep": limits}}).save()  # by an editor
    worker.goes("hierarchy?column=age")
    page.locator("[name=widths]").fill("10, 20, 40")
    page.locator("form:has([name=widths]) button").click()
    worker.sees("Saved.")
    worker.goes("protect")
    worker.starts_variant()
    worker.adds("full-domain", k="5", l="2", t="0.5")
    worker.chooses_solution(2)
    worker.tries()
    for limit in limits:
        expect(page.get_by_text(worker.says("limit kept: {limit}", limit=limit))).to_be_visible()
    released = worker.releases(project)
    with page.expect_download() as download:
        page.get_by_role("link", name="recipe.toml").first.click()
    assert download.value.path().read_bytes() == (released / "recipe.toml").read_bytes()
    assert sudare.Recipe.read(released / "recipe.toml").maskers


def test_an_analyst_takes_a_synthetic_copy_home(worker: Worker, tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    sudare.write(sudare.datasets.toy(150, seed=8), path)
    project = worker.opens(path)
    worker.goes("roles")
    worker.gives_role("weight", "identifier")
    worker.gives_role("household", "identifier")
    worker.accepts_all_roles()
    stated = sudare.Project.open(project)
    stated.edited(
        {"measures": {"risk": ["attribute-inference"], "loss": ["total-variation"]}}
    ).save()
    worker.goes("protect")
    worker.starts_variant()
    worker.adds("sequential-synthesis")
    worker.tries()
    measured = worker.page.locator("main th").filter(has_text=worker.says("Attribute inference"))
    expect(measured.first).to_be_visible()
    released = worker.releases(project)
    with worker.page.expect_download() as download:
        worker.page.get_by_role("link", name="masked.csv").first.click()
    assert download.value.path().read_bytes() == (released / "masked.csv").read_bytes()
