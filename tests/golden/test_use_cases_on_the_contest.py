"""Use cases on the contest's history, beside the report on PWSCUP 2018 (tables 6 to 10)."""

from pathlib import Path

import numpy as np
import pytest

from sudare.study.history_study import paper
from sudare.transactions import History, MaskedHistory, read_history, use_case_errors
from sudare.transactions.loss.history_statistics import all_statistics
from sudare.transactions.loss.use_cases import Reference


@pytest.fixture(scope="module")
def contest(real_data: Path) -> History:
    return read_history(real_data / "pwscup2018_final_T.csv")


def test_dates_are_counted_like_the_papers(contest: History) -> None:
    """Table 8: team 02 deleted 12,423 rows; what its sum lost gives the mean of the original."""
    rows, _ = paper.COUNTS["02"]
    lost, shift, *_ = paper.DATES["02"]
    left = contest.rows - rows
    mean = (lost + shift * left) / rows
    assert all_statistics(contest)["date"]["mean"] == pytest.approx(mean, abs=0.005)


def test_the_original_as_released_has_no_error(contest: History) -> None:
    errors = use_case_errors(contest, MaskedHistory.of(contest), samples=1, seed=1)
    assert set(errors.values()) == {0.0}


def test_what_the_original_holds(contest: History) -> None:
    """Our own figures, so that a change of a definition does not pass unseen."""
    reference = Reference.of(contest)
    assert reference.least == 91  # 2.5 % of 3,628 receipts
    assert len(reference.itemsets) == 228
    assert {name: len(pairs) for name, pairs in reference.similarities.items()} == {
        "wholesale": 505_232,
        "retail": 1_305_608,
        "top": 4_950,
    }
    assert reference.table.max() == 27
    assert np.count_nonzero(reference.table) > 300
