"""The options by which every command that reads a table learns about it."""

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args, get_origin, get_type_hints

import typer

from sudare.cli.output import note
from sudare.core import SettingError, say

if TYPE_CHECKING:  # help should not wait for these
    from sudare.cli.table_source import TableSource
    from sudare.core import Microdata, Role
    from sudare.release import Project

_GROUP = "About the table"


def _option(*names: str, help: str) -> Any:
    return typer.Option(*names, help=help, rich_help_panel=_GROUP)


@dataclass(frozen=True)
class TableOptions:
    """What the user says about a table on the command line."""

    key: Annotated[list[str], _option("--key", "-k", help="a key column (repeatable)")]
    sensitive: Annotated[list[str], _option("--sensitive", help="a sensitive column (repeatable)")]
    identifier: Annotated[list[str], _option("--identifier", help="an identifier (repeatable)")]
    weights: Annotated[str | None, _option("--weights", help="column of sampling weights")]
    household: Annotated[str | None, _option("--household", help="column of household numbers")]
    scale: Annotated[list[str], _option("--scale", help="column=scale, e.g. grade=ordinal")]
    type: Annotated[list[str], _option("--type", help="column=type, e.g. income=number")]
    missing: Annotated[
        list[str], _option("--missing", help="a word for no answer, or column=word (repeatable)")
    ]
    not_applicable: Annotated[
        list[str],
        _option("--not-applicable", help="a word for not applicable, or column=word (repeatable)"),
    ]
    encoding: Annotated[
        str | None, _option("--encoding", help="encoding of a text file (default: detected)")
    ]
    separator: Annotated[
        str | None, _option("--separator", help="separator of a text file (default: detected)")
    ]
    skip_rows: Annotated[
        int | None, _option("--skip-rows", help="number of lines above the header")
    ]
    header_rows: Annotated[
        int | None,
        _option(
            "--header-rows",
            help="number of header lines, whose names are joined (default: detected)",
        ),
    ]
    totals: Annotated[
        str | None,
        _option(
            "--totals",
            help="skip: leave out all rows that may be totals; keep: leave out none (default: "
            "only those at the ends)",
        ),
    ]
    sheet: Annotated[
        str | None,
        _option("--sheet", help="sheet of an Excel file (default: the first with a table)"),
    ]
    memory: Annotated[
        str | None, _option("--memory", help="memory limit, e.g. 4GB (default: half of the memory)")
    ]
    engine: Annotated[str | None, _option("--engine", help="spark: run on a Spark cluster")]
    master: Annotated[
        str | None,
        _option(
            "--master", help="address of the cluster, e.g. spark://host:7077 (default: local[*])"
        ),
    ]

    project: Annotated[
        Path | None,
        _option("--project", "-p", help="project of the table (default: the one in its folder)"),
    ]
    no_project: Annotated[bool, _option("--no-project", help="ignore the project")]
    allow_path: Annotated[
        list[Path],
        _option(
            "--allow-path", help="file or folder elsewhere that the project or recipe may refer to"
        ),
    ]

    def at(self, file: Path | None) -> "TableSource":
        """Return a table with its project; without a file, the table that the project names."""
        from sudare.cli.table_source import TableSource

        project = self._project_of(file)
        if project is not None:
            note(say("read as {project} says.", project=project.path.name))
            if not project.sections.reviewed:
                note(
                    say(
                        "{project} is not reviewed yet: it holds proposals.",
                        project=project.path.name,
                    )
                )
        if file is not None:
            return TableSource(file, project, self)
        if project is None:
            raise SettingError("give a table, or a project (-p).")
        return TableSource(project.source, project, self)

    def read(self, file: Path | None) -> "Microdata":
        """Read a table into memory as its project and the options say."""
        return self.at(file).read()

    def _project_of(self, file: Path | None) -> "Project | None":
        from sudare.release import Project
        from sudare.release.project import only_one, projects_for, projects_in

        if self.no_project:
            return None
        if self.project is not None:
            return Project.open(self.project, allow_paths=self.allow_path)
        folder = Path() if file is None else file.parent
        projects = projects_in(folder) if file is None else projects_for(file)
        if not projects:
            for other in projects_in(folder):
                note(
                    say(
                        "{project} is for another table; -p takes it for this one.",
                        project=other.name,
                    )
                )
            return None
        return Project.open(only_one(projects, folder), allow_paths=self.allow_path)

    @property
    def on_spark(self) -> bool:
        """Whether a Spark cluster does the work."""
        if self.engine not in {None, "spark"}:
            raise SettingError("--engine can be spark; without it this machine does the work.")
        if self.engine is None and self.master is not None:
            raise SettingError("--master needs --engine spark.")
        return self.engine is not None

    def reading(self, project: dict[str, Any]) -> dict[str, Any]:
        """Return how a table is read: as its project says, unless an option says otherwise."""
        from sudare.engine.frames import LAYOUT

        reading = dict(project)
        reading["roles"] = self._roles(project.get("roles", {}))
        for setting in ("scales", "types", "missing", "not_applicable"):
            reading[setting] = {**project.get(setting, {})}
        if self.scale:
            refusal = SettingError("write column=scale, for example grade=ordinal.")
            reading["scales"] |= by_column(self.scale, refusal)
        if self.type:
            refusal = SettingError("write column=type, for example income=number.")
            reading["types"] |= by_column(self.type, refusal)
        if self.missing:
            reading["missing"] |= _words(self.missing)
        if self.not_applicable:
            reading["not_applicable"] |= _words(self.not_applicable)
        reading.update({name: told for name in LAYOUT if (told := getattr(self, name)) is not None})
        return reading

    def _roles(self, project: "Mapping[str, Role]") -> "dict[str, Role]":
        """Return the roles: what is stated is added to the project's, of which one weight."""
        stated: dict[Role, list[str]] = {
            "weight": [self.weights] if self.weights is not None else [],
            "household": [self.household] if self.household is not None else [],
        }
        roles = {name: role for name, role in project.items() if not stated.get(role)}
        added: dict[Role, list[str]] = {"key": self.key, "sensitive": self.sensitive}
        for role, names in {**added, **stated, "identifier": self.identifier}.items():
            roles.update(dict.fromkeys(names, role))
        return roles


def with_table_options(command: inspect.Signature) -> tuple[inspect.Signature, list[str]]:
    """Return a signature with ``TableOptions`` in place of its ``table``, and their names."""
    options = {
        name: inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=False if kind is bool else [] if get_origin(kind) is list else None,
            annotation=hint,
        )
        for name, hint in get_type_hints(TableOptions, include_extras=True).items()
        for kind in get_args(hint)[:1]
    }
    kept = [p for p in command.parameters.values() if p.name != "table"]
    return command.replace(parameters=[*kept, *options.values()]), list(options)


def by_column(given: list[str], problem: SettingError) -> dict[str, Any]:
    """Return what options such as ``grade=ordinal`` say, by column."""
    pairs = [text.rpartition("=") for text in given]
    if not all(sign for _, sign, _ in pairs):
        raise problem
    return {name: word for name, _, word in pairs}


def _words(given: list[str]) -> dict[str, list[str]]:
    """Return words by column: "income=999" is one of a column, "NA" one of all ("*")."""
    words: dict[str, list[str]] = {}
    for text in given:
        name, _, word = text.rpartition("=")
        words.setdefault(name or "*", []).append(word)
    return words
