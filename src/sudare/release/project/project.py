"""The project: one file that says all there is to say about a table and its release."""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

from sudare.core import (
    Assessment,
    ColumnError,
    LargeTable,
    Masked,
    Microdata,
    OnProgress,
    Seed,
    SettingError,
    language,
    unknown_name,
)
from sudare.describe import Hierarchy
from sudare.engine import read
from sudare.mask import EditRules
from sudare.release.default_measures import FOR_TABLES
from sudare.release.limits import Limit
from sudare.release.method_words import parse_measure
from sudare.release.project.editing import with_entry
from sudare.release.project.project_file import ProjectFile
from sudare.release.project.reading_options import check_columns, reading_of
from sudare.release.project.sections import Confirmation
from sudare.release.publishing import ReportTexts
from sudare.release.recipe import Recipe, with_files

if TYPE_CHECKING:
    from sudare.release.comparing import Comparison
    from sudare.release.publishing import TablePublication

Table = TypeVar("Table", Microdata, LargeTable, Microdata | LargeTable)


class Project(ProjectFile):
    """What is known about one table, and how it is released: the content of one TOML file.

    A project is never changed in place: ``edited`` returns another one, and ``save`` writes it. It
    holds no seed and no value of the data beyond the labels that an order, a hierarchy or a list
    of words names.

    Attributes
    ----------
    path
        The file.
    text
        Its text, comments and all.
    sections
        What the text says.
    allow_paths
        Folders and files outside the project's folder that it may name.

    Examples
    --------
    >>> import tempfile, sudare
    >>> table = Path(tempfile.mkdtemp()) / "survey.csv"
    >>> table = sudare.write(sudare.datasets.toy(), table)
    >>> project = sudare.Project.create(table)
    >>> project
    <Project survey.sudare.toml: 10 columns, 0 recipes, not reviewed>
    >>> project.edited({"columns": {"age": {"role": "key"}}, "reviewed": True}).save()
    <Project survey.sudare.toml: 10 columns, 0 recipes>
    """

    def label(self, column: str) -> str:
        """Return what a column is called in the current language; else its name."""
        section = self.sections.columns.get(column)
        return (section and getattr(section.label, language())) or column

    def labels(self) -> dict[str, str]:
        """Return what the columns are called in the current language, where that is stated."""
        named = {name: self.label(name) for name in self.sections.columns}
        return {name: label for name, label in named.items() if label != name}

    def reading(self) -> dict[str, Any]:
        """Return what the project says to :func:`sudare.read`."""
        return reading_of(self.sections)

    def data(self) -> Microdata:
        """Read the table as the project says."""
        return self.read_by(read, self.source, self.reading())

    def read_by(
        self, reader: Callable[..., Table], source: Path, reading: Mapping[str, Any]
    ) -> Table:
        """Read a table, and refuse one whose columns are not those of the project."""
        if self.sections.subject == "history":
            raise SettingError(
                "project '{project}' is about a purchase history; use the commands of sudare "
                "history.",
                project=self.path.name,
            )
        try:
            data = reader(source, **reading)
        except ColumnError:
            names = [column.name for column in reader(source, **self.file_options()).columns]
            check_columns(self.sections, names, self.path.name)
            raise
        check_columns(self.sections, [column.name for column in data.columns], self.path.name)
        return data

    @cached_property
    def recipes(self) -> tuple[Recipe, ...]:
        """The recipes of the project, with what its files say and the hierarchies of columns."""
        return tuple(
            self.informed(
                replace(
                    recipe, maskers=[with_files(masker, self.find) for masker in recipe.maskers]
                )
            )
            for recipe in self.recipes_as_stated()
        )

    def recipe(self, name: str | None = None) -> Recipe:
        """Return a recipe by its name; without one, the chosen one, or the only one."""
        names = [recipe.name for recipe in self.recipes]
        name = name or self.sections.release.recipe or None
        if not names:
            raise SettingError(
                "project '{project}' has no recipes; add one as [[recipes]].",
                project=self.path.name,
            )
        if name is None and len(names) > 1:
            raise SettingError(
                "project '{project}' has several recipes: {names}; say which one.",
                project=self.path.name,
                names=", ".join(names),
            )
        if name is not None and name not in names:
            raise unknown_name("recipe", name, names)
        return self.recipes[0 if name is None else names.index(name)]

    def with_recipe(self, recipe: Recipe) -> Self:
        """Return the project with one more recipe, or with another in place of one of its name.

        Comments and order stay; the file changes when the project is saved.
        """
        entry = tomllib.loads(recipe.to_toml())
        names = [stated.name for stated in self.recipes_as_stated()]
        if recipe.name not in names:
            text = with_entry(self.text, "recipes", entry)
            changed = self.from_text(text, self.path, allow_paths=self.allow_paths)
            return replace(changed, on_disk=self.on_disk)
        entries = list(tomllib.loads(self.text)["recipes"])
        entries[names.index(recipe.name)] = entry
        return self.edited({"recipes": entries})

    def informed(self, recipe: Recipe) -> Recipe:
        """Return a recipe whose steps know the hierarchies and rules that the project declares."""
        stated = {
            name: hierarchy
            for name, column in self.sections.columns.items()
            if (hierarchy := column.hierarchy) is not None
        }
        declared = {
            name: Hierarchy.read(self.find(told)) if isinstance(told, str) else told
            for name, told in stated.items()
        }
        maskers = list(recipe.maskers)
        rules = EditRules(rules=self.sections.rules)
        if rules.rules and rules not in maskers:
            maskers.append(rules)
        return replace(recipe, maskers=maskers, hierarchies={**declared, **recipe.hierarchies})

    @property
    def limits(self) -> tuple[Limit, ...]:
        """The limits that a release must keep."""
        stated = map(Limit.parse, self.sections.limits.keep)
        return tuple(
            replace(limit, measure=with_files(limit.measure, self.find)) for limit in stated
        )

    @property
    def measures(self) -> tuple[Assessment, ...]:
        """The measures of risk and loss."""
        told = (*self.sections.measures.risk, *self.sections.measures.loss)
        return tuple(with_files(parse_measure(text), self.find) for text in told)

    @property
    def confirmations(self) -> tuple[Confirmation, ...]:
        """The findings of the gate that a person has accepted; the order, where it is kept."""
        section = self.sections.release
        kept = (Confirmation(kind="order"),) if section.keep_order else ()
        return (*section.confirmations, *kept)

    def secret_for(self, seed: Seed) -> Path | None:
        """Return the private file of the project where there is a seed to stretch with it."""
        return None if seed is None else self.secret_file

    def texts(self) -> ReportTexts:
        """Return what the report says beside the numbers."""
        stated = asdict(self.sections.report)
        profile = stated.pop("profile")
        return ReportTexts(
            {name: str(text) for name, text in stated.items() if text},
            (profile,) if isinstance(profile, str) else profile,
            self.labels(),
        )

    def apply(
        self,
        recipe: str | Recipe | None = None,
        *,
        seed: Seed = None,
        on_progress: OnProgress | None = None,
    ) -> Masked[Microdata]:
        """Mask the table by a recipe of the project, or by another one.

        Parameters
        ----------
        recipe
            Its name; without one, the only recipe.
        seed
            Same seed, same table. The project keeps none; what is released is drawn by
            :meth:`publish`, with its private file.
        on_progress
            Called before each step with (done, in all, name).
        """
        return self._chosen(recipe).apply(self.data(), seed=seed, on_progress=on_progress)

    def compare(self, recipes: Sequence[str | Recipe] | None = None, **how: Any) -> "Comparison":
        """Compare recipes of the project, by default all, on its measures.

        Parameters
        ----------
        recipes
            Their names; without them, all.
        how
            ``seed``, ``repeats``, ``workers``, ``folder``, ``limits`` and ``on_progress`` of
            :func:`sudare.compare`.
        """
        from sudare.release.comparing import compare  # opening a project should not wait for it

        chosen = [self._chosen(recipe) for recipe in recipes or self.recipes]
        measures = self.measures or [parse_measure(text) for text in FOR_TABLES]
        how.setdefault("limits", self.limits)
        return compare(self.data(), chosen, measures, **how)

    def publish(
        self,
        recipe: str | Recipe | None = None,
        *,
        comparison: "Comparison | None" = None,
        seed: Seed = None,
        on_progress: OnProgress | None = None,
    ) -> "TablePublication[Microdata]":
        """Mask and measure the table, ready for release; see :func:`sudare.publish`.

        Refused until a person has reviewed the project. A seed is stretched with the private file
        next to the project, ``NAME.sudare.secret``, which is made at the first release.
        """
        from sudare.release.publishing import publish

        self.check_reviewed()
        chosen = self._chosen(recipe)
        return publish(
            self.data(),
            chosen,
            measures=self.measures or None,
            limits=self.limits,
            comparison=comparison,
            texts=self.texts(),
            seed=seed,
            secret=self.secret_for(seed),
            confirmations=self.confirmations,
            on_progress=on_progress,
        )

    def _chosen(self, recipe: str | Recipe | None) -> Recipe:
        return self.informed(recipe) if isinstance(recipe, Recipe) else self.recipe(recipe)
