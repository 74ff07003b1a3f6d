"""The contest's format check: whether a masked file fits a history and keeps to the rules."""

import os
from collections.abc import Collection, Iterator

import numpy as np

from sudare.core import Flags
from sudare.transactions.cells import MaskedHistory
from sudare.transactions.files.history_files import MaskedRows, guess_rows, parse_masked
from sudare.transactions.files.problems import FileProblem, Problems, RefusedError
from sudare.transactions.history import AMOUNTS, History
from sudare.transactions.loss import contains
from sudare.transactions.rules import PWSCUP_2018, HistoryRules


def check(
    history: History,
    masked: MaskedHistory | str | os.PathLike[str],
    *,
    rules: HistoryRules | None = None,
) -> list[FileProblem]:
    """Return what is wrong with a masked file, by line and column; an empty list when it is fine.

    The content is checked only once the whole file can be read: notation comes first. At most a
    hundred problems are returned.

    Parameters
    ----------
    history
        The original.
    masked
        A masked file, or the path of one.
    rules
        What a file may hold; by default the rules of the history.

    Examples
    --------
    >>> from sudare.datasets import purchases_like
    >>> history = purchases_like(5, seed=1)
    >>> masked = MaskedHistory.of(history)
    >>> check(history, masked)
    []
    >>> print(check(history, masked.take(np.arange(3)))[0])
    line 4: the file has 3 rows; the history has 326.
    """
    if not isinstance(masked, MaskedHistory):
        return inspect(history, masked, rules=rules).problems.kept
    problems = Problems()
    _compare(history, masked, rules or history.rules, problems)
    return problems.kept


def inspect(
    history: History, path: str | os.PathLike[str], *, rules: HistoryRules | None = None
) -> MaskedRows:
    """Read and check a masked file: as :func:`check`, with the file and the number of problems."""
    rules = rules or history.rules
    reading = parse_masked(path, rules=rules, most_rows=history.rows)
    if not reading.problems.count:
        _compare(history, reading.masked, rules, reading.problems)
    return reading


def inspect_guess(
    path: str | os.PathLike[str],
    pseudonyms: Collection[int],
    customers: Collection[str],
    *,
    rules: HistoryRules = PWSCUP_2018,
) -> tuple[dict[int, str], Problems]:
    """Read an attacker's guess and check it against what was published.

    Parameters
    ----------
    path
        Lines ``pseudonym,customer``.
    pseudonyms
        Those of the published file; each is named at most once.
    customers
        Those of the history; one may be named more than once.
    rules
        Limits of lines.

    Returns
    -------
    guess, problems
        Customer by pseudonym, and what is wrong by line and column.
    """
    guess: dict[int, str] = {}
    problems = Problems()
    for number, pseudonym, customer in guess_rows(
        path, problems, rules=rules, most_rows=len(pseudonyms)
    ):
        if pseudonym in guess:
            problems.add(number, "pseudonym", RefusedError("the pseudonym was named before."))
        elif pseudonym not in pseudonyms:
            reason = RefusedError("the pseudonym is not in the published file.")
            problems.add(number, "pseudonym", reason)
        if customer not in customers:
            problems.add(number, "customer", RefusedError("the customer is not in the history."))
        guess[pseudonym] = customer
    if not guess and not problems.count:
        problems.add(0, "", RefusedError("the file names nobody; an earlier attack still counts."))
    return guess, problems


def _compare(
    history: History, masked: MaskedHistory, rules: HistoryRules, problems: Problems
) -> None:
    """Note what is wrong with a file that could be read, by line."""
    if masked.rows != history.rows:
        reason = RefusedError(
            "the file has {found} rows; the history has {wanted}.",
            found=masked.rows,
            wanted=history.rows,
        )
        problems.add(min(masked.rows, history.rows) + 1, "", reason)
        return
    for column, wrong, reason in _faults(history, masked, rules):
        for row in np.flatnonzero(wrong).tolist():
            problems.add(row + 1, column, reason)
    problems.kept.sort(key=lambda problem: problem.line)


def _faults(
    history: History, masked: MaskedHistory, rules: HistoryRules
) -> Iterator[tuple[str, Flags, RefusedError]]:
    """Yield what can be wrong: the column, which rows are, and why."""
    gone, sets, cells = masked.gone, masked.items, masked.items.cells
    half = gone & ~(
        masked.dates.deleted & sets.deleted & masked.prices.deleted & masked.quantities.deleted
    )
    yield "", half, RefusedError("a row without a pseudonym is deleted whole: *,*,*,*,*.")
    yield from _pseudonym_faults(history, masked)
    sizes, plain = np.append(sets.sizes, 0)[cells], np.append(sets.plain, True)[cells]
    too_many = sizes > rules.set_size
    yield "item", too_many, RefusedError("a set has at most {limit} items.", limit=rules.set_size)
    yield "item", _strange(history, masked), RefusedError("an item is not in the history.")
    false_set = ~plain & ~contains(history, sets) & ~sets.deleted
    yield "item", false_set, RefusedError("the set does not contain the true item.")
    for name in AMOUNTS:
        values, ranges = history.amounts(name), masked.amounts(name)
        outside = (values < ranges.low) | (values > ranges.high)
        wrong = outside & ~ranges.plain & ~ranges.deleted
        yield name, wrong, RefusedError("the range does not contain the true value.")


def _pseudonym_faults(
    history: History, masked: MaskedHistory
) -> Iterator[tuple[str, Flags, RefusedError]]:
    """Yield rows whose pseudonym or customer was paired otherwise in an earlier row."""
    kept = np.flatnonzero(~masked.gone)
    renamed = RefusedError("the customer has another pseudonym above.")
    shared = RefusedError("the pseudonym belongs to another customer above.")
    for names, paired, reason in (
        (history.customers, masked.pseudonyms, renamed),
        (masked.pseudonyms, history.customers, shared),
    ):
        _, first, number = np.unique(names[kept], return_index=True, return_inverse=True)
        wrong = np.zeros(masked.rows, dtype=np.bool_)
        wrong[kept] = paired[kept] != paired[kept[first]][number]
        yield "pseudonym", wrong, reason


def _strange(history: History, masked: MaskedHistory) -> Flags:
    """Return which rows name an item that the history lacks."""
    sets = masked.items
    known = set(history.item_ids)
    strange = np.array([name not in known for name in sets.item_ids], dtype=np.bool_)[sets.members]
    owner = np.repeat(np.arange(len(sets.sizes)), sets.sizes)
    count = np.bincount(owner, weights=strange, minlength=len(sets.sizes) + 1)
    return count[sets.cells] > 0
