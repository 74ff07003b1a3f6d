"""Contests of synthetic cohorts: the kind of 2025 and 2026, with rules of our own.

Each team has a cohort of its own and a background that all have. It sends a synthetic table, and
then, about the others' tables, confidences that people were in the cohort and guesses of secrets.
"""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sudare.contest.rulebooks.rule_book import (
    MASK,
    EvaluationResult,
    EvaluationTask,
    FileKind,
    Handout,
    RuleBook,
    RulePackage,
    own_files,
    refused,
)
from sudare.contest.rulebooks.synthetic_cohort.attacks import (
    Answers,
    excesses_of_guesses,
    excesses_of_scores,
    judge_attributes,
    judge_membership,
)
from sudare.contest.rulebooks.synthetic_cohort.cohort_settings import FEWEST, CohortSettings
from sudare.contest.rulebooks.synthetic_cohort.cohorts import CONTROL, write_handouts
from sudare.contest.rulebooks.table_scoring import TableLines, publish_sorted, read_csv, read_lines
from sudare.core import Categorical, Microdata, say
from sudare.describe.distances import Space
from sudare.engine import write
from sudare.release import parse_measure
from sudare.risk.inference import ATTACKERS, Knowledge, chances_of_nearest, criteria
from sudare.transactions.files import RefusedError

if TYPE_CHECKING:
    from sudare.contest.rules import ContestRules

_MADE_UP = "65,male,B,university,no,26.9,121,no,2,0.84,5.1,no,5.0,ill"
_UNKNOWN_LABEL = RefusedError("the column has no such label in the cohort or the background.")


class CohortContest(RulePackage):
    """Teams make up people who are like their cohort and tell nobody who was in it."""

    shared: ClassVar[bool] = True

    def __init__(self, rules: "ContestRules") -> None:
        super().__init__(rules)
        self.settings = CohortSettings.of(rules.settings)

    def describe(self) -> RuleBook:
        """Return the rule book, in the current language."""
        settings = self.settings
        return RuleBook(
            summary=say(
                "Each team makes a synthetic table from a cohort of its own, then tries to find "
                "out from the others' tables who was in their cohorts, and what is secret about "
                "them. Points are for utility, protection and attacks."
            ),
            score_title=say("Utility"),
            handouts=_handouts(),
            files=_files(settings),
            sections=(_utility_lines(settings), _attack_lines(settings)),
            weights=settings.weights,
        )

    def prepare(self, source: Path | None, folder: Path, *, seats: int, secret: bytes) -> None:
        """Draw the background and the cohorts."""
        write_handouts(self.settings, source, folder, seats, secret)

    def load(self, data: Mapping[str, Path]) -> Mapping[str, Answers]:
        """Read the answers; tables are read by the process that evaluates."""
        criteria(np.arange(2.0), np.arange(2.0), 0.95)  # loads what every attack needs, once
        import_module("sklearn.ensemble")  # and every table, whose processes are forked from this
        return {name: Answers.read(data[name]) for name in ("trial", "secrets")}

    def evaluate(self, kind: str, task: EvaluationTask) -> EvaluationResult:
        """Check and score a synthetic table, or judge an attack on one."""
        if kind == MASK:
            return self._evaluate_table(task)
        answers = task.original()
        if kind == "membership":
            return judge_membership(task.file, answers["trial"], self.settings)
        return judge_attributes(task.file, answers["secrets"], self.settings)

    def check_attack(self, kind: str, path: Path, data: Mapping[str, Path]) -> EvaluationResult:
        """Check the lines of an attack; what is true of them only the referee knows."""
        people = "candidates" if kind == "membership" else "persons"
        judge = judge_membership if kind == "membership" else judge_attributes
        result = judge(path, Answers.unknown(data[people], self.settings), self.settings)
        return {"problems": [], "count": 0} if "result" in result else result

    def write_sample(self, kind: FileKind, data: Mapping[str, Path], path: Path) -> None:
        """Write people of the background as a table, or the examples of an attack."""
        if kind.name == MASK and "background" in data:
            background = self._read(data["background"])
            rows = np.arange(self.settings.members) % background.rows
            write(background.take(rows), path)
        else:
            super().write_sample(kind, data, path)

    def _evaluate_table(self, task: EvaluationTask) -> EvaluationResult:
        with own_files():
            cohort, background = (self._read(task.data[name]) for name in ("cohort", "background"))
        lines = read_lines(self.rules.history.line_length, cohort, task.file)
        if not lines.problems.count:
            _note_unknown_labels(lines, cohort, background)
        if lines.problems.count:
            return refused(lines.problems)
        synthetic = lines.read(self._read(task.file), cohort)
        facets = utility_facets(self.settings, cohort, synthetic)
        result = {"score": min(facets.values()), "parts": facets}
        if task.published is not None and "trial" in task.data:
            publish_sorted(lines, task.published)
            result["own_attacks"] = self._own_attacks(task, synthetic, background)
        return {"result": result}

    def _own_attacks(
        self, task: EvaluationTask, synthetic: Microdata, background: Microdata
    ) -> dict[str, float]:
        """Return how far our own attackers come, on all people and on each stratum."""
        with own_files():
            trial, persons = (self._read(task.data[name]) for name in ("trial", "secrets"))
        settings, answers = self.settings, task.original()
        columns = [name for name in trial.names if name != CONTROL]
        space = Space.of(trial, synthetic, columns)
        population = Space.of(trial, background, columns).released
        known = Knowledge(space.released, population, space.labeled)
        success = {}
        for attacker, scores_of in ATTACKERS.items():
            scores = scores_of(space.original, known)
            for stratum, each in excesses_of_scores(scores, answers["trial"], settings).items():
                success[", ".join(filter(None, (attacker, stratum)))] = each.risk
        chances = chances_of_nearest(
            persons,
            synthetic,
            settings.columns("key"),
            settings.columns("sensitive"),
            settings.tolerance,
        )
        judged = excesses_of_guesses(chances, answers["secrets"], settings)
        return success | {name: each.risk for name, each in judged.items()}

    def _read(self, path: Path) -> Microdata:
        return read_csv(path, self.settings.roles)


def utility_facets(
    settings: CohortSettings, cohort: Microdata, synthetic: Microdata
) -> dict[str, float]:
    """Return 1 minus each measure, from 0 to 1, by the name of the measure; the least counts."""
    return {
        text.partition(":")[0]: float(
            np.clip(1 - parse_measure(text)(cohort, synthetic).value, 0.0, 1.0)
        )
        for text in settings.facets
    }


def _note_unknown_labels(lines: TableLines, *tables: Microdata) -> None:
    for position, column in enumerate(tables[0].columns):
        if isinstance(column, Categorical):
            known = {str(label) for table in tables for label in table[column.name].coded.labels}
            for row, cells in enumerate(lines.rows):
                if cells[position].strip() not in {"", *known}:
                    lines.problems.add(row + 2, column.name, _UNKNOWN_LABEL)


def _handouts() -> tuple[Handout, ...]:
    return (
        Handout(name="background", title=say("Background: people of the same population")),
        Handout(name="cohort", title=say("The team's cohort"), own=True),
        Handout(
            name="candidates",
            title=say("Candidates: whole records, half of them from the team's cohort"),
            stage="attack",
            own=True,
        ),
        Handout(
            name="persons",
            title=say("Persons: the keys of others, half of them from the team's cohort"),
            stage="attack",
            own=True,
        ),
        Handout(name="trial", title=say("Who of the candidates is in it"), stage="never", own=True),
        Handout(name="secrets", title=say("The persons' secrets"), stage="never", own=True),
    )


def _table_lines(settings: CohortSettings) -> tuple[str, str]:
    """Return the header of a table and a line below it, of people who are made up."""
    made_up = settings.roles == CohortSettings().roles
    dots = ",".join("…" for _ in settings.roles)
    return ",".join(settings.roles), _MADE_UP if made_up else dots


def _files(settings: CohortSettings) -> tuple[FileKind, ...]:
    secret = settings.columns("sensitive")[0]
    return (
        FileKind(
            name=MASK,
            title=say("Synthetic table"),
            format=say(
                "The synthetic table is CSV in UTF-8 with the header of the cohort and as many "
                "rows, in any order. Published, its rows are sorted."
            ),
            examples=_table_lines(settings),
            header=True,
            at_once=("score", "parts"),
        ),
        FileKind(
            name="membership",
            title=say("Membership confidences"),
            format=say(
                "A file of lines candidate,confidence, one for each candidate: the number of the "
                "candidate, and from 0 to 1 how sure you are that the cohort holds the record."
            ),
            examples=("1,0.93", "2,0.08", "3,0.5"),
            at_once=("named",),
        ),
        FileKind(
            name="attribute",
            title=say("Attribute guesses"),
            format=say(
                "A file of lines person,column,guess: the number of the person, a sensitive "
                "column, and what you think it holds. Persons and columns may be left out."
            ),
            examples=(f"1,{secret},0.95", f"4,{secret},1.2"),
            at_once=("named",),
        ),
    )


def _utility_lines(settings: CohortSettings) -> tuple[str, list[tuple[str, str]]]:
    lines = [(say("Utility"), say("the least of 1 minus each of these measures"))]
    for text in settings.facets:
        name, _, given = text.partition(":")
        lines.append((name, given.strip() or say("with its usual settings")))
    lines.append((say("Records of a cohort"), f"{settings.members:,}"))
    lines.append((say("Records of the background"), f"{settings.background:,}"))
    return say("Utility"), lines


def _attack_lines(settings: CohortSettings) -> tuple[str, list[tuple[str, str]]]:
    return say("Attacks"), [
        (
            say("Protection"),
            say("1 minus the largest success of any attack: of a team, or of the referee's own"),
        ),
        (
            say("Membership confidences"),
            say("the advantage over a coin, or the true positives beyond 1 % or 0.1 % false ones"),
        ),
        (
            say("Attribute guesses"),
            say(
                "right guesses about members less those about others; numbers within {percent} %",
                percent=f"{100 * settings.tolerance:g}",
            ),
        ),
        (
            say("Strata"),
            say(
                "each label of {columns} with {count} members and others; the worst counts",
                columns=", ".join(settings.strata) or "–",
                count=FEWEST,
            ),
        ),
        (say("Effective"), say("where the success is shown to be above 0 (95 %)")),
        (say("Attacks"), say("one of each kind on each team; the latest counts")),
    ]
