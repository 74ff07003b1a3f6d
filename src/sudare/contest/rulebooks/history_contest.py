"""Contests of purchase histories: the rules of PWSCUP 2018."""

import shutil
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np

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
from sudare.core import ColumnError, InputError, Microdata, Numeric, Scale, say
from sudare.engine import read
from sudare.transactions import (
    Amount,
    CellError,
    History,
    MaskedHistory,
    Pseudonyms,
    history_from,
    published,
    read_history,
    read_masked,
    use_case_errors,
    write_guess,
    write_history,
    write_masked,
)
from sudare.transactions.attack import who_is_who
from sudare.transactions.files import EPOCH, WRITERS, inspect, inspect_guess
from sudare.transactions.loss import all_weights

if TYPE_CHECKING:
    from sudare.contest.rules import ContestRules

_LARGEST_ERROR = (
    1e12  # an error beyond this is written as this: no database keeps an infinite number
)


class HistoryContest(RulePackage):
    """Teams generalize T's purchases, and name the customers in the others' files."""

    shared: ClassVar[bool] = True

    def describe(self) -> RuleBook:
        """Return the rule book, in the current language."""
        return RuleBook(
            summary=say(
                "Teams mask the same data, then attack one another's files. The best file is the "
                "one that loses least among those that nobody attacked effectively."
            ),
            score_title="U",
            handouts=(Handout(name="data", title=say("The data")),),
            files=(_mask_kind(), _attack_kind()),
            sections=(
                (say("Files"), _file_lines(self.rules)),
                (say("Attacks"), attack_lines(self.rules)),
            ),
            thresholds=naming_thresholds(self.rules),
            statistics=self.rules.limits.samples > 0,
        )

    def prepare(self, source: Path | None, folder: Path, *, seats: int, secret: bytes) -> None:
        """Check T; with rules that name columns it comes from a table with a header."""
        path = given(source)
        if self.rules.columns:
            write_history(_purchases(path, self.rules), folder / "data.csv")
        else:
            read_history(path, rules=self.rules.history)
            shutil.copyfile(path, folder / "data.csv")

    def load(self, data: Mapping[str, Path]) -> History:
        """Read T."""
        return read_history(data["data"], rules=self.rules.history)

    def evaluate(self, kind: str, task: EvaluationTask) -> EvaluationResult:
        """Check and score a masked file or an attack, or measure what analysts lose."""
        if kind == MASK:
            return self._evaluate_mask(task)
        if kind == "statistics":
            return self._evaluate_statistics(task)
        return judge_names(self.rules, task, lambda: set(task.original().customer_ids))

    def check_attack(self, kind: str, path: Path, data: Mapping[str, Path]) -> EvaluationResult:
        """Check which pseudonyms and customers an attack names."""
        masked = read_masked(data["published"], rules=self.rules.history)
        customers = set(self.load(data).customer_ids)
        _, problems = inspect_guess(
            path, set(masked.pseudonyms.tolist()), customers, rules=self.rules.history
        )
        return refused(problems)

    def write_sample(self, kind: FileKind, data: Mapping[str, Path], path: Path) -> None:
        """Write T with new pseudonyms, or the examples of an attack."""
        if kind.name == MASK and "data" in data:
            write_masked(Pseudonyms().mask(MaskedHistory.of(self.load(data)), seed=None), path)
        else:
            super().write_sample(kind, data, path)

    def _evaluate_mask(self, task: EvaluationTask) -> EvaluationResult:
        """Check a masked file, measure what it has lost, and write what is published of it."""
        original: History = task.original()
        reading = inspect(original, task.file, rules=self.rules.history)
        if reading.problems.count:
            return refused(reading.problems)
        out, table = task.outputs
        write_masked(published(reading.masked), out, overwrite=True)
        truth = who_is_who(original, reading.masked)
        write_guess(truth, table, overwrite=True)
        error = CellError(weights=self.rules.history.weights)(original, reading.masked)
        return {
            "result": {
                "score": min(error.value, _LARGEST_ERROR),
                "parts": _bounded(error.parts),
                "customers": len(truth),
            }
        }

    def _evaluate_statistics(self, task: EvaluationTask) -> EvaluationResult:
        """Measure what analysts lose with a valid masked file."""
        original: History = task.original()
        masked = read_masked(task.file, rules=self.rules.history)
        samples = self.rules.limits.samples
        errors = use_case_errors(original, masked, samples=samples, seed=0, workers=1)
        return {"result": _bounded(errors)}


def given(source: Path | None) -> Path:
    """Return the organizer's data, which this kind of contest cannot do without."""
    if source is None:
        raise InputError("this kind of contest needs data; name a file with --data.")
    return source


def _bounded(errors: Mapping[str, float]) -> dict[str, float]:
    return {name: min(error, _LARGEST_ERROR) for name, error in errors.items()}


def _mask_kind() -> FileKind:
    return FileKind(
        name=MASK,
        title=say("Masked file"),
        format=say(
            "A masked file has a line pseudonym,date,item,price,quantity for each row of the "
            "original, in its order. A cell is a value, a set of items, a range, or a star where "
            "it was deleted."
        ),
        examples=(
            "1,2011/3/5,22728,3.75,12",
            "1,[2011/3/1;2011/3/31],{22728;22729},[2.00;4.00],12",
            "7,*,22730,1.25,*",
            "*,*,*,*,*",
        ),
        at_once=("score", "parts"),
    )


def _attack_kind() -> FileKind:
    return FileKind(
        name="attack",
        title=say("Attack"),
        format=say(
            "An attack is a file of lines pseudonym,customer that names the customers you "
            "recognized. The more customers you name, the more of them must be right for the "
            "attack to be effective."
        ),
        examples=("1,12346", "7,12347", "42,12346"),
        at_once=("named",),
    )


def _file_lines(rules: "ContestRules") -> list[tuple[str, str]]:
    history = rules.history
    weights = all_weights(history.weights)
    lines = [
        (say("Dates"), f"{history.first_date} – {history.last_date}"),
        (say("Prices"), f"0.01 – {history.max_price_cents / 100:,.2f}"),
        (say("Quantities"), f"1 – {history.max_quantity:,}"),
        (say("Items in a set"), say("at most {count}", count=history.set_size)),
        (say("Characters of a line"), say("at most {count}", count=f"{history.line_length:,}")),
        (say("Score"), say("U: the mean error of a cell; smaller is better")),
    ]
    if len(set(weights.values())) > 1:
        listed = ", ".join(f"{say(name)} {weight:g}" for name, weight in weights.items())
        lines.append((say("Weights"), listed))
    return lines


def _purchases(path: Path, rules: "ContestRules") -> History:
    """Return the purchases of a table with a header, within the limits of the rules."""
    nominal: dict[str, Scale] = {rules.columns[name]: "nominal" for name in ("customer", "item")}
    last: date = rules.history.last_date
    try:
        table = read(path, scales=nominal)
        _check_largest(table, rules)
        history = history_from(
            table,
            columns=rules.columns,
            last_date=last,
            item_length=rules.history.item_length,
        )
        _check_limits(history, rules)
    except ColumnError as error:
        raise InputError("'{path}', {problem}", path=str(path), problem=error) from None
    return history


def _check_largest(table: Microdata, rules: "ContestRules") -> None:
    """Refuse amounts above the limits, also those that no history can hold."""
    largest: dict[Amount, float] = {
        "price": rules.history.max_price_cents / 100,
        "quantity": rules.history.max_quantity,
    }
    for name, high in largest.items():
        column = table[rules.columns[name]]
        if isinstance(column, Numeric):
            _refuse_outside(name, int(np.count_nonzero(column.values > high)), rules)


def _check_limits(history: History, rules: "ContestRules") -> None:
    for name, (low, high) in _limits(rules).items():
        values = history.amounts(name)
        _refuse_outside(name, int(np.count_nonzero((values < low) | (values > high))), rules)


def _limits(rules: "ContestRules") -> dict[Amount, tuple[int, int]]:
    stated = rules.history
    return {
        "date": ((stated.first_date - EPOCH).days, (stated.last_date - EPOCH).days),
        "price": (1, stated.max_price_cents),
        "quantity": (1, stated.max_quantity),
    }


def _refuse_outside(name: Amount, outside: int, rules: "ContestRules") -> None:
    low, high = _limits(rules)[name]
    if outside:
        raise ColumnError(
            "column '{column}': {count} {count:value is|values are} not between {low} and "
            "{high}; see [history] in the rules.",
            column=rules.columns[name],
            count=outside,
            low=WRITERS[name](low),
            high=WRITERS[name](high),
        )
