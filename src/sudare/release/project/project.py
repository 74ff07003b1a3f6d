"""The project: one file that says all there is to say about a table and its release."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import tomlkit

from sudare.core import (
    Assessment,
    ColumnError,
    InputError,
    LargeTable,
    Masked,
    MismatchError,
    Microdata,
    OnProgress,
    OutputError,
    Seed,
    SettingError,
    SudareError,
    fingerprint,
    language,
    say,
    unknown_name,
)
from sudare.engine import read
from sudare.engine.formats import check_free, writing
from sudare.release.comparing import compare
from sudare.release.comparison import Comparison
from sudare.release.limits import Limit
from sudare.release.method_words import parse_measure
from sudare.release.project.confined_paths import confined
from sudare.release.project.editing import edited
from sudare.release.project.finding import (
    ENDING,
    only_one,
    projects_in,
    read_content,
    read_text,
)
from sudare.release.project.named_files import with_files, with_hierarchies
from sudare.release.project.section_reading import section_from
from sudare.release.project.sections import ColumnSection, ProjectSections
from sudare.release.project.versions import migrate
from sudare.release.publication import TablePublication
from sudare.release.publishing import FOR_TABLES, publish
from sudare.release.recipe import Recipe

Table = TypeVar("Table", Microdata, LargeTable, Microdata | LargeTable)
