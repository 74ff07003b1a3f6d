"""Projects of purchase histories: the same file, with a history in place of a table."""

import datetime
import os
from collections.abc import Mapping
from pathlib import Path

import tomli_w

from sudare.core import OnProgress, Seed, SettingError
from sudare.engine import read
from sudare.release.default_measures import FOR_HISTORIES
from sudare.release.limits import Limit
from sudare.release.project.creating import default_path
from sudare.release.project.project import Project
from sudare.release.project.sections import VERSION
from sudare.release.publishing import HistoryPublication, publish
from sudare.transactions import (
    COLUMNS,
    HistoryDerivation,
    derive_history,
    item_columns,
    read_any_history,
)


def history_project(
    source: str | os.PathLike[str],
    *,
    columns: Mapping[str, str] | None = None,
    first_date: datetime.date | None = None,
    last_date: datetime.date | None = None,
) -> Project:
    """Return a project for a purchase history; ``save`` writes it.

    Parameters
    ----------
    source
        A file in the format of the contest, or a table of purchases.
    columns
        The table's names of customer, date, item, price and quantity; None for the format of the
        contest.
    first_date, last_date
        The first and the last day; by default all.
    """
    path = default_path(Path(source))
    stated = {"columns": columns, "first_date": first_date, "last_date": last_date}
    content = {
        "version": VERSION,
        "reviewed": False,
        "subject": "history",
        "data": {"source": Path(source).name},
        "history": {name: value for name, value in stated.items() if value is not None},
        "measures": {"risk": list(FOR_HISTORIES[:1]), "loss": list(FOR_HISTORIES[1:])},
    }
    return Project.from_text(tomli_w.dumps(content), path)


def project_history(project: Project) -> HistoryDerivation:
    """Read the history of a project, with what was left out of its table."""
    section = project.sections.history
    if project.sections.subject != "history":
        raise SettingError(
            "project '{project}' is about a table, not about a purchase history.",
            project=project.path.name,
        )
    if section.columns is None:
        return HistoryDerivation(read_any_history(project.source), {}, ())
    names = {name: section.columns.get(name, name) for name in COLUMNS}
    texts = (names["customer"], *item_columns(names["item"]))
    table = read(
        project.source,
        scales=dict.fromkeys(texts, "nominal"),
        find_types=True,
        **project.file_options(),
    )
    return derive_history(
        table, columns=names, first_date=section.first_date, last_date=section.last_date
    )


def history_limits(project: Project) -> tuple[Limit, ...]:
    """Return the limits that the release of a history must keep."""
    return Limit.all_of(project.sections.limits.keep, "history")


def history_measures(project: Project) -> tuple[str, ...]:
    """Return what is measured of a masked history."""
    stated = project.sections.measures
    return (*stated.risk, *stated.loss) or FOR_HISTORIES


def publish_history(
    project: Project,
    recipe: str | None = None,
    *,
    seed: Seed = None,
    on_progress: OnProgress | None = None,
) -> HistoryPublication:
    """Mask and measure the history of a project, ready for release; see :func:`sudare.publish`.

    Refused until a person has reviewed the project. A seed is stretched with the private file
    next to the project, as for tables.
    """
    project.check_reviewed()
    return publish(
        project_history(project).history,
        project.recipe(recipe),
        measures=history_measures(project),
        limits=history_limits(project),
        texts=project.texts(),
        seed=seed,
        secret=project.secret_for(seed),
        confirmations=project.confirmations,
        on_progress=on_progress,
    )
