"""The commands of ``sudare contest``: those of the organizer here, those of a team with its kit."""

import os
import secrets
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sudare.cli.command_list import COMMANDS
from sudare.cli.commands.contest.kit_commands import CHECK, PACK, SCORE, AsJson, check, pack, score
from sudare.cli.commands.contest.results_output import print_results
from sudare.cli.output import note, print_json
from sudare.cli.termination import guarded
from sudare.core import SettingError, say, unknown_name

if TYPE_CHECKING:
    from sudare.contest import Contest, Moment, Round

app = typer.Typer(help=COMMANDS["contest"].help, no_args_is_help=True, add_completion=False)

NEW = """Make a contest in a new folder. Examples:

sudare contest new spring --data T.csv

sudare contest new spring --data T_final.csv --preliminary-data T_first.csv --rules rules.toml
"""
SERVE = """Serve the web site of a contest and score incoming files. Examples:

sudare contest serve spring --port 8018 --workers 2

sudare contest serve spring autumn
"""
CLOSE = """Close the phase and open the next one. Examples:

sudare contest close-phase spring

sudare contest close-phase spring --open final-masking
"""
RESULTS = """Print leaderboard, attackers and who hit whom. Example:

sudare contest results spring --round final --json
"""
EXPORT = """Write teams, entries and results as CSV and JSON. Example:

sudare contest export spring tables
"""
FREEZE = """Freeze the leaderboard that teams and visitors see, or release it. Examples:

sudare contest freeze spring --round final

sudare contest freeze spring --round final --release
"""
RESCORE = """Score all files again by the present rules; old scores are kept. Example:

sudare contest rescore spring --reason "the weights were wrong"
"""
KIT = """Write what a team gets: data, rules, samples, a notebook. Examples:

sudare contest kit https://contest.example kit --team Iwashi

sudare contest kit spring kit --team Iwashi
"""
PASSWORD = "SUDARE_REFEREE_PASSWORD"  # noqa: S105
TEAM_PASSWORD = "SUDARE_TEAM_PASSWORD"  # noqa: S105

Folder = Annotated[Path, typer.Argument(help="the folder of the contest")]


def new(
    *,
    folder: Annotated[Path, typer.Argument(help="a folder that does not exist yet")],
    data: Annotated[
        Path | None, typer.Option("--data", help="T: a purchase history, or a table")
    ] = None,
    preliminary_data: Annotated[
        Path | None, typer.Option(help="T of the preliminary round, if it has its own")
    ] = None,
    rules: Annotated[
        Path | None, typer.Option(help="the rules in TOML (default: those of 2018)")
    ] = None,
    title: Annotated[str | None, typer.Option(help="title of the pages")] = None,
    database: Annotated[
        str | None, typer.Option(help="address of a PostgreSQL database (default: SQLite)")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Make a contest."""
    from sudare.contest import Contest, ContestRules

    stated = ContestRules() if rules is None else ContestRules.read(rules)
    stated = replace(stated, title=title or stated.title, database=database or stated.database)
    password = os.environ.get(PASSWORD) or secrets.token_urlsafe(12)
    files: dict[Round, Path | None] = {"preliminary": preliminary_data or data, "final": data}
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
    folders: Annotated[list[Path], typer.Argument(help="the folder of the contest, or of several")],
    host: Annotated[str, typer.Option(help="address to listen on")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="port to listen on")] = 8018,
    workers: Annotated[
        int, typer.Option(min=0, help="number of processes that score files, per contest")
    ] = 2,
    proxy: Annotated[str, typer.Option(help="address of a proxy in front of the server")] = "",
) -> None:
    """Serve a contest until it is interrupted."""
    for folder in folders:
        _open(folder).close()  # with a clear word when a library is missing, or the folder is wrong
    from sudare.contest import serve as run

    run(
        folders,
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
        str | None, typer.Option("--round", help="preliminary or final (default: the last)")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Print who won."""
    contest = _open(folder)
    chosen = _chosen_round(contest, round_)
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
        print_results(content, contest.book())


def export(
    *,
    folder: Folder,
    output: Annotated[Path, typer.Argument(help="a folder that does not exist yet")],
) -> None:
    """Write everything as tables."""
    from sudare.contest import write_export

    contest = _open(folder)
    names = write_export(contest, output)
    contest.close()
    note(say("{path} has {count} {count:file|files}.", path=output, count=len(names)))


def freeze(
    *,
    folder: Folder,
    round_: Annotated[
        str | None, typer.Option("--round", help="preliminary or final (default: the last)")
    ] = None,
    release: Annotated[
        bool, typer.Option("--release", help="release it: show it as it is now")
    ] = False,
) -> None:
    """Freeze the leaderboard."""
    contest = _open(folder)
    chosen = _chosen_round(contest, round_)
    if release:
        contest.unfreeze(contest.referee(), chosen)
        note(say("everybody sees the leaderboard as it is."))
    else:
        contest.freeze(contest.referee(), chosen)
        note(say("everybody but the referee sees the leaderboard as it is now."))
    contest.close()


def rescore(
    *,
    folder: Folder,
    reason: Annotated[str, typer.Option(help="the reason; kept with the old scores")],
) -> None:
    """Score all files again."""
    contest = _open(folder)
    count = contest.rescore(contest.referee(), reason)
    contest.close()
    note(say("{count} {count:file is|files are} scored again.", count=count))


def kit(
    *,
    source: Annotated[str, typer.Argument(help="the folder of the contest, or its address")],
    output: Annotated[Path, typer.Argument(help="a folder that does not exist yet")],
    team: Annotated[str, typer.Option(help="the name of the team")],
) -> None:
    """Write what a team gets."""
    from sudare.contest import kit_from_folder, kit_from_server

    if source.startswith(("http://", "https://")):
        password = os.environ.get(TEAM_PASSWORD, "")
        if not password:
            raise SettingError("set the team's password in {variable}.", variable=TEAM_PASSWORD)
        kit_from_server(source, team, password, output)
    else:
        kit_from_folder(Path(source), team, output)
    note(say("the kit is in {path}; begin with README.md there.", path=output))


def _chosen_round(contest: "Contest", name: str | None) -> "Round":
    rounds = contest.rules.rounds
    if name is not None and name not in rounds:
        raise SettingError("the contest has no round '{name}'.", name=name)
    return next((round_ for round_ in rounds if round_ == name), rounds[-1])


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
    ("export", EXPORT, export),
    ("freeze", FREEZE, freeze),
    ("rescore", RESCORE, rescore),
    ("kit", KIT, kit),
    ("check", CHECK, check),
    ("score", SCORE, score),
    ("pack", PACK, pack),
):
    app.command(name, help=text)(guarded(function, serves=function is serve))
