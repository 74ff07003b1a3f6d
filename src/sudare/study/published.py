"""Every number that the five papers print, beside ours."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from sudare import datasets
from sudare.core import Categorical, Message, Microdata, OnProgress, apply, say
from sudare.loss import DirectComparison
from sudare.mask import GlobalRecode, Suppression
from sudare.release.report import Table, Text
from sudare.study import distance_study, history_study, recoding_study, synthesis_study
from sudare.study.printed_number import OTHER_DATA, PrintedNumber
from sudare.study.randomization_study import PAPER_INPUTS
from sudare.study.result import Rows, StudyResult
from sudare.transactions import History

RECODING, DISTANCE = "Sano and Hattori", "Akiyama and Wada"
SLIDES, CONTEST, RANDOMIZATION = "Sano (slides)", "Hamada et al.", "Hasegawa et al."
BEFORE_MERGING, MERGED = (5, 2, 30, 13, 50), (7, 30, 13, 50)  # table 2 of Sano and Hattori
MODELS = {"all": (20, 30, 20, 5), "without dominated": (16, 24, 16, 4)}  # table 7
ASSOCIATIONS = {  # in the first part of the slides
    "r of rent and common service fee": 0.215262,
    "Cramér's V of stories and lift": 0.8628889,
    "η² of rent by period of construction": 0.08834161,
}
NOT_GIVEN = Message("anonymized survey data, available to researchers on application")
THIRD = Message("a third, rounded down")
NOT_GENERALIZED = Message(
    "the ten columns as they are; what the paper generalized first it leaves open"
)
SCALED = Message("another scale: numbers count here as shares of their range")


def papers(
    history: History | None = None,
    *,
    adult: Microdata | None = None,
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
    adult
        UCI Adult, as :func:`sudare.datasets.adult` returns it; by default made-up data like it.
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
    Sizes and frequencies that only describe the data of a paper are not listed.
    """
    notes = None if folder is None else Path(folder)
    numbers = {
        RECODING: list(_recoding(rows, notes, on_progress)),
        DISTANCE: list(_distance()),
        SLIDES: list(_slides(rows, on_progress)),
        CONTEST: list(history_study.printed_numbers(history, samples, notes, on_progress)),
        RANDOMIZATION: list(_randomization(adult)),
    }
    table: Rows = [number.row(paper) for paper, those in numbers.items() for number in those]
    title = say("The numbers of the five papers, beside ours")
    return StudyResult(title, {"published": table}, [Text(heading=title), Table.of(table)])


def _recoding(
    rows: int | None, folder: Path | None, on_progress: OnProgress | None
) -> Iterator[PrintedNumber]:
    data = datasets.census_like() if rows is None else datasets.census_like(rows)
    tables = recoding_study.recoding(data, folder=folder, on_progress=on_progress).tables
    yield from _direct_comparison()
    merged = apply(_industries(), GlobalRecode(min_share=0.03)).data["industry"].coded
    for code, printed_count in enumerate(MERGED):
        what = f"records of category {code + 1} after merging"
        yield PrintedNumber("table 2", what, printed_count, int((merged.codes == code).sum()))
    shares = [f"p={share:g}" for share in recoding_study.SHARES]
    for row in tables["table_4_categories"]:
        printed = recoding_study.CATEGORIES[row["variable"]]
        for heading, value in zip(["original", *shares], printed, strict=True):
            yield PrintedNumber(
                "table 4", f"{row['variable']}, {heading}", value, float(row[heading])
            )
    known = {frozenset(pair): value for pair, value in recoding_study.ASSOCIATION.items()}
    for row in tables["table_5_association"]:
        pair = frozenset((row["variable"], row["with"]))
        name = " × ".join(sorted(pair))
        yield PrintedNumber("table 5", name, known[pair], float(list(row.values())[2]), OTHER_DATA)
    for row in tables["table_6_mean_loss"]:
        score, inputs = row["score"], row["inputs"]
        printed_means = recoding_study.MEANS[score][inputs - 1]
        for heading, mean in zip(shares, printed_means, strict=True):
            what = f"{score}, {_inputs(inputs)}, {heading}"
            yield PrintedNumber("table 6", what, mean, float(row[heading]), OTHER_DATA)
    yield from _recoding_models(tables)


def _recoding_models(tables: Mapping[str, Rows]) -> Iterator[PrintedNumber]:
    for row in tables["table_7_correlation"]:
        inputs, targets = row["inputs"], row["targets"]
        models = MODELS[targets][inputs - 1]
        what = f"models, {_inputs(inputs)}, {targets}"
        yield PrintedNumber("table 7", what, models, float(row["models"]))
        printed_scores = recoding_study.CORRELATIONS[inputs, targets]
        for score, correlation in zip(recoding_study.MEANS, printed_scores, strict=True):
            what = f"{score}, {_inputs(inputs)}, {targets}"
            yield PrintedNumber("table 7", what, correlation, float(row[score]), OTHER_DATA)
    for row in tables["table_8_largest_loss"]:
        inputs, score, rank = row["inputs"], row["score"], row["rank"]
        model, loss = recoding_study.TOP[inputs, score][rank - 1]
        what = f"{score}, {_inputs(inputs)}, rank {rank}: {model} (sudare: {row['model']})"
        yield PrintedNumber("table 8", what, loss, float(row["loss"]), OTHER_DATA)


def _direct_comparison() -> Iterator[PrintedNumber]:
    """Yield the two examples of section 3.1: sex exchanged, and the thirties as the fifties."""
    sex = Categorical("sex", np.array([0, 1]), ("male", "female"), role="key")
    decades = tuple(f"{10 * age}s" for age in range(10))
    age = Categorical("age", np.array([3, 5]), decades, scale="ordinal", role="key")
    for equation, printed, column in (("eq. 1", 1.0, sex), ("eq. 2", 0.2, age)):
        before, after = (Microdata((column,)).take(np.array([row])) for row in (0, 1))
        what = f"{column.name}, {' published as '.join(column.labels[i] for i in column.codes)}"
        yield PrintedNumber(equation, what, printed, DirectComparison()(before, after).value)


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
            yield PrintedNumber(example.source, f"{what}, {heading}", printed, float(row[heading]))


def _slides(rows: int | None, on_progress: OnProgress | None) -> Iterator[PrintedNumber]:
    data = datasets.expenditure_like() if rows is None else datasets.expenditure_like(rows)
    tables = synthesis_study.synthesis(data, seed=1, on_progress=on_progress).tables
    for name, value in ASSOCIATIONS.items():
        yield PrintedNumber("association", name, value, None, NOT_GIVEN)
    for row in tables["table_1_error"]:
        for method, error in synthesis_study.ERROR.items():
            yield PrintedNumber(
                "table 1", f"error, {method}", error, float(row[method]), OTHER_DATA
            )
    for row in tables["table_2_risk"]:
        k = row["k"]
        for method, risk in synthesis_study.RISK[k].items():
            what = f"linked among {k}, {method}"
            yield PrintedNumber("table 2", what, risk, float(row[method]), OTHER_DATA)


def _randomization(adult: Microdata | None) -> Iterator[PrintedNumber]:
    data, note = (datasets.adult_like(), OTHER_DATA) if adult is None else (adult, None)
    yield PrintedNumber("5", "records of Adult", 48_842, data.rows, note)
    yield PrintedNumber("5", "records of the third that is masked", 16_281, data.rows // 3, THIRD)
    third = data.take(np.random.default_rng(1).permutation(data.rows)[: data.rows // 3])
    inputs = Microdata(tuple(third[name] for name in PAPER_INPUTS))
    inputs = inputs.assigning(roles=dict.fromkeys(PAPER_INPUTS, "key"))
    left = Suppression(k=50).fit(inputs).transform(inputs)
    lost = 1 - np.any([left[name].known for name in PAPER_INPUTS], axis=0).mean()
    yield PrintedNumber("5", "share of records lost, k = 50", 0.2, float(lost), NOT_GENERALIZED)
    yield PrintedNumber("5", "σ² of the kernel, by cross-validation", 1000, None, SCALED)


def _inputs(count: int) -> str:
    return "1 input" if count == 1 else f"{count} inputs"
