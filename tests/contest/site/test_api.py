"""The API against its own description, and the client against the API."""

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from sudare.contest import Contest, Phase
from sudare.contest.client import Client, RefusedRequestError
from sudare.contest.scoring.worker import Worker
from sudare.web import RateLimit
from tests.contest.conftest import NewAddress
from tests.contest.site import material
from tests.contest.site.conftest import MakeHouse
from tests.contest.site.serving import PASSWORD, RULES, House


@pytest.fixture(scope="module")
def described(
    tmp_path_factory: pytest.TempPathFactory, original: Path, new_address: NewAddress
) -> Iterator[House]:
    folder = tmp_path_factory.mktemp("described") / "contest"
    rules = replace(RULES, database=new_address())
    contest = Contest.create(folder, rules, original, password=PASSWORD)
    with House.of(contest) as house:
        for team in ("Iwashi", "Saba"):
            contest.register(team, PASSWORD)
        contest.open_phase(Phase.FINAL_MASKING)
        for team in ("Iwashi", "Saba"):
            path = contest.store.draft()
            path.write_bytes(material.masked())
            contest.accept_mask(contest.accounts.named(team), path, "a.csv")
        Worker(contest).run(until_idle=True)
        contest.open_phase(Phase.FINAL_ATTACK)
        yield house


@pytest.mark.parametrize(
    ("name", "paths", "unchecked"),
    [
        ("Iwashi", ".", ()),
        ("referee", "phases|announcements|entries", ()),
        # a name can be printed, which no pattern of JSON Schema can say
        ("referee", "teams", ("--exclude-checks", "positive_data_acceptance")),
    ],
)
def test_schemathesis_finds_nothing(
    described: House, tmp_path: Path, name: str, paths: str, unchecked: tuple[str, ...]
) -> None:
    token = described.token(name)
    command = [
        *(sys.executable, "-m", "schemathesis.cli", "run", f"{described.url}/api/openapi.json"),
        *("--header", f"Authorization: Bearer {token}", "--checks", "all", "--no-color"),
        *("--phases", "coverage,fuzzing", "--max-examples", "5", "--seed", "1"),
        *("--exclude-path", "/api/sessions/current", "--include-path-regex", paths),
        *("--generation-database", "none", *unchecked),
    ]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout[-5000:] + run.stderr[-2000:]


WRONG = [
    ("sessions", b"{", "the request is not JSON.", "JSON"),
    ("sessions", b'"\xff"', "the request is not JSON.", "JSON"),
    ("sessions", b'{"team": "A"}', "'password' is missing.", "「password」がありません"),
    ("sessions", b'{"team": "A", "password": "hush"}', "shorter than 10", "10文字に足り"),
    ("sessions", b'{"team": "%s", "password": "0123456789"}' % (b"hush" * 11), "40", "40文字"),
    ("sessions", b'{"team": {"hush": 1}, "password": 1}', "'team' is invalid", "「team」が正しく"),
    (
        "sessions",
        b'{"team": "A", "password": "0123456789", "hush": 1}',
        "contains an unknown field",
        "未知の項目",
    ),
    ("sessions", b'["hush"]', "'body' is invalid", "「body」が"),
    ("phases/open", b'{"phase": "hush"}', "'phase' must be one of register,", "のいずれか"),
]


def test_what_is_wrong_with_a_request_is_said_in_both_languages_without_what_was_sent(
    make_house: MakeHouse,
) -> None:
    house = make_house()
    program = house.program(house.token("referee"))
    for (path, sent, told, japanese), language in product(WRONG, ("en", "ja")):
        headers = {"accept-language": language, "content-type": "application/json"}
        answer = program.post(f"/api/{path}", content=sent, headers=headers)
        assert answer.status_code == (400 if b"\xff" in sent else 422)
        assert (told if language == "en" else japanese) in answer.json()["message"]
        assert "hush" not in answer.text


def test_wrong_addresses_are_said_in_both_languages(make_house: MakeHouse) -> None:
    house = make_house()
    program = house.program(house.token("referee"))
    for path in ("entries/hush", "entries/0", "entries/99999999999"):
        told = program.get(f"/api/{path}")
        assert told.status_code == 422
        assert told.json() == {"message": "'entry_id' must be a whole number within its limits."}
    told = program.get("/api/results/hush", headers={"accept-language": "ja"})
    assert told.json() == {"message": "「round」は preliminary, final のいずれかです。"}


def test_a_team_takes_part_from_a_script(make_house: MakeHouse, tmp_path: Path) -> None:
    house = make_house("Iwashi", "Saba", phase=Phase.FINAL_MASKING)
    mask, attack = tmp_path / "masked.csv", tmp_path / "attack.csv"
    mask.write_bytes(material.masked(3))
    attack.write_bytes(material.attack(3))
    with (
        Client(house.url, "Iwashi", PASSWORD) as iwashi,
        Client(house.url, "Saba", PASSWORD) as saba,
    ):
        assert saba.download("final/data", tmp_path / "T.csv").read_bytes() == material.original()
        entry = iwashi.submit_mask(mask)
        assert entry["status"] == "waiting"
        Worker(house.contest).run(until_idle=True)
        assert iwashi.wait(entry["id"])["score"] == 0
        house.contest.open_phase(Phase.FINAL_ATTACK)
        assert "final/published/Iwashi" in [file["key"] for file in saba.files()]
        saba.submit_attack("Iwashi", attack)
        Worker(house.contest).run(until_idle=True)
        assert saba.status()["entries"][0]["named"] == 12
        house.contest.open_phase(Phase.FINAL_RESULT)
        assert iwashi.results()["hits"][0]["effective"]


def test_the_client_says_why_it_was_refused(make_house: MakeHouse, tmp_path: Path) -> None:
    house = make_house("Iwashi")
    with pytest.raises(RefusedRequestError, match="wrong name or password"):
        Client(house.url, "Iwashi", "wrong password")
    with Client(house.url, "Iwashi", PASSWORD) as client:
        (tmp_path / "masked.csv").write_bytes(b"1")
        with pytest.raises(RefusedRequestError) as refused:
            client.submit_mask(tmp_path / "masked.csv")
        assert refused.value.status == 403
        with pytest.raises(RefusedRequestError):
            client.download("final/data", tmp_path / "T.csv")
        assert not (tmp_path / "T.csv").exists()


@pytest.mark.parametrize(("per_minute", "sent"), [(60, 2), (1, 1)])
def test_the_client_waits_a_little_when_it_is_asked_to(
    make_house: MakeHouse, tmp_path: Path, per_minute: float, sent: int
) -> None:
    limit = RateLimit(per_minute=per_minute, burst=1)
    house = make_house("Iwashi", phase=Phase.FINAL_MASKING, uploads=limit)
    mask = tmp_path / "masked.csv"
    mask.write_bytes(material.masked())
    with Client(house.url, "Iwashi", PASSWORD, timeout=20) as client:
        client.submit_mask(mask)
        if sent == 2:
            client.submit_mask(mask)
        else:
            with pytest.raises(RefusedRequestError, match="try again in"):
                client.submit_mask(mask)
        assert len(client.status()["entries"]) == sent


def test_everything_that_arrives_at_once_is_accepted_and_evaluated(
    make_house: MakeHouse, tmp_path: Path
) -> None:
    names = [f"Team {number}" for number in range(4)]
    house = make_house(*names, phase=Phase.FINAL_MASKING)
    mask, attack = tmp_path / "masked.csv", tmp_path / "attack.csv"
    mask.write_bytes(material.masked())
    attack.write_bytes(material.attack())

    def take_part(name: str, targets: list[str]) -> None:
        with Client(house.url, name, PASSWORD) as client:
            for target in targets:
                client.submit_attack(target, attack)
            if not targets:
                client.submit_mask(mask)

    with ThreadPoolExecutor(len(names)) as pool:
        list(pool.map(lambda name: take_part(name, []), names))
        Worker(house.contest).run(until_idle=True)
        house.contest.open_phase(Phase.FINAL_ATTACK)
        others = [[other for other in names if other != name] for name in names]
        list(pool.map(take_part, names, others))
    Worker(house.contest).run(until_idle=True)
    house.contest.open_phase(Phase.FINAL_RESULT)
    hits = house.program().get("/api/results/final").json()["hits"]
    assert len(hits) == 12
    assert {hit["right"] for hit in hits} == {12}
