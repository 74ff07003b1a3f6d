"""Proposals for every column of a table."""

from collections.abc import Iterator

from sudare.core import Column, Microdata, Role, say
from sudare.describe.proposing.headings import concept_of
from sudare.describe.proposing.proposal import Proposal
from sudare.describe.scale_guesses import guess


def proposals(data: Microdata) -> tuple[Proposal, ...]:
    """Return what each column of a table probably is, with reasons; nothing is applied.

    Every column has one proposal of a role and one of a scale; others follow where there is
    something to propose. They stand in the order of the columns.

    Examples
    --------
    >>> import sudare
    >>> proposed = proposals(sudare.datasets.toy())
    >>> next(p for p in proposed if p.what == "role" and p.column == "sex")
    <Proposal 'sex' role='key', 0.90>
    """
    return tuple(proposal for column in data.columns for proposal in _of_column(column))


def _of_column(column: Column) -> Iterator[Proposal]:
    yield _role(column)
    guessed = guess(column)
    yield Proposal(column.name, "scale", guessed.scale, guessed.reason, 0.7)


def _role(column: Column) -> Proposal:
    concept = concept_of(column.name)
    if concept is None:
        reason = say("neither its heading nor its values say what it is about a person")
        return Proposal(column.name, "role", "other", reason, 0.3)
    return Proposal(column.name, "role", concept.role, _why(concept.role, concept.words), 0.9)


def _why(role: Role, meaning: str) -> str:
    if role == "identifier":
        return say("its heading says {meaning}, which points at one person", meaning=meaning)
    if role == "key":
        return say(
            "its heading says {meaning}, which others often know about a person", meaning=meaning
        )
    if role == "sensitive":
        return say("its heading says {meaning}, which a person may not want known", meaning=meaning)
    return say("its heading says {meaning}", meaning=meaning)
