"""Contests of microdata: any table, any list of measures."""

import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from sudare.contest.rulebooks.history_contest import given
from sudare.contest.rulebooks.naming import attack_lines, judge_names, naming_thresholds
from sudare.contest.rulebooks.rule_book import (
    MASK,
    EvaluationResult,
    EvaluationTask,
    FileKind,
    Handout,
    RuleBook,
    RulePackage,
    refused,
)
from sudare.contest.rulebooks.table_scoring import evaluate_table, read_table
from sudare.core import Microdata, SettingError, SudareError, say
from sudare.engine import read, write
from sudare.release import Limit, parse_measure
from sudare.transactions.files import inspect_guess

if TYPE_CHECKING:
    from sudare.contest.rules import ContestRules


class TableContest(RulePackage):
    """Teams mask the records of a table, and say which row of it each published row is."""

    def describe(self) -> RuleBook:
        """Return the rule book, in the current language."""
        return RuleBook(
            summary=say(
                "Teams mask the same data, then attack one another's files. The best file is the "
                "one that loses least among those that nobody attacked effectively."
            ),
            score_title=say("Score"),
            handouts=(Handout(name="data", title=say("The data")),),
            files=(_mask_kind(self.rules.table.roles), _attack_kind()),
            sections=(
                (say("Files"), _file_lines(self.rules)),
                (say("Attacks"), attack_lines(self.rules)),
            ),
            thresholds=naming_thresholds(self.rules),
        )

    def prepare(self, source: Path | None, folder: Path, *, seats: int, secret: bytes) -> None:
        """Write T as CSV, without identifiers, and check that it can be scored."""
        table = self.rules.table
        data = read(given(source), roles=table.roles, scales=table.scales)
        path = folder / "data.csv"
        write(data.without(data.with_role("identifier")), path)
        _check_measures(read_table(path, self.rules), self.rules)

    def load(self, data: Mapping[str, Path]) -> Microdata:
        """Read T."""
        return read_table(data["data"], self.rules)

    def evaluate(self, kind: str, task: EvaluationTask) -> EvaluationResult:
        """Check and score a masked table or an attack."""
        original: Microdata = task.original()
        if kind == MASK:
            return evaluate_table(self.rules, original, task.file, *task.outputs, task.secret)
        return judge_names(self.rules, task, lambda: set(map(str, _row_numbers(original))))

    def check_attack(self, kind: str, path: Path, data: Mapping[str, Path]) -> EvaluationResult:
        """Check which rows an attack names."""
        rows = _row_numbers(self.load(data))
        _, problems = inspect_guess(path, rows, set(map(str, rows)), rules=self.rules.history)
        return refused(problems)

    def write_sample(self, kind: FileKind, data: Mapping[str, Path], path: Path) -> None:
        """Write T itself, or the examples of an attack."""
        if kind.name == MASK and "data" in data:
            shutil.copyfile(data["data"], path)
        else:
            super().write_sample(kind, data, path)


def _row_numbers(original: Microdata) -> range:
    return range(1, original.rows + 1)


def _check_measures(original: Microdata, rules: "ContestRules") -> None:
    """Refuse rules by which not even T itself could be scored."""
    score, limits = rules.table.score, rules.table.limits
    for text in (*score, *limits):
        measure = parse_measure(text) if text in score else Limit.parse(text).measure
        try:
            measure(original, original)
        except SudareError as error:
            raise SettingError(
                "contest: T cannot be measured by the rule '{rule}': {problem}",
                rule=text,
                problem=error,
            ) from None


def _mask_kind(names: Iterable[str]) -> FileKind:
    names = list(names)
    return FileKind(
        name=MASK,
        title=say("Masked file"),
        format=say(
            "The masked table is CSV in UTF-8 with the header and the rows of the original, in "
            "their order. Published, its rows are sorted."
        ),
        examples=(",".join([*names, "…"]), ",".join("…" for _ in [*names, "…"])),
        header=True,
        at_once=("score", "parts", "missed"),
    )


def _attack_kind() -> FileKind:
    return FileKind(
        name="attack",
        title=say("Attack"),
        format=say(
            "An attack is a file of lines row,row: a row of the published file, and the row of "
            "the original it came from, both counted from 1."
        ),
        examples=("1,250", "2,13", "7,250"),
        at_once=("named",),
    )


def _file_lines(rules: "ContestRules") -> list[tuple[str, str]]:
    lines = [(say("Score"), ", ".join(rules.table.score))]
    if rules.table.limits:
        lines.append((say("Limits"), ", ".join(rules.table.limits)))
    return lines
