"""The evaluation of a file by the rules of its contest, and whose fault it is when it fails."""

from sudare.contest.rulebooks.rule_book import (
    EvaluationResult,
    EvaluationTask,
    RulePackage,
    problem_to_json,
)
from sudare.contest.scoring import ContestUnavailable
from sudare.core import MissingPartError, OutputError, SudareError
from sudare.transactions.files import FileProblem, RefusedError


def evaluate(package: RulePackage, kind: str, task: EvaluationTask) -> EvaluationResult:
    """Evaluate a file; what a method cannot take is a reason to refuse it.

    Trouble of the contest itself, such as a full disk, is not such a reason; then this
    raises :class:`ContestUnavailable`, or what the system said.
    """
    try:
        return package.evaluate(kind, task)
    except SudareError as error:
        if isinstance(error.__cause__, OSError):
            raise error.__cause__ from None
        if isinstance(error, (OutputError, MissingPartError)):
            raise ContestUnavailable from error
        facts = {**error.facts, **({"path": "…"} if "path" in error.facts else {})}
        problem = problem_to_json(FileProblem(0, "", RefusedError(error.template, **facts)))
        return {"problems": [problem], "count": 1}
