"""The table that a command works on, its project, and the recipe: from files or options."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sudare.cli.output import note
from sudare.core import Assessment, ColumnError, LargeTable, Microdata, Seed, SettingError, say
from sudare.engine import open_table, read, read_or_open
from sudare.engine.formats import note_inputs
from sudare.engine.frames import SUPPRESSED, AbsentWords
from sudare.release import Limit, Project, Recipe, other_versions, parse_masker, release_seed
from sudare.release.inspection import Confirmed, worded_columns
from sudare.release.project import ReleaseSection, of_released

if TYPE_CHECKING:
    from sudare.cli.tables import TableOptions

Data = Microdata | LargeTable
_SAMPLE = 100_000  # records of a table that is not in memory
MOST_REMARKS = 10  # on how a table was read


@dataclass(frozen=True)
class TableSource:
    """A table, its project if it has one, and what the command line says about it.

    Without a project, the recipe of a release says how its original was read.
    """

    path: Path
    project: Project | None
    options: "TableOptions"
    recipe: Recipe | None = None

    def __post_init__(self) -> None:
        """Keep the table from being written over."""
        note_inputs(self.path)

    def by_recipe(self, recipe: Recipe) -> "TableSource":
        """Return the table as a recipe says that it is read; tell where it may not replay."""
        remark = other_versions(recipe.made_with) if recipe.made_with else None
        if remark is not None:
            note(remark)
        return replace(self, recipe=recipe)

    def read(self) -> Microdata:
        """Read the table into memory, and tell what had to be guessed."""
        return self._read_by(read)

    def read_or_open(self, *, beside: Path | None = None) -> Data:
        """Read the table, or open it if it, or one it is compared with, takes too much memory."""
        options = self.options
        if options.on_spark:
            return self._read_by(_spark_reader(options.master))
        return self._read_by(partial(read_or_open, memory=options.memory, beside=beside))

    def released(self, path: Path, original: Data | None = None) -> "TableSource":
        """Return a masked table of this one; identifiers may be gone from it."""
        worded = worded_columns(original) if isinstance(original, Microdata) else ()
        options = replace(self.options, identifier=[])
        return ReleasedSource(path, self.project, options, worded=worded)

    def measures(self) -> tuple[Assessment, ...]:
        """Return the measures of the project."""
        return () if self.project is None else self.project.measures

    def limits(self) -> tuple[Limit, ...]:
        """Return the limits of the project."""
        return () if self.project is None else self.project.limits

    def release_seed(self, seed: int | None, secret: Path | None) -> Seed:
        """Return the seed of a release, stretched with the private file given, or the project's."""
        return release_seed(
            seed, secret or (self.project.secret_for(seed) if self.project else None)
        )

    def confirmations(self, given: Sequence[str] | None) -> tuple[str | Confirmed, ...]:
        """Return the findings of the gate that were accepted: by the project, and on the line.

        What was accepted for an earlier release by the same recipe is told, and has to be accepted
        again: this may be another table.
        """
        own = () if self.project is None else self.project.confirmations
        before = {} if self.recipe is None else self.recipe.released
        lacking = [name for name in before.get("confirmed", ()) if name not in (given or ())]
        if lacking and self.project is None:
            note(
                say(
                    "the last release by this recipe had accepted findings: {names}. Accept them "
                    "again (--confirm) to get the same file.",
                    names=", ".join(lacking),
                )
            )
        return (*own, *(given or ()))

    def release_section(self) -> ReleaseSection:
        """Return how the project wants a release written; refuse one that is not reviewed."""
        if self.project is None:
            written = {} if self.recipe is None else self.recipe.released
            return ReleaseSection(encoding=written.get("encoding", ReleaseSection().encoding))
        self.project.check_reviewed()
        return self.project.sections.release

    def _read_by(self, reader: Callable[..., Any]) -> Any:
        project = self.project
        reading = self.options.reading(self._stated())
        if project is None:
            data = reader(self.path, **reading)
        else:
            data = project.read_by(reader, self.path, reading)
        _tell(self.path, data)
        return data

    def _stated(self) -> dict[str, Any]:
        """Return what the project says about the table; else what the recipe of a release says."""
        if self.project is not None:
            return self.project.reading()
        if self.recipe is None or not self.recipe.reading:
            return {}
        return {**self.recipe.reading, "roles": self.recipe.roles}


@dataclass(frozen=True)
class ReleasedSource(TableSource):
    """A masked table: not all that was said about the original holds for it.

    Synthetic records have no household and no weight: their table may lack these columns. In
    ``worded`` columns a word stands for suppressed values.
    """

    worded: tuple[str, ...] = ()

    def _read_by(self, reader: Callable[..., Any]) -> Any:
        said = {} if self.project is None else of_released(self.project.reading())
        reading = self.options.reading(said)
        words = AbsentWords.of("missing", reading.get("missing", ()))
        reading["missing"] = words.and_in(self.worded, SUPPRESSED).as_dict()
        data = _without_what_is_gone(partial(reader, self.path, released=True), reading)
        _tell(self.path, data)
        return data


def _without_what_is_gone(reader: Callable[..., Any], reading: dict[str, Any]) -> Any:
    """Read a masked table; if it lacks columns, as one without households, weights or both."""
    try:
        return reader(**reading)
    except ColumnError:
        for gone in (("household",), ("weight",), ("household", "weight")):
            left = {name: role for name, role in reading["roles"].items() if role not in gone}
            with suppress(ColumnError):
                return reader(**{**reading, "roles": left})
        raise


def _spark_reader(master: str | None) -> Callable[..., LargeTable]:
    from sudare.engine.spark import parquet_frame, spark_session

    def opened(path: Path, **reading: Any) -> LargeTable:
        frame: object = parquet_frame(spark_session(master or "local[*]"), path)
        return open_table(frame, **reading)

    return opened


def sampled(data: Data) -> Microdata:
    """Return the table if it is in memory, else some of its records, the same each time."""
    if not isinstance(data, LargeTable):
        return data
    return data.sample(min(_SAMPLE, data.records), seed=0)


def _tell(path: Path, data: Data) -> None:
    """Tell what had to be guessed while a table was read, as far as a screen has room for it."""
    for remark in data.notes[:MOST_REMARKS]:
        note(f"{path.name}: {remark}")
    more = len(data.notes) - MOST_REMARKS
    if more > 0:
        note(
            say(
                "{path}: {count} more {count:remark|remarks} of this kind; in Python, the notes of "
                "the table are all of them.",
                path=path.name,
                count=more,
            )
        )


def chosen_recipe(
    given: Path | None,
    project: Project | None = None,
    allow_paths: Sequence[Path] = (),
    *,
    steps: Sequence[str] | None = None,
) -> Recipe:
    """Return a recipe by its name in the project, by its file, or of steps on the command line.

    Without any of them it is the only one of the project.
    """
    if project is not None and not steps:
        if given is None:
            return project.recipe()
        for recipe in project.recipes:
            if recipe.name == str(given):
                return recipe
    if given is None and steps is None:  # the command takes none
        raise SettingError("give a recipe (--recipe).")
    if (given is None) == (not steps):
        raise SettingError("give either a recipe (--recipe) or steps (--step).")
    if given is None:
        chosen = Recipe("steps", [parse_masker(text) for text in steps or ()])
    else:
        chosen = Recipe.read(given, allow_paths=allow_paths)
    return chosen if project is None else project.informed(chosen)
