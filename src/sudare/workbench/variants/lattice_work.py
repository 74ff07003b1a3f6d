"""The solutions among which a step of a variant may choose, in a process of their own."""

from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

from sudare.core import LargeTable, Microdata, OnProgress, SettingError, apply
from sudare.mask.anonymity import Solution
from sudare.web import ReportProgress
from sudare.workbench.variants.trial_work import SEED, ProjectText, read_table

LISTING = "lattice"  # what jobs call the work


@runtime_checkable
class Choosing(Protocol):
    """A method that chooses levels of hierarchies, and takes another choice as ``levels``."""

    levels: Mapping[str, int] | None

    def solutions(
        self, data: Microdata | LargeTable, most: int = ..., on_progress: OnProgress | None = ...
    ) -> tuple[Solution, ...]:
        """Return what may be chosen, the best first."""


def list_solutions(
    report: ReportProgress, told: ProjectText, name: str, number: int
) -> dict[str, Any]:
    """Return what a step of a variant may choose among, after the steps before it; a job."""
    project, data = read_table(report, told)
    recipe = project.recipe(name)
    prepared: Any = recipe.prepare(data)
    *before, masker = recipe.maskers_for(prepared)[: number + 1]
    if not isinstance(masker, Choosing):
        raise SettingError("this step does not choose among levels.")
    report("Masking and measuring", 0.1)
    return {
        "solutions": masker.solutions(
            apply(prepared, before, seed=SEED).data if before else prepared,
            on_progress=lambda done, of, _: report("Counting solutions", 0.2 + 0.8 * done / of),
        )
    }
