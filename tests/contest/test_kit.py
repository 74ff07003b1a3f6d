"""The kit of a team: the server's numbers on its own machine, and packages of files."""

import json
import zipfile
from pathlib import Path

import pytest

from sudare.cli import main
from sudare.contest import Contest, ContestLimits, ContestRules
from sudare.contest.kit import Kit, problems_of, read_package, write_package
from sudare.contest.team_files import kit_from_folder
from sudare.core import InputError
from tests.contest.conftest import PASSWORD
from tests.contest.made_up_people import write_common_people
from tests.contest.working import working

RULES = ContestRules(
    subject="synthetic-cohort",
    rounds=("final",),
    settings={
        "members": 120,
        "background": 60,
        "facets": ["k-marginal: k = 1, classes = 3", "total-variation"],
        "strata": ["sex"],
    },
    limits=ContestLimits(teams=2),
)


def sudare_command(*words: object) -> int:
    with pytest.raises(SystemExit) as end:
        main([str(word) for word in words])
    return int(end.value.code or 0)


def test_a_team_gets_the_servers_numbers_from_its_kit(  # noqa: PLR0915
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_common_people(tmp_path / "S.csv", 120)
    with (
        Contest.create(tmp_path / "contest", RULES, password=PASSWORD) as contest,
        working(contest) as drained,
    ):
        saba, iwashi = (contest.register(name, PASSWORD) for name in ("Saba", "Iwashi"))
        contest.close_phase()
        kit = tmp_path / "kit"
        assert sudare_command("contest", "kit", tmp_path / "contest", kit, "--team", "Saba") == 0
        assert {path.name for path in (kit / "data").iterdir()} == {"background.csv", "cohort.csv"}
        assert {path.stem for path in (kit / "samples").iterdir()} == {
            *("mask", "membership", "attribute")
        }
        assert "k-marginal" in (kit / "README.md").read_text(encoding="utf-8")
        assert json.loads((kit / "first_steps.ipynb").read_text())["nbformat"] == 4
        assert sudare_command("contest", "check", kit, kit / "samples" / "mask.csv") == 0
        assert sudare_command("contest", "check", kit, kit / "samples" / "membership.csv") == 1
        capsys.readouterr()
        assert sudare_command("contest", "score", kit, tmp_path / "S.csv", "--json") == 0
        own = json.loads(capsys.readouterr().out)
        contest.accept_mask(saba, tmp_path / "S.csv", "S.csv")
        contest.accept_mask(iwashi, tmp_path / "S.csv", "S.csv")
        drained()
        [entry] = contest.entries(saba)
        assert own == {"score": entry.score, "parts": entry.parts}, "to the digit"
        contest.close_phase()
        later = kit_from_folder(tmp_path / "contest", "Saba", tmp_path / "later")
        guess = tmp_path / "F.csv"
        guess.write_text("".join(f"{at},0.5\n" for at in range(1, 121)))
        assert problems_of(later.evaluate(guess, kind="membership", target="Iwashi")) == []
        guess.write_text("1,0.5\n")
        assert problems_of(later.evaluate(guess, kind="membership", target="Iwashi"))


def test_a_package_holds_what_was_packed(tmp_path: Path) -> None:
    with Contest.create(tmp_path / "contest", RULES, password=PASSWORD) as contest:
        contest.register("Saba", PASSWORD)
        contest.close_phase()
    kit = kit_from_folder(tmp_path / "contest", "Saba", tmp_path / "kit")
    (tmp_path / "sent").mkdir()
    sample = (kit.folder / "samples" / "mask.csv").read_bytes()
    (tmp_path / "sent" / "mask.csv").write_bytes(sample)
    assert write_package(kit, tmp_path / "sent", tmp_path / "p.zip") == ["mask.csv"]
    (tmp_path / "out").mkdir()
    [(name, path)] = read_package(tmp_path / "p.zip", tmp_path / "out").items()
    assert (name, path.read_bytes()) == ("mask.csv", sample)
    (tmp_path / "sent" / "mask.csv").write_text("no table")
    with pytest.raises(InputError):
        write_package(Kit(kit.folder), tmp_path / "sent", tmp_path / "q.zip")


@pytest.mark.parametrize(
    "names",
    [
        ["../mask.csv"],
        ["/etc/passwd"],
        ["attacks/../../mask.csv"],
        ["attacks/../mask.csv"],
        ["attacks/Saba/mem/bership.csv"],
        ["mask.csv", "mask.csv"],
        ["mask.csv", "run.py"],
        [],
    ],
)
def test_packages_with_other_files_are_refused(tmp_path: Path, names: list[str]) -> None:
    with zipfile.ZipFile(tmp_path / "p.zip", "w") as package:
        for name in names:
            info = zipfile.ZipInfo(name)
            package.writestr(info, "1,2\n") if name not in package.namelist() else None
    if len(set(names)) < len(names):
        with (
            zipfile.ZipFile(tmp_path / "p.zip", "a") as package,
            pytest.warns(UserWarning, match="Duplicate"),
        ):
            package.writestr(names[-1], "3,4\n")
    (tmp_path / "out").mkdir()
    with pytest.raises(InputError):
        read_package(tmp_path / "p.zip", tmp_path / "out")
    assert list((tmp_path / "out").iterdir()) == []


def test_what_is_no_package_is_refused(tmp_path: Path) -> None:
    (tmp_path / "p.zip").write_bytes(b"PK\x03\x04 no")
    with pytest.raises(InputError):
        read_package(tmp_path / "p.zip", tmp_path)


def test_a_damaged_package_is_told_from_a_full_disk(tmp_path: Path) -> None:
    path, folder = tmp_path / "p.zip", tmp_path / "out"
    folder.mkdir()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("mask.csv", "1,2\n" * 1000)
    whole = path.read_bytes()
    damaged = bytearray(whole)
    damaged[38] = 0xFF  # where the compressed bytes begin: no block is of such a type
    path.write_bytes(damaged)
    with pytest.raises(InputError, match="not a package"):
        read_package(path, folder)
    path.write_bytes(whole)
    with pytest.raises(FileNotFoundError):
        read_package(path, tmp_path / "missing")
    with pytest.raises(FileNotFoundError):
        read_package(tmp_path / "missing.zip", folder)
