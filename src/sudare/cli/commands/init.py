"""``sudare init``: a project for a table, with proposals and the reason of each."""

from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated

import typer

from sudare.cli.options import AsJson, Force, OriginalFile
from sudare.cli.output import note, print_json, print_rows
from sudare.cli.table_source import TableSource, sampled
from sudare.cli.tables import TableOptions
from sudare.core import LargeTable, Microdata, SettingError, role_word, say, scale_word
from sudare.engine.formats import check_free
from sudare.release import Project
from sudare.release.project import default_path, project_schema


def run(
    *,
    file: OriginalFile = None,
    table: TableOptions,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="the project file (default: beside the table)"),
    ] = None,
    update: Annotated[
        bool,
        typer.Option(
            "--update", help="add new columns to the project, and remove those that are gone"
        ),
    ] = False,
    schema: Annotated[
        bool, typer.Option("--schema", help="only print the JSON Schema of a project")
    ] = False,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Write a project."""
    if schema:
        print_json(project_schema())
        return
    project = _updated(table, file) if update else _created(table, file, output, force=force)
    if as_json:
        columns = {name: asdict(told) for name, told in project.sections.columns.items()}
        print_json({"project": str(project.path), "columns": columns})
        return
    print_rows(
        [
            {
                say("column"): name,
                say("role"): role_word(told.role),
                say("scale"): scale_word(told.scale) if told.scale else "",
            }
            for name, told in project.sections.columns.items()
        ]
    )
    note(say("project written to {path}.", path=project.path))
    if not project.sections.reviewed:
        note(say("Check what it proposes, with the reasons in it, then set reviewed = true."))


def _created(
    table: TableOptions, file: Path | None, output: Path | None, *, force: bool
) -> Project:
    if file is None:
        raise SettingError("give the table that the project is for.")
    path = default_path(file) if output is None else output
    source = TableSource(file, None, table)
    check_free(path, overwrite=force)
    project = Project.create(
        file, path, data=_sampled(source), allow_paths=table.allow_path, **table.reading({})
    )
    return project.save(overwrite=force)


def _updated(table: TableOptions, file: Path | None) -> Project:
    source = table.at(file)
    if source.project is None:
        raise SettingError("there is no project to bring up to date; say which one with -p.")
    project = source.project
    plain = replace(table, **project.file_options())
    return project.updated(_sampled(TableSource(source.path, None, plain))).save()


def _sampled(source: TableSource) -> Microdata:
    """Return a table, or records of one that is not in memory."""
    data = source.read_or_open()
    if not isinstance(data, LargeTable):
        return data
    sample = sampled(data)
    note(say("proposals are made from {count} records.", count=sample.rows))
    return sample
