"""Rules that are installed: found by their entry point, in every process that needs them."""

import zipfile
from pathlib import Path

import pytest

from sudare.contest import Contest, ContestRules, Kit
from sudare.contest.team_files import kit_from_server
from sudare.core import SettingError
from tests.contest.conftest import PASSWORD
from tests.contest.rulebooks.test_organizer_package import PACKAGE
from tests.contest.site.serving import House
from tests.contest.working import working

METADATA = "Metadata-Version: 2.1\nName: short-lists\nVersion: 1.0\n"
ENTRY_POINT = "[sudare.contest]\nshort-lists = short_lists:RULES\n"
RULES = 'subject = "short-lists"\nrounds = ["final"]\nsettings = {lines = 2}\nlimits = {teams = 3}'


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wheel of rules, unpacked where Python finds packages, as an installer would."""
    wheel = tmp_path / "short_lists-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as package:
        package.writestr("short_lists/__init__.py", PACKAGE)
        package.writestr("short_lists-1.0.dist-info/METADATA", METADATA)
        package.writestr("short_lists-1.0.dist-info/entry_points.txt", ENTRY_POINT)
        package.writestr("short_lists-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\n")
    target = tmp_path / "site-packages"
    with zipfile.ZipFile(wheel) as package:
        package.extractall(target)
    monkeypatch.syspath_prepend(target)
    monkeypatch.setenv("PYTHONPATH", str(target), prepend=":")


@pytest.mark.usefixtures("installed")
def test_a_contest_by_installed_rules_and_the_kit_from_its_address(tmp_path: Path) -> None:
    rules = ContestRules.from_toml(RULES)
    contest = Contest.create(tmp_path / "contest", rules, password=PASSWORD)
    with House.of(contest) as house, working(contest) as drained:
        team = contest.register("Alpha", PASSWORD)
        contest.close_phase()
        mask = tmp_path / "A.csv"
        mask.write_text("a\nb\nc\n")
        contest.accept_mask(team, mask, "A.csv")
        drained()
        [entry] = contest.entries(team)
        assert (entry.status, entry.score) == ("accepted", 3.0)
        kit = kit_from_server(house.url, "alpha", PASSWORD, tmp_path / "kit")
        assert kit.data()["words"].read_text() == "word 1\n" * 2
        result = Kit(tmp_path / "kit").evaluate(mask)
        assert result["result"]["score"] == entry.score


def test_rules_that_are_not_installed_are_named_with_those_that_are() -> None:
    with pytest.raises(SettingError, match="synthetic-cohort"):
        ContestRules.from_toml(RULES)
