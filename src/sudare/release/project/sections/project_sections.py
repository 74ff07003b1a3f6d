"""The sections of a project file, declared once: checks, schema, forms and docs come from here."""

import datetime
from collections.abc import Mapping
from dataclasses import field
from typing import Annotated, Literal

from sudare.core import AtLeast, Checked, Role, Scale
from sudare.engine.frames import ColumnType, Totals
from sudare.release.publishing import Format

VERSION = 1
Subject = Literal["table", "history"]

Words = Annotated[tuple[str, ...] | None, "words that mean no answer"]
AbsentWords = Annotated[
    tuple[str, ...] | None, 'words that mean not applicable; "" is an empty cell'
]


class DataSection(Checked):
    """Where the table is, and how it is read."""

    source: Annotated[str, "path of the table, from the folder of the project"]
    encoding: Annotated[str | None, "encoding of a text file, such as utf-8 or cp932"] = None
    separator: Annotated[str | None, "what separates the columns of a text file"] = None
    skip_rows: Annotated[int | None, AtLeast(0), "lines above the names of the columns"] = None
    header_rows: Annotated[
        int | None, AtLeast(0), "lines that hold the names of the columns; they are joined"
    ] = None
    totals: Annotated[Totals | None, "whether all rows that may be totals are skipped, or kept"] = (
        None
    )
    sheet: Annotated[str | int | None, "sheet of a workbook, by name or number"] = None
    missing: Words = None
    not_applicable: AbsentWords = None
    fingerprint: Annotated[
        str | None, "digest of the names of the columns; it shows when they have changed"
    ] = None


class LabelSection(Checked):
    """What a column is called in reports."""

    en: Annotated[str | None, "in English"] = None
    ja: Annotated[str | None, "in Japanese"] = None


class ColumnSection(Checked):
    """What is known about one column."""

    role: Annotated[
        Role,
        "identifier (points at one person, never released), key (others may know it), sensitive "
        "(nobody should learn it), weight, household or other",
    ] = "other"
    scale: Annotated[
        Scale | None,
        "nominal (categories), ordinal (ordered categories), interval (numbers without a natural "
        "zero) or ratio (amounts)",
    ] = None
    type: Annotated[ColumnType | None, "as what the column is read"] = None
    order: Annotated[tuple[str | int | float, ...] | None, "the labels from lowest to highest"] = (
        None
    )
    missing: Words = None
    not_applicable: AbsentWords = None
    hierarchy: Annotated[
        str | Mapping[str, object] | None,
        "a file in the folder of the project, or widths, cuts, prefixes, parents or ways",
    ] = None
    label: LabelSection = LabelSection()


class HistorySection(Checked):
    """How a purchase history is made from a table of purchases."""

    columns: Annotated[
        Mapping[str, str] | None,
        "the table's names of customer, date, item, price and quantity; without them the file is "
        "in the format of the contest, without a header",
    ] = None
    first_date: Annotated[datetime.date | None, "purchases before this day are left out"] = None
    last_date: Annotated[datetime.date | None, "purchases after this day are left out"] = None


class LimitsSection(Checked):
    """What a release must keep."""

    keep: Annotated[tuple[str, ...], 'limits such as "k-anonymity >= 5"'] = ()


class MeasuresSection(Checked):
    """What is measured."""

    risk: Annotated[tuple[str, ...], 'measures of risk such as "uniques"'] = ()
    loss: Annotated[tuple[str, ...], 'measures of loss such as "total-variation"'] = ()


class ReportSection(Checked):
    """Texts that the report shows with the numbers."""

    title: Annotated[str, "title of the report"] = ""
    office: Annotated[str, "who releases the table"] = ""
    contact: Annotated[str, "contact for questions"] = ""
    date: Annotated[str | datetime.date, "date of the release"] = ""
    population: Annotated[str, "population that the table describes"] = ""
    audience: Annotated[str, "who may use the table"] = ""
    purpose: Annotated[str, "what the table is released for"] = ""
    decision: Annotated[str, "who decided on the release, and why"] = ""
    profile: Annotated[
        str | tuple[str, ...], "legal profiles whose checklists the report has, such as hipaa"
    ] = ()


class Confirmation(Checked):
    """A finding that a person has accepted."""

    kind: Annotated[str, "kind of finding"]
    columns: Annotated[tuple[str, ...], "the columns it is about"] = ()
    most_records: Annotated[
        int | None, AtLeast(0), "how many records it may concern, in this table or a later one"
    ] = None
    by: Annotated[str, "who accepted it"] = ""
    date: Annotated[str | datetime.date, "date of the confirmation"] = ""
    reason: Annotated[str, "why it is acceptable"] = ""


class ReleaseSection(Checked):
    """Which recipe is released, and how the masked table is written."""

    recipe: Annotated[str, "name of the recipe that is released where none is named"] = ""
    format: Annotated[Format, "format of the masked table"] = "csv"
    encoding: Annotated[str, "encoding of a text file that is written"] = "utf-8"
    keep_order: Annotated[
        bool, "whether the records keep their order; else the release shuffles them"
    ] = False
    confirmations: Annotated[tuple[Confirmation, ...], "findings that a person has accepted"] = ()


class ProjectSections(Checked):
    """All that a project file holds."""

    version: Annotated[int, AtLeast(1), "version of the format of the file"]
    reviewed: Annotated[
        bool, "whether a person has checked what was proposed; nothing is released before"
    ] = False
    subject: Annotated[Subject, "whether the file is a table of records, or a purchase history"] = (
        "table"
    )
    data: DataSection
    history: HistorySection = HistorySection()
    columns: Annotated[Mapping[str, ColumnSection], "one section for each column"] = field(
        default_factory=dict
    )
    rules: Annotated[
        tuple[str, ...],
        "edit rules, such as 'age is whole': every recipe ends by moving values to valid ones",
    ] = ()
    limits: LimitsSection = LimitsSection()
    recipes: Annotated[tuple[Mapping[str, object], ...], "recipes, each as in a recipe file"] = ()
    measures: MeasuresSection = MeasuresSection()
    report: ReportSection = ReportSection()
    release: ReleaseSection = ReleaseSection()
