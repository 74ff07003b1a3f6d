"""Words for what the project file and the pages have names for: roles, scales, notices."""

from collections.abc import Mapping

from sudare.core import Message, Role, say

ROLE_TITLES: Mapping[Role, Message] = {
    "identifier": Message("Identifier"),
    "key": Message("Key"),
    "sensitive": Message("Sensitive"),
    "weight": Message("Weight"),
    "household": Message("Household"),
    "other": Message("Other"),
}


def role_title(role: Role) -> str:
    """Return a role as the pages write it."""
    return str(ROLE_TITLES[role])


def role_meaning(role: Role) -> str:
    """Return what a role means, in a sentence."""
    return {
        "identifier": say("Points at one person; never released."),
        "key": say("Others may know it about a person."),
        "sensitive": say("Nobody should learn it from the release."),
        "weight": say("How many people a record stands for."),
        "household": say("Which records live together."),
        "other": say("Everything else."),
    }[role]


def notice(name: str) -> str:
    """Return what a page says about the form that led to it."""
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
