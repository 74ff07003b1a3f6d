"""The glossary and the catalogue of messages say the same."""

import re
from pathlib import Path

import pytest

from sudare.core.messages import catalogue

PAGE = Path(__file__).parents[2] / "docs" / "guide" / "glossary.md"


def rows() -> list[list[str]]:
    """Return the cells of the table, without its two lines of heading."""
    lines = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line[:1] == "|"]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


@pytest.mark.parametrize("row", rows(), ids=lambda row: row[0])
def test_messages_use_the_terms_of_the_glossary(row: list[str]) -> None:
    english, japanese, _, rejected = row
    translations = catalogue("ja")
    if english in translations:
        assert translations[english] == japanese
    for word in filter(None, rejected.split("、")):
        assert not [sentence for sentence, text in translations.items() if word in text]


def test_brackets_in_japanese_text_are_full_width() -> None:
    kana_or_kanji = "[ぁ-んァ-ヶー一-龥]"
    half = re.compile(rf"{kana_or_kanji} ?\(|\){kana_or_kanji}")
    assert [text for text in catalogue("ja").values() if half.search(text)] == []
