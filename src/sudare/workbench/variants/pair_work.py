"""Two variants side by side, in a process of their own: columns, pairs, a regression."""

from collections.abc import Mapping
from typing import Any

from sudare.core import LANGUAGES, Language, LargeTable, Microdata, SudareError, say, speaking
from sudare.loss import coefficients
from sudare.release import Project
from sudare.release.comparing import masking_effect
from sudare.release.inspection import MaskedPair, paired
from sudare.release.report import distribution
from sudare.web import ReportProgress
from sudare.workbench.variants.trial_work import SEED, ProjectText, read_table

PAIRING = "pair"  # what jobs call the work


def compare_pair(
    report: ReportProgress,
    told: ProjectText,
    names: tuple[str, str],
    target: str,
    inputs: tuple[str, ...],
) -> dict[str, Any]:
    """Mask a table by two variants, and tell what each did to it; a job.

    A regression has a ``target`` and ``inputs``; empty for none.
    """
    project, data = read_table(report, told)
    pairs = {}
    for number, name in enumerate(names):
        report("Masking and measuring", 0.1 + 0.3 * number)
        pairs[name] = _masked(project, data, name)
    report("Comparing the variants", 0.7)
    effects = {name: masking_effect(pair) for name, pair in pairs.items()}
    return {
        "sampled": pairs[names[0]].before.rows if isinstance(data, LargeTable) else None,
        "effects": effects,
        "charts": {language: _charts(pairs, language) for language in LANGUAGES},
        "regression": {name: _regression(pair, target, inputs) for name, pair in pairs.items()}
        if target
        else {},
    }


def _masked(project: Project, data: Microdata | LargeTable, name: str) -> MaskedPair:
    recipe = project.recipe(name)
    masked = recipe.apply(data, seed=SEED)
    before: Any = recipe.prepare(data)
    return paired(before, masked.data, masked.steps)


def _charts(pairs: Mapping[str, MaskedPair], language: Language) -> dict[str, Any]:
    """Return the distributions of the columns that any variant changed."""
    first = next(iter(pairs.values()))
    changed = {name for pair in pairs.values() for name in pair.masked}
    with speaking(language):
        return {
            name: dict(
                distribution(
                    {
                        say("before"): first.before[name],
                        **{
                            f"{number}: {variant}": pair.after[name]
                            for number, (variant, pair) in enumerate(pairs.items(), 1)
                        },
                    }
                )
            )
            for name in first.before.names
            if name in changed and all(name in pair.after for pair in pairs.values())
        }


def _regression(pair: MaskedPair, target: str, inputs: tuple[str, ...]) -> dict[str, Any]:
    """Return the coefficients before and after, or why there are none."""
    try:
        chosen = [name for name in inputs if name != target]
        return {"coefficients": coefficients(pair.before, pair.after, target, chosen)}
    except SudareError as error:
        return {"refused": error}
