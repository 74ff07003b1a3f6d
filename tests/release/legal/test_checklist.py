"""Legal profiles: every item is cited in both languages and asks for evidence that exists."""

from dataclasses import replace
from pathlib import Path

import pytest

import sudare
from sudare import catalog
from sudare.core import Message
from sudare.core.errors import SudareError
from sudare.core.messages import speaking
from sudare.describe.proposing.headings import concepts
from sudare.release.inspection import KINDS, Finding, Findings
from sudare.release.legal import LegalProfile, ReleaseFacts, evidence_of, legal_profiles
from sudare.release.project.sections import ReportSection
from sudare.release.report import release_report
from sudare.release.report.document import Table

FACTS = ReleaseFacts(Findings(), (), {}, (), (), {})


def test_the_profiles_are_those_of_the_guide() -> None:
    assert legal_profiles() == (
        *("anonymized-data", "anonymously-processed", "gdpr", "general-use-microdata"),
        *("hipaa", "pseudonymously-processed"),
    )


@pytest.mark.parametrize("name", legal_profiles())
def test_items_are_cited_and_ask_for_evidence_that_exists(name: str) -> None:
    profile = LegalProfile.read(name)
    assert profile.items
    texts = set(ReportSection.__dataclass_fields__)
    for item in profile.items:
        for words in (item.asked, item.citation):
            assert words.en
            assert words.ja
        assert set(item.wanted.findings) <= set(KINDS)
        assert set(item.wanted.headings) <= set(concepts())
        assert set(item.wanted.texts) <= texts
        for method in (*item.wanted.methods, *item.wanted.measures):
            assert catalog.find(method)


def test_the_rules_have_as_many_items_as_the_law() -> None:
    hipaa = [str(item.citation) for item in LegalProfile.read("hipaa").items]
    assert [text[-2] for text in hipaa[:18]] == list("ABCDEFGHIJKLMNOPQR")
    five = [str(item.citation) for item in LegalProfile.read("anonymously-processed").items]
    assert five[:5] == [f"Rules, article 34, item {number}" for number in range(1, 6)]


def test_a_citation_that_nobody_has_looked_up_says_so() -> None:
    unchecked = {
        name: [item for item in LegalProfile.read(name).items if not item.citation_checked]
        for name in legal_profiles()
    }
    assert {name: len(items) for name, items in unchecked.items() if items} == {
        "anonymized-data": 1,
        "gdpr": 1,
    }
    assert LegalProfile.read("gdpr").items[0].cited == "WP216, section 2.2.2: singling out"
    (review,) = unchecked["gdpr"]
    assert review.cited == f"{review.citation} (citation to be checked)"
    with speaking("ja"):
        assert review.cited.endswith("（条項番号は要確認）")


def test_evidence_tells_what_is_so_and_never_judges() -> None:
    item = LegalProfile.read("hipaa").items[3]
    assert evidence_of(item, FACTS)[-1] == "The gate has not checked this release."
    phone = replace(FACTS, columns=("age", "mobile phone"))
    assert "mobile phone" in evidence_of(item, phone)[0]
    finding = Finding(
        "undeclared-identifier", ("x",), 3, "stop", Message("a"), Message("b"), confirmed=True
    )
    order = Finding("order", (), 0, "repaired", Message("a"), Message("b"))
    text = " ".join(evidence_of(item, replace(FACTS, findings=Findings([finding, order]))))
    assert "accepted by a person (x)" in text


def test_what_is_not_stated_is_named_as_the_report_names_it() -> None:
    item = LegalProfile.read("anonymously-processed").items[7]
    assert evidence_of(item, FACTS)[-2] == "Not stated: intended users (`audience` in [report])."
    with speaking("ja"):
        assert evidence_of(item, FACTS)[-1] == "記載なし: 目的（[report] の `purpose`）。"


def test_what_is_stated_ends_like_a_sentence() -> None:
    item = LegalProfile.read("anonymously-processed").items[7]
    told = evidence_of(item, replace(FACTS, texts={"audience": "anybody", "purpose": "research"}))
    assert told[-2:] == ["The report states “anybody”.", "The report states “research”."]


def test_an_unknown_profile_is_refused_with_the_nearest_name() -> None:
    recipe = sudare.Recipe("r", [sudare.mask.Pram()])
    with pytest.raises(SudareError, match="did you mean 'hipaa'"):
        sudare.publish(
            sudare.datasets.toy(), recipe, texts=sudare.release.ReportTexts(profiles=["hippa"])
        )


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_report_has_the_checklist_with_a_blank_judgment(language: str, tmp_path: Path) -> None:
    data = sudare.datasets.toy(200)
    recipe = sudare.Recipe("r", [sudare.mask.TopBottomCode(columns=("age",))])
    made = sudare.publish(
        data,
        recipe,
        texts=sudare.release.ReportTexts(profiles=["hipaa", "anonymized-data"]),
        measures=["uniques"],
        seed=73915502846613094428817,
    )
    with speaking(language):  # type: ignore[arg-type]
        report = release_report(made)
        lists = [
            block
            for block in report.blocks
            if isinstance(block, Table) and block.header[-1] in {"judgment", "判断"}
        ]
    assert [len(block.rows) for block in lists] == [19, 11]
    assert {row[-1] for block in lists for row in block.rows} == {""}
