"""Pages as notebooks: they run, show what the page shows, and hold the charts."""

import re
from pathlib import Path

import pytest
from notebooks import made_from, notebook, statements

from sudare.core import speaking

ROOT = Path(__file__).parents[2]
TOUR = (ROOT / "docs/tutorials/notebook-tour.md").read_text(encoding="utf-8")
PAGES = sorted((ROOT / "docs").rglob("*.md"))


def test_the_tour_runs_and_shows_what_its_page_shows() -> None:
    cells = [cell for cell in notebook(TOUR)["cells"] if cell["cell_type"] == "code"]
    shown = ["".join(out["data"]["text/plain"]) for cell in cells for out in cell["outputs"]]
    blocks = re.findall(r"^```pycon\n(.*?)^```$", TOUR, re.MULTILINE | re.DOTALL)
    assert shown == [text for block in blocks for _, text in statements(block) if text]


def test_charts_are_in_the_notebook_and_beside_the_page() -> None:
    names = [name for name, _ in made_from(TOUR, "tour")]
    assert names == ["tour.ipynb", "tour-1.svg", "tour-2.svg", "tour-3.svg"]


def test_a_notebook_has_the_fields_of_the_format() -> None:
    book = notebook("# Text\n\n[guide](../guide/start.md#install)\n\n```pycon\n>>> 1\n1\n\n```\n")
    assert (book["nbformat"], book["nbformat_minor"]) == (4, 5)
    text, code = book["cells"]
    assert set(text) == {"id", "cell_type", "metadata", "source"}
    assert set(code) == {"id", "cell_type", "metadata", "source", "outputs", "execution_count"}
    assert text["source"][-1] == "[guide](https://sudare.readthedocs.io/guide/start/#install)"


def test_a_notebook_in_japanese_leads_to_pages_in_japanese() -> None:
    with speaking("ja"):
        book = notebook("[始める](../guide/start.md)\n\n```pycon\n>>> 1\n1\n\n```\n")
    link = "[始める](https://sudare.readthedocs.io/ja/guide/start/)"
    assert book["cells"][0]["source"] == [link]


def test_running_all_cells_goes_on_after_one_that_raises() -> None:
    error = "Traceback (most recent call last):\n    ...\na.E: no: x\n"
    page = f"```pycon\n>>> 1 / 0\n{error}>>> 1\n1\n```\n"
    raising, after = notebook(page)["cells"]
    assert raising["metadata"] == {"tags": ["raises-exception"]}
    (output,) = raising["outputs"]
    assert (output["output_type"], output["ename"], output["evalue"]) == ("error", "E", "no: x")
    assert after["metadata"] == {}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT / "docs").as_posix())
def test_prompts_stand_only_where_copying_leaves_them_out(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for kind, code in re.findall(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        prompts = re.search(r"^(>>>|\$) ", code, re.MULTILINE)
        assert not prompts or kind in {"pycon", "console"}
