"""What pages say about the form that led to them."""

from sudare.core import say


def notice(name: str) -> str:
    """Return a notice by its name."""
    return {
        "saved": say("Saved."),
        "undone": say("The step was undone."),
        "redone": say("The step was made again."),
        "restored": say("The last sound version of the project was written again."),
        "confirmed": say("The finding was accepted; the project says so."),
        "withdrawn": say("The finding is no longer accepted."),
        "values-shown": say("Values of the data are shown in this session."),
        "values-hidden": say("Values of the data are hidden."),
    }.get(name, "")
