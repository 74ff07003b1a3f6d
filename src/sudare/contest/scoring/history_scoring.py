"""The evaluation of what teams send in: checked, scored, and what of it is published.

These functions run in a process of their own with limits on memory and time (see sandbox.py). They
read a file as text and never execute anything of it.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sudare.contest.entries import problem_to_json
from sudare.contest.rules import ContestRules
from sudare.contest.scoring.sandbox import ContestUnavailable
from sudare.contest.scoring.table_scoring import evaluate_table
from sudare.core import Microdata, MissingPartError, OutputError, SudareError
from sudare.transactions import (
    CellError,
    History,
    published,
    read_guess,
    read_masked,
    use_case_errors,
    write_guess,
    write_masked,
)
from sudare.transactions.attack import score_names, who_is_who
from sudare.transactions.files import FileProblem, Problems, RefusedError, inspect, inspect_guess

_LARGEST_ERROR = (
    1e12  # an error beyond this is written as this: no database keeps an infinite number
)

EvaluationResult = dict[str, Any]
"""``{"result": …}`` of a file in order, or ``{"problems": […], "count": n}`` of another."""


@dataclass(frozen=True)
class EvaluationTask:
    """What is scored, and where the result is written.

    Attributes
    ----------
    rules
        The rules of the contest.
    original, load
        Where T lies, and a function that gives it.
    file
        The file that was received.
    published, pseudonyms
        Of a masked file: where A′ and the table of pseudonyms are written. Of an attack,
        ``pseudonyms`` is the table of its target, which is read.
    secret
        Of the contest: it decides the order of published rows that are alike.
    """

    rules: ContestRules
    original: Path
    load: Callable[[], History | Microdata]
    file: Path
    published: Path | None = None
    pseudonyms: Path | None = None
    secret: bytes = field(default=b"", repr=False)


def evaluate_mask(task: EvaluationTask) -> EvaluationResult:
    """Check a masked file, measure what it has lost, and write what is published of it."""
    original = _original(task)
    if isinstance(original, Microdata):
        return evaluate_table(task.rules, original, task.file, *_outputs(task), task.secret)
    reading = inspect(original, task.file, rules=task.rules.history)
    if reading.problems.count:
        return refused(reading.problems)
    out, table = _outputs(task)
    write_masked(published(reading.masked), out, overwrite=True)
    truth = who_is_who(original, reading.masked)
    write_guess(truth, table, overwrite=True)
    error = CellError(weights=task.rules.history.weights)(original, reading.masked)
    return {
        "result": {
            "score": min(error.value, _LARGEST_ERROR),
            "parts": _bounded(error.parts),
            "customers": len(truth),
        }
    }


def evaluate_attack(task: EvaluationTask) -> EvaluationResult:
    """Check an attack and count its right names."""
    with _own_files():
        truth = read_guess(_table(task), rules=task.rules.history)
    original = _original(task)
    customers = (
        {str(row) for row in range(1, original.rows + 1)}
        if isinstance(original, Microdata)
        else set(original.customer_ids)
    )
    guess, problems = inspect_guess(task.file, truth, customers, rules=task.rules.history)
    if problems.count:
        return refused(problems)
    score = score_names(truth, guess, rules=task.rules.history)
    return {
        "result": {
            "named": score.named,
            "right": score.right,
            "needed": score.needed[task.rules.bound],
            "effective": score.effective(task.rules.bound),
        }
    }


def evaluate_statistics(task: EvaluationTask) -> EvaluationResult:
    """Measure what analysts lose with a masked file that is in order."""
    original = _original(task)
    if isinstance(original, Microdata):
        return {"result": {}}
    masked = read_masked(task.file, rules=task.rules.history)
    samples = task.rules.limits.samples
    errors = use_case_errors(original, masked, samples=samples, seed=0, workers=1)
    return {"result": _bounded(errors)}


EVALUATIONS: Mapping[str, Callable[[EvaluationTask], EvaluationResult]] = {
    "mask": evaluate_mask,
    "attack": evaluate_attack,
    "statistics": evaluate_statistics,
}


def evaluate(kind: str, task: EvaluationTask) -> EvaluationResult:
    """Evaluate a file; what a method cannot take is a reason to refuse it.

    Trouble of the contest itself, such as a full disk, is not such a reason; then this
    raises :class:`ContestUnavailable`, or what the system said.
    """
    try:
        return EVALUATIONS[kind](task)
    except SudareError as error:
        if isinstance(error.__cause__, OSError):
            raise error.__cause__ from None
        if isinstance(error, (OutputError, MissingPartError)):
            raise ContestUnavailable from error
        facts = {**error.facts, **({"path": "…"} if "path" in error.facts else {})}
        problem = problem_to_json(FileProblem(0, "", RefusedError(error.template, **facts)))
        return {"problems": [problem], "count": 1}


@contextmanager
def _own_files() -> Iterator[None]:
    """Read files of the contest itself: what is wrong with them is not the team's fault."""
    try:
        yield
    except SudareError as error:
        raise ContestUnavailable from error


def _original(task: EvaluationTask) -> History | Microdata:
    with _own_files():
        return task.load()


def _bounded(errors: Mapping[str, float]) -> dict[str, float]:
    return {name: min(error, _LARGEST_ERROR) for name, error in errors.items()}


def refused(problems: Problems) -> EvaluationResult:
    """Return the finding of a file that is not in order."""
    return {
        "problems": [problem_to_json(problem) for problem in problems.kept],
        "count": problems.count,
    }


def _outputs(task: EvaluationTask) -> tuple[Path, Path]:
    assert task.published is not None  # noqa: S101
    return task.published, _table(task)


def _table(task: EvaluationTask) -> Path:
    assert task.pseudonyms is not None  # noqa: S101
    return task.pseudonyms
