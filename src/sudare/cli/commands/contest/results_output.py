"""The results of a contest, as tables."""

from typing import TYPE_CHECKING, Any

from sudare.cli.output import note, print_rows
from sudare.core import say

if TYPE_CHECKING:
    from sudare.contest.rulebooks import RuleBook


def print_results(content: dict[str, Any], book: "RuleBook") -> None:
    """Print the leaderboard, the attackers and who hit whom."""
    if content["waiting"]:
        note(say("Files still being scored: {count}.", count=content["waiting"]))
    if not content["leaderboard"]:
        note(say("there is no valid masked file yet."))
    missed = "missed" in book.files[0].at_once
    title = say("score") if missed else book.score_title
    title = say("points") if book.weights else title
    _print_lines(
        say("Leaderboard"),
        [line | {"missed": say(", ").join(line["missed"])} for line in content["leaderboard"]],
        {
            say("rank"): "rank",
            say("team"): "team",
            title: "score",
            say("attacks"): "attacks",
            say("hits"): "hits",
            **({say("limits missed"): "missed"} if missed else {}),
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
