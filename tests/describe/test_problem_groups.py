"""Problems: each cause once, with a remedy that works."""

import json
import shlex
from pathlib import Path

import numpy as np
import pytest

import sudare
from sudare.cli import main
from sudare.core import Categorical, Microdata, Numeric
from sudare.describe import Problem, association, problems
from sudare.release.report import problem_lines


@pytest.fixture(scope="module")
def survey() -> Microdata:
    return sudare.datasets.survey_like(5_000, seed=1, persons=True)


def test_each_cause_is_named_once(survey: Microdata) -> None:
    listed = problems(survey, association(survey))
    assert len({problem.cause for problem in listed}) == len(listed)
    kinds = [problem.kind for problem in listed]
    assert kinds[0] == "identifier"
    assert kinds.count("filter") == 2  # one for each column that decides


def test_filter_questions_are_explained_as_such(survey: Microdata) -> None:
    listed = problems(survey, association(survey))
    filters = [problem for problem in listed if problem.kind == "filter"]
    assert any("'就業状態'" in problem.cause for problem in filters)
    assert not any(problem.kind == "obstacle" for problem in listed)


def test_a_table_that_is_settled_has_no_problems() -> None:
    rng = np.random.default_rng(1)
    data = Microdata(
        (
            Categorical("sex", rng.integers(0, 2, 500), ("female", "male"), role="key"),
            Numeric("income", rng.lognormal(5, 1, 500), role="sensitive"),
        )
    )
    assert problems(data, association(data)) == ()


@pytest.mark.parametrize(
    ("texts", "part"),
    [
        ("a,b\nx,\ny,\n,u\n,v\n", "different people"),
        ("a,b\nx,\n,u\nx,v\n", "single value|one value"),
    ],
)
def test_pairs_without_an_association_are_explained(texts: str, part: str, tmp_path: Path) -> None:
    path = tmp_path / "apart.csv"
    path.write_text(texts)
    data = sudare.read(path)
    causes = " ".join(problem.cause for problem in problems(data, association(data)))
    assert any(phrase in causes for phrase in part.split("|"))


def test_the_remedies_work(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "survey.csv"
    sudare.datasets.write_survey_like(path, 2_000, seed=1, persons=True)
    listed = problems(sudare.read(path))
    options = [
        word
        for problem in listed
        if problem.command.startswith("--")
        for word in shlex.split(problem.command)
    ]
    assert "--identifier" in options
    with pytest.raises(SystemExit) as left:
        main(["describe", str(path), *options, "--json"])
    assert left.value.code == 0
    left_over = json.loads(capsys.readouterr().out)["problems"]
    assert {problem["kind"] for problem in left_over} <= {"order", "twin", "derived", "constant"}


@pytest.mark.parametrize("count", [0, 3, 12, 40])
@pytest.mark.parametrize("most", [25, 22, 3, 1])
def test_a_terminal_is_not_flooded(count: int, most: int) -> None:
    many = tuple(f"column{i}" for i in range(50))
    command = " ".join(f"--identifier {name}" for name in many)
    listed = [Problem("identifier", f"Cause {i}.", many, "Remedy.", command) for i in range(count)]
    lines = list(problem_lines(listed, most))
    assert len(lines) <= most
    assert all(len(line) < 300 for line in lines)
    assert bool(lines) == bool(count)


def test_labels_that_differ_in_blanks_or_width_are_named() -> None:
    codes = np.arange(30) % 3
    columns = (
        Categorical("area", codes, ("A", " A", "B")),
        Categorical("size", codes, ("１人", "1人", "2人")),
        Categorical("plain", codes, ("a", "b", "c")),
    )
    listed = [p.columns for p in problems(Microdata(columns)) if p.kind == "spelling"]
    assert listed == [("area", "size")]
