"""Every number that the five papers print, beside ours."""

import os
from collections.abc import Iterator
from math import comb
from pathlib import Path
from typing import NamedTuple

import numpy as np

from sudare import datasets
from sudare.core import Categorical, Message, Microdata, OnProgress, apply, say
from sudare.mask import GlobalRecode
from sudare.release.report import Table, Text
from sudare.study import distance_study, history_study, recoding_study, synthesis_study
from sudare.study.result import Row, Rows, StudyResult
from sudare.transactions import CustomerAnonymity, History, threshold, utility

RECODING, DISTANCE = "Sano and Hattori", "Akiyama and Wada"
SLIDES, CONTEST, RANDOMIZATION = "Sano (slides)", "Hamada et al.", "Hasegawa et al."
NOT_PUBLIC = Message("the team's file is not public")
NO_HISTORY = Message("give the history of the contest (--history)")
OTHER_DATA = Message("made-up data of the same shape")
OTHER_FILES = Message("our own ten files in place of the teams'")
PRINTED_THRESHOLDS = (*range(7, 50), *range(90, 100), *range(990, 1000))
THRESHOLDS = (  # table 4, in this order
    *(7, 8, 9, 10, 10, 11, 11, 12, 13, 13, 14, 15, 15, 16, 17, 17, 18, 18, 19, 20, 20, 21, 21),
    *(22, 23, 23, 24, 25, 25, 26, 26, 27, 28, 28, 29, 29, 30, 31, 31, 32, 32, 33, 34),
    *(59, 59, 60, 60, 61, 62, 62, 63, 63, 64),
    *(606, 607, 607, 608, 609, 609, 610, 610, 611, 612),
)
BEFORE_MERGING, MERGED = (5, 2, 30, 13, 50), (7, 30, 13, 50)  # table 2 of Sano and Hattori
ADULT = 48_842  # records, of which the paper masks a third


class PrintedNumber(NamedTuple):
    """A printed number: where it stands, what it is, and what we have for it."""

    source: str
    figure: str
    published: float
    ours: float | None
    note: Message | None = None

    def row(self, paper: str) -> Row:
        """Return it as a row of the table."""
        ours = "" if self.ours is None else self.ours
        return {
            "paper": paper,
            "source": self.source,
            "figure": self.figure,
            "published": self.published,
            "ours": ours,
            "note": str(self.note or ""),
        }


def papers(
    history: History | None = None,
    *,
    rows: int | None = None,
    samples: int = 10,
    folder: str | os.PathLike[str] | None = None,
    on_progress: OnProgress | None = None,
) -> StudyResult:
    """Run the papers' experiments and put every printed number beside ours.

    Parameters
    ----------
    history
        T of the contest's final; without it, numbers that need it have none of ours beside them.
    rows
        Size of the made-up census and of the made-up households; by default that of the papers.
    samples
        Histories drawn from each masked file for tables 6 to 10.
    folder
        Where finished models and samples are noted, so that an interrupted run goes on.
    on_progress
        Called as the studies go on.

    Notes
    -----
    Where the data of a paper are confidential, ours are made up in their shape: such numbers
    illustrate the findings, and are close, not equal. Figure 1 of Hasegawa et al. has no numbers.
    """
    notes = None if folder is None else Path(folder)
    numbers = {
        RECODING: list(_recoding(rows, notes, on_progress)),
        DISTANCE: list(_distance()),
        SLIDES: list(_slides(rows, on_progress)),
        CONTEST: list(_contest(history, samples, notes, on_progress)),
        RANDOMIZATION: list(_randomization()),
    }
    table: Rows = [number.row(paper) for paper, those in numbers.items() for number in those]
    title = say("The numbers of the five papers, beside ours")
    return StudyResult(title, {"published": table}, [Text(heading=title), Table.of(table)])


def _recoding(
    rows: int | None, folder: Path | None, on_progress: OnProgress | None
) -> Iterator[PrintedNumber]:
    data = datasets.census_like() if rows is None else datasets.census_like(rows)
    tables = recoding_study.recoding(data, folder=folder, on_progress=on_progress).tables
    merged = apply(_industries(), GlobalRecode(min_share=0.03)).data["industry"].coded
    for code, printed_count in enumerate(MERGED):
        what = f"records of category {code + 1} after merging"
        yield PrintedNumber("table 2", what, printed_count, int((merged.codes == code).sum()))
    shares = [f"p={share:g}" for share in recoding_study.SHARES]
    for row in tables["table_4_categories"]:
        printed = recoding_study.CATEGORIES[str(row["variable"])]
        for heading, value in zip(["original", *shares], printed, strict=True):
            yield PrintedNumber(
                "table 4", f"{row['variable']}, {heading}", value, _number(row[heading])
            )
    known = {frozenset(pair): value for pair, value in recoding_study.ASSOCIATION.items()}
    for row in tables["table_5_association"]:
        pair = frozenset((str(row["variable"]), str(row["with"])))
        name = " × ".join(sorted(pair))
        yield PrintedNumber(
            "table 5", name, known[pair], _number(list(row.values())[2]), OTHER_DATA
        )
    for row in tables["table_6_mean_loss"]:
        score, inputs = str(row["score"]), int(str(row["inputs"]))
        printed_means = recoding_study.MEANS[score][inputs - 1]
        for heading, mean in zip(shares, printed_means, strict=True):
            what = f"{score}, {inputs} inputs, {heading}"
            yield PrintedNumber("table 6", what, mean, _number(row[heading]), OTHER_DATA)
    for row in tables["table_7_correlation"]:
        inputs, targets = int(str(row["inputs"])), str(row["targets"])
        printed_scores = recoding_study.CORRELATIONS[inputs, targets]
        for score, correlation in zip(recoding_study.MEANS, printed_scores, strict=True):
            what = f"{score}, {inputs} inputs, {targets}"
            yield PrintedNumber("table 7", what, correlation, _number(row[score]), OTHER_DATA)
    for row in tables["table_8_largest_loss"]:
        inputs, score, rank = int(str(row["inputs"])), str(row["score"]), int(str(row["rank"]))
        model, loss = recoding_study.TOP[inputs, score][rank - 1]
        what = f"{score}, {inputs} inputs, rank {rank}: {model} (sudare: {row['model']})"
        yield PrintedNumber("table 8", what, loss, _number(row["loss"]), OTHER_DATA)


def _industries() -> Microdata:
    """Return the hundred records of the paper's example."""
    codes = np.repeat(np.arange(len(BEFORE_MERGING)), BEFORE_MERGING)
    return Microdata((Categorical("industry", codes, tuple("ABCDE"), role="key"),))


def _distance() -> Iterator[PrintedNumber]:
    for example, row in zip(
        distance_study.EXAMPLES, distance_study.distance().tables["paper"], strict=True
    ):
        what = f"{example.distance_name}, d^{example.power}"
        for heading, printed in zip(("I", "I'", "ILD"), example.printed, strict=True):
            yield PrintedNumber(
                example.source, f"{what}, {heading}", printed, _number(row[heading])
            )


def _slides(rows: int | None, on_progress: OnProgress | None) -> Iterator[PrintedNumber]:
    data = datasets.expenditure_like() if rows is None else datasets.expenditure_like(rows)
    tables = synthesis_study.synthesis(data, on_progress=on_progress).tables
    for row in tables["table_1_error"]:
        for method, error in synthesis_study.ERROR.items():
            yield PrintedNumber(
                "table 1", f"error, {method}", error, _number(row[method]), OTHER_DATA
            )
    for row in tables["table_2_risk"]:
        k = int(str(row["k"]))
        for method, risk in synthesis_study.RISK[k].items():
            what = f"linked among {k}, {method}"
            yield PrintedNumber("table 2", what, risk, _number(row[method]), OTHER_DATA)


def _contest(
    history: History | None, samples: int, folder: Path | None, on_progress: OnProgress | None
) -> Iterator[PrintedNumber]:
    for n, printed in zip(PRINTED_THRESHOLDS, THRESHOLDS, strict=True):
        yield PrintedNumber("table 4", f"r({n})", printed, threshold(n))
    critical = history_study.critical_value(len(history_study.UTILITY))
    yield PrintedNumber("6.3", "critical value of 13 files", 0.552, critical)
    hit = sum(comb(12, pairs) for pairs in range(threshold(24) // 2, 13)) / 2**12
    yield PrintedNumber("footnote 1", "24 customers in pairs: chance of a hit", 0.073, hit)
    yield PrintedNumber("footnote 1", "chance that 13 teams never hit", 0.37, (1 - hit) ** 13)
    winner, study = None, None
    if history is not None:
        winner = utility(history, apply(history, CustomerAnonymity(k=2), seed=1).data)
        study = history_study.history(
            history, samples=samples, seed=1, folder=folder, on_progress=on_progress
        )
    note = None if history else NO_HISTORY
    yield PrintedNumber("table 3", "U of the winner, by 2-anonymity", 0.206, winner, note)
    for team, value in history_study.UTILITY.items():
        yield PrintedNumber("table 3", f"U of team {team}", value, None, NOT_PUBLIC)
    yield from _tables_6_to_10(study)


def _tables_6_to_10(study: history_study.HistoryStudy | None) -> Iterator[PrintedNumber]:
    related = None if study is None else history_study.correlations(study.outcomes)
    for name, layout in history_study.TABLES.items():
        source = " ".join(name.split("_")[:2])
        for heading, printed in zip(layout.columns, layout.correlations, strict=True):
            if printed is not None:
                ours = None if related is None else related[name][heading].value
                note = NO_HISTORY if related is None else OTHER_FILES
                yield PrintedNumber(source, f"correlation with U, {heading}", printed, ours, note)
        for team, values in layout.printed.items():
            for heading, value in zip(layout.columns, values, strict=True):
                yield PrintedNumber(source, f"team {team}, {heading}", value, None, NOT_PUBLIC)


def _randomization() -> Iterator[PrintedNumber]:
    yield PrintedNumber("5", "records of the third that is masked", 16_281, round(ADULT / 3))


def _number(value: object) -> float:
    return float(str(value))
