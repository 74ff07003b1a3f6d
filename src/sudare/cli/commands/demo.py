"""``sudare demo``: a table with traps, a gate that stops it, a map with a choice, a release."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from sudare.cli.commands.compare import print_comparison
from sudare.cli.options import AsJson, Force
from sudare.cli.output import note, print_findings, print_guarantees, print_json, progress
from sudare.core import Masker, Microdata, OutputError, draws_from, say
from sudare.datasets import toy
from sudare.engine import write
from sudare.mask import GlobalRecode, LocalSuppression, Mondrian, Pram, RecordSwapping
from sudare.release import Comparison, Outgoing, Publication, Recipe, compare, outgoing, publish
from sudare.release.report import write_figure

LIMITS = ("reidentification <= 0.2", "k-anonymity >= 5")
TRAPS = ("name", "phone", "region_code", "household", "income")
_SCALES: Mapping[str, Any] = {"age": "ordinal"}


def _merge(min_share: float, *columns: str) -> GlobalRecode:
    return GlobalRecode(min_share=min_share, ranges=True, columns=columns or None)


def recipes() -> dict[str, Recipe]:
    """Return the recipes that are tried, by name."""
    coarse_ages = _merge(0.06, "age")
    maskers: Mapping[str, Sequence[Masker]] = {
        say("as it is"): [],
        say("swapped"): [RecordSwapping(share=0.2)],
        say("coarse ages"): [coarse_ages],
        say("coarse ages + PRAM"): [
            coarse_ages,
            Pram(retain=0.8, columns=("occupation", "region")),
        ],
        say("coarse"): [_merge(0.10)],
        say("coarse + suppression"): [_merge(0.10), LocalSuppression(k=5, missing="category")],
        say("coarser + suppression"): [_merge(0.25), LocalSuppression(k=5, missing="category")],
        say("groups of {k}", k=5): [Mondrian(k=5)],
        say("groups of {k}", k=10): [Mondrian(k=10)],
        say("groups of {k}", k=30): [Mondrian(k=30)],
    }
    return {name: Recipe(name, steps, scales=_SCALES) for name, steps in maskers.items()}


def run(
    *,
    folder: Annotated[Path, typer.Option(help="where the files go")] = Path("demo"),
    rows: Annotated[int, typer.Option(min=100, help="size of the population")] = 20_000,
    seed: Annotated[int, typer.Option(help="same seed, same population and map")] = 1,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Tell the story of a release: traps, the gate, a map to choose from, the report."""
    if folder.exists() and any(folder.iterdir()) and not force:
        raise OutputError("'{path}' holds files; choose another folder, or --force.", path=folder)
    folder.mkdir(parents=True, exist_ok=True)
    story = Story(folder, toy(rows, seed=seed, traps=True).assigning(scales=_SCALES), seed, force)
    stopped = story.first_try()
    if not as_json:
        _tell_stop(story, stopped)
    comparison = story.compared()
    chosen = least_loss(comparison)
    if not as_json:
        _tell_choice(comparison, chosen)
    released = story.released(chosen, comparison)
    if as_json:
        print_json(
            {
                "stopped": stopped.findings.as_list(),
                "recipes": comparison.table(),
                "frontier": list(comparison.frontier()),
                "chosen": released.recipe.name,
                "findings": released.findings.as_list(),
                "guarantees": [guarantee.as_dict() for guarantee in released.guarantees],
            }
        )
    else:
        _tell_release(story, released)


@dataclass(frozen=True)
class Story:
    """A table with traps, and what becomes of it."""

    folder: Path
    people: Microdata
    seed: int
    force: bool

    @property
    def first_recipe(self) -> Recipe:
        """What is tried before anyone has looked at the table: groups of five."""
        return recipes()[say("groups of {k}", k=5)]

    def first_try(self) -> Outgoing[Microdata]:
        """Write the table as somebody might have it, and send it to the gate."""
        write(self.people, self.folder / "people.csv", overwrite=self.force)
        return outgoing(self.people, self.first_recipe, seed=draws_from(None).seed)

    @property
    def repaired(self) -> Microdata:
        """The table after its custodian has declared what names people."""
        return self.people.assigning(roles=dict.fromkeys(TRAPS, "identifier"))

    def compared(self) -> Comparison:
        """Try all recipes and draw the map."""
        with progress(say("comparing")) as advance:
            comparison = compare(
                self.repaired,
                list(recipes().values()),
                limits=LIMITS,
                seed=self.seed,
                on_progress=advance,
            )
        write_figure(comparison.figure(), self.folder / "map.svg", overwrite=self.force)
        return comparison

    def released(self, chosen: Recipe, comparison: Comparison) -> Publication:
        """Release what was chosen: masked file, report, recipe, ledger and codebook."""
        publication = publish(
            self.repaired,
            chosen,
            limits=LIMITS,
            comparison=comparison,
            texts={
                "title": say("Release of a made-up population"),
                "office": say("Statistics office of the demo"),
                "population": say("People who do not exist, with their households."),
                "audience": say("Anybody."),
                "purpose": say("To show how a release is made."),
            },
            seed=self.seed,
            secret=self.folder / "private.secret",
        )
        publication.write(self.folder / "release", overwrite=self.force)
        return publication


def least_loss(comparison: Comparison) -> Recipe:
    """Return the recipe that loses least among those that keep the limits."""
    kept = [candidate for candidate in comparison.candidates if comparison.keeps(candidate)]
    loss = comparison.of_kind("loss")[0]
    return min(kept, key=lambda candidate: candidate.results[loss].value).recipe


def _tell_stop(story: Story, stopped: Outgoing[Microdata]) -> None:
    _chapter(
        say(
            "1. A table of {rows} made-up people is masked by the recipe '{recipe}' and sent to "
            "the gate.",
            rows=story.people.rows,
            recipe=story.first_recipe.name,
        )
    )
    print_findings(stopped.findings)
    _chapter(
        say(
            "2. The custodian follows the remedies: {columns} are declared as identifiers, which "
            "are left out.",
            columns=say(", ").join(TRAPS),
        )
    )


def _tell_choice(comparison: Comparison, chosen: Recipe) -> None:
    _chapter(
        say(
            "3. {count} recipes are compared. The limits are {limits}.",
            count=len(comparison.candidates),
            limits=say(", ").join(LIMITS),
        )
    )
    print_comparison(comparison, as_json=False)
    note(say("chosen, because it loses least: {recipe}", recipe=chosen.name))


def _tell_release(story: Story, released: Publication) -> None:
    _chapter(say("4. The gate lets the release pass."))
    print_guarantees(released.guarantees)
    print_findings(released.findings)
    _chapter(
        say(
            "The release is in {path}; its report.html says what was done. map.svg is the map. "
            "people.csv and private.secret would stay with the custodian.",
            path=story.folder / "release",
        )
    )


def _chapter(sentence: str) -> None:
    note(f"\n{sentence}\n")
