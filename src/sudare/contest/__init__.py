"""The contest in a box: teams mask, attack one another's files, and are ranked.

The server and its database need the extra ``contest``; rules and phases do not.
"""

from typing import TYPE_CHECKING

from sudare.contest.phases import Moment, Phase, Resource, Round, allowed
from sudare.contest.rules import ContestRules, Limits, TableRules
from sudare.core.errors import MissingPartError

if TYPE_CHECKING:
    from sudare.contest.box import Contest

__all__ = [
    "Contest",
    "ContestRules",
    "Limits",
    "Moment",
    "Phase",
    "Resource",
    "Round",
    "TableRules",
    "allowed",
]


def __getattr__(name: str) -> object:
    """Import the contest itself when it is first asked for: it needs a database."""
    if name != "Contest":
        raise AttributeError(name)
    try:
        from sudare.contest.box import Contest
    except ModuleNotFoundError as error:
        raise MissingPartError(
            "contests need {library}; install it with: pip install 'sudare[contest]'",
            library=error.name,
        ) from None
    return Contest
