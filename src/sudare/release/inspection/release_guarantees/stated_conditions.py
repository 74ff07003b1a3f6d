"""Conditions that a promise states of itself, whatever the gate found."""

from collections.abc import Iterator, Sequence

from sudare.core import Message
from sudare.release.inspection.release_guarantees.guarantees import Condition


def covered(names: Sequence[str]) -> Message:
    """Return that what a promise does not cover needs none."""
    return Message("Only these columns need this protection: {columns}.", columns=", ".join(names))


def file_alone() -> Condition:
    """Return that numbers published beside the file are not counted."""
    text = Message(
        "It covers the file: where measures of the original are published beside it, they add at "
        "most 1 to ε."
    )
    return Condition(text, None)


def blanks_known() -> Condition:
    """Return that blanks are not hidden."""
    text = Message(
        "Whether a person has a value in these columns is no secret: blanks stay as they are."
    )
    return Condition(text, None)


def missing_count(count: int) -> Iterator[Condition]:
    """Yield how many records show that they have no value, which is not randomized."""
    if count:
        yield Condition(
            Message(
                "Missing values are not randomized: {count} {count:record shows|records show} "
                "that {count:it has|they have} none. k counts only records that lack the same.",
                count=count,
            )
        )


def other_keys(others: Sequence[str]) -> Iterator[Condition]:
    """Yield which keys tell records apart that are hidden among each other."""
    if others:
        text = Message(
            "Keys that were not randomized are released: {columns}. k counts only records that "
            "agree in them.",
            columns=", ".join(others),
        )
        yield Condition(text)
