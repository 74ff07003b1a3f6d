"""The codebook of a released table, as DDI-Codebook 2.5: what archives take in with the file.

Everything in it is computed from the released table, or stated by the custodian; the original is
not looked at.
"""

import re
import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from sudare.catalog import find
from sudare.core import Categorical, Column, LargeTable, Microdata, Numeric, Step, language, say
from sudare.engine.formats import writing

_NAMESPACE = "ddi:codebook:2_5"
_INSTANCE = "http://www.w3.org/2001/XMLSchema-instance"
_PLACE = "http://www.ddialliance.org/Specification/DDI-Codebook/2.5/XMLSchema/codebook.xsd"
_FORBIDDEN = re.compile(r"[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_MOST = 1000  # categories of a column that are listed


@dataclass(frozen=True)
class Codebook:
    """What is published about a released table.

    Attributes
    ----------
    released
        The released table. Of one that is not in memory, columns are told without counts.
    file
        Name of its file.
    steps
        What was done.
    texts
        What the section ``[report]`` of a project says.
    labels
        By column, what it is called.

    Examples
    --------
    >>> import sudare
    >>> text = Codebook(sudare.datasets.toy(), "toy.csv").to_xml()
    >>> "<caseQnty>400</caseQnty>" in text
    True
    """

    released: Microdata | LargeTable
    file: str
    steps: Sequence[Step] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)

    def to_xml(self) -> str:
        """Return the codebook as the text of an XML file."""
        root = ET.Element(
            "codeBook",
            {
                "xmlns": _NAMESPACE,
                "xmlns:xsi": _INSTANCE,
                "xsi:schemaLocation": f"{_NAMESPACE} {_PLACE}",
                "version": "2.5",
                "xml:lang": language(),
            },
        )
        self._add_study(root)
        self._add_file(root)
        data = ET.SubElement(root, "dataDscr")
        for number, column in enumerate(self.released.columns, 1):
            self._add_variable(data, f"V{number}", column)
        ET.indent(root)
        return ET.tostring(root, encoding="unicode", xml_declaration=False)

    def write(self, path: Path) -> Path:
        """Write the codebook, whole or not at all."""
        with writing(path) as draft:
            text = f'<?xml version="1.0" encoding="UTF-8"?>\n{self.to_xml()}\n'
            draft.write_text(text, encoding="utf-8")
        return path

    def _add_study(self, root: ET.Element) -> None:
        study = ET.SubElement(root, "stdyDscr")
        citation = ET.SubElement(study, "citation")
        title = self.texts.get("title") or self.file
        _add(ET.SubElement(citation, "titlStmt"), "titl", title)
        office = self.texts.get("office")
        if office:
            _add(ET.SubElement(citation, "rspStmt"), "AuthEnty", office)
        production = ET.SubElement(citation, "prodStmt")
        if office:
            _add(production, "producer", office)
        _add(production, "software", "sudare")
        distribution = ET.SubElement(citation, "distStmt")
        for element, entry in (("contact", "contact"), ("distDate", "date")):
            if self.texts.get(entry):
                _add(distribution, element, self.texts[entry])
        self._add_scope(study)
        method = ET.SubElement(study, "method")
        for step in self.steps:
            columns = ", ".join(step.columns)
            _add(method, "dataProcessing", f"{say(find(step.method).title)}: {columns}")
        if self.texts.get("audience"):
            access = ET.SubElement(ET.SubElement(study, "dataAccs"), "useStmt")
            _add(access, "restrctn", self.texts["audience"])

    def _add_scope(self, study: ET.Element) -> None:
        information = ET.SubElement(study, "stdyInfo")
        if self.texts.get("purpose"):
            _add(information, "abstract", self.texts["purpose"])
        scope = ET.SubElement(information, "sumDscr")
        if self.texts.get("population"):
            _add(scope, "universe", self.texts["population"])
        _add(scope, "dataKind", say("masked microdata"))

    def _add_file(self, root: ET.Element) -> None:
        text = ET.SubElement(ET.SubElement(root, "fileDscr", {"ID": "F1"}), "fileTxt")
        _add(text, "fileName", self.file)
        size = ET.SubElement(text, "dimensns")
        _add(size, "caseQnty", str(self.released.records))
        _add(size, "varQnty", str(len(self.released.columns)))
        _add(text, "fileType", Path(self.file).suffix.lstrip("."))

    def _add_variable(self, data: ET.Element, identity: str, column: Column) -> None:
        is_number = column.scale in {"interval", "ratio"}
        variable = ET.SubElement(
            data,
            "var",
            {
                "ID": identity,
                "name": _clean(column.name),
                "files": "F1",
                "intrvl": "contin" if is_number else "discrete",
                "wgt": "wgt" if column.role == "weight" else "not-wgt",
            },
        )
        _add(variable, "labl", self.labels.get(column.name, column.name))
        if isinstance(self.released, Microdata):
            _add_counts(variable, column)
        _add(variable, "concept", column.scale)
        ET.SubElement(variable, "varFormat", {"type": "numeric" if is_number else "character"})


def _add_counts(variable: ET.Element, column: Column) -> None:
    """Add the valid and missing records, then statistics of numbers or counts of categories."""
    valid = int(column.known.sum())
    _add(variable, "sumStat", str(valid), type="vald")
    _add(variable, "sumStat", str(column.rows - valid), type="invd")
    values = column.values[column.known] if isinstance(column, Numeric) else np.array([])
    if len(values) and column.role != "household":
        _add(variable, "sumStat", f"{values.min():.6g}", type="min")
        _add(variable, "sumStat", f"{values.max():.6g}", type="max")
        _add(variable, "sumStat", f"{values.mean():.6g}", type="mean")
        _add(variable, "sumStat", f"{values.std():.6g}", type="stdev")
    if isinstance(column, Categorical) and column.role != "household":
        counts = np.bincount(column.codes[column.known], minlength=len(column.labels))
        for code in np.flatnonzero(counts)[:_MOST].tolist():
            _add_category(variable, str(column.labels[code]), int(counts[code]))
    _add_absent(variable, column)


def _add_absent(variable: ET.Element, column: Column) -> None:
    """Add the words for no value, with their counts."""
    if column.missing.any():
        _add_category(variable, "", int(column.missing.sum()), say("missing"))
    if column.not_applicable.any():
        word = column.absent_label or ""
        _add_category(variable, word, int(column.not_applicable.sum()), say("not applicable"))


def _add_category(variable: ET.Element, value: str, count: int, absent: str | None = None) -> None:
    facts = {} if absent is None else {"missing": "Y"}
    category = ET.SubElement(variable, "catgry", facts)
    _add(category, "catValu", value)
    _add(category, "labl", value if absent is None else absent)
    _add(category, "catStat", str(count), type="freq")


def _add(parent: ET.Element, name: str, text: str, **attributes: str) -> None:
    ET.SubElement(parent, name, attributes).text = _clean(text)


def _clean(text: str) -> str:
    """Return a text without the signs that XML does not allow."""
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)
