"""A word for no answer that is not declared again never makes k larger; releases say their rule."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sudare.cli import main

KEYS = ["--no-project", "-k", "sex", "-k", "job", "-k", "area"]
RECODE = "global-recode: columns = ['job'], min_share = 0.05"
SUPPRESS = "local-suppression: k = 3"
STEPS = {
    "recoded": [RECODE],
    "suppressed": [SUPPRESS],
    "recoded and suppressed": [RECODE, SUPPRESS],
    "changed at random": ["pram: columns = ['job'], retain = 0.7"],
    "exchanged": ["record-swapping: columns = ['job'], share = 0.5"],
}


def sudare(*words: str) -> int:
    """Return the exit code of a command."""
    with pytest.raises(SystemExit) as ended:
        main(list(words))
    return int(ended.value.code or 0)


def survey(folder: Path, word: str) -> Path:
    """Write 200 records, a few of which have a word for no answer in a key."""
    rng = np.random.default_rng(3)
    jobs = rng.choice(["law", "emp", "art", "king"], 200, p=[0.4, 0.4, 0.19, 0.01])
    lines = ["sex,job,area,ill"]
    for row, job in enumerate(jobs.tolist()):
        sex, area, ill = "MF"[rng.integers(2)], "AB"[rng.integers(2)], "yn"[rng.integers(2)]
        lines.append(f"{sex},{word if row in {20, 90, 91, 150} else job},{area},{ill}")
    path = folder / "survey.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def k_of(capsys: pytest.CaptureFixture[str], *files: object) -> tuple[float, list[str]]:
    """Return the k that ``sudare measure`` gives, and its remarks."""
    capsys.readouterr()
    words = ["--lang", "en", "measure", *map(str, files), *KEYS, "-m", "k-anonymity", "--json"]
    assert sudare(*words) == 0
    result: dict[str, Any] = json.loads(capsys.readouterr().out)["results"][0]
    return result["value"], result.get("notes", [])


@pytest.mark.parametrize("word", ["不明", "zzz"])
@pytest.mark.parametrize("steps", STEPS.values(), ids=STEPS)
def test_k_is_never_larger_than_with_the_word_declared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], word: str, steps: list[str]
) -> None:
    before, after, declared = survey(tmp_path, word), tmp_path / "masked.csv", f"job={word}"
    stated = [part for step in steps for part in ("--step", step)]
    call = ["mask", str(before), *KEYS, "--missing", declared, "-o", str(after), "--internal"]
    assert sudare(*call, "--seed", "1", *stated) == 0
    known, _ = k_of(capsys, before, after, "--missing", declared)
    unknown, notes = k_of(capsys, before, after)
    assert unknown <= known
    if steps == [RECODE]:
        assert unknown == known
        assert any("'job': a value of the original is gone" in remark for remark in notes)


def test_a_value_that_is_suppressed_in_some_records_only_still_matches_every_value(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = ["M,law,A"] * 3 + ["F,law,A", "F,art,A", "F,art,A"]
    before, after = tmp_path / "before.csv", tmp_path / "after.csv"
    before.write_text("\n".join(["sex,job,area", *rows]) + "\n", encoding="utf-8")
    rows[3] = "F,,A"
    after.write_text("\n".join(["sex,job,area", *rows]) + "\n", encoding="utf-8")
    k, notes = k_of(capsys, before, after)
    assert k == 3
    assert not any("is gone" in remark for remark in notes)


def test_a_release_in_another_order_says_how_its_blanks_count(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, after = survey(tmp_path, "art"), tmp_path / "after.csv"
    heading, *rows = before.read_text(encoding="utf-8").splitlines()
    rows = [row.replace("king", "") for row in rows]
    shuffled = np.random.default_rng(1).permutation(rows).tolist()
    after.write_text("\n".join([heading, *shuffled]) + "\n", encoding="utf-8")
    _, notes = k_of(capsys, before, after)
    assert any("every blank key counts as a value of its own" in remark for remark in notes)


def test_the_recipe_beside_a_release_tells_which_blanks_were_suppressed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, after, recipe = survey(tmp_path, "zzz"), tmp_path / "out.csv", tmp_path / "out.toml"
    written = before.read_text(encoding="utf-8") + "M,astronaut,C,y\n"
    before.write_text(written, encoding="utf-8")
    call = ["mask", str(before), *KEYS, "-o", str(after), "--step", SUPPRESS]
    accepted = ["--confirm", "broken-promise:sex,job,area"]
    assert sudare(*call, *accepted, "--save-recipe", str(recipe)) == 0
    for files in ([before, after], [after]):
        assert k_of(capsys, *files)[0] >= 3
    recipe.unlink()
    k, notes = k_of(capsys, before, after)
    assert k == 1
    assert any("--suppressed" in remark for remark in notes)
    named = [part for name in ("sex", "job", "area") for part in ("--suppressed", name)]
    for files in ([before, after], [after]):
        assert k_of(capsys, *files, *named)[0] >= 3


def test_measure_finds_the_k_of_an_internal_file_and_says_no_empty_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, after = tmp_path / "in.csv", tmp_path / "out.csv"
    rows = ["u,p", "v,q", "w,r", "x,s", "y,t", ",", ",", ","]
    before.write_text("\n".join(["sex,job", *rows]) + "\n", encoding="utf-8")
    keys = ["-k", "sex", "-k", "job", "--no-project"]
    assert (
        sudare("mask", str(before), *keys, "-o", str(after), "--internal", "--step", SUPPRESS) == 0
    )
    assert "--suppressed sex --suppressed job" in capsys.readouterr().err

    def measured(*more: str) -> tuple[float, str]:
        call = ["measure", str(before), str(after), *keys, "-m", "k-anonymity", "--json", *more]
        assert sudare(*call) == 0
        result = json.loads(capsys.readouterr().out)["results"][0]
        return result["value"], " ".join(result["notes"])

    assert measured("--suppressed", "sex", "--suppressed", "job")[0] == 3
    k, notes = measured()
    assert (k, "fewer than 1 " in notes) == (1, False)


def test_compare_and_measure_agree_where_not_applicable_is_blank_and_was_suppressed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, after, recipe = tmp_path / "in.csv", tmp_path / "out.csv", tmp_path / "r.toml"
    rows = ["f,emp", "f,emp", "f,emp", "f,dk", "f,dk", "f,dk", "f,", "m,", "m,", "m,", "m,"]
    before.write_text("\n".join(["sex,job", *rows]) + "\n", encoding="utf-8")
    recipe.write_text('[[steps]]\nmethod = "local-suppression"\nk = 3\nimportance.sex = 9\n')
    told = ["-k", "sex", "-k", "job", "--missing", "job=dk", "--not-applicable", "job="]
    told += ["--no-project"]
    masked = ["mask", str(before), *told, "-o", str(after), "--internal", "--recipe", str(recipe)]
    assert sudare(*masked) == 0
    lines = after.read_text(encoding="utf-8").splitlines()
    assert lines[4:9] == ["f,*", "f,*", "f,*", "f,*", "m,"]
    capsys.readouterr()
    assert sudare("measure", str(before), str(after), *told, "-m", "k-anonymity", "--json") == 0
    [measured] = json.loads(capsys.readouterr().out)["results"]
    compared = ["compare", str(before), *told, "--recipe", str(recipe), "-m", "k-anonymity"]
    assert sudare("--lang", "en", *compared, "--json") == 0
    comparison = json.loads(capsys.readouterr().out)
    assert comparison["recipes"][0]["KAnonymity"] == measured["value"] == 4
    assert measured["informed"] == 3
    assert [", 3 for an attacker" in remark for remark in comparison["remarks"]] == [True]
