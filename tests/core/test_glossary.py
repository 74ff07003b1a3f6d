"""The glossary and the catalog of messages say the same."""

import re

import pytest

from sudare.catalog import find
from sudare.core import LANGUAGES, Term, glossary
from sudare.core.messages import catalogue


def glossary_texts() -> list[str]:
    """Return all that the glossary says in Japanese."""
    told = glossary().values()
    said = [text for term in told for text in (term.meaning, term.formula, term.improved_by)]
    return [text["ja"] for text in said if text]


@pytest.mark.parametrize("term", glossary().values(), ids=lambda term: term.names["en"])
def test_messages_use_the_terms_of_the_glossary(term: Term) -> None:
    translations = catalogue("ja")
    english = term.names["en"]
    if english in translations:
        assert translations[english] == term.names["ja"]
    texts = [*translations.values(), *glossary_texts()]
    for word in term.avoided:
        assert not [text for text in texts if word in text]


@pytest.mark.parametrize("term", glossary().values(), ids=lambda term: term.names["en"])
def test_a_term_is_explained_in_every_language(term: Term) -> None:
    for texts in (term.names, term.meaning):
        assert all(texts[language] for language in LANGUAGES)
    for texts in (term.formula, term.improved_by):
        assert set(texts) in (set(), set(LANGUAGES))
    assert not term.measure or find(term.measure).family in {"risk", "loss"}


def test_things_are_counted_in_digits() -> None:
    kanji = re.compile("[一二三四五六七八九][つ回]")
    texts = [*catalogue("ja").values(), *glossary_texts()]
    assert [text for text in texts if kanji.search(text)] == []


def test_brackets_in_japanese_text_are_full_width() -> None:
    kana_or_kanji = "[ぁ-んァ-ヶー一-龥]"
    half = re.compile(rf"{kana_or_kanji} ?\(|\){kana_or_kanji}")
    assert [text for text in catalogue("ja").values() if half.search(text)] == []
