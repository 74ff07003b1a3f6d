"""The file of a project: opened, made, changed and saved, and what it names."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from sudare.core import InputError, Microdata, OutputError, SettingError, SudareError, say
from sudare.engine import read
from sudare.engine.formats import note_inputs, toml_content, writing
from sudare.release.confined_paths import confined
from sudare.release.limits import Limit
from sudare.release.method_words import parse_measure
from sudare.release.project.creating import default_path, draft_of, updated_text
from sudare.release.project.editing import edited
from sudare.release.project.finding import only_one, projects_in, read_text
from sudare.release.project.reading_options import file_options
from sudare.release.project.sections import ProjectSections, migrate, section_from
from sudare.release.recipe import Recipe

Paths = Iterable[str | os.PathLike[str]]


@dataclass(frozen=True, eq=False, repr=False)
class ProjectFile:
    """A project as a file: its path, its text, and what the text says."""

    path: Path
    text: str
    sections: ProjectSections
    allow_paths: tuple[Path, ...] = ()
    on_disk: str | None = None

    @classmethod
    def open(cls, path: str | os.PathLike[str], *, allow_paths: Paths = ()) -> Self:
        """Open a project file, or the only one of a folder.

        Parameters
        ----------
        path
            The file or folder.
        allow_paths
            Folders and files outside the folder of the project that it may name.
        """
        given = Path(path)
        file = only_one(projects_in(given), given) if given.is_dir() else given
        text = read_text(file)
        note_inputs(file)
        project = cls.from_text(text, file, allow_paths=allow_paths)
        return replace(project, on_disk=text)

    @classmethod
    def from_text(cls, text: str, path: str | os.PathLike[str], *, allow_paths: Paths = ()) -> Self:
        """Return the project of a text, which is not written yet.

        ``allow_paths`` are places outside its folder that it may name.
        """
        file = Path(path)
        content = toml_content(text, file)
        try:
            if migrate(content):
                text = edited(text, content)
            sections = section_from(ProjectSections, content)
            project = cls(file, text, sections, tuple(map(Path, allow_paths)))
            project._check()
        except SudareError as error:
            raise InputError(
                "project '{project}': {reason}", project=file.name, reason=str(error)
            ) from None
        return project

    @classmethod
    def create(
        cls,
        source: str | os.PathLike[str],
        path: str | os.PathLike[str] | None = None,
        *,
        data: Microdata | None = None,
        allow_paths: Paths = (),
        **reading: Any,
    ) -> Self:
        """Return a project for a table, with proposals for its columns; ``save`` writes it.

        Parameters
        ----------
        source
            The table.
        path
            Where the project is to go; by default beside the table.
        data
            What was read of the table already, or a sample of it; by default it is read.
        allow_paths
            Folders and files outside the folder of the project that it may name.
        reading
            What is known already, as :func:`sudare.read` takes it. It stands in the project as it
            is given; proposals are for the rest.
        """
        file = default_path(Path(source)) if path is None else Path(path)
        table = read(source, **reading) if data is None else data
        draft = draft_of(table, Path(source), file, reading)
        return cls.from_text(draft.text(), file, allow_paths=allow_paths)

    def updated(self, data: Microdata | None = None) -> Self:
        """Return the project for the columns that its table has now.

        New columns come with proposals, and the project is to be reviewed again; columns that are
        gone are taken away. To keep what is said about a column that was renamed, rename its
        section first.

        Parameters
        ----------
        data
            What was read of the table already, or a sample of it; by default it is read.
        """
        options = self.file_options()
        table = read(self.source, **options) if data is None else data
        draft = draft_of(table, self.source, self.path, options)
        text = updated_text(self.text, draft, self.sections.columns)
        changed = self.from_text(text, self.path, allow_paths=self.allow_paths)
        return replace(changed, on_disk=self.on_disk)

    def edited(self, changes: Mapping[str, Any]) -> Self:
        """Return the project with some entries changed; comments and order stay.

        Parameters
        ----------
        changes
            New values, in tables as the file has them, for example
            ``{"columns": {"age": {"role": "key"}}}``; None takes an entry away.
        """
        changed = self.from_text(
            edited(self.text, changes), self.path, allow_paths=self.allow_paths
        )
        return replace(changed, on_disk=self.on_disk)

    def save(self, path: str | os.PathLike[str] | None = None, *, overwrite: bool = False) -> Self:
        """Write the file, whole or not at all, and return the project that is there now.

        A file that somebody else has changed since it was opened is not overwritten, unless
        ``overwrite`` is true.
        """
        target = self.path if path is None else Path(path)
        if not overwrite and target.exists() and read_text(target) != self.on_disk:
            raise OutputError(
                "'{path}' exists and is not what was opened; choose another name, or allow "
                "overwriting (overwrite=True, --force).",
                path=str(target),
            )
        opened = self.on_disk is not None and target == self.path
        with writing(target, overwrite=True, updates=opened) as draft:
            draft.write_bytes(self.text.encode("utf-8"))
        return replace(self, path=target, on_disk=self.text)

    @cached_property
    def folder(self) -> Path:
        """The folder of the file."""
        return self.path.parent

    @property
    def secret_file(self) -> Path:
        """The private file next to it, with which the seeds of its releases are stretched."""
        return self.path.with_name(f"{self.path.name.removesuffix('.toml')}.secret")

    @property
    def source(self) -> Path:
        """The table."""
        path = self.find(self.sections.data.source)
        if not path.exists():
            raise InputError(
                "the table '{source}' of project '{project}' is not there; put it back, or change "
                "source in [data].",
                source=self.sections.data.source,
                project=self.path.name,
            )
        return path

    def file_options(self) -> dict[str, Any]:
        """Return what the project says about the file alone: encoding, separator and so on."""
        return file_options(self.sections.data)

    def find(self, name: str) -> Path:
        """Return the path of a file that the project names; refuse one outside its folder."""
        path = confined(self.folder, name, self.allow_paths)
        note_inputs(path)
        return path

    def check_reviewed(self) -> None:
        """Refuse a release before a person has checked what was proposed."""
        if not self.sections.reviewed:
            raise OutputError(
                "project '{project}' is not reviewed: check what it proposes for each column, then "
                "set reviewed = true in it.",
                project=self.path.name,
            )

    def recipes_as_stated(self) -> list[Recipe]:
        """Return the recipes as the file has them; no other file is read."""
        return [
            Recipe.from_mapping(content, name=f"recipe {number}")
            for number, content in enumerate(self.sections.recipes, 1)
        ]

    def _check(self) -> None:
        """Refuse recipes, limits and measures that do not exist, and names that occur twice."""
        names = [recipe.name for recipe in self.recipes_as_stated()]
        if len(set(names)) < len(names):
            raise SettingError("two recipes have the same name; give each its own.")
        for kind in ("risk", "loss"):
            for text in getattr(self.sections.measures, kind):
                if parse_measure(text).kind != kind:
                    raise SettingError(
                        "[measures]: '{measure}' is not a measure of {kind}.",
                        measure=text,
                        kind=say(kind),
                    )
        for text in self.sections.limits.keep:
            Limit.parse(text)
        self.find(self.sections.data.source)

    def __repr__(self) -> str:
        columns, recipes = len(self.sections.columns), len(self.sections.recipes)
        state = "" if self.sections.reviewed else ", not reviewed"
        return f"<Project {self.path.name}: {columns} columns, {recipes} recipes{state}>"
