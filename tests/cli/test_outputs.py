"""What a command reads is never what it writes, not even with --force and through links."""

import stat
from collections.abc import Callable
from pathlib import Path

import pytest

import sudare
from sudare.transactions import MaskedHistory, write_history, write_masked
from tests.cli.test_cli import leave

STEP = '[[steps]]\nmethod = "{method}"\n{settings}\n'
AREAS = "".join(f"{town},{'city' if town in 'ab' else 'country'}\n" for town in "abcd")
TABLE = "town,income\n" + "".join(f"{'abcd'[n % 4]},{100 + n}\n" for n in range(40))

MASK = "mask survey.csv -k town --recipe recode.toml"
COMPARE = "compare survey.csv -k town --recipe recode.toml -m uniques"
SEARCH = "search survey.csv -k town --limit uniques<1 --lose total-variation"
REPORT = "report survey.csv -k town --recipe recode.toml -m uniques"
TREE = "mask survey.csv --no-project -k town --recipe tree.toml"
HISTORY_MASK = "history mask T.csv --recipe dates.toml --rules rules.toml"
HISTORY_COMPARE = "history compare T.csv --recipe dates.toml --rules rules.toml"
HISTORY_SEARCH = "history search T.csv --limit reidentification<1 --lose cell-error"
HISTORY_REPORT = "history report T.csv --recipe dates.toml --rules rules.toml -m cell-error"
ATTACK = "history attack T.csv A.csv --rules rules.toml"

SURVEY = ("survey.csv", "survey.sudare.toml", "areas.csv")
HISTORY = ("T.csv", "dates.toml", "rules.toml")
OUTPUTS = [
    *((f"{MASK} -o", name) for name in (*SURVEY, "recode.toml")),
    *((f"{MASK} -o new.csv --save-recipe", name) for name in (*SURVEY, "recode.toml")),
    *((f"{TREE} -o {new}", "areas.csv") for new in ("", "new.csv --save-recipe")),
    *((f"{COMPARE} --report", name) for name in (*SURVEY, "recode.toml")),
    *((f"{SEARCH} {option}", name) for option in ("-o", "--report") for name in SURVEY[:2]),
    *((f"{REPORT} --folder new --internal", name) for name in (*SURVEY, "recode.toml")),
    (f"{REPORT} --folder new --compare other.toml --internal", "other.toml"),
    *(("describe survey.csv --report", name) for name in SURVEY[:2]),
    ("init survey.csv -o", "survey.csv"),
    *((f"{HISTORY_MASK} -o", name) for name in HISTORY),
    *((f"{HISTORY_MASK} -o new.csv --published", name) for name in HISTORY),
    *((f"{HISTORY_COMPARE} --report", name) for name in HISTORY),
    *((f"{HISTORY_SEARCH} {option}", "T.csv") for option in ("-o", "--report")),
    (f"{HISTORY_SEARCH} --rules rules.toml -o", "rules.toml"),
    *((f"{HISTORY_REPORT} --folder new --internal", name) for name in HISTORY),
    *((f"{ATTACK} --at-risk", name) for name in ("T.csv", "A.csv", "rules.toml")),
]
FOLDERS = [
    *((f"{REPORT} --folder", name) for name in (*SURVEY, "recode.toml")),
    (f"{REPORT} --compare other.toml --folder", "other.toml"),
    (REPORT.replace("recode", "tree") + " --no-project --folder", "areas.csv"),
    *((f"{HISTORY_REPORT} --folder", name) for name in HISTORY),
]


@pytest.fixture(autouse=True)
def inputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with everything that commands read."""
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    Path("survey.csv").write_text(TABLE)
    Path("areas.csv").write_text(AREAS)
    recode = STEP.format(method="global-recode", settings="min_share = 0.3")
    for name in ("recode.toml", "other.toml"):
        Path(name).write_text(recode)
    tree = 'k = 15\nhierarchies = {town = "areas.csv"}'
    Path("tree.toml").write_text(STEP.format(method="full-domain", settings=tree))
    Path("dates.toml").write_text(STEP.format(method="coarse-dates", settings=""))
    Path("rules.toml").write_text('title = "Our contest"\n')
    made = sudare.Project.create("survey.csv")
    made.edited({"reviewed": True, "columns": {"town": {"hierarchy": "areas.csv"}}}).save()
    history = sudare.datasets.purchases_like(8, seed=2)
    write_history(history, Path("T.csv"))
    write_masked(MaskedHistory.of(history), Path("A.csv"))


def contents(folder: Path = Path()) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def as_it_is(name: str) -> str:
    return name


def by_symbolic_link(name: str) -> str:
    Path(f"link{Path(name).suffix}").symlink_to(name)
    return f"link{Path(name).suffix}"


def by_hard_link(name: str) -> str:
    Path(f"hard{Path(name).suffix}").hardlink_to(name)
    return f"hard{Path(name).suffix}"


@pytest.mark.parametrize("led", [as_it_is, by_symbolic_link, by_hard_link])
@pytest.mark.parametrize(("words", "name"), OUTPUTS)
def test_no_input_is_written_over(
    words: str, name: str, led: Callable[[str], str], capsys: pytest.CaptureFixture[str]
) -> None:
    output = led(name)
    before = contents()
    assert leave(*words.split(), output, "--force") == 2
    assert "is a file that is read" in capsys.readouterr().err
    assert contents() == before


@pytest.mark.parametrize("led", [as_it_is, by_symbolic_link])
@pytest.mark.parametrize(
    "words",
    [
        f"{MASK} --save-recipe {{}} -o {{}}",
        f"{SEARCH} --report {{}} -o {{}}",
        f"{HISTORY_MASK} --published {{}} -o {{}}",
    ],
)
def test_two_outputs_are_two_files(
    words: str, led: Callable[[str], str], capsys: pytest.CaptureFixture[str]
) -> None:
    other = led("new.csv")
    before = contents()
    assert leave(*words.format("new.csv", other).split(), "--force") == 2
    assert "two different outputs" in capsys.readouterr().err
    assert contents() == before


@pytest.mark.parametrize(
    "words",
    [f"{COMPARE} --report", f"{SEARCH} --report", "describe survey.csv --unlock --report"],
)
def test_pages_with_exact_numbers_of_the_original_are_for_their_owner(words: str) -> None:
    assert leave(*words.split(), "page.html") in {0, 1}
    assert stat.S_IMODE(Path("page.html").stat().st_mode) == 0o600
    assert "Confidential: exact numbers" in Path("page.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("linked", [False, True])
@pytest.mark.parametrize(("words", "name"), FOLDERS)
def test_no_folder_with_an_input_is_replaced(
    words: str, name: str, linked: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    del name  # all inputs are in one folder: the next test takes them apart
    folder = Path("..") / ("link" if linked else "work")
    if linked:
        folder.symlink_to("work")
    before = contents()
    assert leave(*words.split(), folder, "--force") == 2
    assert "holds a file that is read" in capsys.readouterr().err
    assert contents() == before


@pytest.mark.parametrize(("words", "name"), FOLDERS)
def test_an_input_alone_in_a_folder_keeps_it(
    words: str, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also one that is there by its true name only, and elsewhere by a link."""
    old = Path("../old")
    old.mkdir()
    Path(name).rename(old / name)
    Path(name).symlink_to(old / name)
    before = contents(old)
    confined = ["--allow-path", ".."] if words.startswith("report") else []
    assert leave(*words.split(), old, "--force", *confined) == 2
    assert "holds a file that is read" in capsys.readouterr().err
    assert contents(old) == before


@pytest.mark.parametrize("kind", ["csv", "json", "html"])
def test_a_study_does_not_write_over_its_table(
    kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = (f"{n},{n * n % 17}\n" for n in range(40))
    Path("numbers.csv").write_text("a,b\n" + "".join(lines))
    words = ("study", "synthesis", "numbers.csv", "--loss", 0.1, "--folder", "new", "--force")
    assert leave(*words) == 0
    result = next(Path("new").glob(f"*.{kind}"))
    result.unlink()
    result.symlink_to("../numbers.csv")
    before = contents()
    assert leave(*words) == 2
    assert "is a file that is read" in capsys.readouterr().err
    assert contents() == before


def test_kept_results_are_not_added_to_an_input(capsys: pytest.CaptureFixture[str]) -> None:
    Path("kept").mkdir()
    Path("kept/comparison.jsonl").symlink_to("../survey.csv")
    assert leave(*COMPARE.split(), "--folder", "kept") == 2
    assert "is a file that is read" in capsys.readouterr().err
    assert Path("survey.csv").read_text() == TABLE


def test_a_project_is_brought_up_to_date_where_it_is() -> None:
    assert leave("init", "--update", "-p", "survey.sudare.toml") == 0


def test_a_command_writes_over_what_an_earlier_one_read() -> None:
    assert leave("describe", "survey.csv") == 0
    assert leave("init", "survey.csv", "--force") == 0


@pytest.mark.parametrize("text", ["a,b\n1,2", "", '{"about": "another"}\n{"key', "[1]\n", "\xff\n"])
def test_kept_results_are_not_taken_from_another_file(
    text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = Path("comparison.jsonl")
    kept.write_text(text, encoding="latin-1")
    assert leave(*COMPARE.split(), "--folder", ".") == 2
    assert "belongs to work on other data" in capsys.readouterr().err
    assert kept.read_text(encoding="latin-1") == text


def test_a_folder_in_place_of_the_input_is_named_as_the_reason(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert leave(*["mask", ".", "-k", "town", "--recipe", "recode.toml", "-o", "x.csv"]) == 2
    said = capsys.readouterr().err
    assert "folder" in said
    assert "is a file that is read" not in said
