"""Who may do and read what: every role in every phase, open and closed, against the one table."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from sudare.contest import Contest, Phase, Resource, Round, allowed
from sudare.contest.rules.phases import PERMISSIONS, ROLES, ROUNDS, ContestRole
from sudare.contest.scoring.worker import Worker
from sudare.contest.storage.database import OrderRow
from sudare.web import CSRF_FIELD
from tests.contest.conftest import NewAddress
from tests.contest.site import material
from tests.contest.site.serving import PASSWORD, RULES, House, csrf_token

pytestmark = pytest.mark.xdist_group("permissions")  # one contest for all
SUBMISSIONS = {Resource.SUBMIT_MASK, Resource.SUBMIT_ATTACK}


class Person:
    """Somebody with a browser and a program."""

    def __init__(self, house: House, name: str | None) -> None:
        token = house.token(name) if name else None
        self.browser, self.program = house.browser(token), house.program(token)
        self.word = csrf_token(self.browser.get("/login"))

    def form(self, path: str, **fields: str) -> httpx.Response:
        return self.browser.post(path, data={CSRF_FIELD: self.word, **fields})

    def file(self, path: str, content: bytes) -> httpx.Response:
        return self.browser.post(path, data={CSRF_FIELD: self.word}, files={"file": ("a", content)})

    def get(self, path: str) -> list[httpx.Response]:
        return [self.browser.get(path), self.program.get(f"/api{path}")]


class Scene:
    """A contest in which both rounds have files, attacks and results."""

    def __init__(self, house: House) -> None:
        self.contest = house.contest
        names: dict[ContestRole, str | None] = {
            "visitor": None,
            "team": "Iwashi",
            "referee": "referee",
        }
        self.people = {role: Person(house, name) for role, name in names.items()}
        self.foreign = self.contest.entries(self.contest.accounts.named("Saba"))[0].id

    def put_into(self, phase: Phase, *, is_open: bool) -> None:
        with self.contest.database.writing() as session:
            session.add(OrderRow(phase=phase, is_open=is_open, at=self.contest.clock()))

    def asked(self, role: ContestRole, resource: Resource, round_: Round) -> list[httpx.Response]:
        """Return the answers to all ways of doing or reading something."""
        who, program = self.people[role], self.people[role].program
        mask, attack = material.masked(), material.attack(3)
        team = {"team": "a/b", "password": PASSWORD}  # let in, but not with that name
        asks = {
            Resource.REGISTER: lambda: [
                who.form("/register", **team, again=PASSWORD),
                program.post("/api/teams", json=team),
            ],
            Resource.SUBMIT_MASK: lambda: [
                who.file("/masks", mask),
                program.post("/api/masks", content=mask),
            ],
            Resource.SUBMIT_ATTACK: lambda: [
                who.file("/attacks/Saba", attack),
                program.post("/api/attacks/Saba", content=attack),
            ],
            Resource.CONTROL: lambda: [
                who.browser.get("/referee"),
                who.form("/referee/announce", text="x" * 5000),
                who.form("/referee/open", phase="no phase"),
                program.post("/api/announcements", json={"text": " "}),
                *([] if role == "referee" else [program.post("/api/phases/close")]),
            ],
            Resource.RULES: lambda: [
                who.browser.get("/rules"),
                who.browser.get("/rules/contest.toml"),
                program.get("/api/contest"),
            ],
            Resource.ANNOUNCEMENTS: lambda: [
                who.browser.get("/"),
                program.get("/api/announcements"),
            ],
            Resource.PROGRESS: lambda: [*who.get("/progress"), who.browser.get("/progress/part")],
            Resource.OWN_ENTRIES: lambda: [
                who.browser.get(path) for path in ("/masks", "/masks/part", "/attacks")
            ],
            Resource.ALL_ENTRIES: lambda: [
                *who.get(f"/files/entry/{self.foreign}"),
                program.get(f"/api/entries/{self.foreign}"),
            ],
            Resource.DATA: lambda: who.get(f"/files/{round_}/data"),
            Resource.PUBLISHED: lambda: who.get(f"/files/{round_}/published/Saba"),
            Resource.MASKED: lambda: [
                *who.get(f"/files/{round_}/masked/Saba"),
                *who.get(f"/files/{round_}/pseudonyms/Saba"),
            ],
            Resource.LEADERBOARD: lambda: [
                who.browser.get(f"/leaderboard/{round_}"),
                program.get(f"/api/results/{round_}"),
            ],
            Resource.STATISTICS: lambda: who.get(f"/statistics/{round_}"),
        }
        return asks[resource]()


def let_in(answer: httpx.Response) -> bool:
    """Whether an answer is not a refusal: no such right, no login, no such thing for you."""
    login = answer.headers.get("location", "").startswith("/login")
    refused = answer.status_code in {401, 403} or "no such file" in answer.text
    assert answer.status_code < 500
    return not login and not refused


@pytest.fixture(scope="module")
def scene(
    tmp_path_factory: pytest.TempPathFactory, original: Path, new_address: NewAddress
) -> Iterator[Scene]:
    folder = tmp_path_factory.mktemp("permissions") / "contest"
    rules = replace(RULES, database=new_address())
    contest = Contest.create(folder, rules, original, password=PASSWORD)
    for team in ("Iwashi", "Saba"):
        contest.register(team, PASSWORD)
    teams = {team.name: team for team in contest.teams()}
    with House.of(contest) as house:
        for round_ in ROUNDS:
            contest.open_phase(Phase(f"{round_}-masking"))
            for account in teams.values():
                path = contest.store.draft()
                path.write_bytes(material.masked(3))
                contest.accept_mask(account, path, "a.csv")
            Worker(contest).run(until_idle=True)
            contest.open_phase(Phase(f"{round_}-attack"))
            path = contest.store.draft()
            path.write_bytes(material.attack(3))
            contest.accept_attack(teams["Saba"], "Iwashi", path, "a.csv")
        yield Scene(house)


@pytest.mark.parametrize("phase", list(Phase))
@pytest.mark.parametrize("is_open", [True, False])
def test_everybody_gets_what_the_table_says_and_nothing_else(
    scene: Scene, phase: Phase, is_open: bool
) -> None:
    scene.put_into(phase, is_open=is_open)
    rows = {asked for asked, _ in PERMISSIONS}
    for round_, resource in sorted(rows, key=str):
        if resource in SUBMISSIONS and round_ != (phase.round or "final"):
            continue  # a file goes to the round that is on; nobody can name another
        for role in ROLES:
            may = allowed(role, phase, resource, round_, is_open=is_open)
            for answer in scene.asked(role, resource, round_ or "final"):
                told = (role, resource, round_, str(answer.url), answer.status_code)
                assert let_in(answer) == may, told
                if resource in SUBMISSIONS and may and answer.status_code == 202:
                    assert answer.json()["round"] == phase.round


def test_every_resource_of_the_table_is_asked_for(scene: Scene) -> None:
    for resource in Resource:
        assert scene.asked("visitor", resource, "final")


def test_an_attack_tells_its_team_nothing_before_the_result(scene: Scene) -> None:
    scene.put_into(Phase.FINAL_ATTACK, is_open=True)
    for entry in scene.people["team"].program.get("/api/entries").json():
        assert entry["right"] is None
        assert entry["effective"] is None


def test_a_cookie_opens_no_door_of_the_api(scene: Scene) -> None:
    assert scene.people["team"].browser.get("/api/entries").status_code == 401


@pytest.mark.parametrize(
    "key",
    [
        "../../contest.toml",
        "final/../../secret",
        "%2e%2e/secret",
        "entry/x",
        "99999999999999999999",
        "entry/99999999999999999999",
        "entry/" + "9" * 5000,
        "entry/%D9%A3",
    ],
    ids=lambda key: key[:20],
)
def test_no_key_leads_out_of_the_store(scene: Scene, key: str) -> None:
    for who in scene.people.values():
        for answer in who.get(f"/files/{key}"):
            assert answer.status_code in {303, 401, 403, 404}
