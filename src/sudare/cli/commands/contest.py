"""``sudare contest``: a contest from its rules to its results."""

import os
import secrets
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sudare.cli.command_list import COMMANDS
from sudare.cli.guard import guarded
from sudare.cli.output import note, print_json, print_rows
from sudare.core import SettingError, say, unknown_name

if TYPE_CHECKING:
    from sudare.catalog import Subject
    from sudare.contest import Contest, Moment, Round

app = typer.Typer(help=COMMANDS["contest"].help, no_args_is_help=True, add_completion=False)

NEW = """Make a contest in a new folder. Examples:

sudare contest new spring --data T.csv

sudare contest new spring --data T_final.csv --preliminary-data T_first.csv --rules rules.toml
"""
SERVE = """Serve the web site of a contest and score incoming files. Example:

sudare contest serve spring --port 8018 --workers 2
"""
CLOSE = """Close the phase and open the next one. Examples:

sudare contest close-phase spring

sudare contest close-phase spring --open final-masking
"""
RESULTS = """Print leaderboard, attackers and who hit whom. Example:

sudare contest results spring --round final --json
"""
PASSWORD = "SUDARE_REFEREE_PASSWORD"  # noqa: S105

Folder = Annotated[Path, typer.Argument(help="the folder of the contest")]
AsJson = Annotated[bool, typer.Option("--json", help="print JSON")]


def new(
    *,
    folder: Annotated[Path, typer.Argument(help="a folder that does not exist yet")],
    data: Annotated[Path, typer.Option("--data", help="T: a purchase history, or a table")],
    preliminary_data: Annotated[
        Path | None, typer.Option(help="T of the preliminary round, if it has its own")
    ] = None,
    rules: Annotated[
        Path | None, typer.Option(help="the rules in TOML; by default those of 2018")
    ] = None,
    title: Annotated[str | None, typer.Option(help="title of the pages")] = None,
    database: Annotated[
        str | None, typer.Option(help="address of a PostgreSQL database; default SQLite")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Make a contest."""
    from sudare.contest import Contest, ContestRules

    stated = ContestRules() if rules is None else ContestRules.read(rules)
    stated = replace(stated, title=title or stated.title, database=database or stated.database)
    password = os.environ.get(PASSWORD) or secrets.token_urlsafe(12)
    files: dict[Round, Path] = {"preliminary": preliminary_data or data, "final": data}
    contest = Contest.create(folder, stated, files, password=password)
    contest.close()
    shown = None if os.environ.get(PASSWORD) else password
    if as_json:
        print_json({"folder": str(folder), "referee": "referee", "password": shown})
        return
    note(say("the contest is in {path}; its rules are in contest.toml there.", path=folder))
    if shown is not None:
        note(say("log in as 'referee' with the password: {password}", password=shown))
    note(say("start it with: sudare contest serve {path}", path=folder))


def serve(
    *,
    folder: Folder,
    host: Annotated[str, typer.Option(help="address to listen on")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="port to listen on")] = 8018,
    workers: Annotated[int, typer.Option(min=0, help="processes that score files")] = 2,
    proxy: Annotated[str, typer.Option(help="address of a proxy in front of the server")] = "",
) -> None:
    """Serve a contest until it is interrupted."""
    _open(folder).close()  # with a clear word when a library is missing, or the folder is wrong
    from sudare.contest import serve as run

    run(
        folder,
        host=host,
        port=port,
        workers=workers,
        proxy=proxy,
        on_start=lambda address: note(say("the contest is open at {address}", address=address)),
    )


def close_phase(
    *,
    folder: Folder,
    open_phase: Annotated[
        str | None, typer.Option("--open", help="open this phase instead of the next")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Close the phase."""
    from sudare.contest import Phase

    contest = _open(folder)
    if open_phase is not None and open_phase not in contest.rules.phases:
        raise unknown_name("phase", open_phase, contest.rules.phases)
    moment = contest.close_phase() if open_phase is None else contest.open_phase(Phase(open_phase))
    contest.close()
    _tell_phase(moment, as_json=as_json)


def results(
    *,
    folder: Folder,
    round_: Annotated[
        str | None, typer.Option("--round", help="preliminary or final; by default the last")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Print who won."""
    contest = _open(folder)
    rounds = contest.rules.rounds
    if round_ is not None and round_ not in rounds:
        raise SettingError("the contest has no round '{name}'.", name=round_)
    chosen = rounds[-1] if round_ is None else round_
    referee = contest.referee()
    standings = contest.standings(referee, chosen)
    content: dict[str, Any] = {
        "leaderboard": [asdict(line) | {"safe": line.safe} for line in standings.leaderboard()],
        "attackers": [asdict(line) for line in standings.attackers()],
        "hits": [asdict(hit) for hit in standings.hits()],
        "waiting": standings.waiting,
        "statistics": asdict(contest.statistics(referee, chosen)),
        "progress": asdict(contest.progress()),
    }
    contest.close()
    if as_json:
        print_json({"round": chosen, **content})
    else:
        _print_results(content, contest.rules.subject)


def _print_results(content: dict[str, Any], subject: "Subject") -> None:
    if content["waiting"]:
        note(say("Files still being scored: {count}.", count=content["waiting"]))
    if not content["leaderboard"]:
        note(say("there is no valid masked file yet."))
    tables = subject == "table"
    _print_lines(
        say("Leaderboard"),
        [line | {"missed": say(", ").join(line["missed"])} for line in content["leaderboard"]],
        {
            say("rank"): "rank",
            say("team"): "team",
            say("score") if tables else "U": "score",
            say("attacks"): "attacks",
            say("hits"): "hits",
            **({say("limits missed"): "missed"} if tables else {}),
        },
    )
    _print_lines(
        say("Attackers"),
        content["attackers"],
        {
            say("rank"): "rank",
            say("team"): "team",
            say("attacks"): "attacks",
            say("files hit"): "effective",
        },
    )
    _print_lines(
        say("Who hit whom"),
        [hit for hit in content["hits"] if hit["effective"]],
        {
            say("attacker"): "attacker",
            say("attacked team"): "target",
            say("named"): "named",
            say("right"): "right",
            say("needed"): "needed",
        },
    )


def _print_lines(title: str, lines: list[dict[str, Any]], columns: dict[str, str]) -> None:
    """Print a table: its columns by what they are headed, and a dash where nothing is known."""
    rows = [
        {head: "–" if line[name] is None else line[name] for head, name in columns.items()}
        for line in lines
    ]
    print_rows(rows, title=title)


def _open(folder: Path) -> "Contest":
    from sudare.contest import Contest

    return Contest.open(folder)


def _tell_phase(moment: "Moment", *, as_json: bool) -> None:
    if as_json:
        print_json({"phase": moment.phase, "open": moment.is_open})
    elif moment.is_open:
        note(say("the phase '{phase}' is open.", phase=moment.phase))
    else:
        note(say("the phase '{phase}' is closed.", phase=moment.phase))
    if moment.skipped:
        phases = say(", ").join(moment.skipped)
        note(say("these phases will not open by themselves; use --open: {phases}.", phases=phases))


for name, text, function in (
    ("new", NEW, new),
    ("serve", SERVE, serve),
    ("close-phase", CLOSE, close_phase),
    ("results", RESULTS, results),
):
    app.command(name, help=text)(guarded(function, serves=function is serve))
