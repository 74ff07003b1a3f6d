"""What the pages call things, in the reader's language."""

from datetime import UTC, datetime, tzinfo

from markupsafe import Markup

from sudare.contest.entries import Status
from sudare.contest.phases import Moment, Phase, Round
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


def phase_story(moment: Moment) -> str:
    """Return in a sentence what goes on in a phase."""
    if not moment.is_open:
        return say("This phase is closed. The next one has not opened yet.")
    return {
        "register": say("Teams register. Masking opens next."),
        "masking": say(
            "Every team masks the same data: as little lost as possible, and nobody recognizable."
        ),
        "attack": say("Every team tries to recognize people in the other teams' files."),
        "result": say("The round is over. The leaderboard is open to everybody."),
    }[moment.phase.activity]


def state_title(status: Status) -> str:
    """Return what has become of an entry."""
    return {
        "waiting": say("waiting"),
        "running": say("being evaluated"),
        "accepted": say("accepted"),
        "refused": say("refused"),
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


def notice(kind: str | None) -> str:
    """Return what the next page says about what was done."""
    return {
        "received": say("The file was received. It is evaluated by and by."),
        "done": say("Done."),
        "changed": say("The phase has changed meanwhile; nothing was done."),
    }.get(kind or "", "")


def when(at: datetime, zone: tzinfo = UTC) -> Markup:
    """Return a point in time as HTML, on the clock of a zone; pages name the zone at their foot.

    Examples
    --------
    >>> from zoneinfo import ZoneInfo
    >>> when(datetime(2018, 9, 27, tzinfo=UTC), ZoneInfo("Asia/Tokyo"))
    Markup('<time datetime="2018-09-27T00:00:00Z">2018-09-27 09:00</time>')
    """
    return Markup('<time datetime="{}">{}</time>').format(
        at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        at.astimezone(zone).strftime("%Y-%m-%d %H:%M"),
    )


def figure(value: float | None, digits: int = 4) -> str:
    """Return a number as the pages write it, and a dash where there is none.

    Examples
    --------
    >>> figure(0.20639), figure(None), figure(12.5, 1)
    ('0.2064', '–', '12.5')
    """
    return "–" if value is None else f"{value:.{digits}f}"


def size(count: int) -> str:
    """Return a number of bytes as people say it.

    Examples
    --------
    >>> size(300), size(4_500_000)
    ('300 B', '4.5 MB')
    """
    amount = float(count)
    for unit in ("B", "kB", "MB"):
        if amount < 1000:
            return f"{amount:.0f} {unit}" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= 1000
    return f"{amount:.1f} GB"
