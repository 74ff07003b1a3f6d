"""Releases in a process of their own: looked at by the gate, written, and sent for review."""

import csv
from pathlib import Path
from typing import Any

import numpy as np

from sudare.core import LANGUAGES, Language, LargeTable, Microdata, Result, speaking
from sudare.engine import write_released
from sudare.engine.formats import Folder
from sudare.release import Project, Publication, publish
from sudare.release.inspection import metadata_of
from sudare.web import ReportProgress
from sudare.workbench.releasing.release_seeds import ReleaseSeed
from sudare.workbench.variants import ProjectText, read_table

CHECKING, REVIEWING, WRITING = "check", "review", "release"  # what jobs call the work
_PREVIEWED = 8  # records


def check_release(
    report: ReportProgress, told: ProjectText, name: str, seed: ReleaseSeed
) -> dict[str, Any]:
    """Mask and measure a variant as it would be released, and have the gate look at it; a job."""
    project, publication = _made(report, told, name, seed)
    form = project.sections.release.format
    return {
        "summary": {language: _summary(publication, language) for language in LANGUAGES},
        "findings": publication.findings + metadata_of(form),
        "guarantees": publication.guarantees,
        "results": [_shown(measure.kind, result) for measure, result in publication.measured],
        "limits": [(str(limit), kept) for limit, kept in publication.verdicts()],
        "preview": _preview(publication.table()),
    }


def write_release(
    report: ReportProgress,
    told: ProjectText,
    name: str,
    seed: ReleaseSeed,
    language: Language,
    folder: Path,
    how: dict[str, bool],
) -> dict[str, Any]:
    """Write the release of a variant to a folder; a job."""
    with speaking(language):
        project, publication = _made(report, told, name, seed)
        project.check_reviewed()
        release = project.sections.release
        report("Writing the release", 0.9)
        publication.write(folder, kind=release.format, encoding=release.encoding, **how)
    return _written(folder)


def write_review(
    report: ReportProgress,
    told: ProjectText,
    name: str,
    seed: ReleaseSeed,
    language: Language,
    folder: Path,
    how: dict[str, bool],
) -> dict[str, Any]:
    """Write what others judge the release of a variant by, without its records; a job."""
    with speaking(language):
        _, publication = _made(report, told, name, seed)
        report("Writing the report", 0.9)
        publication.write_review(folder, overwrite=how["overwrite"])
    return _written(folder)


def _made(
    report: ReportProgress, told: ProjectText, name: str, seed: ReleaseSeed
) -> tuple[Project, Publication]:
    project, data = read_table(report, told)
    return project, publish(
        data,
        project.recipe(name),
        measures=project.measures or None,
        limits=project.limits,
        texts=project.texts(),
        seed=seed.number,
        secret=project.secret_file if seed.is_stated else None,
        confirmations=project.confirmations,
        on_progress=lambda done, of, _: report(
            "Masking and measuring", 0.1 + 0.7 * done / max(of, 1)
        ),
    )


def _summary(publication: Publication, language: Language) -> str:
    with speaking(language):
        return publication.summary()


def _shown(kind: str, result: Result) -> dict[str, Any]:
    return {"measure": result.measure, "kind": kind, "value": result.value}


def _preview(released: Microdata | LargeTable | None) -> list[list[str]]:
    """Return the heading and some records of the released table, as a text file has them."""
    if released is None:
        return []
    if isinstance(released, LargeTable):
        some = released.sample(min(_PREVIEWED, released.records), seed=0)
    else:
        some = released.take(np.arange(min(_PREVIEWED, released.rows)))
    with Folder() as folder:
        path = folder / "preview.csv"
        write_released(some, path, order=None, encoding="utf-8")
        with path.open(encoding="utf-8", newline="") as file:
            return list(csv.reader(file))


def _written(folder: Path) -> dict[str, Any]:
    files = [(path.name, path.stat().st_size) for path in sorted(folder.iterdir())]
    return {"folder": str(folder), "files": files}
