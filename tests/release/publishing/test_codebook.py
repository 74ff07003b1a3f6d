"""The codebook of a release: the structure of DDI-Codebook 2.5, and nothing of the original."""

import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

import sudare
from sudare.core import Categorical, Microdata, Numeric
from sudare.core.messages import speaking
from sudare.release.publishing.codebook import Codebook

DDI = "{ddi:codebook:2_5}"
# The order in which the schema has the children of an element that is used.
ORDER = {
    "codeBook": ["stdyDscr", "fileDscr", "dataDscr"],
    "stdyDscr": ["citation", "stdyInfo", "method", "dataAccs"],
    "citation": ["titlStmt", "rspStmt", "prodStmt", "distStmt"],
    "prodStmt": ["producer", "software"],
    "distStmt": ["contact", "distDate"],
    "stdyInfo": ["abstract", "sumDscr"],
    "sumDscr": ["universe", "dataKind"],
    "fileTxt": ["fileName", "dimensns", "fileType"],
    "dimensns": ["caseQnty", "varQnty"],
    "var": ["labl", "sumStat", "catgry", "concept", "varFormat"],
    "catgry": ["catValu", "labl", "catStat"],
}
TEXTS = {
    "title": "Survey",
    "office": "Office",
    "contact": "c",
    "date": "2026-11-17",
    "purpose": "Research",
    "population": "residents",
    "audience": "researchers",
}


@pytest.fixture(scope="module")
def publication() -> sudare.release.Publication:
    data = sudare.datasets.toy(300)
    recipe = sudare.Recipe("r", [sudare.mask.GlobalRecode(min_share=0.2, columns=("region",))])
    return sudare.publish(
        data,
        recipe,
        measures=["uniques"],
        texts=sudare.release.ReportTexts(TEXTS, labels={"age": "Age in years"}),
        seed=73915502846613094428817,
        confirmations=["exact-numbers:age"],
    )


@pytest.fixture(scope="module")
def root(
    publication: sudare.release.Publication, tmp_path_factory: pytest.TempPathFactory
) -> ET.Element:
    folder = publication.write(tmp_path_factory.mktemp("release") / "out")
    return ET.parse(folder / "codebook.xml").getroot()  # noqa: S314


def names_of(element: ET.Element) -> list[str]:
    return [child.tag.removeprefix(DDI) for child in element]


def variable(root: ET.Element, name: str) -> ET.Element:
    return next(var for var in root.iter(f"{DDI}var") if var.get("name") == name)


def test_elements_come_in_the_order_of_the_schema(root: ET.Element) -> None:
    assert root.tag == f"{DDI}codeBook"
    for element in root.iter():
        order = ORDER.get(element.tag.removeprefix(DDI))
        if order is not None:
            places = [order.index(name) for name in names_of(element)]
            assert places == sorted(places)
    assert root.findtext(f"{DDI}stdyDscr/{DDI}citation/{DDI}titlStmt/{DDI}titl") == "Survey"


def test_the_file_is_described_as_it_is_released(
    root: ET.Element, publication: sudare.release.Publication
) -> None:
    released = publication.table()
    assert isinstance(released, Microdata)
    assert [var.get("name") for var in root.iter(f"{DDI}var")] == list(released.names)
    assert "id" not in released.names
    region = released["region"].coded
    counts = np.bincount(region.codes, minlength=len(region.labels))
    told = {
        category.findtext(f"{DDI}catValu"): int(category.findtext(f"{DDI}catStat") or "")
        for category in variable(root, "region").iter(f"{DDI}catgry")
    }
    assert told == dict(zip(map(str, region.labels), counts.tolist(), strict=True))
    assert variable(root, "age").findtext(f"{DDI}labl") == "Age in years"
    assert variable(root, "weight").get("wgt") == "wgt"


def test_labels_of_the_original_do_not_occur(
    root: ET.Element, publication: sudare.release.Publication
) -> None:
    values = [value.text for value in variable(root, "region").iter(f"{DDI}catValu")]
    original = set(map(str, sudare.datasets.toy(300)["region"].coded.labels))
    released = publication.table()
    assert isinstance(released, Microdata)
    gone = original - set(map(str, released["region"].coded.labels))
    assert gone
    assert not gone & set(values)


def test_absent_values_have_their_words_and_counts() -> None:
    job = Categorical("job", np.array([0, -1, -2, -2]), ("a",), absent_label="88")
    age = Numeric("age", np.array([1.0, np.nan, 3.0, 5.0]))
    root = ET.fromstring(Codebook(Microdata((job, age)), "x.csv").to_xml())  # noqa: S314
    absent = [c for c in variable(root, "job").iter(f"{DDI}catgry") if c.get("missing") == "Y"]
    assert [c.findtext(f"{DDI}catStat") for c in absent] == ["1", "2"]
    assert absent[1].findtext(f"{DDI}catValu") == "88"
    statistics = {s.get("type"): s.text for s in variable(root, "age").iter(f"{DDI}sumStat")}
    assert statistics["mean"] == "3"
    assert statistics["invd"] == "1"


def test_signs_that_xml_does_not_allow_are_replaced() -> None:
    odd = Categorical("a\x0bb", np.array([0]), ("x\x00<y>&",))
    root = ET.fromstring(Codebook(Microdata((odd,)), "x.csv").to_xml())  # noqa: S314
    assert root.find(f".//{DDI}catValu").text == "x\ufffd<y>&"  # type: ignore[union-attr]


def test_the_language_is_stated(tmp_path: Path) -> None:
    data = Microdata((Numeric("age", np.arange(3.0)),))
    with speaking("ja"):
        text = Codebook(data, "x.csv").write(tmp_path / "codebook.xml").read_text("utf-8")
    assert 'xml:lang="ja"' in text
    assert text.startswith('<?xml version="1.0" encoding="UTF-8"?>')
