"""Proposals for every column of a table."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from sudare.core import Microdata, say
from sudare.describe.proposing.column_scales import order_of, scale_of, written_as
from sudare.describe.proposing.derivations import find_derivations
from sudare.describe.proposing.facts import Facts, facts_of
from sudare.describe.proposing.filters import find_filters
from sudare.describe.proposing.proposal import WHATS, Proposal
from sudare.describe.proposing.roles import role_of, settled
from sudare.describe.proposing.twins import find_twins
from sudare.describe.proposing.values import find_absent_words
from sudare.engine.frames import suspected_totals

_FEW = 20  # numbers with a unit that are rather labels in order


def proposals(data: Microdata) -> tuple[Proposal, ...]:
    """Return what each column of a table probably is, with reasons; nothing is applied.

    Every column has one proposal of a role and one of a scale; others follow where there is
    something to propose, in the order of the columns.

    Notes
    -----
    Headings are compared with a list of words in English and Japanese; values with forms (phone
    numbers, addresses, check digits, eras) and lists of labels, at most some hundreds per column.
    Pairs of columns are tried on 2,000 records and what passes is counted on all; in tables of
    more than a hundred columns, only columns that stand close together are paired, except for
    codes and labels that agree record by record.

    Examples
    --------
    >>> import sudare
    >>> proposed = proposals(sudare.datasets.toy())
    >>> next(p for p in proposed if p.what == "role" and p.column == "sex")
    <Proposal 'sex' role='key', 0.98>
    """
    columns = facts_of(_of_records(data))
    in_percent = say("percent signs removed, numbers in percent")
    percent = [note for note in data.notes if in_percent in note]
    twins = find_twins(columns)
    roles = settled({facts.name: role_of(facts) for facts in columns}, twins)
    made: dict[str, list[Proposal]] = defaultdict(list)
    for twin in twins:
        made[twin.code.name].append(twin.proposal())
    for question in find_filters(columns):
        made[question.question.name].extend(question.proposals())
    for derived in find_derivations(columns):
        made[derived.column].append(derived)
    for facts in columns:
        alone = [*_alone(facts, str(roles[facts.name].value))]
        if facts.is_number and any(mark in n for n in percent for mark in _quoted(facts.name)):
            reason = say("its numbers are written in percent")
            scale = Proposal(facts.name, "scale", "ratio", reason, 0.95)
            alone = [scale, *(p for p in alone if p.what not in {"scale", "order"})]
        made[facts.name] += [roles[facts.name], *alone]
    rank = {what: position for position, what in enumerate(WHATS)}
    return tuple(
        proposal
        for facts in columns
        for proposal in sorted(_merged(made[facts.name]), key=lambda p: rank[p.what])
    )


def _merged(proposed: list[Proposal]) -> list[Proposal]:
    """Return the proposals with one list of words for "not applicable": blanks and labels."""
    words = [p for p in proposed if p.what == "not_applicable"]
    if len(words) < 2:
        return proposed
    together = replace(words[0], value=tuple(w for p in words for w in _words(p)))
    return [p for p in proposed if p.what != "not_applicable"] + [together]


def _words(proposal: Proposal) -> tuple[object, ...]:
    return proposal.value if isinstance(proposal.value, tuple) else ()


def _quoted(name: str) -> tuple[str, ...]:
    return f"'{name}'", f"「{name}」"


def _of_records(data: Microdata) -> Microdata:
    """Return the table without records that may be totals: these say nothing of persons."""
    is_kept = data.origin is not None and data.origin.reading.get("totals") == "keep"
    rows = () if is_kept or not data.rows else suspected_totals(data)
    return data.take(np.delete(np.arange(data.rows), rows)) if len(rows) else data


def _alone(facts: Facts, role: str) -> Iterator[Proposal]:
    """Yield what a column says without the others."""
    order, written = order_of(facts), written_as(facts)
    if role in {"identifier", "household"} and written is not None and written.what == "number":
        written = None  # the number of a person or a household counts nothing
    if order is not None and written is not None:
        are_labels = written.what == "number" and role != "weight" and facts.distinct <= _FEW
        if are_labels or written.evidence["strays"]:
            written = None  # 1人, 2人, 3人: labels with an order
        else:
            order = None
    yield scale_of(facts, role, order, written)
    yield from (proposal for proposal in (order, written) if proposal is not None)
    yield from find_absent_words(facts)
    if facts.distinct <= 1:
        reason = (
            say("all records have the same value") if facts.distinct else say("it has no values")
        )
        evidence = {"records": facts.known}
        yield Proposal(
            facts.name, "constant", value=True, reason=reason, confidence=1.0, evidence=evidence
        )
