"""The recoding study on data like the paper's, at full size, and on anybody's."""

from pathlib import Path

import numpy as np
import pytest

import sudare
from sudare.core.errors import ColumnError, InputError, OutputError, SettingError
from sudare.core.messages import speaking
from sudare.core.table.categorical import Categorical
from sudare.core.table.microdata import Microdata
from sudare.core.table.numeric import Numeric
from sudare.loss.models.model_loss import ModelLoss
from sudare.mask import GlobalRecode
from sudare.study import recoding
from sudare.study.recoding_study import paper
from sudare.study.recoding_study.models import ORIGINAL, Model
from sudare.study.recoding_study.study import RecodingStudy

pytestmark = pytest.mark.xdist_group("recoding-study")  # one study for all


@pytest.fixture(scope="module")
def census() -> RecodingStudy:
    return recoding(sudare.datasets.census_like())


def test_the_papers_number_of_models_is_fitted(census: RecodingStudy) -> None:
    assert [len(census.losses.models(width)) for width in (1, 2, 3, 4)] == [20, 30, 20, 5]
    assert len(census.losses.scored) == 75 * 4


def test_the_categories_are_those_of_table_4(census: RecodingStudy) -> None:
    for row in census.tables["table_4_categories"]:
        name, *counts = row.values()
        assert tuple(counts) == paper.CATEGORIES[str(name)]


def test_recall_has_the_four_properties_and_precision_and_f_have_not(
    census: RecodingStudy,
) -> None:
    verdicts = {
        row["score"]: [v for k, v in row.items() if k != "score"] for row in census.properties
    }
    assert all(verdicts["recall"])
    assert not any(verdicts["precision"][:3])
    assert not any(verdicts["f"][:3])
    assert not verdicts["accuracy"][3], "a dominated target hides the correlation"
    assert verdicts["accuracy"][4]


def test_nationality_is_the_dominated_target(census: RecodingStudy) -> None:
    assert census.losses.dominated == {"nationality"}


def test_recall_loses_most_where_the_paper_says(census: RecodingStudy) -> None:
    ours = [
        [
            r["model"]
            for r in census.tables["table_8_largest_loss"]
            if (r["inputs"], r["score"]) == (width, "recall")
        ]
        for width in (1, 2, 3, 4)
    ]
    printed = [[model for model, _ in paper.TOP[width, "recall"]] for width in (1, 2, 3, 4)]
    assert ours[0][:4] == printed[0][:4]
    assert [set(models) for models in ours[1:]] == [set(models) for models in printed[1:]]


def test_the_report_shows_the_papers_figures_beside_ours(census: RecodingStudy) -> None:
    shown = census.presented()
    assert [row["source"] for row in shown["table_6_mean_loss"]][:2] == ["sudare", "paper"]
    html = census.report().html()
    assert "Why our figures differ" in html
    assert html.count('class="chart"') == 2


def test_a_model_of_the_study_is_the_measure_of_that_name(census: RecodingStudy) -> None:
    data = sudare.datasets.census_like()
    masked = GlobalRecode(min_share=0.05).fit(data).transform(data)
    measure = ModelLoss(target="occupation", columns=("occupation", "industry", "family"))
    model = Model("occupation", ("industry", "family"))
    expected = census.losses.loss(model, "recall", 0.05)
    assert measure(data, masked).value == pytest.approx(expected, abs=1e-9)


def small(n: int = 800) -> Microdata:
    return sudare.datasets.toy(n)


COLUMNS = ("sex", "region", "education", "condition")


def test_an_interrupted_study_goes_on_where_it_stopped(tmp_path: Path) -> None:
    class StopError(Exception):
        pass

    def stop(done: int, total: int, what: str) -> None:
        if done == 10:
            raise StopError

    with pytest.raises(StopError):
        recoding(small(), columns=COLUMNS, folder=tmp_path, on_progress=stop)
    notes = (tmp_path / "models.jsonl").read_text(encoding="utf-8")
    assert notes.count("\n") == 11
    (tmp_path / "models.jsonl").write_text(notes + '{"target": "se', encoding="utf-8")
    fitted: list[int] = []
    again = recoding(
        small(), columns=COLUMNS, folder=tmp_path, on_progress=lambda d, *_: fitted.append(d)
    )
    assert fitted[0] == 11
    fresh = recoding(small(), columns=COLUMNS)
    for key, scores in fresh.losses.scored.items():
        assert again.losses.scored[key].recall == pytest.approx(scores.recall)


def test_a_folder_of_another_study_is_refused(tmp_path: Path) -> None:
    recoding(small(), columns=COLUMNS[:2], folder=tmp_path)
    with pytest.raises(InputError, match="work on other data or settings"):
        recoding(small(900), columns=COLUMNS[:2], folder=tmp_path)


def test_results_are_saved_whole_and_not_over_others_unasked(tmp_path: Path) -> None:
    result = recoding(small(), columns=COLUMNS[:3])
    result.save(tmp_path / "out")
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert {"report.html", "results.json", "table_6_mean_loss.csv", "models.csv"} <= names
    with pytest.raises(OutputError, match="holds results"):
        result.save(tmp_path / "out")
    result.save(tmp_path / "out", overwrite=True)
    assert "table_6_mean_loss" in str(result)


def test_recodings_that_change_nothing_are_not_fitted_again() -> None:
    seen: list[int] = []
    result = recoding(
        small(), columns=("sex", "condition"), on_progress=lambda _, total, __: seen.append(total)
    )
    assert seen[-1] == 2, "two categories each: every share leaves both models as they were"
    assert all(result.losses.means(score).max() == 0 for score in ("recall", "accuracy"))


def test_thirty_variables_are_studied_in_groups_and_what_is_skipped_is_said() -> None:
    rng = np.random.default_rng(1)
    columns = []
    for group in range(8):
        common = rng.integers(0, 4, 3000)
        for member in range(4 if group < 6 else 3):
            noisy = np.where(rng.random(3000) < 0.3, rng.integers(0, 4, 3000), common)
            columns.append(Categorical(f"v{group}{member}", noisy, tuple("abcd"), role="key"))
    result = recoding(Microdata(tuple(columns)), shares=[0.2, 0.3])
    assert result.grouping is not None
    together = {frozenset(group) for group in result.grouping.groups}
    assert {
        frozenset(f"v0{i}" for i in range(4)),
        frozenset(f"v7{i}" for i in range(3)),
    } <= together
    last = result.tables["groups"][-1]
    studied = sum(share == ORIGINAL for _, share in result.losses.scored)
    assert last["models"] == 30 * (2**29 - 1) - studied
    assert "skipped" in result.report().html()


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"shares": [0.0]}, SettingError, "above 0 and below 1"),
        ({"shares": [1.0]}, SettingError, "above 0 and below 1"),
        ({"columns": ["sex"]}, SettingError, "at least two different"),
        ({"columns": ["sex", "sex"]}, SettingError, "at least two different"),
        ({"columns": ["sex", "income"]}, ColumnError, "'income' does not hold categories"),
        ({"columns": ["sex", "reigon"]}, ColumnError, "did you mean 'region'"),
    ],
)
def test_bad_input_is_refused(
    settings: dict[str, object], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        recoding(small(), **settings)  # type: ignore[arg-type]


def test_a_target_with_one_category_is_refused() -> None:
    data = small().take(np.flatnonzero(small()["sex"].coded.codes == 0))
    with pytest.raises(ColumnError, match="'sex' has 1 category"):
        recoding(data, columns=["sex", "region"])


def test_missing_values_are_levels_of_inputs_and_no_target() -> None:
    result = recoding(small(), columns=["occupation", "region"])
    assert result.losses.quality(Model("region", ("occupation",)), "accuracy") > 0


def survey(rows: int = 600, seed: int = 1) -> Microdata:
    """Return a table with the traps of survey files: twins, derived columns, constants, weights."""
    rng = np.random.default_rng(seed)
    town = rng.integers(0, 6, rows)
    job = np.where(rng.random(rows) < 0.5, town % 4, rng.integers(0, 4, rows))
    sex = rng.integers(0, 2, rows)
    job[:30] = -1
    columns = {
        "town": (town, tuple("abcdef")),
        "town code": (town, tuple(range(1, 7))),
        "region": (town // 2, tuple("xyz")),
        "job": (job, tuple("pqrs")),
        "sex": (sex, ("f", "m")),
        "year": (np.zeros(rows, int), ("2024",)),
        "id": (np.arange(rows), tuple(f"r{n}" for n in range(rows))),
    }
    weights = Numeric("w", rng.integers(0, 4, rows).astype(float), role="weight")
    wave = Numeric("wave", np.full(rows, 3.0))
    categories = (Categorical(n, c, labels) for n, (c, labels) in columns.items())
    return Microdata((*categories, wave, weights))


def test_what_says_nothing_or_the_same_is_left_out_and_named() -> None:
    result = recoding(survey(), shares=[0.05, 0.2, 0.3])
    assert {row["column"]: row["reason"] for row in result.tables["left_out"]} == {
        "year": "constant",
        "wave": "constant",
        "id": "all values different",
        "town code": "'town' in other words",
    }
    assert result.tables["dependent"] == [{"variable": "town", "with": "region"}]
    together = [{m.target, *m.inputs} for m, _ in result.losses.scored]
    assert together
    assert not [names for names in together if {"town", "region"} <= names]
    html = result.report().html()
    assert "town code" in html
    assert "no model has both" in html


def test_records_and_absent_shares_are_in_the_report() -> None:
    data = survey()
    rows = {row["variable"]: row for row in recoding(data, shares=[0.2]).tables["variables"]}
    kept = data.weights != 0
    assert rows["job"]["records"] == int((data["job"].known & kept).sum())
    assert rows["job"]["missing"] == pytest.approx(data["job"].missing[kept].mean())


def test_weights_count_as_so_many_equal_records() -> None:
    data = survey()
    assert data.weights is not None
    repeated = data.take(np.repeat(np.arange(data.rows), data.weights.astype(int))).without(["w"])
    columns = ["town", "job", "sex"]
    ours = recoding(data, shares=[0.1, 0.2, 0.3], columns=columns)
    plain = recoding(repeated, shares=[0.1, 0.2, 0.3], columns=columns)
    assert ours.tables["table_4_categories"] == plain.tables["table_4_categories"]
    for row, other in zip(ours.tables["models"], plain.tables["models"], strict=True):
        assert row == pytest.approx(other)
    assert "count in shares, associations, models" in ours.report().html()
    assert "Every record counts the same" in plain.report().html()


def test_what_cannot_be_seen_is_not_judged() -> None:
    result = recoding(survey(), shares=[0.1, 0.3], columns=["town", "job"])
    for row in result.properties:
        assert row["(b) grows with p"] == "not judged"
        assert row["(c) grows with inputs"] == "not judged"
        assert row["(d) follows quality"] == "not judged"
    three = recoding(survey(), shares=[0.1, 0.2, 0.3], columns=["town", "job", "sex"])
    assert all(row["(b) grows with p"] != "not judged" for row in three.properties)


def test_variables_that_all_follow_from_each_other_leave_nothing_to_predict() -> None:
    with pytest.raises(SettingError, match="nothing to predict"):
        recoding(survey(), columns=["town", "region"])


def test_titles_are_told_in_the_language_of_the_reader_and_files_keep_theirs() -> None:
    with speaking("ja"):
        result = recoding(survey(), shares=[0.1, 0.3], columns=["town", "job"])
        title, rows = result.titled()[0]
        assert title.startswith("表4")
        assert list(rows[0])[:2] == ["変数", "元データ"]
        assert ">元データ</th>" in result.report().html()
    assert list(result.tables["table_4_categories"][0])[:2] == ["variable", "original"]
