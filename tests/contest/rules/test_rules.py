"""Rules in a TOML file."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path

import pytest

from sudare.contest import ContestRules, Phase, TableRules
from sudare.contest.rules.phases import PhasePeriod
from sudare.core.errors import InputError, SettingError
from sudare.release import Project, Recipe
from sudare.transactions import PWSCUP_2018
from sudare.transactions.loss.measures import all_weights


def stated_whole(rules: ContestRules) -> ContestRules:
    """The same rules, with a weight for every column as their file has it."""
    history = replace(rules.history, weights=all_weights(rules.history.weights))
    return replace(rules, history=history)


def test_the_default_is_the_contest_of_2018() -> None:
    rules = ContestRules.from_toml("")
    assert rules.history == PWSCUP_2018
    assert (rules.bound, rules.rounds) == ("contest", ("preliminary", "final"))
    assert rules == ContestRules()


def test_rules_survive_their_file(tmp_path: Path) -> None:
    opens = datetime(2018, 9, 27, tzinfo=UTC)
    rules = ContestRules(
        title="簾",
        subject="table",
        rounds=("final",),
        bound="tight",
        table=TableRules(roles={"age": "key"}, score=("uniques",)),
        schedule={Phase.FINAL_MASKING: PhasePeriod(opens)},
    )
    (tmp_path / "contest.toml").write_text(rules.to_toml(), encoding="utf-8")
    assert ContestRules.read(tmp_path / "contest.toml") == stated_whole(rules)


def test_rounds_are_held_in_their_order_whatever_the_order_in_the_file() -> None:
    assert ContestRules.from_toml("rounds = ['final', 'preliminary']") == ContestRules()


def test_every_limit_can_be_stated() -> None:
    rules = ContestRules.from_toml(
        """
        bound = "tight"
        [history]
        first_date = 2001-01-01
        set_size = 7
        line_length = 100
        max_quantity = 12
        chance = 0.25
        level = "1/100"
        [weights]
        item = 3
        [limits]
        mask_bytes = 1000
        """
    )
    assert rules.history.chance == Fraction(1, 4)
    assert rules.history.level == Fraction(1, 100)
    assert (rules.history.set_size, rules.limits.mask_bytes) == (7, 1000)
    assert rules.history.weights == {"item": 3}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[history]\nset_sise = 3", "did you mean 'history.set_size'"),
        ("[history]\nchance = 2", "chance must be above 0"),
        ("[history]\nset_size = 0", "set_size must be a whole number from 1"),
        (f"[history]\nset_size = {2**31}", "set_size must be a whole number from 1"),
        ("[limits]\nseconds = 99999999999999999999", "a whole number from 1 to 86400"),
        ("[limits]\nmemory_bytes = 99999999999999999999", "a whole number from 1 to"),
        ("[history]\nfirst_date = 3", "first_date must be a date"),
        ("[limits]\nseconds = 1.5", "seconds must be a whole number"),
        ("bound = 'best'", "bound must be one of"),
        ("rounds = ['third']", "rounds must be one of preliminary, final"),
        ("rounds = ['final', 'final']", "rounds are"),
        ("rounds = []", "rounds are"),
        ("rounds = 5", "rounds must be a list"),
        ("title = 3", "title must be text"),
        ("database = 3", "database must be text"),
        ("weights = [1, 2]", "weights must be a table"),
        ("[weights]\nitem = '2'", "weights.item must be a number"),
        ("[weights]\nitem = true", "weights.item must be a number"),
        *(
            (f"[weights]\nitem = {much}", "weights must be numbers")
            for much in ("nan", "inf", "-inf")
        ),
        ("[weights]\ndate = 1.7e308\nitem = 1.7e308", "weights must be numbers"),
        *(
            (f"{part} = 3", f"{part} must be a table")
            for part in ("history", "limits", "schedule", "columns", "table", "weights")
        ),
        ("schedule.register = 3", "schedule.register must be a table"),
        ("[schedule.register]\nopen = 3", "did you mean 'schedule.register.opens'"),
        ("[history]\nchance = [1]", "history.chance must be a number or a fraction"),
        ("[history]\nchance = 'much'", "history.chance must be above 0 and below 1"),
        ("[history]\nchance = nan", "history.chance must be above 0 and below 1"),
        ("[history]\nfirst_date = 2012-01-01", "first_date must not be after last_date"),
        ("[history]\nfirst_date = 2011-01-01T00:00:00Z", "first_date must be a date"),
        ("[table]\nscore = [3]", "table.score must be text"),
        ("[table]\nscore = 'total-variation'", "table.score must be a list"),
        ("[table]\nlimits = 'k-anonymity >= 3'", "table.limits must be a list"),
        ("[table]\nroles = {age = 'kee'}", "table.roles.age must be one of identifier, key"),
        ("[table]\nscales = {age = ['ratio']}", "table.scales.age must be one of"),
        ("[columns]\nitem = 3", "columns.item must be text"),
        ("[weights]\nitem = -1", "weights must be numbers"),
        ("[columns]\nitem = 'StockCode'", "columns must name all"),
        ("[schedule.finale]", "there is no phase 'finale'"),
        ("[schedule.register]\nopens = 2018-09-27", "times are written as"),
        ("[schedule.register]\nopens = '2018-09-27T09:00:00Z'", "times are written as"),
        ("time_zone = 'Asia/Tokio'", "no time zone 'Asia/Tokio'; did you mean 'Asia/Tokyo'"),
        ("time_zone = 'Asia'", "no time zone 'Asia'"),
        ("time_zone = '../Asia/Tokyo'", "no time zone"),
        ("time_zone = 9", "time_zone must be text"),
        *(
            (
                f"time_zone = 'Europe/Berlin'\n[schedule.register]\nopens = {time}",
                "does not exist or occurs twice in Europe/Berlin",
            )
            for time in ("2026-03-29T02:30:00", "2026-10-25T02:30:00")
        ),
        ('title = "a\\u0007b"', "title must have 1 to 120 characters that can be printed"),
        ("title = ' '", "title must have 1 to 120"),
        ("[freeze]\nfinal = 2018-09-27", "times are written as"),
        ("[freeze]\nfinale = 2018-09-27T09:00:00Z", "'freeze' names a round"),
        ("[table]\nscore = ['no-such']", "no-such"),
        ("[table]\nscore = []", "at least one measure"),
        (
            "[schedule.final-masking]\nopens = 2018-09-27T09:00:00Z\n"
            "[schedule.final-attack]\nopens = 2018-09-26T09:00:00Z",
            "not in the order",
        ),
        (
            "rounds = ['final']\n[schedule.preliminary-attack]\nopens = 2018-09-27T09:00:00Z",
            "its round is not",
        ),
    ],
)
def test_what_is_wrong_with_rules_is_said(text: str, told: str) -> None:
    with pytest.raises(SettingError) as error:
        ContestRules.from_toml(text)
    assert told in str(error.value)


def test_times_without_an_offset_are_in_the_zone_of_the_rules() -> None:
    rules = ContestRules.from_toml(
        """
        time_zone = "Europe/Berlin"
        [schedule.final-masking]
        opens = 2026-10-24T09:00:00
        closes = 2026-10-26T09:00:00
        [schedule.final-attack]
        opens = 2026-10-26T18:00:00+09:00
        [freeze]
        final = 2026-10-26T09:00:00
        """
    )
    masking, attack = rules.schedule[Phase.FINAL_MASKING], rules.schedule[Phase.FINAL_ATTACK]
    assert masking.opens == datetime(2026, 10, 24, 7, tzinfo=UTC)
    assert masking.closes == datetime(2026, 10, 26, 8, tzinfo=UTC)
    assert attack.opens == datetime(2026, 10, 26, 9, tzinfo=UTC)
    assert rules.freeze == {"final": datetime(2026, 10, 26, 8, tzinfo=UTC)}
    assert ContestRules.from_toml(rules.to_toml()) == stated_whole(rules)
    assert ContestRules.from_toml("").time_zone == "UTC"


def test_times_are_compared_by_when_they_are_not_by_the_clock_on_the_wall() -> None:
    rules = ContestRules.from_toml(
        """
        time_zone = "Europe/Berlin"
        [schedule.final-masking]
        opens = 2026-10-25T02:50:00+02:00
        closes = 2026-10-25T02:10:00+01:00
        """
    )
    assert ContestRules.from_toml(rules.to_toml()) == stated_whole(rules)


def test_a_file_that_is_no_toml_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    readers: tuple[Callable[[Path], object], ...] = (ContestRules.read, Recipe.read, Project.open)
    for text in ("title = ", "a = " + "[" * 100_000, "a = " + "1" * 10_000):
        path.write_text(text, encoding="utf-8")
        for reader in readers:
            with pytest.raises(InputError, match="not a TOML file"):
                reader(path)
    path.write_bytes(b"\xef\xbb\xbftitle = 'of Notepad'")
    assert ContestRules.read(path).title == "of Notepad"
    with pytest.raises(InputError, match="there is no file"):
        ContestRules.read(tmp_path / "b.toml")
