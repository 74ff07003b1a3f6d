"""Every number that the report on PWSCUP 2018 prints, beside ours."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from sudare.core import Message, OnProgress, apply
from sudare.study.history_study.paper import UTILITY
from sudare.study.history_study.study import HistoryStudy, history
from sudare.study.history_study.tables import TABLES, correlations, critical_value
from sudare.study.printed_number import NO_HISTORY, NOT_PUBLIC, OTHER_FILES, PrintedNumber
from sudare.transactions import (
    CustomerAnonymity,
    History,
    best_attack,
    chance_bound,
    hit_chance,
    right_in_groups,
    threshold,
    utility,
)

PRINTED_THRESHOLDS = (*range(7, 50), *range(90, 100), *range(990, 1000))
THRESHOLDS = (  # table 4, in this order
    *(7, 8, 9, 10, 10, 11, 11, 12, 13, 13, 14, 15, 15, 16, 17, 17, 18, 18, 19, 20, 20, 21, 21),
    *(22, 23, 23, 24, 25, 25, 26, 26, 27, 28, 28, 29, 29, 30, 31, 31, 32, 32, 33, 34),
    *(59, 59, 60, 60, 61, 62, 62, 63, 63, 64),
    *(606, 607, 607, 608, 609, 609, 610, 610, 611, 612),
)
EXPECTED = Message("expected number, if the 13 teams that attack know the groups")
TEAMS = 13

# Table 5: files of each kind, how many were never hit, and the groups of customers of such a file.
FILES: Mapping[str, tuple[int, int, Sequence[int] | None]] = {
    "100 or more uniques": (3, 0, [1] * 100),
    "2 customers as they were, the others in pairs": (2, 0, [1, 1] + [2] * 499),
    "2-anonymity": (6, 3, [2] * 500),
    "3-anonymity": (1, 1, [3] * 332 + [4]),
    "based on 3-anonymity": (1, 1, None),
}


def printed_numbers(
    given: History | None, samples: int, folder: Path | None, on_progress: OnProgress | None
) -> Iterator[PrintedNumber]:
    """Yield the numbers; those that need the history of the contest have none of ours without."""
    yield from _safety()
    winner, study = None, None
    if given is not None:
        winner = utility(given, apply(given, CustomerAnonymity(k=2), seed=1).data)
        study = history(given, samples=samples, seed=1, folder=folder, on_progress=on_progress)
    note = None if given else NO_HISTORY
    yield PrintedNumber("table 3", "U of the winner, by 2-anonymity", 0.206, winner, note)
    for team, value in UTILITY.items():
        yield PrintedNumber("table 3", f"U of team {team}", value, None, NOT_PUBLIC)
    yield from _tables_6_to_10(study)


def _safety() -> Iterator[PrintedNumber]:
    for k, guessed, allowed in ((7, 5040, 2187), (6, 720, 729)):
        whole = f"a group of {k}, all named correctly: one chance in"
        yield PrintedNumber("4.1.1", whole, guessed, float(1 / right_in_groups([k])[k]))
        limit = f"{k} customers, one chance in, at most, where the file is safe"
        yield PrintedNumber("4.1.1", limit, allowed, float(1 / chance_bound(k, k)))
    for n, printed in zip(PRINTED_THRESHOLDS, THRESHOLDS, strict=True):
        yield PrintedNumber("table 4", f"r({n})", printed, threshold(n))
    for kind, (files, safe, groups) in FILES.items():
        yield PrintedNumber("table 5", f"files, {kind}", files, None, NOT_PUBLIC)
        never = None if groups is None else float(1 - best_attack(groups=groups).chance) ** TEAMS
        ours = None if never is None else files * never
        note = NOT_PUBLIC if ours is None else EXPECTED
        yield PrintedNumber("table 5", f"files never hit, {kind}", safe, ours, note)
    hit = float(hit_chance([2] * 12))
    yield PrintedNumber("footnote 1", "24 customers in pairs: chance of a hit", 0.073, hit)
    yield PrintedNumber("footnote 1", "chance that 13 teams never hit", 0.37, (1 - hit) ** TEAMS)
    yield PrintedNumber("6.4", "critical value of 13 files", 0.552, critical_value(len(UTILITY)))


def _tables_6_to_10(study: HistoryStudy | None) -> Iterator[PrintedNumber]:
    related = None if study is None else correlations(study.outcomes)
    for name, layout in TABLES.items():
        source = " ".join(name.split("_")[:2])
        for heading, printed in zip(layout.columns, layout.correlations, strict=True):
            if printed is not None:
                ours = None if related is None else related[name][heading].value
                note = NO_HISTORY if related is None else OTHER_FILES
                yield PrintedNumber(source, f"correlation with U, {heading}", printed, ours, note)
        for team, values in layout.printed.items():
            for heading, value in zip(layout.columns, values, strict=True):
                yield PrintedNumber(source, f"team {team}, {heading}", value, None, NOT_PUBLIC)
