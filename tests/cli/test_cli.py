import json
import os
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import sudare
from sudare.cli import main
from sudare.cli.command_list import COMMANDS
from tests.cli.conftest import RECIPE


def leave(*words: object) -> int:
    """Run the command line and return its exit code."""
    with pytest.raises(SystemExit) as left:
        main([str(word) for word in words])
    return int(left.value.code or 0)


KEYS = (
    "-k",
    "region",
    "-k",
    "education",
    "--identifier",
    "id",
    "--not-applicable",
    "not applicable",
)
SEED = 210306068529402873165736369884012333109  # one that nobody guesses
# What the gate finds in this table and its custodian accepts; households and weights are repaired.
PASS = (
    *("--household", "household", "--weights", "weight", "--sensitive", "income"),
    *("--confirm", "exact-numbers:age"),
    *("--confirm", "undeclared-key:sex,age,occupation,region,education"),
)


def test_mask_by_recipe_writes_a_table_without_identifiers(
    survey: Path, recipe: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "masked.parquet"
    assert (
        leave("mask", survey, "-o", output, *KEYS, *PASS, "--recipe", recipe, "--seed", SEED) == 0
    )
    masked = sudare.read(output)
    assert masked.rows == 400
    assert "id" not in masked
    assert "identifier column" in capsys.readouterr().err


def test_mask_writes_every_version_to_a_file_of_its_own(
    survey: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output, step = tmp_path / "made.csv", "multiple-imputation: m = 2"
    more = ("-k", "age", "-k", "sex", "-k", "occupation", "--sensitive", "condition")
    words = ("mask", survey, "-o", output, *KEYS, *more, *PASS, "--step", step)
    assert leave(*words, "--seed", SEED, "--json") == 0
    printed = json.loads(capsys.readouterr().out)
    assert [Path(path).name for path in printed["outputs"]] == ["made-1.csv", "made-2.csv"]
    first, second = (sudare.read(path) for path in printed["outputs"])
    assert first.rows == second.rows == 400
    assert not first.equals(second)
    assert not output.exists()
    assert leave(*words) == 2
    capsys.readouterr()
    assert leave(*words, "--seed", SEED, "--force") == 0
    assert "each version by itself" in capsys.readouterr().err


def test_mask_by_steps_replays_from_the_recipe_it_saves(survey: Path, tmp_path: Path) -> None:
    first, again, saved = tmp_path / "1.csv", tmp_path / "2.csv", tmp_path / "r.toml"
    step = "pram: retain = 0.7, columns = ['region']"
    words = ("mask", survey, *PASS[6:], "--confirm", "twin:household,region", "--seed", SEED)
    stated = (*KEYS, *PASS[:6], "--step", step, "--save-recipe", saved)
    assert leave(*words, "-o", first, *stated) == 0
    assert leave(*words, "-o", again, *KEYS[6:], "--recipe", saved) == 0
    assert first.read_bytes() == again.read_bytes()
    assert "seed =" not in saved.read_text(encoding="utf-8")


def test_an_existing_output_needs_force(
    survey: Path, recipe: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "masked.csv"
    output.write_text("precious")
    words = ("mask", survey, "-o", output, *KEYS, *PASS, "--recipe", recipe)
    assert leave(*words) == 2
    assert output.read_text() == "precious"
    assert "--force" in capsys.readouterr().err
    assert leave(*words, "--force") == 0
    assert output.read_text() != "precious"


def test_measure_prints_json_and_leaves_with_one_when_a_limit_is_missed(
    survey: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert leave("measure", survey, survey, *KEYS, "--limit", "uniques <= 1", "--json") == 0
    assert leave("measure", survey, survey, *KEYS, "--limit", "k-anonymity >= 400", "--json") == 1
    first, second = capsys.readouterr().out.split("\n}\n")[:2]
    assert json.loads(first + "}")["limits_missed"] == []
    assert json.loads(second + "}")["limits_missed"] == ["k-anonymity >= 400"]
    assert leave("measure", survey, survey, *KEYS, "--limit", "reidentification.max <= 1") == 0
    assert "the limit reidentification.max <= 1 is met; the value is 1." in capsys.readouterr().err


def test_measure_shows_the_interval_of_a_value(
    survey: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert leave("measure", survey, survey, *KEYS, "-m", "uniques", "-m", "replicated-uniques") == 0
    assert "interval" in capsys.readouterr().out
    assert leave("measure", survey, survey, *KEYS, "-m", "uniques") == 0
    assert "interval" not in capsys.readouterr().out


def test_measure_shows_what_people_held_back_have(
    survey: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    header, *lines = survey.read_text(encoding="utf-8").splitlines()
    marked = [f"{line},{number % 2}" for number, line in enumerate(lines)]
    survey.write_text("\n".join([f"{header},held", *marked]), encoding="utf-8")
    made = survey.with_name("made.csv")
    made.write_text("\n".join([header, *lines]), encoding="utf-8")
    attack = "replicated-uniques: control = 'held'"
    assert leave("measure", survey, made, *KEYS, "-m", attack, "-m", "uniques") == 0
    assert "baseline 0." in capsys.readouterr().err
    assert leave("measure", survey, made, *KEYS, "-m", "uniques") == 0
    assert "baseline" not in capsys.readouterr().err
    limit = ("--limit", "replicated-uniques <= 1")
    assert leave("measure", survey, made, *KEYS, "-m", attack, *limit) == 0
    assert "is not about ReplicatedUniques(control=held)" in capsys.readouterr().err


def test_measure_takes_a_synthetic_table_without_weights_and_households(
    survey: Path, tmp_path: Path
) -> None:
    original = sudare.read(survey)
    stated = ("-k", "sex", "--weights", "weight", "--household", "household")
    for gone in (["weight"], ["household"], ["weight", "household"], ["weight", "sex"]):
        made = tmp_path / f"{'-'.join(gone)}.csv"
        sudare.write(original.without(gone), made)
        told = leave("measure", survey, made, *stated, "-m", "total-variation")
        assert told == (2 if "sex" in gone else 0)


def test_measure_takes_all_measures_by_default(
    survey: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert leave("measure", survey, survey, *KEYS, "--json") == 0
    names = [result["measure"] for result in json.loads(capsys.readouterr().out)["results"]]
    assert {"KAnonymity", "Uniques", "DirectComparison"} <= set(names)
    assert leave("measure", survey, *KEYS) == 0


def test_compare_prints_the_table_and_writes_the_report(
    survey: Path, recipe: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = tmp_path / "map.html"
    assert leave("compare", survey, *KEYS, "--recipe", recipe, "--report", report, "--json") == 0
    assert json.loads(capsys.readouterr().out)["frontier"] == ["coarse"]
    assert "</html>" in report.read_text(encoding="utf-8")


def test_compare_lists_the_frontier_of_the_map_and_which_of_it_misses_a_limit(
    survey: Path, recipe: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    groups = tmp_path / "groups.toml"
    groups.write_text('name = "groups"\n[[steps]]\nmethod = "Mondrian"\nk = 60\n', encoding="utf-8")
    words = ["compare", survey, *KEYS, "--recipe", recipe, "--recipe", groups, "--limit"]
    assert leave(*words, "k-anonymity => 60", "--json") == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["frontier"] == ["groups", "coarse"]
    assert shown["within_limits"] == ["groups"]
    assert leave(*words, "k-anonymity >= 60") == 0
    assert "a limit is missed by: coarse" in capsys.readouterr().err
    assert leave(*words, "k-anonymity >= 400") == 1


def test_describe_shows_counts_and_no_values(
    survey: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert leave("describe", survey, *KEYS) == 0
    out = capsys.readouterr().out
    assert "region" in out
    assert "関東" not in out
    assert leave("describe", survey, *KEYS, "--json") == 0
    assert json.loads(capsys.readouterr().out)["rows"] == 400


def test_describe_writes_a_page_with_the_associations(survey: Path, tmp_path: Path) -> None:
    page = tmp_path / "survey.html"
    assert leave("describe", survey, *KEYS, "--report", page) == 0
    text = page.read_text(encoding="utf-8")
    assert "Association" in text
    assert "関東" in text  # a category with its count
    assert "&lt;10" in text
    assert ">8</td><td><meter" not in text  # no count below ten
    assert leave("describe", survey, *KEYS, "--report", page) == 2


def test_describe_says_why_an_association_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "apart.csv"
    path.write_text("a,b\nx,\ny,\n,u\n,v\n")
    assert leave("describe", path) == 0
    assert "asked of different people" in capsys.readouterr().err


def test_list_tells_every_method_and_its_settings(capsys: pytest.CaptureFixture[str]) -> None:
    assert leave("list", "--json") == 0
    methods = {method["name"]: method for method in json.loads(capsys.readouterr().out)}
    assert methods["pram"]["settings"][1]["limit"] == "between 0 and 1"
    assert leave("list", "--family", "risk") == 0
    assert "pram" not in capsys.readouterr().out


def test_a_release_maps_the_recipes_that_were_considered(
    survey: Path, recipe: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mild = tmp_path / "mild.toml"
    mild.write_text(RECIPE.replace("0.2", "0.05"), encoding="utf-8")
    folder, inside = tmp_path / "release", tmp_path / "inside.html"
    words = [
        *KEYS,
        *PASS,
        "--recipe",
        recipe,
        "--folder",
        folder,
        "--compare",
        mild,
        "--seed",
        SEED,
    ]
    for option in ("--internal", "--secret"):
        assert leave("report", survey, *words, option, folder / "x" / ".." / "confidential") == 2
        assert f"{option} names a file in the folder of the release" in capsys.readouterr().err
    assert leave("report", survey, *words, "--internal", inside, "--limit", "uniques < 1") == 0
    assert (folder / "masked.csv").exists()
    for page, is_public in ((folder / "report.html", True), (inside, False)):
        text = page.read_text(encoding="utf-8")
        assert ('"recipe": "coarse"' in text) is not is_public
        assert ('"recipe": "mild"' in text) is not is_public
    capsys.readouterr()
    words = [*KEYS, "--recipe", recipe, "--folder", tmp_path / "no", "--limit", "k-anonymity > 99"]
    assert leave("report", survey, *words) == 1
    assert "nothing was released" in capsys.readouterr().err
    assert not (tmp_path / "no").exists()


def test_nothing_is_released_where_the_internal_report_cannot_be_written(
    survey: Path, recipe: Path, tmp_path: Path
) -> None:
    folder, in_a_file = tmp_path / "release", survey / "inside.html"
    words = [*KEYS, *PASS, "--recipe", recipe, "--folder", folder, "--seed", SEED]
    assert leave("report", survey, *words, "--internal", in_a_file) == 2
    assert not folder.exists()


def test_methods_are_timed_and_those_that_do_not_suit_say_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert leave("bench", "--rows", 200, "--method", "pram", "--method", "uniques", "--json") == 0
    timings = json.loads(capsys.readouterr().out)
    assert [timing["method"] for timing in timings] == ["pram", "uniques"]
    assert all(timing["passes"] > 0 for timing in timings)
    (tmp_path / "names.csv").write_text("name\nIwashi\nSaba\n")
    assert leave("bench", tmp_path / "names.csv", "--method", "noise") == 0
    assert "Noise" in capsys.readouterr().err
    (tmp_path / "gaps.csv").write_text("age,sex\n20,f\n,m\n" + "30,f\n31,m\n" * 5)
    options = ["--method", "pram", "--method", "microaggregation", "-k", "age", "-k", "sex"]
    assert leave("bench", tmp_path / "gaps.csv", *options) == 0
    printed = capsys.readouterr()
    assert "pram" in printed.out
    assert "Microaggregation" in printed.err
    assert leave("bench", "--method", "iterative-bayes") == 2


def test_the_demo_tells_of_traps_a_gate_a_choice_and_a_release(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "out"
    assert leave("demo", "--folder", folder, "--rows", 2000, "--json") == 0
    names = sorted(path.name for path in folder.iterdir())
    assert names == ["map.svg", "people.csv", "private.secret", "release"]
    told = json.loads(capsys.readouterr().out)
    stops = {column for f in told["stopped"] if f["severity"] == "stop" for column in f["columns"]}
    assert {"name", "phone", "region_code"} <= stops
    assert not any(f["severity"] == "stop" for f in told["findings"])
    kept = [row for row in told["recipes"] if row["KAnonymity"] >= 5]
    assert len(kept) >= 3
    (promise,) = [g for g in told["guarantees"] if g["name"] == "k-anonymity"]
    assert promise["holds"] is None
    assert promise["value"] >= 5
    released = (folder / "release" / "masked.csv").read_text(encoding="utf-8").splitlines()
    assert not {"name", "phone", "region_code", "id"} & set(released[0].split(","))
    assert leave("demo", "--folder", folder) == 2
    assert leave("demo", "--folder", folder, "--rows", 2000, "--force") == 0
    printed = capsys.readouterr()
    assert "the gate stops the release" in printed.err
    assert f"k-anonymity: k = {promise['value']:g} on the keys" in printed.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("describe", "none.csv"), "there is no file 'none.csv'"),
        (("describe", "{survey}", "--memory", "5 parsecs"), "memory must be a size such as 8GB"),
        (("describe", "{survey}", "--memory", "2000TB"), "memory must be at most 1024TB"),
        (("describe", "{survey}", "--memory", "3MB"), "memory must be at least 1GB"),
        (("describe", "{survey}", "-k", "regoin"), "did you mean 'region'"),
        (("describe", "{survey}", "--scale", "age"), "write column=scale"),
        (("describe", "{survey}", "--type", "age"), "write column=type"),
        (("describe", "{survey}", "--type", "age=float"), "type must be one of"),
        (("describe", "{survey}", "--encoding", "klingon"), "no encoding 'klingon'"),
        (("mask", "{survey}", "-o", "x.csv"), "either a recipe"),
        (("mask", "{survey}", "-o", "x.csv", "--step", "prma"), "did you mean 'pram'"),
        (("mask", "{survey}", "-o", "x.csv", "--step", "pram: retain"), "is not understood"),
        (("mask", "{survey}", "-o", "x.csv", "--step", "pram: retain=2"), "between 0 and 1, got 2"),
        (("mask", "{survey}", "-o", "x.doc", "-k", "sex", "--step", "pram"), "cannot write '.doc'"),
        (("measure", "{survey}", "--limit", "5 > uniques"), "write a limit as"),
    ],
)
def test_bad_input_gives_one_line_and_exit_code_two(
    survey: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], message: str
) -> None:
    assert leave(*(word.format(survey=survey) for word in words)) == 2
    *notes, error = capsys.readouterr().err.splitlines()
    assert message in error
    assert not [line for line in notes if not line.startswith("survey.csv: ")]
    assert error.startswith("sudare: ")


def test_a_word_that_is_no_option_gives_exit_code_two(survey: Path) -> None:
    assert leave("describe", survey, "--nonsense") == 2


def run(*words: object, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "sudare", *map(str, words)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, **environment},
        check=False,
    )


def test_no_colour_and_no_bar_go_into_a_pipe(survey: Path) -> None:
    done = run("compare", survey, *KEYS, "--recipe", "none.toml")
    assert done.returncode == 2
    done = run("describe", survey)
    assert done.returncode == 0
    assert "\x1b" not in done.stdout + done.stderr


def test_debug_shows_the_traceback_and_without_it_there_is_none() -> None:
    assert "Traceback" not in run("describe", "none.csv").stderr
    assert "Traceback" in run("describe", "none.csv", "--debug").stderr


def test_the_command_line_speaks_the_language_of_its_environment() -> None:
    assert "ありません" in run("describe", "none.csv", SUDARE_LANG="ja").stderr


@pytest.mark.parametrize("command", ["list", "describe", "mask", "measure", "compare", "demo"])
def test_every_help_shows_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert leave(command, "--help") == 0
    explained = capsys.readouterr().out.split("Usage", 1)[1].split("\n", 1)[1]
    assert f"sudare {command}" in " ".join(explained.split())


def test_the_synthesis_study_prints_its_tables_and_saves_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "out"
    made = ("--dataset", "expenditure-like", "--rows", 300)
    words = ("study", "synthesis", *made, "--loss", 0.1, "--nearest", 1, "--folder", folder)
    assert leave(*words, "--json") == 0
    tables = json.loads(capsys.readouterr().out)
    assert list(tables["table_1_error"][0]) == ["measure", "DRI", "SRI", "OT(0.1)"]
    assert (folder / "report.html").exists()
    assert leave(*words) == 2
    assert leave(*words, "--force", "--attack-scale", "rank") == 0
    assert "table_2_risk" in capsys.readouterr().out


def test_studies_of_synthetic_data_take_a_recipe_or_a_release(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, after = tmp_path / "before.csv", tmp_path / "after.csv"
    data = sudare.datasets.cohort_like(120)
    data = data.without(set(data.names) - {"age", "sex", "time", "state"})
    sudare.write(data, before)
    sudare.write(sudare.apply(data, sudare.mask.SequentialSynthesis(), seed=1).data, after)
    keys = ("--key", "age", "--key", "sex", "--key", "time", "--sensitive", "state")
    recipe = ("--step", "sequential-synthesis", "--rounds", 4)
    to_members = ("--folder", tmp_path / "members")
    assert leave("study", "membership", before, *keys, *recipe, *to_members) == 0
    assert "density ratio" in capsys.readouterr().out
    outcome = ("--time", "time", "--event", "state", "--state", "dead")
    to_useful = ("--folder", tmp_path / "useful", "--json")
    assert leave("study", "usefulness", before, after, *keys, *outcome, *to_useful) == 0
    said = capsys.readouterr()
    assert said.err.startswith("a classifier can")
    values = {row["loss"]: row["value"] for row in json.loads(said.out)["losses"]}
    assert 0 <= values["SurvivalOverlap"] <= 1
    assert (tmp_path / "useful" / "report.html").exists()


def test_the_randomization_study_prints_its_tables_and_resumes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "out"
    made = ("--dataset", "adult-like", "--rows", 600, "--repeats", 1, "--anonymity", 3)
    words = ("study", "randomization", *made, "--folder", folder, "--method", "sampling")
    assert leave(*words, "--json") == 0
    tables = json.loads(capsys.readouterr().out)
    assert list(tables["figure_1"][0]) == ["k", "sampling"]
    assert (folder / "report.html").exists()
    assert leave(*words) == 2
    assert leave(*words, "--method", "naive-bayes", "--force") == 0
    assert "figure_1" in capsys.readouterr().out
    assert len((folder / "runs.jsonl").read_text(encoding="utf-8").splitlines()) == 3


def test_a_study_needs_a_file_or_a_data_set_that_exists(capsys: pytest.CaptureFixture[str]) -> None:
    assert leave("study", "synthesis") == 2
    assert "--dataset expenditure-like" in capsys.readouterr().err
    assert leave("study", "recoding", "--dataset", "expenditure-like") == 2
    assert "available: census-like" in capsys.readouterr().err


def test_a_table_beyond_the_memory_stated_gives_the_same_release(
    beyond: Path, recipe: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    about = (*KEYS, *PASS, "--identifier", "text", "--recipe", recipe, "--seed", SEED)
    for name, limit in (("one.csv", "8GB"), ("other.csv", "1GB")):
        assert leave("mask", beyond, "-o", tmp_path / name, *about, "--memory", limit) == 0
        assert ("read in blocks" in capsys.readouterr().err) == (limit == "1GB")
    assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "other.csv").read_bytes()


def test_recipes_are_compared_on_a_table_beyond_the_memory_stated(
    beyond: Path, recipe: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "nothing.toml"
    other.write_text('name = "nothing"', encoding="utf-8")
    about = (*KEYS, "--identifier", "text", "--recipe", recipe, "--seed", SEED, "--memory", "1GB")
    assert leave("compare", beyond, *about, "--recipe", other, "--json") == 0
    printed = json.loads(capsys.readouterr().out)
    assert [row["recipe"] for row in printed["recipes"]][1] == "nothing"
    words = ("report", beyond, *about, *PASS, "--compare", other, "--folder", tmp_path / "out")
    assert leave(*words) == 0
    assert "nothing" in (tmp_path / "out" / "report.html").read_text("utf-8")


def test_a_method_that_needs_the_whole_table_refuses_one_that_is_not_in_memory(
    beyond: Path, survey: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("mask", beyond, "-o", tmp_path / "x.csv", "-k", "age", "--step", "rank-swapping:")
    assert leave(*words, "--memory", "1GB") == 2
    assert "needs the whole table in memory" in capsys.readouterr().err
    assert leave(*words, "--memory", "100MB") == 2
    assert "at least 1GB" in capsys.readouterr().err
    assert leave("mask", survey, "-o", tmp_path / "x.csv", "--memory", "much") == 2


def test_types_and_words_are_stated_on_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "in.csv"
    path.write_text("income,code,w\n1 000,01,２\n-,02,1\n9,03,1\n", "utf-8")
    words = ("--type", "income=number", "--missing", "income=-", "--weights", "w", "--key", "code")
    assert leave("describe", str(path), *words) == 0
    assert "column 'income' read as numbers" in capsys.readouterr().err


def test_describe_says_at_most_25_lines_beyond_the_table_of_columns(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "in.csv"
    names = [f"支出{number}" for number in range(60)]
    rows = [",".join(["x" if row < 2 else f'"{row},{row:03d}"'] * 60) for row in range(30)]
    path.write_text("\n".join([",".join(names), *rows]), "utf-8")
    assert leave("describe", str(path)) == 0
    said = capsys.readouterr().err.splitlines()
    assert len(said) <= 25
    assert any("50 more remarks" in line for line in said)
    assert any(line.startswith("  →") for line in said), "problems are named all the same"


HEAVY = ["llvmlite", "pandas", "polars", "scipy", "sklearn", "altair", "duckdb"]
HEAVIER_THAN_HELP = [*HEAVY, "numpy", "pyarrow", "pydantic", "rich.markdown"]


@pytest.mark.parametrize(
    ("words", "heavy"),
    [
        ("import sudare", HEAVIER_THAN_HELP),
        ("from sudare.cli import main; main(['--help'])", HEAVIER_THAN_HELP),
        ("from sudare.cli import main; main(['mask', '--help'])", HEAVIER_THAN_HELP),
        ("from sudare.cli import main; main(['init', '--help'])", HEAVY),
    ],
)
def test_neither_the_package_nor_its_help_waits_for_heavy_libraries(
    words: str, heavy: list[str]
) -> None:
    script = (
        f"import sys\ntry:\n    {words}\nfinally:\n"
        f"    sys.stderr.write(' '.join(set({heavy}) & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    assert done.stderr == ""


def test_no_command_waits_for_pandas(survey: Path) -> None:
    done = run("describe", survey, PYTHONPROFILEIMPORTTIME="1")
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert done.returncode == 0
    assert "pyarrow" in imported
    assert "pandas.core" not in imported


def test_every_command_is_listed_and_has_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    assert leave("--help") == 0
    listed = capsys.readouterr().out
    for name, command in COMMANDS.items():
        assert name in listed
        assert f"sudare {name}" in command.help


@pytest.mark.parametrize("words", [["mask", "--help", "--lang", "ja"], ["--lang=ja", "mask", "-h"]])
def test_help_speaks_japanese_and_cuts_nothing_off(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert leave(*words) == 0
    text = capsys.readouterr().out
    assert "表を加工します" in text
    assert "…" not in text
    assert set(re.findall("<[^ ]+>", text)) == {"<文字列>", "<数値>", "<パス>"}


@pytest.mark.parametrize("command", COMMANDS)
def test_help_names_kinds_of_values_not_types_of_python(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert leave(command, "--help", "--lang", "en") == 0
    kinds = set(re.findall("<([a-z][^>|]*)>", capsys.readouterr().out))
    assert kinds <= {"text", "number", "path"}


def test_help_says_date_and_environment_variable(capsys: pytest.CaptureFixture[str]) -> None:
    for words, said in ((["history", "from"], "<日付>"), (["serve"], "[環境変数: SUDARE_PORT]")):
        assert leave(*words, "--help", "--lang", "ja") == 0
        text = capsys.readouterr().out
        assert said in text
        assert "%Y" not in text


@pytest.mark.parametrize("words", [[], ["history"], ["history", "mask"], ["demo"]])
def test_no_heading_of_japanese_help_is_english(words: list[str]) -> None:
    asked = [sys.executable, "-m", "sudare", *words, "--help", "--lang", "ja"]
    text = subprocess.run(asked, capture_output=True, encoding="utf-8", check=True).stdout
    assert "使い方: sudare" in text
    headings = r"Usage|\bOptions?\b|OPTIONS|Commands?\b|COMMAND|ARGS|Arguments|required|default"
    assert re.findall(headings, text) == []


@pytest.mark.parametrize("group", ["contest", "history", "study"])
@pytest.mark.parametrize("chosen", ["en", "ja"])
def test_lists_of_subcommands_show_first_sentences_in_the_language(
    group: str, chosen: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert leave("--lang", chosen, group, "--help") == 0
    listed = capsys.readouterr().out.rpartition("╭─")[2]
    assert "Examples:" not in listed
    assert "例:" not in listed
    assert ("。" in listed) == (chosen == "ja")
    assert ("." in listed) == (chosen == "en")


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    assert leave("--version") == 0
    assert capsys.readouterr().out == f"sudare {version('sudare')}\n"


def test_a_language_that_does_not_exist_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert leave("--lang", "fr", "list") == 2
    assert "'fr' is not one of" in capsys.readouterr().err


def test_the_shell_completes_commands_and_options() -> None:
    asked = {"_SUDARE_COMPLETE": "complete_bash", "COMP_WORDS": "sudare mas", "COMP_CWORD": "1"}
    done = subprocess.run(
        [Path(sys.executable).with_name("sudare")],
        env={**os.environ, **asked},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.split() == ["mask"]


def test_a_full_disk_at_the_other_end_does_not_hide_that_the_release_is_there(
    tmp_path: Path,
) -> None:
    table, out = tmp_path / "t.csv", tmp_path / "out.csv"
    table.write_text("job\n" + "clerk\nsmith\nmason\n" * 60)
    words = [sys.executable, "-m", "sudare", "mask", table, "-o", out, "-k", "job", "--json"]
    with open("/dev/full", "w") as full:  # noqa: PTH123 - a device
        done = subprocess.run(
            [*map(str, words), "--step", "pram: retain = 0.7"],
            stdout=full,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            check=False,
        )
    assert done.returncode == 2
    assert "sudare: the files are written and complete" in done.stderr
    assert len(out.read_text(encoding="utf-8-sig").splitlines()) == 181


def test_a_report_without_a_recipe_names_no_option_that_it_lacks(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("job\n" + "clerk\nsmith\nmason\n" * 60)
    done = run("report", table, "-k", "job", "--folder", tmp_path / "out")
    assert done.returncode == 2
    assert done.stderr.strip() == "sudare: give a recipe (--recipe)."
