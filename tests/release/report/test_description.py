"""The page that describes a table."""

import pytest

import sudare
from sudare.core import speaking
from sudare.describe import association, cards, problems, profile
from sudare.release.report import description_report
from sudare.release.report.document import Report
from sudare.release.report.pdf import pdf


def page(*, unlocked: bool = False) -> Report:
    data = sudare.datasets.survey_like(600, seed=1, persons=True)
    pairs = association(data)
    return description_report(
        profile(data),
        pairs,
        problems(data, pairs),
        cards(data, pairs, unlocked=unlocked),
        title="survey",
        unlocked=unlocked,
    )


def test_it_has_problems_and_a_card_for_each_column() -> None:
    html = page().html()
    assert html.count('<section class="card">') == 36
    assert "--identifier" in html
    assert "were not asked" in html


def test_it_hides_small_counts_and_all_names() -> None:
    html = page().html()
    assert "&lt;10" in html
    assert "example.jp" not in html
    assert "&lt;10" not in page(unlocked=True).html()


@pytest.mark.parametrize("language", ["en", "ja"])
def test_it_can_be_a_pdf(language: str) -> None:
    with speaking("ja" if language == "ja" else "en"):
        assert pdf(page()).startswith(b"%PDF")
