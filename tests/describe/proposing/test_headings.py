"""What headings say, in two languages."""

import tomllib
from collections import Counter
from importlib.resources import files

import pytest

from sudare.describe.proposing.headings import concept_of, concepts


def test_no_word_is_listed_under_two_concepts() -> None:
    text = files("sudare.describe.proposing").joinpath("words.toml").read_text(encoding="utf-8")
    listed = Counter(
        word
        for entry in tomllib.loads(text).values()
        for word in {w for part in ("en", "ja", "exact") for w in entry.get(part, ())}
    )
    assert [word for word, count in listed.items() if count > 1] == []


@pytest.mark.parametrize(
    ("heading", "concept"),
    [
        ("Household income", "income"),
        ("number of children", "household_size"),
        ("date_of_birth", "birth"),
        ("ageOfHead", "age"),
        ("Q12_occupation", "occupation"),
        ("ＩＤ", "record_number"),
        ("世帯主の年齢（５歳階級）", "age"),
        ("問3 配偶者の職業", "occupation"),
        ("product name", "thing"),
        ("claim_id", "record_number"),
        ("number of drinks", "quantity"),
        ("HbA1c", "body_weight"),
        ("ISCO08", "occupation"),
        ("agegrp", "age"),
        ("year of immigration", "life_date"),
        ("編入年月", "life_date"),
        ("教職員コード", "person_number"),
        ("zzz", None),
    ],
)
def test_the_head_of_a_heading_decides(heading: str, concept: str | None) -> None:
    known = concept_of(heading)
    assert (known and known.name) == concept


def test_meanings_are_given_in_both_languages() -> None:
    assert all(len(concept.meaning) == 2 for concept in concepts().values())
