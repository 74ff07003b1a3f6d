"""The guided first run: on a sample, each screen says what to do there, and where to go next."""

from collections.abc import Mapping
from dataclasses import dataclass

from sudare.core import Message
from sudare.workbench.screen_list import HISTORY_SCREENS, SCREENS

_TEXTS: Mapping[str, tuple[Message, str]] = {
    "columns": (
        Message(
            "Each card is a column. What should be settled first stands above the cards; "
            "“Fix it” does what is proposed, and “Undo” takes any step back."
        ),
        "screen",
    ),
    "roles": (
        Message(
            "Say what somebody outside may know about a person: these are the keys. Drag a "
            "column or choose its role, then accept what you have checked."
        ),
        "screen",
    ),
    "risk": (
        Message(
            "The sentence at the top says who is alone with these keys. Move the slider to the "
            "smallest group that you accept, and make it a limit of the release."
        ),
        "k",
    ),
    "recode": (
        Message(
            "Merge categories or cut numbers, and watch how many people are still alone. Every "
            "“Why?” says what a number means and what would improve it."
        ),
        "screen",
    ),
    "protect": (
        Message(
            "A variant is a stack of methods. Make one, add a step and try it; or state a limit "
            "and search for a recipe."
        ),
        "screen",
    ),
    "map": (
        Message(
            "Compare all variants by risk and loss. Down and to the left is better; open the one "
            "that you want to look at."
        ),
        "screen",
    ),
    "compare": (
        Message("Look at two variants side by side: what an analyst would see in each."),
        "screen",
    ),
    "release": (
        Message(
            "Nothing leaves without the gate: settle or accept what it finds, then write the "
            "masked file with its report."
        ),
        "screen",
    ),
    "history": (
        Message(
            "Check what was read, confirm it, and add variants: groups of k customers publish the "
            "same purchases."
        ),
        "screen",
    ),
    "attackers": (
        Message("Let all attackers try a variant, and see which analyses it still allows."),
        "screen",
    ),
    "publish": (
        Message("Make it a limit that no attack is effective, then write the release."),
        "screen",
    ),
    "steps": (
        Message(
            "Everything that you did is here; go back to any step. This is the end of the tour."
        ),
        "screen",
    ),
}


@dataclass(frozen=True)
class TourStop:
    """What the guide says on one screen.

    At the end, ``following`` is empty.
    """

    number: int
    of: int
    text: str
    target: str
    following: str


def tour_stop(screen: str, subject: str) -> TourStop | None:
    """Return what the guide says on a screen; None where it has nothing to say.

    Examples
    --------
    >>> stop = tour_stop("roles", "table")
    >>> stop.number, stop.following
    (2, 'risk')
    """
    names = list(HISTORY_SCREENS if subject == "history" else SCREENS)
    if screen not in names:
        return None
    position = names.index(screen)
    text, target = _TEXTS[screen]
    return TourStop(
        position + 1, len(names), str(text), target, "".join(names[position + 1 : position + 2])
    )
