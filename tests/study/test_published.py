"""The table of the papers' numbers: all of them, equal where the data are the paper's."""

from collections import Counter
from pathlib import Path

import pytest

import sudare

EXACT = {
    *(("Akiyama and Wada", "2.1"), ("Akiyama and Wada", "2.2")),
    *(("Hamada et al.", "table 4"), ("Hamada et al.", "4.1.1")),
    *(("Sano and Hattori", "eq. 1"), ("Sano and Hattori", "eq. 2")),
}


@pytest.fixture(scope="module")
def numbers() -> list[dict[str, object]]:
    return list(sudare.study.papers(rows=600).tables["published"])


def test_numbers_that_need_no_confidential_data_come_out_as_printed(
    numbers: list[dict[str, object]],
) -> None:
    for row in numbers:
        exact = (row["paper"], row["source"]) in EXACT or row["source"] == "footnote 1"
        if exact or (row["paper"], row["source"]) == ("Sano and Hattori", "table 2"):
            printed = str(row["published"])
            digits = len(printed.partition(".")[2])
            assert round(float(str(row["ours"])), digits) == float(printed), row["figure"]


def test_every_table_of_the_papers_is_there(numbers: list[dict[str, object]]) -> None:
    counts = Counter((row["paper"], row["source"]) for row in numbers)
    assert counts["Sano and Hattori", "table 6"] == 48
    assert counts["Sano and Hattori", "table 8"] == 80
    assert counts["Sano (slides)", "table 2"] == 18
    assert counts["Hamada et al.", "table 4"] == 63
    assert counts["Hamada et al.", "table 5"] == 10
    assert counts["Hamada et al.", "table 6"] == 70
    assert counts["Akiyama and Wada", "table 1"] == 9


def test_what_has_no_number_of_ours_says_why(numbers: list[dict[str, object]]) -> None:
    assert all(row["note"] for row in numbers if row["ours"] == "")


def test_the_page_of_the_docs_is_made_by_the_command(numbers: list[dict[str, object]]) -> None:
    page = Path(__file__).parents[2] / "docs/papers/published.csv"
    lines = page.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 1 + len(numbers)
    assert lines[0] == "paper,source,figure,published,ours,note"
