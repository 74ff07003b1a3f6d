"""What goes wrong with files: encodings, tables that change or vanish, hostile names and labels."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path

import httpx
import pytest

import sudare
from sudare.core import SettingError
from sudare.workbench.methods import settings_from
from sudare.workbench.opening import has_doubtful_names
from tests.workbench.serving import Bench, send

HOSTILE = "<script>alert(1)</script>"
LONG = "x" * 10_000


@pytest.fixture(scope="module")
def table(bench: Bench) -> Path:
    """A table with a column called like a script, and a label of 10,000 characters."""
    path = bench.folder / "hostile.csv"
    rows = [f"{HOSTILE},{'city & co'},note", *(f"a,b,{LONG}", "<b>,b,short", "a,c,short") * 5]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    changes = {name: {"role": "key"} for name in (HOSTILE, "city & co", "note")}
    sudare.Project.create(path).edited({"columns": changes}).save()
    return path


@pytest.fixture(scope="module")
def hostile(bench: Bench, table: Path) -> str:
    return bench.opened(table)


@pytest.fixture
def restored(table: Path) -> Iterator[Path]:
    """The table, put back afterwards."""
    content, times = table.read_bytes(), table.stat()
    yield table
    table.write_bytes(content)
    os.utime(table, ns=(times.st_atime_ns, times.st_mtime_ns))


def test_hostile_names_and_labels_stay_text_on_every_screen(bench: Bench, hostile: str) -> None:
    client = bench.browser()
    send(client, "/values", f"{hostile}/columns", show="yes", next="/")
    asked = {"column": HOSTILE}
    for screen in ("columns", "roles", "risk", "risk/blame", "recode", "hierarchy", "steps"):
        page = client.get(f"{hostile}/{screen}", params=asked)
        assert page.status_code == 200, page.text
        assert HOSTILE not in page.text
        assert "<b>," not in page.text
    for screen in ("columns", "recode"):
        page = client.get(f"{hostile}/{screen}", params={"column": "note"})
        # In the code of the screen the project may hold the label; no other part shows it whole.
        assert LONG not in page.text.partition('<details class="code">')[0]


def test_columns_of_any_name_are_recoded(bench: Bench, hostile: str, table: Path) -> None:
    client = bench.browser()
    before = table.with_name("hostile.sudare.toml").read_bytes()
    fields = {
        "column": HOSTILE,
        "action": "merge",
        "code": "0",
        "onto": "1",
        "name": "all & sundry",
    }
    answer = send(client, f"{hostile}/recode", f"{hostile}/recode", **fields)
    assert answer.status_code == 303
    shown = client.get(answer.headers["location"])
    assert "<h2>&lt;script&gt;" in shown.text
    project = sudare.Project.open(table.with_name("hostile.sudare.toml"))
    masked = project.apply(project.recipes[0].name, seed=1).data
    assert masked[HOSTILE].coded.labels == ("all & sundry",)
    send(client, f"{hostile}/undo", f"{hostile}/recode", next=f"{hostile}/recode")
    assert table.with_name("hostile.sudare.toml").read_bytes() == before


def test_a_table_that_vanishes_is_told_and_its_counts_stay(
    bench: Bench, hostile: str, restored: Path
) -> None:
    client = bench.browser()
    restored.unlink()
    page = client.get(f"{hostile}/risk").text
    assert "is not there" in page
    assert "stand alone" in page


def test_a_table_that_changes_is_counted_again(bench: Bench, hostile: str, restored: Path) -> None:
    client = bench.browser()
    with restored.open("a", encoding="utf-8") as file:
        file.write("new,new,new\n")
    page = client.get(f"{hostile}/columns").text
    assert "earlier counts" in page
    bench.wait(hostile)
    assert "16 records" in client.get(f"{hostile}/columns").text


def test_a_table_with_other_columns_is_refused_until_the_project_follows(
    bench: Bench, hostile: str, restored: Path
) -> None:
    client = bench.browser()
    restored.write_text("one,two\n1,2\n", encoding="utf-8")
    client.get(f"{hostile}/columns")
    bench.wait(hostile)
    page = client.get(f"{hostile}/columns").text
    assert "no longer has" in page
    assert "Bring the project up to date" in page


def test_a_wrong_encoding_is_told_and_another_one_can_be_chosen(bench: Bench) -> None:
    path = bench.folder / "cp932.csv"
    path.write_bytes("氏名,性別\n山田,男\n鈴木,女\n".encode("cp932"))
    client = bench.browser()
    wrong = client.get("/read", params={"path": str(path), "encoding": "utf-8"})
    assert wrong.status_code == 200
    assert "Open the table like this" not in wrong.text
    right = client.get("/read", params={"path": str(path), "encoding": "cp932"})
    assert "氏名" in right.text
    assert "山田" not in right.text  # a value
    assert "Open the table like this" in right.text


@pytest.mark.parametrize(
    ("lines", "asked"),
    [
        (["name,town", "Ann,Oslo", "Bea,Rome", "Cid,Bonn"], {"skip_rows": "1"}),
        (["Ann,17", "Bea,25", "Cid,31"], {}),
        (["Ann,Oslo", "Bea,Rome", "Cid,Oslo", "Dot,Bonn"], {}),
        (["Ann,Oslo", "Bea,Rome", "Cid,Bonn"], {}),
        (["Ann,,Oslo", "Bea,25,Rome", "Cid,31,Bonn"], {}),
    ],
)
def test_a_record_is_not_shown_as_names_of_columns(
    bench: Bench, lines: list[str], asked: dict[str, str]
) -> None:
    path = bench.folder / "records.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    client = bench.browser()
    shown = client.get("/read", params={"path": str(path), **asked}).text
    assert "Ann" not in shown
    assert ">column 2<" in shown
    send(client, "/values", "/", show="yes", next="/")
    assert "Ann" in client.get("/read", params={"path": str(path), **asked}).text


def test_a_file_whose_first_line_may_be_a_record_is_opened_after_a_person_has_looked(
    bench: Bench,
) -> None:
    path = bench.folder / "nameless.csv"
    path.write_text("Ann,Oslo\nBea,Rome\nCid,Bonn\n", encoding="utf-8")
    client = bench.browser()
    asked = send(client, "/open", "/", path=str(path))
    assert asked.headers["location"].startswith("/read?")
    assert "The first line holds the names" in client.get(asked.headers["location"]).text
    assert bench.site.opening(path, {}).startswith("/read?")  # sudare serve nameless.csv
    assert "Ann" not in client.get("/histories", params={"path": str(path)}).text
    opened = send(client, "/open", "/", path=str(path), names="yes")
    assert opened.headers["location"].startswith("/opening/")
    bench.finish()


@pytest.mark.parametrize(
    "lines",
    [
        ["name,town", "Ann,Oslo", "Bea,Rome"],
        ["氏名,職業", "山田,医師", "鈴木,教師"],
        ["x,y", "Ann,1", "Bea,2"],
    ],
)
def test_names_that_cannot_be_a_record_are_not_asked_about(
    tmp_path: Path, lines: list[str]
) -> None:
    path = tmp_path / "named.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert not has_doubtful_names(path, {})


def test_a_file_that_does_not_fit_on_the_disk_is_refused_before_it_is_sent(bench: Bench) -> None:
    client = bench.browser()
    cookies = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
    connection = HTTPConnection("127.0.0.1", client.base_url.port, timeout=30)
    connection.putrequest("POST", "/upload")
    headers = {"origin": bench.url, "cookie": cookies, "content-length": str(10**15)}
    for name, value in headers.items():
        connection.putheader(name, value)
    connection.endheaders()
    answer = connection.getresponse()
    assert answer.status == 413
    assert b"open it by its path" in answer.read()
    connection.close()


def test_a_file_that_is_dropped_is_readable_by_its_owner_alone(bench: Bench) -> None:
    client = bench.browser()
    token = {"csrf_token": _token(client.get("/").text)}
    files = {"file": ("../dropped.csv", b"a,b\n1,2\n")}
    answer = client.post("/upload", data=token, files=files)
    assert answer.status_code == 303, answer.text
    dropped = bench.folder / "dropped.csv"
    assert dropped.read_bytes() == b"a,b\n1,2\n"
    assert dropped.stat().st_mode & 0o077 == 0
    again = client.post("/upload", data=token, files={"file": ("dropped.csv", b"other")})
    assert again.status_code in {400, 507}
    assert dropped.read_bytes() == b"a,b\n1,2\n"


def test_a_file_is_readable_by_its_owner_alone_while_it_is_sent(bench: Bench) -> None:
    client = bench.browser()
    data = {"csrf_token": _token(client.get("/").text)}
    headers = {"content-type": "multipart/form-data; boundary=parts"}
    files = {"file": ("sent.csv", b"a,b\n1,2\n")}
    form = client.build_request("POST", "/upload", headers=headers, files=files, data=data)
    whole = form.read()
    modes: list[int] = []

    def halves() -> Iterator[bytes]:
        yield whole[:-20]
        for _ in range(600):
            modes[:] = [path.stat().st_mode & 0o777 for path in bench.folder.glob(".*.part")]
            if modes:
                break
            time.sleep(0.05)
        yield whole[-20:]

    answer = client.post("/upload", content=halves(), headers=headers)
    assert answer.status_code == 303, answer.text
    assert modes == [0o600]


@pytest.mark.parametrize(
    "path",
    ["~nosuchuser/x.csv", "x" * 5000, "/" + "x/" * 2500, "a\0b"],
    ids=["user", "name", "folders", "zero"],
)
def test_what_is_no_path_is_refused_with_a_sentence(bench: Bench, path: str) -> None:
    client = bench.browser()
    for answer in (
        send(client, "/open", "/", path=path),
        send(client, "/open", "/", path=path, preview="yes"),
        send(client, "/histories", "/", path=path),
        client.get("/read", params={"path": path}),
        client.get("/histories", params={"path": path}),
    ):
        assert answer.status_code == 400, answer.text
        assert "cannot be opened." in answer.text


DIGITS = "9" * 5000


@pytest.mark.parametrize(
    ("screen", "fields"),
    [
        ("hierarchy", {"column": "age", "action": "widths", "widths": "inf"}),
        ("hierarchy", {"column": "age", "action": "widths", "widths": "5,1e400"}),
        ("hierarchy", {"column": "age", "action": "widths", "widths": "nan"}),
        ("hierarchy", {"column": "age", "action": "group", "leaf": DIGITS, "level": DIGITS}),
        ("hierarchy/apply", {"column": "age", "level": DIGITS}),
        ("recode", {"column": "age", "action": "ends", "top": "inf"}),
        ("recode", {"column": "age", "action": "ends", "bottom": "nan"}),
        ("recode", {"column": "age", "action": "cut", "cuts": "20,1e400"}),
        ("jump", {"step": DIGITS}),
        ("risk/limit", {"k": DIGITS}),
        ("protect/step", {"step": DIGITS}),
    ],
)
def test_numbers_without_end_are_refused_with_a_sentence(
    bench: Bench, project: str, project_file: Path, screen: str, fields: dict[str, str]
) -> None:
    client, before = bench.browser(), project_file.read_bytes()
    answer = send(client, f"{project}/{screen}", f"{project}/roles", **fields)
    assert 400 <= answer.status_code < 500, answer.text
    assert "<h1" in answer.text
    assert project_file.read_bytes() == before


@pytest.mark.parametrize("text", [DIGITS, "[" * 5000], ids=["digits", "brackets"])
def test_a_setting_without_end_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(SettingError, match="as a project file writes it"):
        settings_from(sudare.mask.Microaggregation, {"k": [text]})


@pytest.mark.parametrize("field", ["skip_rows", "header_rows", "sheet"])
def test_a_file_is_not_read_with_a_number_without_end(bench: Bench, field: str) -> None:
    path = bench.folder / "short.csv"
    path.write_text("a,b\n1,2\n", encoding="utf-8")
    answer = bench.browser().get("/read", params={"path": str(path), field: DIGITS})
    assert answer.status_code == 200
    assert ("whole number" in answer.text) == (field != "sheet")


def test_the_preview_joins_names_on_two_lines(bench: Bench) -> None:
    path = bench.folder / "groups.csv"
    path.write_text(",men,,women,\narea,n,pay,n,pay\n" + "A,1,2,3,4\n" * 5, encoding="utf-8")
    answer = bench.browser().get("/read", params={"path": str(path), "totals": "keep"})
    assert "women_pay" in answer.text
    assert '<input type="hidden" name="totals" value="keep">' in answer.text


def _token(page: str) -> str:
    return page.partition('name="csrf_token" value="')[2].partition('"')[0]


def test_a_clock_that_runs_wrong_changes_nothing(
    bench: Bench, hostile: str, restored: Path
) -> None:
    long_ago = time.time_ns() - 10**18
    os.utime(restored, ns=(long_ago, long_ago))
    client = bench.browser()
    assert client.get(f"{hostile}/steps").status_code == 200
    bench.wait(hostile)
    assert "15 records" in client.get(f"{hostile}/columns").text


def test_a_file_of_five_gigabytes_is_opened_where_it_is_and_can_be_left(bench: Bench) -> None:
    path = bench.folder / "large.csv"
    with path.open("wb") as file:
        file.write(b"a,b\n1,2\n3,4\n5,6\n")
        file.truncate(5 * 10**9)  # sparse: it takes no room on the disk
    client = bench.browser()
    shown = client.get("/read", params={"path": str(path)})  # from its beginning alone
    assert "Open the table like this" in shown.text
    answer = send(client, "/open", "/", path=str(path))
    assert answer.status_code == 303, answer.text
    job = answer.headers["location"].rpartition("/")[2]
    assert client.get(answer.headers["location"]).status_code in {200, 303}
    assert client.get("/").status_code == 200  # the page does not wait for it
    client.post(f"/jobs/{job}/cancel", data={"csrf_token": _token(client.get("/").text)})
    assert bench.site.jobs.wait(job).is_over
    assert path.stat().st_size == 5 * 10**9
    path.unlink()


def test_a_server_killed_in_the_middle_of_a_job_says_so_when_it_is_back(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    sudare.write(sudare.datasets.toy(120, seed=2), path)
    recipe = {"name": "a", "steps": [{"method": "pram"}]}
    file = sudare.Project.create(path).edited({"recipes": [recipe]}).save().path
    before = file.read_bytes()
    with served(file, tmp_path) as (client, project, server):
        page = client.get(f"{project}/protect").text
        fields = {"csrf_token": _token(page), "variant": "a"}
        assert client.post(f"{project}/protect/try", data=fields).status_code == 303
        server.kill()
        server.wait()
    assert file.read_bytes() == before
    with served(file, tmp_path) as (client, project, _):
        told = client.get(f"{project}/protect").text
        assert "The server ended while this was running: trial of the variant" in told


@contextmanager
def served(file: Path, state: Path) -> Iterator[tuple[httpx.Client, str, "subprocess.Popen[str]"]]:
    """Serve a project by the real command; yield a client, its address, and the process."""
    command = [sys.executable, "-m", "sudare", "serve", str(file), "--no-browser", "--port", "0"]
    names = {"SUDARE_STATE": str(state / "state"), "SUDARE_LANG": "en"}
    paths = os.pathsep.join(sys.path)
    environment = {**os.environ, **names, "PYTHONPATH": paths}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as server:
        try:
            assert server.stderr is not None
            told = re.search(r"(http://[\d.:]+)(/\S*)#(\S+)", server.stderr.readline())
            assert told is not None
            headers = {"origin": told[1], "accept-language": "en"}
            with httpx.Client(base_url=told[1], headers=headers, timeout=60) as client:
                client.post("/session", content=told[3]).raise_for_status()
                yield client, told[2].rpartition("/")[0], server
        finally:
            server.terminate()
