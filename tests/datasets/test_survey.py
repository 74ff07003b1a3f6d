"""The made-up survey: its layout, its traps, and its file."""

import csv
from pathlib import Path

import numpy as np
import pytest

import sudare
from sudare.core import Categorical, Microdata, Numeric, SettingError
from sudare.datasets import survey_like, write_survey_like
from sudare.datasets.surveys.survey_persons import check_digits


@pytest.fixture(scope="module")
def survey() -> Microdata:
    """Return a table large enough for every label to occur."""
    return survey_like(20_000, seed=3)


def numbers(data: Microdata, name: str) -> np.ndarray:
    column = data[name]
    assert isinstance(column, Numeric)
    return column.values


def test_the_same_seed_gives_the_same_table() -> None:
    assert survey_like(500, seed=1).equals(survey_like(500, seed=1))
    assert not survey_like(500, seed=1).equals(survey_like(500, seed=2))


def test_it_has_29_columns_and_7_more_with_persons() -> None:
    assert len(survey_like(50, seed=1).columns) == 29
    assert len(survey_like(50, seed=1, persons=True).columns) == 36


def test_one_record_is_a_table() -> None:
    assert survey_like(1, seed=1).rows == 1


def test_no_records_are_refused() -> None:
    with pytest.raises(SettingError, match="n must be at least 1"):
        survey_like(0)


def test_questions_on_work_are_blank_for_all_who_do_not_work(survey: Microdata) -> None:
    works = survey["就業状態"].coded
    assert isinstance(works, Categorical)
    is_working = works.codes == works.labels.index("有業者")
    for name in ("従業上の地位", "産業大分類", "週間就業時間"):
        assert np.array_equal(survey[name].known, is_working)


def test_income_is_the_sum_of_its_parts(survey: Microdata) -> None:
    parts = numbers(survey, "勤め先収入（千円）") + numbers(survey, "その他の収入（千円）")
    assert np.array_equal(parts, numbers(survey, "実収入（千円）"))


def test_labels_are_sorted_as_a_reader_sorts_them(survey: Microdata) -> None:
    for column in survey.columns:
        if isinstance(column, Categorical):
            assert list(column.labels) == sorted(column.labels, key=str)


def test_individual_numbers_have_the_official_check_digit() -> None:
    column = survey_like(100, seed=1, persons=True)["個人番号"].coded
    digits = np.array([[int(digit) for digit in str(label)] for label in column.labels])
    assert digits.shape == (100, 12)
    assert np.array_equal(check_digits(digits[:, :11]), digits[:, 11])


def test_the_file_is_cp932_with_notes_above_the_header(tmp_path: Path) -> None:
    path = tmp_path / "survey.csv"
    data = write_survey_like(path, 300, seed=1, persons=True)
    lines = path.read_bytes().decode("cp932").splitlines()
    assert lines[4].split(",")[:2] == ["調査年", "氏名"]
    assert len(lines) == 305
    again = sudare.read(path)
    assert (again.rows, again.names) == (300, data.names)
    assert np.array_equal(numbers(again, "実収入（千円）"), numbers(data, "実収入（千円）"))


def test_weights_are_written_as_people_type_them(tmp_path: Path) -> None:
    path = tmp_path / "survey.csv"
    write_survey_like(path, 300, seed=1)
    lines = path.read_text(encoding="cp932").splitlines()[5:]
    weights = [row[-1] for row in csv.reader(lines)]
    assert any("," in text and text.isascii() for text in weights)
    assert any("．" in text for text in weights)
    assert any(text.startswith(" ") for text in weights)
