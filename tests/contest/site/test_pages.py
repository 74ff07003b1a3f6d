"""What people see: registration, uploads, refusals, attacks, the leaderboard, two languages."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import httpx

from sudare.contest import ContestRules, Phase, TableRules
from sudare.contest.rules.phases import PhasePeriod
from sudare.contest.scoring.worker import Worker
from tests.contest.site import material
from tests.contest.site.conftest import MakeHouse
from tests.contest.site.serving import PASSWORD, RULES, House, send, upload
from tests.contest.working import working


def test_a_team_registers_and_is_logged_in(make_house: MakeHouse) -> None:
    browser = make_house().browser()
    answer = send(
        browser, "/register", "/register", team="Iwashi", password=PASSWORD, again=PASSWORD
    )
    assert answer.status_code == 303
    assert "Iwashi" in browser.get("/").text
    assert send(browser, "/logout").status_code == 303
    assert "Iwashi" not in browser.get("/").text


def test_two_passwords_that_differ_are_refused(make_house: MakeHouse) -> None:
    browser = make_house().browser()
    answer = send(browser, "/register", "/register", team="A", password=PASSWORD, again="x" * 12)
    assert answer.status_code == 422
    assert "the two passwords differ." in answer.text


def test_a_contest_from_masking_to_the_leaderboard(make_house: MakeHouse) -> None:
    house = make_house("Iwashi", "Saba", phase=Phase.FINAL_MASKING)
    teams = {name: house.browser(house.token(name)) for name in ("Iwashi", "Saba")}
    assert upload(teams["Iwashi"], "/masks", material.masked()).status_code == 303
    assert upload(teams["Saba"], "/masks", material.masked(3, level=3)).status_code == 303
    assert "waiting" in teams["Saba"].get("/masks").text
    Worker(house.contest).run(until_idle=True)
    assert "0.0000" in teams["Iwashi"].get("/masks").text
    house.contest.open_phase(Phase.FINAL_ATTACK)
    page = teams["Saba"].get("/attacks").text
    assert 'href="/files/final/published/Iwashi"' in page
    assert "/published/Saba" not in page, "nobody attacks his own file"
    assert upload(teams["Saba"], "/attacks/Iwashi", material.attack()).status_code == 303
    assert upload(teams["Iwashi"], "/attacks/Saba", material.attack(3, wrong=6)).status_code == 303
    Worker(house.contest).run(until_idle=True)
    told = teams["Saba"].get("/attacks").text
    assert "accepted" in told
    assert "effective</span>" not in told, "nothing leaks before the result"
    house.contest.open_phase(Phase.FINAL_RESULT)
    board = house.browser().get("/leaderboard").text
    assert "12★" in board
    assert "<small>/12</small>" in board
    assert board.index("Saba") < board.index("Iwashi"), "the file that held comes first"


def test_a_refusal_names_line_and_column(make_house: MakeHouse) -> None:
    house = make_house("Iwashi", phase=Phase.FINAL_MASKING)
    team = house.browser(house.token("Iwashi"))
    bad = material.masked().replace(b",3\n", b",three\n", 1)
    upload(team, "/masks", bad)
    Worker(house.contest).run(until_idle=True)
    page = team.get("/masks").text
    assert "refused" in page
    assert "line 2, quantity" in page
    japanese = team.get("/masks", headers={"accept-language": "ja"}).text
    assert "2 行目" in japanese or "2行目" in japanese


def test_pages_speak_the_language_that_was_chosen(make_house: MakeHouse) -> None:
    browser = make_house().browser()
    assert browser.get("/language/ja?next=/rules").headers["location"] == "/rules"
    assert '<html lang="ja">' in browser.get("/rules").text
    assert browser.get("/language/ja?next=//elsewhere.example").headers["location"] == "/"
    assert browser.get("/language/xx").status_code == 404


def test_the_referee_runs_the_contest_by_hand(make_house: MakeHouse) -> None:
    house = make_house("Iwashi")
    referee = house.browser(house.token("referee"))
    assert send(referee, "/referee/close", phase="register").status_code == 303
    assert house.contest.phase().phase == Phase.PRELIMINARY_MASKING
    send(referee, "/referee/open", phase="final-masking")
    assert house.contest.phase().phase == Phase.FINAL_MASKING
    send(referee, "/referee/announce", text="Lunch at noon <b>")
    assert "Lunch at noon &lt;b&gt;" in house.browser().get("/").text
    send(referee, "/referee/register", team="Saba", password=PASSWORD)
    send(referee, "/referee/password", team="Saba", password="another password")  # noqa: S106
    assert house.contest.login("Saba", "another password", "tests")
    assert send(referee, "/referee/nothing").status_code == 404
    assert "Saba" in referee.get("/referee").text


def test_a_second_click_closes_no_second_phase(make_house: MakeHouse) -> None:
    house = make_house()
    referee = house.browser(house.token("referee"))
    page = referee.get("/referee").text
    assert '<input type="hidden" name="phase" value="register">' in page
    for told in ("Done.", "The phase has changed in the meantime; nothing was done."):
        assert send(referee, "/referee/close", phase="register").headers["location"] == "/referee"
        assert told in referee.get("/referee").text
        assert house.contest.phase().phase == Phase.PRELIMINARY_MASKING
    assert send(referee, "/referee/close").status_code == 404
    assert house.contest.phase().phase == Phase.PRELIMINARY_MASKING


def test_a_program_may_name_the_phase_that_it_closes(make_house: MakeHouse) -> None:
    house = make_house()
    referee = house.program(house.token("referee"))
    closed = [referee.post("/api/phases/close", json={"phase": "register"}) for _ in range(2)]
    assert [answer.status_code for answer in closed] == [200, 409]
    assert closed[1].json() == {"message": "the phase has changed in the meantime."}
    assert referee.post("/api/phases/close").json()["phase"] == "preliminary-attack"


def test_an_attack_on_a_file_that_was_replaced_does_not_count(make_house: MakeHouse) -> None:
    house = make_house("Aji", "Saba", phase=Phase.FINAL_MASKING)
    aji, saba = (house.browser(house.token(name)) for name in ("Aji", "Saba"))
    program = house.program(house.token("Aji"))
    upload(saba, "/masks", material.masked())
    Worker(house.contest).run(until_idle=True)
    house.contest.open_phase(Phase.FINAL_ATTACK)
    sent, shaded = '<span class="state">sent</span>', '<tr class="mine">'
    for content, counts in ((b"no attack", False), (material.attack(), True)):
        upload(aji, "/attacks/Saba", content)
        assert sent in aji.get("/attacks").text, "while it waits"
        Worker(house.contest).run(until_idle=True)
        page = aji.get("/attacks").text
        assert [sent in page, shaded in page] == [counts, counts]
    assert program.get("/api/entries").json()[0]["counts"]
    house.contest.open_phase(Phase.FINAL_MASKING)
    upload(saba, "/masks", material.masked(3))
    Worker(house.contest).run(until_idle=True)
    house.contest.open_phase(Phase.FINAL_ATTACK)
    assert not program.get("/api/entries").json()[0]["counts"]
    page = aji.get("/attacks").text
    assert sent not in page
    assert shaded not in page
    assert house.contest.hits(house.contest.referee(), "final") == []


def test_times_are_shown_in_the_zone_of_the_contest(make_house: MakeHouse) -> None:
    opens = datetime(2018, 9, 26, 23, 30, tzinfo=UTC)
    schedule = {Phase.FINAL_ATTACK: PhasePeriod(opens)}
    house = make_house(rules=replace(RULES, schedule=schedule, time_zone="Asia/Tokyo"))
    page = house.browser().get("/")
    assert '<time datetime="2018-09-26T23:30:00Z">2018-09-27 08:30</time>' in page.text
    assert "Times are in Asia/Tokyo." in page.text
    japanese = house.browser().get("/", headers={"accept-language": "ja"}).text
    assert "Asia/Tokyo の時刻" in japanese
    assert house.program().get("/api/contest").json()["time_zone"] == "Asia/Tokyo"
    assert "Times are in UTC." in make_house().browser().get("/").text


def test_the_referee_is_told_which_phases_the_schedule_will_not_open(
    make_house: MakeHouse,
) -> None:
    times = [datetime(2018, 9, day, tzinfo=UTC) for day in (26, 27, 28)]
    schedule = {
        Phase.FINAL_MASKING: PhasePeriod(*times[:2]),
        Phase.FINAL_ATTACK: PhasePeriod(times[2]),
    }
    house = make_house(rules=replace(RULES, schedule=schedule), phase=Phase.FINAL_MASKING)
    page = house.browser(house.token("referee")).get("/referee").text
    assert "will not open by themselves; open them here: Final attack." in page
    assert "2018-09-27" not in page, "it is open though that time has passed"
    assert house.program().get("/api/contest").json()["closes"] is None
    house.contest.open_phase(Phase.FINAL_ATTACK)
    assert "by themselves" not in house.browser(house.token("referee")).get("/referee").text


def test_rules_show_no_address_of_the_database(make_house: MakeHouse) -> None:
    page = make_house().browser().get("/rules").text
    assert "set_size = 100" in page
    assert "database" not in page


def test_the_command_that_checks_a_file_names_rules_that_are_not_the_usual(
    make_house: MakeHouse, tmp_path: Path
) -> None:
    usual = make_house("Iwashi", phase=Phase.FINAL_MASKING)
    page = usual.browser(usual.token("Iwashi")).get("/masks").text
    assert "<code>sudare history check T.csv masked.csv</code>" in page
    rules = replace(RULES, history=replace(RULES.history, set_size=3))
    house = make_house("Iwashi", phase=Phase.FINAL_MASKING, rules=rules)
    team = house.browser(house.token("Iwashi"))
    page = team.get("/masks").text
    assert "<code>sudare history check T.csv masked.csv --rules contest.toml</code>" in page
    assert 'href="/rules/contest.toml"' in page
    answer = team.get("/rules/contest.toml")
    assert answer.headers["content-disposition"] == 'attachment; filename="contest.toml"'
    (tmp_path / "contest.toml").write_bytes(answer.content)
    stated = replace(house.contest.rules, database="")
    assert ContestRules.read(tmp_path / "contest.toml") == stated


TABLE = "sex,region\n" + "f,north\nm,south\nf,south\nm,south\n" * 5 + "m,north\n"
TABLE_RULES = ContestRules(
    subject="table",
    rounds=("final",),
    table=TableRules(
        roles={"sex": "key", "region": "key"},
        score=("total-variation",),
        limits=("k-anonymity >= 2",),
    ),
)


def test_a_contest_of_tables_has_pages_of_its_own(make_house: MakeHouse, tmp_path: Path) -> None:
    data = tmp_path / "T.csv"
    data.write_text(TABLE)
    house = make_house("Iwashi", "Saba", phase=Phase.FINAL_MASKING, rules=TABLE_RULES, data=data)
    with working(house.contest) as drained:
        iwashi, saba = (house.browser(house.token(name)) for name in ("Iwashi", "Saba"))
        assert "k-anonymity &gt;= 2" in iwashi.get("/rules").text
        assert "in their order" in iwashi.get("/masks").text
        content = iwashi.get("/files/final/data").content
        assert upload(iwashi, "/masks", content).status_code == 303
        assert upload(saba, "/masks", content.replace(b"m,north", b"m,south")).status_code == 303
        drained()
        for team in (iwashi, saba):
            assert "accepted" in team.get("/masks").text
        _see_own_limits(house, iwashi, saba)
        _attack_tables(house, iwashi, saba)
        drained()
        told = saba.get("/attacks").text
        assert "accepted" in told
        assert "line 1" in iwashi.get("/attacks").text, "refused by line"
        house.contest.open_phase(Phase.FINAL_RESULT)
        board = house.browser().get("/leaderboard").text
        assert "total-variation" in board
        assert "k-anonymity &gt;= 2" in board, "a limit that is not kept is named"
        assert "21★" in board, "every row was recognized"
        assert board.index("Saba") < board.index("Iwashi"), "the file that held comes first"
        assert iwashi.get("/statistics").status_code == 200


def _see_own_limits(house: House, iwashi: httpx.Client, saba: httpx.Client) -> None:
    """Look who is told, before the result, that a file does not keep a limit."""
    told = "the file does not meet k-anonymity &gt;= 2 and is not ranked."
    assert told in iwashi.get("/masks").text
    assert told not in saba.get("/masks").text
    for name, missed in {"Iwashi": [["k-anonymity >= 2"]], "Saba": [[]]}.items():
        entries = house.program(house.token(name)).get("/api/entries").json()
        assert [entry["missed"] for entry in entries] == missed
    entries = house.program(house.token("referee")).get("/api/entries").json()
    assert [entry["missed"] for entry in entries] == [[], ["k-anonymity >= 2"]]


def _attack_tables(house: House, iwashi: httpx.Client, saba: httpx.Client) -> None:
    """Let one team name all rows of a file, and another send what is no attack."""
    house.contest.open_phase(Phase.FINAL_ATTACK)
    page = saba.get("/attacks").text
    assert 'href="/files/final/published/Iwashi"' in page
    assert "a row of the published file" in page
    rows = TABLE.splitlines()[1:]
    shown = saba.get("/files/final/published/Iwashi").text.splitlines()[1:]
    assert shown == sorted(rows)
    names = house.contest.file(house.contest.referee(), "final/pseudonyms/Iwashi").path
    assert upload(saba, "/attacks/Iwashi", names.read_bytes()).status_code == 303
    assert upload(iwashi, "/attacks/Saba", b"one,two\n").status_code == 303


def test_organizers_write_pages_of_their_own_in_markdown(make_house: MakeHouse) -> None:
    house = make_house()
    folder = house.contest.folder / "pages"
    folder.mkdir()
    text = "# Prizes\n\n<script>alert(1)</script> [x](javascript:alert(1)) ![y](http://z/p.png)\n"
    (folder / "prizes.md").write_text(text)
    (folder / "prizes.ja.md").write_text("# 賞品\n\n**なし**\n", encoding="utf-8")
    (folder / "Bad name.md").write_text("# Not shown\n")
    visitor = house.browser()
    page = visitor.get("/pages/prizes")
    assert "<h1>Prizes</h1>" in page.text
    assert 'href="/pages/prizes"' in page.text
    assert "<script>alert" not in page.text
    assert 'href="javascript' not in page.text
    assert 'src="http://z' not in page.text
    assert "Not shown" not in page.text
    japanese = visitor.get("/pages/prizes", headers={"Accept-Language": "ja"})
    assert "<strong>なし</strong>" in japanese.text
    for name in ("none", "..%2Fcontest", "prizes.md", "Bad name"):
        assert visitor.get(f"/pages/{name}").status_code == 404


def test_the_referee_downloads_approves_removes_and_exports_in_the_browser(
    make_house: MakeHouse,
) -> None:
    house = make_house("Iwashi", "Saba", phase=Phase.FINAL_MASKING)
    referee, team = house.browser(house.token("referee")), house.browser(house.token("Saba"))
    page = referee.get("/referee").text
    assert "/files/final/data" in page
    assert send(referee, "/referee/remove", page="/referee", team="Saba").is_redirect
    assert team.get("/masks").is_redirect, "its session has ended"
    assert house.contest.teams()[1].status == "removed"
    assert send(referee, "/referee/approve", page="/referee", team="Saba").is_redirect
    assert house.contest.teams()[1].status == "active"
    assert referee.get("/referee/export.json").json()["teams"][0]["team"] == "Iwashi"
    assert referee.get("/referee/export/teams.csv").text.startswith("team,status,seat\n")
    assert referee.get("/referee/export/secrets.csv").status_code == 404
    other = house.browser(house.token("Iwashi"))
    assert other.get("/referee/export.json").status_code == 403
