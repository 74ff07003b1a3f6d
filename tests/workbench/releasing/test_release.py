"""Release and compare: findings are accepted or stop, and the files are the command line's."""

import subprocess
import sys
from pathlib import Path

import pytest

import sudare
from sudare.cli import main
from sudare.workbench.releasing import CHECKING, draws_depend_on
from tests.workbench.serving import Bench, send

COARSE = {
    "name": "coarse",
    "steps": [
        {"method": "intervals", "columns": ["age"], "breaks": {"age": [20, 40, 60]}},
        {"method": "local-suppression", "k": 3, "missing": "category"},
    ],
}
RANDOM = {"name": "random", "steps": [{"method": "pram", "retain": 0.8}]}
SEED = "20260401"


@pytest.fixture
def own(bench: Bench, tmp_path: Path) -> tuple[str, Path]:
    """The address and the file of a reviewed project with two variants."""
    path = tmp_path / "people.csv"
    sudare.write(sudare.datasets.toy(300, seed=2), path)
    changes = {"reviewed": True, "recipes": [COARSE, RANDOM]}
    sudare.Project.create(path).edited(changes).save()
    address = bench.opened(path)
    return address, bench.site.opened(address.rpartition("/")[2]).path


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_release_has_the_bytes_of_the_command_line(bench: Bench, own: tuple[str, Path]) -> None:
    address, file = own
    client, page = bench.browser(), f"{address}/release"
    send(client, f"{page}/texts", page, variant="random", title="People", office="City hall")
    send(client, f"{page}/check", page, variant="random", seed=SEED)
    bench.finish()
    for finding in [f for f in findings(bench, address, "random") if f.stops]:
        told = send(
            client,
            f"{page}/confirm",
            page,
            kind=finding.kind,
            columns="\n".join(finding.columns),
            by="Sato",
            reason="made up",
        )
        assert told.status_code == 303, told.text
    shown = client.get(page, params={"variant": "random"}).text
    assert "It may leave." in shown
    send(client, f"{page}/write", page, variant="random", folder="out")
    bench.finish()
    command = [sys.executable, "-m", "sudare", "report", "-p", str(file), "--recipe", "random"]
    made = subprocess.run(
        [*command, "--folder", str(file.parent / "line"), "--seed", SEED],
        capture_output=True,
        text=True,
        check=False,
        env={**bench.environment(), "SUDARE_LANG": "en"},
    )
    assert made.returncode == 0, made.stderr
    assert content(file.parent / "out") == content(file.parent / "line")
    downloaded = client.get(f"{page}/file/release/masked.csv", params={"variant": "random"})
    assert downloaded.content == (file.parent / "out" / "masked.csv").read_bytes()
    assert downloaded.headers["content-disposition"].startswith("attachment")
    assert SEED not in file.read_text() + client.get(page).text


def findings(bench: Bench, address: str, variant: str) -> list[sudare.release.Finding]:
    """What the gate found, as the page knows it."""
    opened = bench.site.opened(address.rpartition("/")[2])
    project = opened.current()
    state = bench.site.trials.state(opened, CHECKING, project, (variant,), draws_depend_on(project))
    assert state.result is not None, state
    return list(state.result["findings"].confirmed_by(project.confirmations))


def test_what_stops_is_not_written_until_accepted_and_can_be_taken_back(
    bench: Bench, own: tuple[str, Path]
) -> None:
    address, file = own
    client, page = bench.browser(), f"{address}/release"
    send(client, f"{page}/check", page, variant="random")
    bench.finish()
    stops = [f for f in findings(bench, address, "random") if f.stops]
    assert stops
    assert "It may not leave yet." in client.get(page, params={"variant": "random"}).text
    send(client, f"{page}/write", page, variant="random", folder="out")
    bench.finish()
    assert "the gate stops the release" in client.get(page, params={"variant": "random"}).text
    assert not (file.parent / "out").exists()
    about = {"kind": stops[0].kind, "columns": "\n".join(stops[0].columns)}
    refused = send(client, f"{page}/confirm", page, **about, by="", reason="")
    assert refused.status_code == 400
    send(client, f"{page}/confirm", page, **about, by="Sato", reason="known to all")
    (accepted,) = sudare.Project.open(file).sections.release.confirmations
    assert (accepted.kind, accepted.by, accepted.reason) == (stops[0].kind, "Sato", "known to all")
    send(client, f"{page}/confirm", page, **about, action="withdraw")
    assert sudare.Project.open(file).sections.release.confirmations == ()


def test_a_review_has_the_report_and_no_record(bench: Bench, own: tuple[str, Path]) -> None:
    address, file = own
    client, page = bench.browser(), f"{address}/release"
    send(client, f"{page}/review", page, variant="coarse", folder="people-review")
    bench.finish()
    assert "Written to" in client.get(page, params={"variant": "coarse"}).text
    written = {path.name for path in (file.parent / "people-review").iterdir()}
    assert written == {"report.html", "recipe.toml"}  # no list of categories while it is stopped
    client.get(page)
    send(client, f"{page}/check", page, variant="coarse", seed=SEED)
    bench.finish()
    again = {"variant": "coarse", "folder": "people-review", "overwrite": "yes"}
    send(client, f"{page}/review", page, **again)
    bench.finish()
    command = ["report", "-p", str(file), "--recipe", "coarse", "--review", "--seed", SEED]
    with pytest.raises(SystemExit) as ended:
        main([*command, "--folder", str(file.parent / "line")])
    assert ended.value.code == 1  # the households would stop the release
    assert content(file.parent / "people-review") == content(file.parent / "line")
    elsewhere = send(client, f"{page}/review", page, variant="coarse", folder="../elsewhere")
    assert elsewhere.status_code == 400


def test_nothing_is_written_before_the_project_is_reviewed(
    bench: Bench, own: tuple[str, Path]
) -> None:
    address, file = own
    sudare.Project.open(file).edited({"reviewed": False}).save()
    client, page = bench.browser(), f"{address}/release"
    told = send(client, f"{page}/write", page, variant="coarse", folder="out")
    assert told.status_code == 507
    assert not (file.parent / "out").exists()


def test_two_variants_are_compared_without_showing_a_label(
    bench: Bench, own: tuple[str, Path]
) -> None:
    address, _ = own
    client, page = bench.browser(), f"{address}/compare"
    asked = {"first": "coarse", "second": "random", "target": "income"}
    told = send(client, page, page, **asked, input="sex")
    assert told.status_code == 303, told.text
    bench.finish()
    shown = client.get(told.headers["location"]).text
    assert "Pairs of columns that changed most" in shown
    assert "Regression of income" in shown
    assert "female" not in shown
    assert client.get(f"{page}/chart/0", params=asked).status_code == 400
    send(client, "/values", page, show="yes", next="/")
    assert "female" in client.get(told.headers["location"]).text
    query = told.headers["location"].partition("?")[2]
    assert client.get(f"{page}/chart/0?{query}").json()["mark"]
    same = send(client, page, page, first="coarse", second="coarse")
    assert same.status_code == 400
