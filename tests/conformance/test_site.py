"""The site as a reader has it: two languages, search in both, code that runs when it is pasted."""

import shutil
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config
from playwright.sync_api import Page, expect

from tests.browsers import chromium, new_window

pytestmark = pytest.mark.xdist_group("site-browser")  # one site, one browser

ROOT = Path(__file__).parents[2]
SETTINGS = f"""
INHERIT: {ROOT / "mkdocs.yml"}
docs_dir: pages
site_dir: site/0.2
hooks: [{ROOT / "docs/languages.py"}]
watch: []
nav: [Home: index.md, Risk: risk.md, News: news.md]
"""
VERSIONS = '[{"version": "0.2", "aliases": ["latest"]}, {"version": "0.1", "aliases": []}]'
HOME = """# Masks

```pycon
>>> total = 0
>>> for number in (1, 2):
...     total += number
>>> print(total)
3
>>> total
3

```

```console
$ echo one \\
>     two
one two
$ echo three
three
```
"""
PAGES = {
    "index.md": HOME,
    "index.ja.md": HOME.replace(
        "# Masks",
        "# 局所秘匿のページ\n\nレコードをまとめ、まれな値が減ります。公開前検査が個人を守ります。",
    ),
    "risk.md": "# Risk\n\nSee [the masks](index.md#masks) (公開前, 個).\n",
    "news.md": '--8<-- "CHANGELOG.md"\n',
}


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A site of two pages, one of them translated, with all settings of the real one."""
    folder = tmp_path_factory.mktemp("site")
    shutil.copytree(ROOT / "docs/assets", folder / "pages/assets")
    for name, text in PAGES.items():
        (folder / "pages" / name).write_text(text, encoding="utf-8")
    (folder / "CHANGELOG.md").write_text("# News\n", encoding="utf-8")
    settings = folder / "mkdocs.yml"
    settings.write_text(SETTINGS, encoding="utf-8")
    build(load_config(str(settings), strict=True))
    (folder / "site/versions.json").write_text(VERSIONS, encoding="utf-8")
    handler = partial(QuietHandler, directory=str(folder / "site"))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/0.2/"
        server.shutdown()


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with chromium() as browser:
        context = new_window(browser, permissions=["clipboard-read", "clipboard-write"])
        yield context.new_page()


def copied(page: Page, number: int) -> str:
    page.evaluate("navigator.clipboard.writeText('')")
    page.locator("[data-clipboard-target]").nth(number).click(force=True)
    page.wait_for_function("navigator.clipboard.readText().then(text => text !== '')")
    return str(page.evaluate("navigator.clipboard.readText()"))


def test_code_is_copied_without_prompts_and_output(site: str, page: Page) -> None:
    page.goto(site)
    script = copied(page, 0)
    assert ">>>" not in script
    assert "\n3" not in script
    names: dict[str, object] = {}
    exec(script, names)  # noqa: S102 - the page above
    assert names["total"] == 3
    assert copied(page, 1).split("\n") == ["echo one \\", "    two", "", "echo three"]


def test_the_switch_leads_to_the_same_page_in_the_other_language(site: str, page: Page) -> None:
    page.goto(site + "risk/")
    link = page.locator("a.md-select__link[hreflang=ja]")
    page.goto(str(link.evaluate("link => link.href")))
    assert page.url == site + "ja/risk/"
    expect(page.get_by_text("まだ日本語に訳されていません")).to_be_visible()
    page.goto(site + "ja/news/")
    expect(page.get_by_text("まだ日本語に訳されていません")).to_be_visible()
    page.goto(site + "ja/risk/")
    page.get_by_role("link", name="the masks").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("局所秘匿のページ")
    assert page.url.endswith("/ja/#masks")
    page.goto(str(page.locator("a.md-select__link[hreflang=en]").evaluate("link => link.href")))
    assert page.url == site


@pytest.mark.parametrize(
    "query",
    [
        *("局所秘匿", "秘匿のページ", "まとめ", "まれな", "まれな値", "レコードのまとめ"),
        *("公開前検査", "個人"),
    ],
)
def test_search_finds_words_of_japanese(site: str, page: Page, query: str) -> None:
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.goto(site + "ja/risk/")
    page.locator("input.md-search__input").click()
    page.keyboard.insert_text(query)
    page.keyboard.press("Shift")  # an input method ends with a key
    expect(page.locator(".md-search-result__item h1").first).to_contain_text("局所秘匿のページ")
    server = site.removesuffix("0.2/")
    assert all(request.startswith((server, "data:")) for request in requests)


@pytest.mark.parametrize("folder", ["", "ja/"])
def test_a_page_fits_a_phone(site: str, page: Page, folder: str) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(site + folder)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.set_viewport_size({"width": 1280, "height": 720})


@pytest.mark.parametrize("folder", ["", "ja/"])
def test_another_version_is_chosen_on_the_same_page(site: str, page: Page, folder: str) -> None:
    page.goto(f"{site}{folder}risk/")
    choice = page.locator("select.versions")
    expect(choice).to_have_value("0.2")
    choice.select_option("0.1")
    page.wait_for_url(f"**/0.1/{folder}risk/")
