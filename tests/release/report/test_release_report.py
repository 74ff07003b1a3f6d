"""The report of a release: its sections, its formats, and lines of code that run."""

import io
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sudare
from sudare.core import Categorical, Microdata, Numeric
from sudare.core.messages import speaking
from sudare.release.inspection import Condition, Finding, Findings, Guarantee
from sudare.release.publishing.table_publication import TablePublication
from sudare.release.report import release_report
from sudare.release.report.document import Approval, Code, Items, Report, Table, Text
from sudare.release.report.sections.threats import threat_blocks

TEXTS = {
    "title": "Survey of 2026",
    "office": "Statistics Division",
    "contact": "stat@example.org",
    "date": "2026-11-17",
    "audience": "researchers",
    "population": "residents",
    "purpose": "Research.",
}
SEED = 73915502846613094428817
ACCEPTED = [
    "exact-numbers:age,income",
    "twin:household,region,sex,education,occupation,age",
    "broken-promise:sex,region,education",
]
SECTIONS = [
    *("Summary", "Decision", "Data and population", "Threats considered", "What was done"),
    *("Risk before and after", "What was lost", "Limits", "What the gate found", "Guarantees"),
    *("How to analyze the file", "How to replay it"),
]


def published(
    *maskers: sudare.core.AnyMasker, data: Microdata | None = None, **how: object
) -> TablePublication[Microdata]:
    recipe = sudare.Recipe("recipe", list(maskers))
    table = sudare.datasets.toy(300) if data is None else data
    told = {"texts": TEXTS, "seed": SEED, "confirmations": ACCEPTED}
    return sudare.publish(table, recipe, **{**told, **how})  # type: ignore[call-overload]


@pytest.fixture(scope="module")
def publication() -> TablePublication[Microdata]:
    return published(
        sudare.mask.GlobalRecode(min_share=0.1, columns=("region",)),
        sudare.mask.LocalSuppression(k=3, columns=("sex", "region", "education")),
        limits=["uniques <= 1"],
    )


def test_the_summary_tells_the_k_of_an_attacker_who_knows_what_was_suppressed() -> None:
    columns = ("sex", "region", "education", "occupation")
    measure = sudare.risk.KAnonymity(columns=columns)
    release = published(sudare.mask.LocalSuppression(k=5, columns=columns), measures=[measure])
    ((_, result),) = release.measured
    assert result.judged < 5 <= result.value
    report = release_report(release, edition="internal")
    summary = next(block for block in report.blocks if isinstance(block, Items))
    assert any(f"{result.judged:g} in the released file" in text for text in summary.sentences)
    told = [text for block in report.blocks if isinstance(block, Items) for text in block.sentences]
    assert any("limits are judged by the latter" in text for text in told)


def headings(report: Report) -> list[str]:
    return [
        block.heading.partition(". ")[2]
        for block in report.blocks
        if (isinstance(block, Text) and block.heading and block.level == 2)
        or isinstance(block, Approval)
    ]


def cells(report: Report) -> list[str]:
    tables = [block for block in report.blocks if isinstance(block, Table)]
    return [str(cell) for table in tables for row in table.rows for cell in row]


@pytest.mark.parametrize("edition", ["public", "internal"])
def test_sections_come_in_the_order_in_which_a_director_reads(
    publication: TablePublication[Microdata], edition: str
) -> None:
    assert headings(release_report(publication, edition=edition)) == SECTIONS  # type: ignore[arg-type]


def test_the_summary_says_what_for_whom_risk_loss_limits_and_decision(
    publication: TablePublication[Microdata],
) -> None:
    summary = next(b for b in release_report(publication).blocks if isinstance(b, Items))
    text = " ".join(summary.sentences)
    for words in (
        *("300 records", "Intended users: researchers", "in the released file"),
        *("All limits are kept: Sample uniques ≤ 1", "No decision has been made yet"),
    ):
        assert words in text
    internal = release_report(publication, edition="internal")
    summary = next(b for b in internal.blocks if isinstance(b, Items))
    for words in ("before masking", "Loss: "):
        assert words in " ".join(summary.sentences)


def test_the_public_edition_says_what_it_does_not_tell(
    publication: TablePublication[Microdata],
) -> None:
    texts = [b.body for b in release_report(publication).blocks if isinstance(b, Text)]
    untold = [text for text in texts if "shown to the custodian only" in text]
    assert ["Re-identification" in text for text in untold] == [True, False]
    assert ["Distances (ILD), Total variation" in text for text in untold] == [False, True]


def test_only_settings_that_matter_are_shown(publication: TablePublication[Microdata]) -> None:
    shown = cells(release_report(publication))
    assert "min_share = 0.1" in shown
    assert "k = 3" in shown
    assert not [cell for cell in shown if "separator" in cell]


def test_findings_and_guarantees_are_told_with_their_conditions(
    publication: TablePublication[Microdata],
) -> None:
    from dataclasses import replace

    from sudare.core import Message

    finding = Finding(
        "twin", ("code", "region"), 12, "stop", Message("name"), Message("value"), confirmed=True
    )
    condition = Condition(Message("order unknown"), holds=False, why_not=Message("kept"))
    promised = Guarantee("k-anonymity", 1, 3, (condition,))
    told = replace(publication, findings=Findings([finding]), guarantees=(promised,))
    page = release_report(told).html()
    for words in ("accepted by a person", "code, region", "order unknown", "It does not hold"):
        assert words in page
    assert "Not promised: k-anonymity" in page


def test_the_japanese_edition_has_a_page_for_the_decision(
    publication: TablePublication[Microdata],
) -> None:
    with speaking("ja"):
        report = release_report(publication)
    page = next(block for block in report.blocks if isinstance(block, Approval))
    assert list(page.signers) == ["起案", "審査", "合議", "決裁"]
    assert "伺います" in page.question


def test_a_word_file_has_headings_tables_pictures_and_japanese_fonts(
    publication: TablePublication[Microdata], tmp_path: Path
) -> None:
    import docx
    from docx.oxml.ns import qn

    with speaking("ja"):
        path = release_report(publication).write(tmp_path / "report.docx")
    document = docx.Document(io.BytesIO(path.read_bytes()))
    titles = [p.text for p in document.paragraphs if p.style and p.style.name == "Heading 1"]
    assert len(titles) == len(SECTIONS)
    assert document.inline_shapes
    assert len(document.tables) > 8
    fonts = document.styles["Normal"].element.rPr.rFonts
    assert fonts.get(qn("w:eastAsia")) == "Yu Gothic"
    (spoken,) = document.styles["Normal"].element.rPr.findall(qn("w:lang"))
    assert spoken.get(qn("w:eastAsia")) == "ja-JP"
    assert spoken.get(qn("w:val")) == "en-US"  # else names of columns break in the middle
    assert document.core_properties.author == "sudare"


def test_a_release_has_the_report_in_every_format_asked_for(
    publication: TablePublication[Microdata], tmp_path: Path
) -> None:
    folder = publication.write(tmp_path / "out", pdf=True, word=True)
    assert {p.name for p in folder.glob("report.*")} == {
        *("report.html", "report.pdf", "report.docx"),
    }
    assert b"python-docx" not in (folder / "report.docx").read_bytes()


TABLES = {
    "numbers": Microdata(
        (
            Numeric("age", np.arange(40) % 17 * 1.0, role="key"),
            Numeric("pay", np.arange(40) ** 1.5, role="sensitive"),
        )
    ),
    "categories": Microdata(
        (
            Categorical("area", np.arange(40) % 7, tuple("abcdefg"), role="key"),
            Categorical("job", np.arange(40) % 3, tuple("xyz"), role="sensitive"),
        )
    ),
    "one column": Microdata(
        (Categorical("area", np.arange(40) % 7, tuple("abcdefg"), role="key"),)
    ),
}


@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.parametrize("edition", ["public", "internal"])
def test_tables_of_one_kind_have_a_report(kind: str, edition: str) -> None:
    data = TABLES[kind]
    masker = sudare.mask.Noise(columns=("age",)) if kind == "numbers" else sudare.mask.Pram()
    made = published(masker, data=data, measures=["k-anonymity", "uniques", "total-variation"])
    assert headings(release_report(made, edition=edition)) == SECTIONS  # type: ignore[arg-type]


RANDOM: dict[str, list[sudare.core.AnyMasker]] = {
    "pram": [sudare.mask.Pram(retain=0.8, columns=("region",))],
    "retention": [sudare.mask.RetentionReplacement(retain=0.5, columns=("sex",))],
    "pk": [sudare.mask.PkAnonymization(k=2, columns=("age", "region"))],
    "noise": [sudare.mask.Noise(columns=("income",))],
    "correlated": [sudare.mask.CorrelatedNoise(columns=("age", "income"))],
    "multiplied": [sudare.mask.MultiplicativeNoise(columns=("income",))],
    "aggregated": [sudare.mask.Microaggregation(k=3, columns=("income",))],
    "synthetic": [sudare.mask.SequentialSynthesis(columns=("income",))],
    "imputed": [sudare.mask.MultipleImputation(m=2, columns=("income",))],
    "sample": [sudare.mask.Subsample(share=0.5)],
}


def run_in(folder: Path, report: Report) -> dict[str, Any]:
    """Run the lines of code of a report where its release is; return the last lines' names."""
    codes = [b.body for b in report.blocks if isinstance(b, Code) and b.language == "python"]
    assert codes
    here, names = Path.cwd(), dict[str, Any]()
    os.chdir(folder)
    try:
        for code in codes:
            exec(compile(code, "report", "exec"), names)  # noqa: S102
    finally:
        os.chdir(here)
    return names


@pytest.mark.parametrize("name", RANDOM)
def test_the_lines_of_code_run_on_the_files_of_the_release(name: str, tmp_path: Path) -> None:
    made = published(*RANDOM[name])
    assert run_in(made.write(tmp_path / "out"), release_report(made))


def test_noise_is_taken_off_the_variance(tmp_path: Path) -> None:
    data = sudare.datasets.toy(4000)
    made = published(sudare.mask.Noise(sd_ratio=1.0, columns=("income",)), data=data)
    names = run_in(made.write(tmp_path / "out"), release_report(made))
    income = data["income"].numeric
    truth = income.values[income.known]
    assert names["values"].mean() == pytest.approx(truth.mean(), rel=0.1)
    assert names["variance"] == pytest.approx(truth.var(), rel=0.2)


def test_suppressed_cells_do_not_change_associations() -> None:
    made = published(
        sudare.mask.LocalSuppression(k=5, columns=("sex", "region", "education")),
        data=sudare.datasets.toy(300).without(["weight", "household"]),
        measures=["uniques"],
    )
    report = release_report(made, edition="internal")
    table = next(b for b in report.blocks if isinstance(b, Table) and "associations" in b.caption)
    assert table.rows
    assert all(before == pytest.approx(after) for _, before, after in table.rows)


def test_ranges_that_overlap_seem_to_depend_on_nothing_else() -> None:
    """Taken as labels, the association of age and sex was 0.98 after masking, 0.03 before."""
    steps = sudare.mask.Mondrian(k=3, columns=("age", "sex", "education"))
    report = release_report(published(steps), edition="internal")
    pairs = next(
        block for block in report.blocks if isinstance(block, Table) and block.header[0] == "pair"
    )
    assert len(pairs.rows) == 10
    assert all(after == pytest.approx(before, abs=0.2) for _, before, after in pairs.rows)


def test_a_column_that_is_mostly_suppressed_has_no_association() -> None:
    """Of a few records with many categories, any two columns seem to depend on each other."""
    data = sudare.datasets.toy(300).without(["id", "weight", "household", "income", "age"])
    few = data["region"].coded
    codes = np.where(np.arange(few.rows) < 30, few.codes, -1).astype(few.codes.dtype)
    mostly = data.replacing([Categorical("region", codes, few.labels, role="key")])
    page = release_report(published(sudare.mask.Pram(retain=0.9), data=mostly, measures=[]))
    (told,) = [b.body for b in page.blocks if isinstance(b, Text) and "No associations" in b.body]
    assert told.startswith("No associations are shown of region: more than half of the values")


def test_wide_ranges_are_drawn_over_all_that_they_cover() -> None:
    from sudare.release.report.pictures import distribution

    labels = tuple(f"{low}–{low + 19}" for low in range(0, 100, 20))
    ages = Categorical("age", np.repeat(np.arange(5), 8), labels, scale="ordinal")
    before = Numeric("age", np.repeat(np.arange(0, 100, 20), 8) + 10.0)
    bars = distribution({"before": before, "after": ages})["data"]["values"]
    own = [bar for bar in bars if bar["version"] == "after" and bar["low"] < bar["high"]]
    assert own[0]["low"] <= 0
    assert own[-1]["high"] >= 99
    assert max(bar["share"] for bar in own) < 0.05


def test_columns_in_which_nothing_stands_are_left_out() -> None:
    header = ["measure", "interval", "meaning"]
    assert Table.of_filled(header, [["k", "", "size"], ["l", "", ""]]).header == [
        "measure",
        "meaning",
    ]
    sections = [
        table.header
        for table in release_report(published(sudare.mask.Mondrian(k=3))).blocks
        if isinstance(table, Table)
    ]
    assert ["measure", "after", "best", "meaning"] in sections
    assert ["condition", "is it so?"] in sections


def test_an_internal_edition_says_at_its_top_that_it_is_confidential(
    publication: TablePublication[Microdata],
) -> None:
    pages = {
        name: release_report(publication, edition=name).html().partition("<h2>")[0]
        for name in ("public", "internal")
    }
    assert "Do not release it." in pages["internal"]
    assert "Do not release it." not in pages["public"]


def test_titles_stand_above_their_numbers() -> None:
    table = Table(["column", "loss", "why"], [["age", 0.5, ""], ["sex", "–", ""]])
    assert table.titles == [("column", False), ("loss", True), ("why", False)]
    assert Table(["column"], []).titles == [("column", False)]
    page = Report("title", [table]).html()
    assert '<th scope="col" class="number">loss</th>' in page


def test_labels_are_drawn_in_their_natural_order() -> None:
    from sudare.release.report.pictures import distribution

    ages = Categorical("age", np.array([0, 1, 1, 1, 2, 2]), ("≥ 80", "20–39", "< 20"))
    figure = distribution({"after": ages})
    assert figure["encoding"]["y"]["sort"][:3] == ["< 20", "20–39", "≥ 80"]


def test_a_threat_that_was_measured_for_the_custodian_alone_is_not_called_unmeasured() -> None:
    micro = sudare.mask.Microaggregation(k=5, columns=("age", "income"))
    made = published(micro, measures=[sudare.risk.Reidentification(columns=("age", "income"))])
    table = next(block for block in threat_blocks(made, "public") if isinstance(block, Table))
    assert [row[-1] for row in table.rows] == ["measured, not published", *["not measured"] * 3]
