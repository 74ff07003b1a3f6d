"""Which package has the rules of a contest: one of ours, an installed one, or a file.

The code of an organizer is run only in processes of its own, with limits on memory and time: the
server and the parents of the workers never import it.
"""

import errno
import importlib.util
import sys
from collections.abc import Callable, Mapping
from functools import cached_property
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from sudare.contest.rulebooks.rule_book import (
    EvaluationResult,
    EvaluationTask,
    RuleBook,
    RulePackage,
)
from sudare.contest.rules import ENTRY_POINTS, is_path, module_file
from sudare.contest.scoring import ContestUnavailable, EvaluationFailed, RulesFailed, Sandbox
from sudare.core import InputError, SettingError, SudareError, language
from sudare.engine.formats import Folder

if TYPE_CHECKING:
    from sudare.contest.rules import ContestRules

PROCESS = "sudare.contest.rulebooks.package_process"
_SECONDS = 600.0  # for what an organizer's package does when a contest is made or opened
_MEMORY = 4 << 30
_PASSING = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.ENOMEM, errno.EFBIG)


def _history() -> type[RulePackage]:
    from sudare.contest.rulebooks.history_contest import HistoryContest

    return HistoryContest


def _table() -> type[RulePackage]:
    from sudare.contest.rulebooks.table_contest import TableContest

    return TableContest


def _synthetic_cohort() -> type[RulePackage]:
    from sudare.contest.rulebooks.synthetic_cohort import CohortContest

    return CohortContest


OUR_PACKAGES: Mapping[str, Callable[[], type[RulePackage]]] = {
    "history": _history,
    "table": _table,
    "synthetic-cohort": _synthetic_cohort,
}


def package_for(rules: "ContestRules") -> RulePackage:
    """Return what applies the rules."""
    if rules.subject in OUR_PACKAGES:
        return OUR_PACKAGES[rules.subject]()(rules)
    return OrganizerPackage(rules)


class OrganizerPackage(RulePackage):
    """An organizer's package: described and prepared in a process of its own, then evaluated."""

    def describe(self) -> RuleBook:
        """Return the rule book, in the current language."""
        return RuleBook.from_json(self._books[language()])

    @cached_property
    def _books(self) -> dict[str, Any]:
        return self._process("describe")

    def prepare(self, source: Path | None, folder: Path, *, seats: int, secret: bytes) -> None:
        """Let the package write what is handed out."""
        self._process("prepare", str(source or ""), str(folder), str(seats), secret.hex())

    def load(self, data: Mapping[str, Path]) -> Any:
        """Read what was handed out; called in the process that evaluates."""
        return self._own.load(data)

    def evaluate(self, kind: str, task: EvaluationTask) -> EvaluationResult:
        """Check and score a file; called in the process that evaluates.

        Where the package breaks it is its own fault, not trouble of the contest that passes.
        """
        try:
            return self._own.evaluate(kind, task)
        except (SudareError, ContestUnavailable, MemoryError):
            raise
        except Exception as error:
            if isinstance(error, OSError) and error.errno in _PASSING:
                raise
            raise RulesFailed from error

    @cached_property
    def _own(self) -> RulePackage:
        return organizer_class(self.rules.subject)(self.rules)

    def _process(self, action: str, *arguments: str) -> dict[str, Any]:
        with Folder() as folder:
            stated, answer = folder / "contest.toml", folder / "answer"
            stated.write_text(self.rules.to_toml(), encoding="utf-8")
            answer.touch()
            words = (str(stated), str(answer), str(_SECONDS), str(_MEMORY), action, *arguments)
            try:
                return Sandbox(_SECONDS, _MEMORY).run_module(
                    PROCESS, *words, answer=answer, alive=lambda: True
                )
            except EvaluationFailed as failure:
                raise InputError(
                    "the rules '{subject}' could not be used ({reason}); see the messages above.",
                    subject=self.rules.subject,
                    reason=failure.reason,
                ) from None


def organizer_class(subject: str) -> type[RulePackage]:
    """Import an organizer's package; to be called only in a process of its own."""
    if is_path(subject):
        rules_class = getattr(_module(Path(subject)), "RULES", None)
    else:
        [entry] = entry_points(group=ENTRY_POINTS, name=subject)
        rules_class = entry.load()
    if not (isinstance(rules_class, type) and issubclass(rules_class, RulePackage)):
        raise SettingError("contest: the package '{subject}' has no RULES.", subject=subject)
    return rules_class


def _module(path: Path) -> ModuleType:
    name = "sudare_contest_rules"
    spec = importlib.util.spec_from_file_location(name, module_file(path))
    if spec is None or spec.loader is None:
        raise InputError("there are no rules in '{path}'.", path=str(path))
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
