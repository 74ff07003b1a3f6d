"""Attacks on a synthetic cohort: confidences that people are in it, and guesses of secrets."""

import csv
import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

import numpy as np

from sudare.contest.rulebooks.rule_book import EvaluationResult, refused
from sudare.contest.rulebooks.synthetic_cohort.cohort_settings import FEWEST, CohortSettings
from sudare.contest.rulebooks.synthetic_cohort.cohorts import CONTROL
from sudare.core import Flags, Floats
from sudare.risk.inference import Excess, criteria, excess
from sudare.transactions.files import Problems, RefusedError, is_line_of_names, lines_of

_CONFIDENCE = 0.95
_LONGEST_LINE = 1000
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_NOT_A_NUMBER = RefusedError("the number of the person is not in the list.")
_TWICE = RefusedError("the person was named before.")


@dataclass(frozen=True, eq=False)
class Answers:
    """The referee's table of people: which are in the cohort, and everything about them."""

    inside: Flags
    values: Mapping[str, list[str]]

    @classmethod
    def read(cls, path: Path) -> "Answers":
        """Read a table with a column that marks those who are not in the cohort."""
        with path.open(encoding="utf-8", newline="") as file:
            header, *rows = csv.reader(file)
        values = {name: [row[at] for row in rows] for at, name in enumerate(header)}
        outside = np.array([float(mark) for mark in values.pop(CONTROL)]) > 0
        return cls(~outside, values)

    @classmethod
    def unknown(cls, path: Path, settings: CohortSettings) -> "Answers":
        """Return people about whom nothing is known, to check an attack on them."""
        with path.open(encoding="utf-8", newline="") as file:
            header, *rows = csv.reader(file)
        values = {name: [row[at] for row in rows] for at, name in enumerate(header)}
        values |= {name: [""] * len(rows) for name in settings.columns("sensitive")}
        return cls(np.arange(len(rows)) % 2 == 0, values)

    def strata(self, columns: tuple[str, ...]) -> dict[str, Flags]:
        """Return all people, and those of each label of some columns that are enough."""
        strata = {"": np.ones(len(self.inside), np.bool_)}
        for name in columns:
            labels = np.array(self.values[name])
            for label in sorted(set(self.values[name])):
                chosen = labels == label
                if min((self.inside & chosen).sum(), (~self.inside & chosen).sum()) >= FEWEST:
                    strata[f"{name} = {label}"] = chosen
        return strata


def judge_membership(path: Path, answers: Answers, settings: CohortSettings) -> EvaluationResult:
    """Judge lines ``candidate,confidence``, one for each candidate.

    The success is the largest over the strata of the advantage over a coin and of the true
    positives beyond 1 % and 0.1 % false ones.
    """
    problems, confidences = Problems(), np.full(len(answers.inside), np.nan)
    for number, cells in _rows(path, 2, problems):
        at = _position(cells[0], len(confidences))
        value = float(cells[1]) if _NUMBER.fullmatch(cells[1]) else np.nan
        if at is None:
            problems.add(number, "candidate", _NOT_A_NUMBER)
        elif not 0 <= value <= 1:
            reason = RefusedError("the confidence must be a number from 0 to 1.")
            problems.add(number, "confidence", reason)
        elif isfinite(confidences[at]):
            problems.add(number, "candidate", _TWICE)
        else:
            confidences[at] = value
    lacking = int(np.isnan(confidences).sum())
    if lacking and not problems.count:
        reason = RefusedError(
            "{count} {count:candidate has|candidates have} no line.", count=lacking
        )
        problems.add(0, "", reason)
    if problems.count:
        return refused(problems)
    return _result(excesses_of_scores(confidences, answers, settings), len(confidences))


def excesses_of_scores(
    scores: Floats, answers: Answers, settings: CohortSettings
) -> dict[str, Excess]:
    """Return, by stratum, how far members can be told from others: the largest criterion."""
    strata = answers.strata(settings.strata)
    level = 1 - (1 - _CONFIDENCE) / (3 * len(strata))
    judged = {}
    for name, chosen in strata.items():
        inside, outside = scores[answers.inside & chosen], scores[~answers.inside & chosen]
        judged[name] = max(criteria(inside, outside, level).values())
    return judged


def judge_attributes(path: Path, answers: Answers, settings: CohortSettings) -> EvaluationResult:
    """Judge lines ``person,column,guess`` about sensitive columns; persons may be left out.

    The success is the largest over columns and strata of the rate of right guesses about members
    less that about others: what is as true of people outside the cohort is no disclosure.
    """
    secrets = settings.columns("sensitive")
    problems, right = Problems(), {name: np.full(len(answers.inside), -1.0) for name in secrets}
    for number, (person, column, guess) in _rows(path, 3, problems):
        at = _position(person, len(answers.inside))
        if at is None:
            problems.add(number, "person", _NOT_A_NUMBER)
        elif column not in right:
            reason = RefusedError("the column must be one of: {names}", names=", ".join(secrets))
            problems.add(number, "column", reason)
        elif right[column][at] >= 0:
            problems.add(number, "person", _TWICE)
        else:
            truth = answers.values[column][at]
            right[column][at] = float(_is_right(guess, truth, settings.tolerance))
    named = sum(int((flags >= 0).sum()) for flags in right.values())
    if not named and not problems.count:
        problems.add(0, "", RefusedError("the file names nobody; an earlier attack still counts."))
    if problems.count:
        return refused(problems)
    hits = {column: np.maximum(flags, 0.0) for column, flags in right.items()}
    return _result(excesses_of_guesses(hits, answers, settings), named)


def excesses_of_guesses(
    chances: Mapping[str, Floats], answers: Answers, settings: CohortSettings
) -> dict[str, Excess]:
    """Return, by column and stratum, how much more often secrets of members are guessed.

    Rates are subtracted as they are: where nearly everybody's secret is guessed anyway, the share
    of what was left would be the luck of a few.
    """
    strata = answers.strata(settings.strata)
    level = 1 - (1 - _CONFIDENCE) / (len(chances) * len(strata))
    judged = {}
    for column, right in chances.items():
        for name, chosen in strata.items():
            inside, outside = right[answers.inside & chosen], right[~answers.inside & chosen]
            left = 1 - float(outside.mean())
            share = excess(inside, outside, level)
            title = ", ".join(filter(None, (column, name)))
            judged[title] = Excess(*(left * each for each in share))
    return judged


def _result(judged: Mapping[str, Excess], named: int) -> EvaluationResult:
    worst = max(judged.values())
    return {
        "result": {
            "named": named,
            "success": worst.risk,
            "effective": max(each.low for each in judged.values()) > 0,
            "parts": {name or "all": each.risk for name, each in judged.items()},
        }
    }


def _rows(path: Path, cells: int, problems: Problems) -> list[tuple[int, list[str]]]:
    """Return lines with a given number of cells; others are problems."""
    rows = []
    lines = lines_of(path, longest=_LONGEST_LINE, problems=problems, encoding="utf-8")
    for number, line in lines:
        row = [cell.strip() for cell in line.split(",", cells - 1)]
        if number == 1 and is_line_of_names(line):
            reason = RefusedError("this looks like a line of column names; the file has none.")
            problems.add(number, "", reason)
        elif len(row) == cells:
            rows.append((number, row))
        else:
            reason = RefusedError(
                "{found} cells instead of {wanted}.", found=len(row), wanted=cells
            )
            problems.add(number, "", reason)
    return rows


def _position(text: str, count: int) -> int | None:
    if not re.fullmatch("[1-9][0-9]{0,8}", text) or int(text) > count:
        return None
    return int(text) - 1


def _is_right(guess: str, truth: str, tolerance: float) -> bool:
    if _NUMBER.fullmatch(guess) and _NUMBER.fullmatch(truth):
        return abs(float(guess) - float(truth)) <= tolerance * abs(float(truth))
    return guess == truth
