"""Work on purchase histories in a process of its own: described, checked, attacked, released."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from sudare.core import LANGUAGES, InputError, Language, speaking
from sudare.release import Project
from sudare.release.project import project_history, publish_history
from sudare.release.report import attack_row, release_report, use_case_rows
from sudare.transactions import UseCaseLoss, attack_all, check, hit_chance, safe_anonymity
from sudare.web import ReportProgress
from sudare.workbench.variants import ProjectText

DESCRIBING, CHECKING = "describe-history", "check-history"  # what jobs call the work
ATTACKING, RELEASING = "attack-history", "release-history"
_SEED = 1  # of trials
_SAMPLES = 5  # histories drawn for the use cases of a trial
_MOST_ATTACKED = 48  # customers of the attacks that the chance of a hit is looked up for
_CLASSES = ((1, 1), (2, 4), (5, 9), (10, 19), (20, 49), (50, 99), (100, 199), (200, None))


def describe_history(report: ReportProgress, told: ProjectText) -> dict[str, Any]:
    """Count purchases, customers and items, and say what each k promises; a job."""
    project = _project(told)
    report("Reading the purchases", 0.1)
    derived = project_history(project)
    history, rules = derived.history, derived.history.rules
    sizes = history.row_counts
    classes = []
    for low, high in _CLASSES:
        inside = (sizes >= low) & (sizes <= (high or np.inf))
        label = f"{low}" if low == high else f"{low}–{high or ''}"
        classes.append({"label": label, "customers": int(inside.sum())})
    report("Computing what each k promises", 0.6)
    safe = safe_anonymity(rules.chance)
    most = min(max(safe, 2) + 1, len(sizes))
    return {
        "rows": history.rows,
        "customers": len(sizes),
        "items": len(history.item_ids),
        "years": [rules.first_date.year, rules.last_date.year],
        "left_out": dict(derived.left_out),
        "unused": list(derived.unused),
        "classes": classes,
        "chance": str(rules.chance),
        "level": str(rules.level),
        "safe": safe,
        "choices": [
            {"k": k, "hit": float(_hit(k, rules.chance, rules.level)), "holds": k >= safe}
            for k in range(2, most + 1)
        ],
    }


def check_masked(report: ReportProgress, told: ProjectText, path: str) -> dict[str, Any]:
    """Check a masked file against the history; a job."""
    project = _project(told)
    report("Checking the masked file", 0.2)
    if not Path(path).is_file():
        raise InputError("there is no file '{path}'.", path=path)
    problems = check(project_history(project).history, path)
    listed = {}
    for language in LANGUAGES:
        with speaking(language):
            listed[language] = [str(problem) for problem in problems]
    return {"path": path, "problems": listed}


def attack_variant(report: ReportProgress, told: ProjectText, name: str) -> dict[str, Any]:
    """Mask a history by a variant in a trial, attack it, and try the use cases on it; a job."""
    project = _project(told)
    report("Reading the purchases", 0.05)
    history = project_history(project).history
    report("Masking", 0.1)
    masked = project.recipe(name).apply(history, seed=_SEED).data
    attacks = attack_all(
        history,
        masked,
        on_progress=lambda done, of, _: report("Attacking", 0.2 + 0.6 * done / max(of, 1)),
    )
    report("Trying the use cases", 0.85)
    cases = UseCaseLoss(samples=_SAMPLES)(history, masked)
    rows, parts = {}, {}
    for language in LANGUAGES:
        with speaking(language):
            rows[language] = [attack_row(outcome) for outcome in attacks.outcomes]
            parts[language] = use_case_rows(cases)
    return {
        "attacks": rows,
        "effective": {bound: attacks.effective(bound) for bound in ("contest", "tight")},
        "use_cases": {"value": cases.value, "parts": parts},
    }


def release_history(
    report: ReportProgress,
    told: ProjectText,
    name: str,
    folder: Path,
    seed: int | None,
    language: Language,
) -> dict[str, Any]:
    """Mask, attack and write a history through the same door as the command line; a job."""
    project = _project(told)
    with speaking(language):
        report("Masking, attacking and measuring", 0.1)
        publication = publish_history(project, name, seed=seed)
        missed = [str(limit) for limit, kept in publication.verdicts() if not kept]
        if publication.may_leave:
            report("Writing the release", 0.9)
            publication.write(folder)
            internal = folder.with_name(f"{folder.name}-internal.html")
            release_report(publication, edition="internal").write(internal)
    texts = {}
    for spoken in LANGUAGES:
        with speaking(spoken):
            texts[spoken] = {"cautions": publication.cautions(), "summary": publication.summary()}
    return {
        "folder": str(folder) if publication.may_leave else "",
        "files": sorted(p.name for p in folder.iterdir()) if publication.may_leave else [],
        "missed": missed,
        "texts": texts,
        "values": [(type(m).__name__, float(r.value)) for m, r in publication.measured],
    }


def _project(told: ProjectText) -> Project:
    path, text, allow_paths = told
    return Project.from_text(text, path, allow_paths=allow_paths)


def _hit(k: int, chance: Fraction, level: Fraction) -> Fraction:
    """Return the largest chance of an effective attack on whole groups of k customers alike."""
    groups = range(1, _MOST_ATTACKED // k + 1)
    return max(hit_chance([k] * count, chance, level) for count in groups)
