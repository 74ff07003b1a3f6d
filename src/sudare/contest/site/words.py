"""What the pages call things, in the reader's language."""

from sudare.contest.entries import EntryStatus
from sudare.contest.rules import Moment, Phase, Round
from sudare.core import say


def phase_title(phase: Phase) -> str:
    """Return the name of a phase.

    Examples
    --------
    >>> phase_title(Phase.FINAL_ATTACK)
    'Final attack'
    """
    return {
        Phase.REGISTER: say("Registration"),
        Phase.PRELIMINARY_MASKING: say("Preliminary masking"),
        Phase.PRELIMINARY_ATTACK: say("Preliminary attack"),
        Phase.PRELIMINARY_RESULT: say("Preliminary result"),
        Phase.FINAL_MASKING: say("Final masking"),
        Phase.FINAL_ATTACK: say("Final attack"),
        Phase.FINAL_RESULT: say("Final result"),
    }[phase]


def round_title(round_: Round) -> str:
    """Return the name of a round."""
    return say("Preliminary round") if round_ == "preliminary" else say("Final round")


def phase_summary(moment: Moment) -> str:
    """Return in a sentence what happens in a phase."""
    if not moment.is_open:
        return say("This phase is closed. The next one has not opened yet.")
    return {
        "register": say("Teams register. Masking opens next."),
        "masking": say(
            "Every team masks its data: as little lost as possible, and nobody recognizable."
        ),
        "attack": say("Every team tries to recognize people in the other teams' files."),
        "result": say("The round is over. The leaderboard is open to everybody."),
    }[moment.phase.activity]


def status_title(status: EntryStatus) -> str:
    """Return what has become of an entry."""
    return {
        "waiting": say("waiting"),
        "running": say("being scored"),
        "accepted": say("accepted"),
        "refused": say("refused"),
    }[status]


def team_status(status: str) -> str:
    """Return whether a team takes part."""
    return {
        "active": say("takes part"),
        "waiting": say("waits for approval"),
        "removed": say("removed"),
    }[status]


def error_title(name: str) -> str:
    """Return what a column of the tables of statistics is headed."""
    return {
        "itemsets": say("frequent itemsets"),
        "wholesale": say("wholesale"),
        "retail": say("retail"),
        "top": say("top 100 items"),
        "rows": say("row count"),
        "top items": say("set of top items"),
        "sum": say("sum"),
        "mean": say("mean"),
        "variance": say("variance"),
        "sd": say("sd"),
        "max": say("maximum"),
        "min": say("minimum"),
        "median": say("median"),
    }.get(name, name)


def number_title(name: str) -> str:
    """Return what a number of a result is called."""
    return {
        "score": say("score"),
        "parts": say("its parts"),
        "missed": say("limits missed"),
        "named": say("how many were named"),
        "utility": say("utility"),
        "protection": say("protection"),
        "attack": say("attack"),
        "points": say("points"),
    }.get(name, name)


def notice(name: str) -> str:
    """Return what the next page says about what was done, by the name of the notice."""
    return {
        "received": say("The file was received. Scoring takes a minute."),
        "done": say("Done."),
        "changed": say("The phase has changed in the meantime; nothing was done."),
    }.get(name, "")
