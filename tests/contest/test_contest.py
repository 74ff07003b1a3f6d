"""Everything that can be done with a contest, and by whom."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from sudare.contest import Contest, ContestRules, Phase, Resource, Round
from sudare.contest.accounts import Account
from sudare.contest.errors import ChangedError, EntryError, NotAllowedError, NotFoundError
from sudare.contest.rules.contest_rules import ContestLimits
from sudare.contest.rules.phases import PERMISSIONS, PhasePeriod, phases_of
from sudare.contest.scoring.worker import Worker
from sudare.core.errors import InputError, OutputError
from sudare.transactions import (
    CoarseDates,
    History,
    MaskedHistory,
    RowDeletion,
    write_history,
    write_masked,
)
from sudare.transactions.loss.itemsets import frequent_itemsets
from sudare.transactions.loss.use_cases import ERRORS
from tests.contest.conftest import PASSWORD, MakeContest
from tests.contest.test_accounts import Clock

NOON = datetime(2018, 9, 27, 12, tzinfo=UTC)


def at(clock: Clock, hours: float) -> None:
    clock.now = NOON.timestamp() + 3600 * hours


def hour(number: int) -> datetime:
    return datetime.fromtimestamp(NOON.timestamp() + 3600 * number, UTC)


def test_phases_open_and_close_by_themselves(make_contest: MakeContest, tmp_path: Path) -> None:
    clock = Clock()
    at(clock, -1)
    schedule = {
        Phase.FINAL_MASKING: PhasePeriod(hour(0), hour(2)),
        Phase.FINAL_ATTACK: PhasePeriod(hour(4), hour(6)),
    }
    contest = make_contest("alpha", clock=clock, schedule=schedule)
    [team] = contest.teams()
    (tmp_path / "A.csv").write_text("x")
    taken = []
    for time in (-1, 0, 1.9, 2, 3):
        at(clock, time)
        try:
            contest.accept_mask(team, tmp_path / "A.csv", "A.csv")
            taken.append(time)
        except NotAllowedError:
            pass
    assert taken == [0, 1.9]
    at(clock, 4)
    assert contest.phase().phase == Phase.FINAL_ATTACK
    assert contest.open_phase(Phase.FINAL_MASKING).is_open  # an extension, by hand
    assert contest.accept_mask(team, tmp_path / "A.csv", "A.csv")


def test_a_phase_that_is_closed_early_waits_for_the_hour_of_the_next(
    make_contest: MakeContest,
) -> None:
    clock = Clock()
    at(clock, 0.5)
    schedule = {Phase.FINAL_MASKING: PhasePeriod(hour(0)), Phase.FINAL_ATTACK: PhasePeriod(hour(4))}
    contest = make_contest(clock=clock, schedule=schedule)
    moment = contest.close_phase()
    assert (moment.phase, moment.is_open) == (Phase.FINAL_MASKING, False)
    at(clock, 4)
    assert contest.phase().is_open
    assert contest.close_phase().phase == Phase.FINAL_RESULT


def test_only_the_phase_that_was_open_when_somebody_looked_is_closed(
    make_contest: MakeContest,
) -> None:
    clock = Clock()
    at(clock, 0.5)
    contest = make_contest(clock=clock, schedule={Phase.FINAL_ATTACK: PhasePeriod(hour(4))})
    assert contest.close_phase(Phase.REGISTER).phase == Phase.FINAL_MASKING
    assert not contest.close_phase(Phase.FINAL_MASKING).is_open
    for past in (Phase.REGISTER, Phase.FINAL_MASKING):
        with pytest.raises(ChangedError, match="has changed in the meantime"):
            contest.close_phase(past)
    moment = contest.phase()
    assert (moment.phase, moment.is_open) == (Phase.FINAL_MASKING, False)


READS: dict[Resource, Callable[[Contest, Account | None, Round], object]] = {
    Resource.OWN_ENTRIES: lambda contest, who, _: contest.entries(who),
    Resource.LEADERBOARD: lambda contest, who, round_name: contest.leaderboard(who, round_name),
    Resource.STATISTICS: lambda contest, who, round_name: contest.statistics(who, round_name),
    Resource.DATA: lambda contest, who, round_name: contest.file(who, f"{round_name}/data"),
    Resource.PUBLISHED: lambda contest, who, round_name: contest.file(
        who, f"{round_name}/published/alpha"
    ),
    Resource.MASKED: lambda contest, who, round_name: contest.file(
        who, f"{round_name}/pseudonyms/alpha"
    ),
    Resource.CONTROL: lambda contest, who, _: contest.announce(who, "hello"),
}


def test_everybody_reads_what_the_table_says_and_nothing_else(
    make_contest: MakeContest, history: History, tmp_path: Path
) -> None:
    contest = make_contest("alpha", "beta", rounds=("preliminary", "final"))
    write_masked(MaskedHistory.of(history), tmp_path / "A.csv")
    for phase in (Phase.PRELIMINARY_MASKING, Phase.FINAL_MASKING):
        contest.open_phase(phase)
        contest.accept_mask(contest.teams()[0], tmp_path / "A.csv", "A.csv")
    Worker(contest).run(until_idle=True)
    people = {"visitor": None, "team": contest.teams()[1], "referee": contest.referee()}
    checked = 0
    for phase in phases_of():
        contest.open_phase(phase)
        for ((round_, resource), when), roles in PERMISSIONS.items():
            if when != phase or resource not in READS:
                continue
            for role, who in people.items():
                try:
                    READS[resource](contest, who, round_ or "final")
                    may = True
                except NotAllowedError:
                    may = False
                everything = resource == Resource.OWN_ENTRIES and role == "referee"
                assert may == (role in roles or everything), (role, phase, resource, round_)
                checked += 1
    assert checked == 7 * 3 * (2 + 5 * 2)


def test_statistics_follow_the_result(
    make_contest: MakeContest, history: History, tmp_path: Path
) -> None:
    frequent_itemsets(history, 2)  # its threads must not be in the way of those of the worker
    contest = make_contest("alpha", "beta", "gamma", limits=ContestLimits(samples=1))
    contest.open_phase(Phase.FINAL_MASKING)
    masked = MaskedHistory.of(history)
    for team, masker in zip(
        contest.teams(),
        (CoarseDates(), RowDeletion(share=0.2), RowDeletion(share=0.6)),
        strict=True,
    ):
        write_masked(masker.mask(masked, seed=1), tmp_path / "A.csv", overwrite=True)
        contest.accept_mask(team, tmp_path / "A.csv", "A.csv")
    Worker(contest).run(until_idle=True)
    assert contest.statistics(contest.referee(), "final").rows == []
    contest.open_phase(Phase.FINAL_RESULT)
    assert contest.request_statistics() == 3
    assert contest.request_statistics() == 0
    Worker(contest).run(until_idle=True)
    statistics = contest.statistics(None, "final")
    assert [row["team"] for row in statistics.rows] == ["alpha", "beta", "gamma"]
    assert statistics.waiting == 0
    assert set(statistics.correlations) == set(ERRORS)
    assert statistics.correlations["rows"] is not None
    assert contest.progress().failed == 0


def test_a_team_has_its_own_files_and_nobody_elses(
    make_contest: MakeContest, tmp_path: Path
) -> None:
    contest = make_contest("alpha", "beta")
    contest.open_phase(Phase.FINAL_MASKING)
    (tmp_path / "A.csv").write_text("mine")
    alpha, beta = contest.teams()
    entry = contest.accept_mask(alpha, tmp_path / "A.csv", "A.csv")
    assert contest.file(alpha, f"entry/{entry.id}").path.read_text() == "mine"
    assert contest.file(contest.referee(), f"entry/{entry.id}").filename == "A.csv"
    for who in (beta, None):
        with pytest.raises((NotAllowedError, NotFoundError)):
            contest.file(who, f"entry/{entry.id}")
    for key in ("../secret", "entry/../secret", "entry/-1", "", "final/data/../../secret"):
        with pytest.raises((NotAllowedError, NotFoundError)):
            contest.file(alpha, key)
    with pytest.raises(NotAllowedError):
        contest.file(alpha, str(entry.id))


def test_announcements_come_from_the_referee(make_contest: MakeContest) -> None:
    contest = make_contest("alpha")
    contest.announce(contest.referee(), "T has arrived.")
    contest.announce(contest.referee(), "提出は明日まで。")
    assert [announcement.text for announcement in contest.announcements()] == [
        "提出は明日まで。",
        "T has arrived.",
    ]
    for who in (None, contest.teams()[0]):
        with pytest.raises(NotAllowedError):
            contest.announce(who, "all mine")
    with pytest.raises(EntryError):
        contest.announce(contest.referee(), " ")


def test_a_contest_is_found_again_by_its_folder(make_contest: MakeContest, tmp_path: Path) -> None:
    contest = make_contest("alpha")
    contest.close_phase()
    with Contest.open(contest.folder) as again:
        assert again.rules == contest.rules
        assert again.phase().phase == Phase.FINAL_MASKING
        assert [team.name for team in again.teams()] == ["alpha"]
    with pytest.raises(OutputError):
        Contest.create(contest.folder, contest.rules, tmp_path / "T.csv", password=PASSWORD)
    with pytest.raises(InputError, match="there is no contest"):
        Contest.open(tmp_path / "nowhere")


def test_t_may_come_from_a_table_with_a_header(tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text(
        "who,day,what,cost,n\nC1,2011-03-05,A1,1.25,2\nC2,2011-03-06,B2,0.5,1\n"
    )
    rules = ContestRules(rounds=("final",), columns=NAMES)
    with Contest.create(
        tmp_path / "c", rules, tmp_path / "table.csv", password=PASSWORD
    ) as contest:
        text = contest.original("final").read_text()
    assert text == "C1,2011/3/5,A1,1.25,2\nC2,2011/3/6,B2,0.5,1\n"


NAMES = {"customer": "who", "date": "day", "item": "what", "price": "cost", "quantity": "n"}


@pytest.mark.parametrize("day", ["2011/3/5", "2011-03-05", "2011/03/05"])
def test_dates_of_t_are_read_as_people_write_them(tmp_path: Path, day: str) -> None:
    (tmp_path / "table.csv").write_text(f"who,day,what,cost,n\nC1,{day},A1,1.25,2\n")
    rules = ContestRules(rounds=("final",), columns=NAMES)
    with Contest.create(
        tmp_path / "c", rules, tmp_path / "table.csv", password=PASSWORD
    ) as contest:
        assert contest.original("final").read_text() == "C1,2011/3/5,A1,1.25,2\n"


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("佐藤,2011-03-05,A1,1.25,2", "column 'who': 1 customer name is not made of 1 to 20"),
        ('"Smith, J",2011-03-05,A1,1.25,2', "column 'who': 1 customer name is not made of 1 to 20"),
        (
            f"{'x' * 21},2011-03-05,A1,1.25,2",
            "column 'who': 1 customer name is not made of 1 to 20",
        ),
        ("C2,2011-03-05,A1,1.25,1.7", "column 'n': 1 quantity is not a whole"),
        ("C2,2011-03-05,A1,1.25,0.5", "column 'n': 1 quantity is not a whole"),
        ("C2,2011-03-05,A1,1.25,1e300", "column 'n': 1 value is not between 1 and 999999"),
        ("C2,2011-03-05,A1,1.25,1000000", "column 'n': 1 value is not between 1 and 999999"),
        ("C2,2011-03-05,A1,1e300,1", "column 'cost': 1 value is not between 0.01 and 99999.99"),
        ("C2,2009-03-05,A1,1,1", "column 'day': 1 value is not between 2010/1/1 and 2011/12/31"),
        ("C2,2011/2/29,A1,1,1", "is not a date; write them as"),
        ("C2,2011-03-05,A1,much,1", "column 'cost' does not hold numbers"),
    ],
)
def test_what_is_wrong_with_the_table_of_t_is_said_by_file_and_column(
    tmp_path: Path, row: str, told: str
) -> None:
    path = tmp_path / "table.csv"
    path.write_text(f"who,day,what,cost,n\nC1,2011-03-06,A1,1.25,2\n{row}\n")
    rules = ContestRules(rounds=("final",), columns=NAMES)
    with pytest.raises(InputError) as error:
        Contest.create(tmp_path / "c", rules, path, password=PASSWORD)
    assert str(error.value).startswith(f"'{path}', column")
    assert told in str(error.value)


def test_a_table_without_a_purchase_is_no_t(tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text("who,day,what,cost,n\nC1,2012-03-06,A1,1.25,2\n")
    rules = ContestRules(rounds=("final",), columns=NAMES)
    with pytest.raises(InputError, match=r"table\.csv', no row has a customer"):
        Contest.create(tmp_path / "c", rules, tmp_path / "table.csv", password=PASSWORD)


@pytest.mark.parametrize("name", ["what?", "what?mode=memory", "a%41b", "#", "簾 1"])
def test_the_database_lies_in_the_folder_whatever_its_name(
    tmp_path: Path, history: History, name: str
) -> None:
    write_history(history, tmp_path / "T.csv")
    folder, rules = tmp_path / name, ContestRules(rounds=("final",))
    with Contest.create(folder, rules, tmp_path / "T.csv", password=PASSWORD) as contest:
        contest.close_phase()
        files = [path.relative_to(tmp_path).parts for path in tmp_path.rglob("contest.db*")]
        assert {parts[:-1] for parts in files} == {(name,)}
        assert {path.stat().st_mode & 0o077 for path in folder.glob("contest.db*")} == {0}
    with Contest.open(folder) as again:
        assert again.phase().phase == Phase.FINAL_MASKING


@pytest.mark.parametrize("new_address", ["postgresql"], indirect=True)
def test_a_database_holds_one_contest(
    make_contest: MakeContest, tmp_path: Path, address: str
) -> None:
    contest = make_contest("alpha")
    with pytest.raises(OutputError, match="already holds a contest"):
        Contest.create(tmp_path / "second", contest.rules, tmp_path / "T.csv", password=PASSWORD)
    assert not (tmp_path / "second").exists()
    assert [team.name for team in contest.teams()] == ["alpha"]


@pytest.mark.parametrize("address", ["mysql://x", "nonsense", "sqlite:////no/such/folder/a.db"])
def test_an_address_that_leads_nowhere_is_refused(tmp_path: Path, address: str) -> None:
    from sudare.contest.storage.database import Database

    with pytest.raises(InputError, match="database"):
        Database(address).migrate()


def test_a_wrong_role_is_told_so_and_not_that_the_phase_is_wrong(
    make_contest: MakeContest, tmp_path: Path
) -> None:
    contest = make_contest("alpha")
    [team] = contest.teams()
    with pytest.raises(NotAllowedError, match="for teams"):
        contest.accept_mask(contest.referee(), tmp_path / "T.csv", "T.csv")
    with pytest.raises(NotAllowedError, match="for the referee"):
        contest.announce(team, "hello")
    with pytest.raises(NotAllowedError, match="present phase"):
        contest.accept_mask(team, tmp_path / "T.csv", "T.csv")
