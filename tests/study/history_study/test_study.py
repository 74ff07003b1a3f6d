"""The history study: the paper's correlation row, resuming, notes, and its pages."""

import json
from pathlib import Path

import pytest

import sudare
from sudare.core.errors import InputError, MismatchError, SettingError
from sudare.core.messages import speaking
from sudare.release.report.document import Table
from sudare.study import history as study_history
from sudare.study.history_study import paper
from sudare.study.history_study.pages import error_map, history_blocks, presented
from sudare.study.history_study.study import RECIPES, HistoryStudy
from sudare.study.history_study.tables import TABLES, FileOutcome, correlation, critical_value
from sudare.transactions import (
    CoarseDates,
    History,
    ItemFamilies,
    MaskedHistory,
    QuantityBands,
    RowDeletion,
    published,
    utility,
    write_masked,
)
from sudare.transactions.loss.use_cases import ERRORS


@pytest.fixture(scope="module")
def purchases() -> History:
    return sudare.datasets.purchases_like(40, seed=1)


@pytest.fixture(scope="module")
def files(purchases: History) -> dict[str, MaskedHistory]:
    return {
        "same": MaskedHistory.of(purchases),
        "months": CoarseDates().mask(purchases),
        "families": ItemFamilies(size=5).mask(purchases),
        "bands": QuantityBands().mask(purchases),
        "fewer": RowDeletion(share=0.3).mask(purchases, seed=1),
    }


@pytest.fixture(scope="module")
def result(purchases: History, files: dict[str, MaskedHistory]) -> HistoryStudy:
    return study_history(purchases, files, samples=2, seed=1)


def test_the_papers_last_rows_follow_from_its_columns() -> None:
    # Columns are printed to three digits, so that correlations can be off by some thousandths.
    utilities = list(paper.UTILITY.values())
    for layout in TABLES.values():
        columns = zip(*layout.printed.values(), strict=True)
        for errors, printed in zip(columns, layout.correlations, strict=True):
            value = correlation(utilities, errors).value
            assert value == (printed if printed is None else pytest.approx(printed, abs=0.003))


def test_the_same_columns_are_significant_as_in_the_paper() -> None:
    utilities = list(paper.UTILITY.values())
    significant = {
        (name, heading)
        for name, layout in TABLES.items()
        for heading, errors in zip(
            layout.columns, zip(*layout.printed.values(), strict=True), strict=True
        )
        if correlation(utilities, errors).significant
    }
    use_cases = {("table_6_use_cases", h) for h in TABLES["table_6_use_cases"].columns}
    assert significant == use_cases | {
        ("table_7_items", "top items"),
        ("table_8_dates", "mean"),
        ("table_9_prices", "min"),
    }


def test_the_critical_value_of_thirteen_files_is_the_papers() -> None:
    critical = critical_value(13)
    assert critical is not None
    assert str(critical).startswith("0.552")
    assert critical_value(2) is None
    assert correlation([0, 1, 2], [0, 1, 2]).p == 0


@pytest.mark.parametrize(
    ("utilities", "errors", "reason"),
    [
        ([0.1, 0.2], [1, 2], "fewer than three files"),
        ([0.1, 0.2, 0.3], [1, 1, 1], "the error is the same for every file"),
        ([0.1, 0.1, 0.1], [1, 2, 3], "U is the same for every file"),
    ],
)
def test_a_correlation_that_cannot_be_computed_says_why(
    utilities: list[float], errors: list[float], reason: str
) -> None:
    related = correlation(utilities, errors)
    assert (related.value, related.p, related.significant, related.note) == (
        None,
        None,
        False,
        reason,
    )


def test_tables_have_a_row_for_each_file_by_utility_and_the_correlation(
    result: HistoryStudy, purchases: History, files: dict[str, MaskedHistory]
) -> None:
    for name in TABLES:
        rows = result.tables[name]
        assert (rows[0]["file"], rows[-1]["file"]) == ("same", "correlation")
        values = [float(str(row["U"])) for row in rows[:-1]]
        assert values == sorted(values)
        assert values == sorted(utility(purchases, masked) for masked in files.values())
    assert set(result.outcomes["same"].errors.values()) == {0.0}
    assert tuple(result.outcomes["same"].errors) == ERRORS


def test_every_column_has_its_correlation_or_a_note(result: HistoryStudy) -> None:
    rows = result.tables["correlations"]
    assert len(rows) == len(ERRORS)
    for row in rows:
        assert (row["correlation"] == "") == bool(row["note"])
        assert row["critical value"] == pytest.approx(0.878, abs=0.001)


def test_an_interrupted_study_goes_on_where_it_stopped(
    purchases: History, files: dict[str, MaskedHistory], result: HistoryStudy, tmp_path: Path
) -> None:
    def stop(done: int, total: int, what: str) -> None:
        assert total == 10
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        study_history(purchases, files, samples=2, seed=1, folder=tmp_path, on_progress=stop)
    progress: list[int] = []
    again = study_history(
        purchases,
        files,
        samples=2,
        seed=1,
        folder=tmp_path,
        on_progress=lambda done, *_: progress.append(done),
    )
    assert progress == list(range(4, 11))
    assert again.tables == result.tables


def test_notes_of_another_study_are_refused(
    purchases: History, files: dict[str, MaskedHistory], tmp_path: Path
) -> None:
    chosen = {"months": files["months"]}
    study_history(purchases, chosen, samples=1, seed=1, folder=tmp_path)
    for other in ({"seed": 2}, {"seed": 1, "min_support": 0.5}):
        with pytest.raises(InputError, match="other data or settings"):
            study_history(purchases, chosen, samples=1, folder=tmp_path, **other)


def test_files_are_taken_by_path_and_named_after_it(
    purchases: History, files: dict[str, MaskedHistory], tmp_path: Path
) -> None:
    paths = [tmp_path / "one.csv", tmp_path / "deep" / "one.csv"]
    paths[1].parent.mkdir()
    for path in paths:
        write_masked(files["months"], path)
    assert list(study_history(purchases, paths[:1], samples=1, seed=1).outcomes) == ["one"]
    both = study_history(purchases, paths, samples=1, seed=1).outcomes
    assert list(both) == [str(path) for path in paths]


def test_what_cannot_be_studied_is_refused(
    purchases: History, files: dict[str, MaskedHistory]
) -> None:
    with pytest.raises(SettingError, match="samples"):
        study_history(purchases, files, samples=0)
    with pytest.raises(SettingError, match="min_support"):
        study_history(purchases, files, min_support=0)
    with pytest.raises(SettingError, match="at least one"):
        study_history(purchases, [])
    with pytest.raises(MismatchError):
        study_history(purchases, {"published": published(files["fewer"])}, samples=1)


def test_without_files_the_study_masks_by_itself(purchases: History) -> None:
    first, second = (study_history(purchases, samples=1, seed=3) for _ in range(2))
    assert set(first.outcomes) == set(RECIPES)
    assert first.tables == second.tables
    strengths = [outcome.utility for outcome in first.outcomes.values()]
    assert min(strengths) < 0.05
    assert max(strengths) > 0.5


def test_the_study_is_saved_and_reported(result: HistoryStudy, tmp_path: Path) -> None:
    result.save(tmp_path / "out")
    saved = json.loads((tmp_path / "out" / "results.json").read_text(encoding="utf-8"))
    assert saved["table_7_items"][-1]["file"] == "correlation"
    html = result.report().html()
    assert html.count('class="chart"') == 1
    assert "by team" not in html
    with speaking("ja"):
        assert "相関係数" in str(result.presented()["table_7_items"][-1]["file"])


def test_the_paper_stands_beside_a_history_of_its_size() -> None:
    outcomes = {
        team: FileOutcome(paper.UTILITY[team], dict.fromkeys(ERRORS, 0.0)) for team in paper.UTILITY
    }
    figure = error_map(outcomes, beside_paper=True)
    assert len(figure["data"]["values"]) == 2 * 5 * 13
    rows = [{"file": "a", "U": 0.1, "correlation": ""}]
    tables = dict.fromkeys(TABLES, rows)
    tables["correlations"] = [{"correlation": 0.1}] * len(ERRORS)
    shown = presented(tables, beside_paper=True)
    assert [row["paper"] for row in shown["correlations"]][:2] == [0.654, 0.612]
    blocks = history_blocks(tables, outcomes, 100, beside_paper=True)
    captions = [block.caption for block in blocks if isinstance(block, Table)]
    assert captions.count("The paper's files, by team") == 5
