"""Filter questions: columns with answers only where another column has certain answers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sudare.core import Codes, Flags, Integers, say
from sudare.describe.proposing.facts import Facts
from sudare.describe.proposing.proposal import Filter, Proposal

_MOST_ANSWERS = 150
_LEAST_SHARED = 2  # records per answer of a column that decides
_LEAST_BLANK = 5  # records that were not asked
_ALL_PAIRS = 100  # columns up to which each may be the filter of each
_NEAR = 30  # columns before a question that are tried in wider tables
_STRAY = 0.002  # share of the answers that may come from people who were not asked
_AMISS = 0.05  # share of the people not asked who may have answered all the same
_UNANSWERED = 0.2  # share of the people asked who may not have answered


@dataclass(frozen=True)
class FilterQuestion:
    """A question and the column that decides who was asked.

    Attributes
    ----------
    answers
        Codes of the answers that lead to the question.
    asked, unanswered, strays
        Numbers of records: with such an answer, without an answer to the question among them, and
        with an answer to the question elsewhere.
    """

    question: Facts
    decider: Facts
    answers: Integers
    asked: int
    unanswered: int
    strays: int

    def proposals(self) -> Iterator[Proposal]:
        """Yield the filter, and what the blanks mean."""
        evidence = {
            "asked": self.asked,
            "unanswered": self.unanswered,
            "not_asked": len(self.question.codes) - self.asked,
            "strays": self.strays,
        }
        labels = tuple(self.decider.labels[code] for code in self.answers.tolist())
        facts = {
            "column": self.decider.name,
            "answers": len(labels),
            "count": self.decider.distinct,
            "strays": self.strays,
        }
        reason = (
            say(
                "it has values only where '{column}' has {answers} of its {count} answers: others "
                "were not asked",
                **facts,
            )
            if not self.strays
            else say(
                "it has values only where '{column}' has {answers} of its {count} answers, except "
                "in {strays} {strays:record|records}, which should be checked",
                **facts,
            )
        )
        sure = 0.95 if not (self.strays or self.unanswered) else 0.8
        name = self.question.name
        yield Proposal(name, "filter", Filter(self.decider.name, labels), reason, sure, evidence)
        if self.question.column.missing.any():
            yield self._blanks(evidence, sure)

    def _blanks(self, evidence: dict[str, int], sure: float) -> Proposal:
        reason = say(
            "{count} {count:record is|records are} blank "
            "because '{column}' says that they were not asked",
            count=evidence["not_asked"],
            column=self.decider.name,
        )
        if self.unanswered:
            reason = say(
                "{reason}; {count} more {count:was|were} asked "
                "and {count:is|are} blank too, and cannot be told apart",
                reason=reason,
                count=self.unanswered,
            )
        return Proposal(self.question.name, "not_applicable", ("",), reason, sure, evidence)


def find_filters(columns: Sequence[Facts]) -> list[FilterQuestion]:
    """Return by whom each question with blanks was asked, where another column tells."""
    asked_of: dict[bytes, FilterQuestion | None] = {}
    asked = []
    for position, question in enumerate(columns):
        least = max(0.01 * len(question.codes), _LEAST_BLANK)
        if not (question.blank >= least and question.known >= 10):
            continue
        pattern = np.packbits(question.codes >= 0).tobytes()
        if pattern not in asked_of:
            asked_of[pattern] = _decided(question, _deciders(columns, position))
        first = asked_of[pattern]
        if first is not None and first.decider is not question:
            asked.append(replace(first, question=question))
    return asked


def _deciders(columns: Sequence[Facts], position: int) -> Iterator[Facts]:
    """Yield the columns that may decide: nearest before the question first, then those after it."""
    all_pairs = len(columns) <= _ALL_PAIRS
    start = 0 if all_pairs else max(position - _NEAR, 0)
    after = columns[position + 1 :] if all_pairs else ()
    for facts in (*columns[start:position][::-1], *after):
        # A column that names each record explains any blanks, and so explains none.
        if 2 <= facts.distinct <= min(_MOST_ANSWERS, facts.known // _LEAST_SHARED):
            yield facts


def _decided(question: Facts, deciders: Iterator[Facts]) -> FilterQuestion | None:
    """Return the column that explains the blanks best: fewest records amiss, fewest answers."""
    sampled, whole = question.sampled >= 0, question.codes >= 0
    best: tuple[tuple[float, int], FilterQuestion] | None = None
    for decider in deciders:
        if _split(decider, decider.sampled, sampled) is None:
            continue
        answers = _split(decider, decider.codes, whole)
        if answers is None:
            continue
        asked = _asked(question, decider, answers, whole)
        # An order of magnitude: a blank or two more must not favor a column of many answers.
        amiss = np.ceil(np.log2(1 + asked.strays * 100 + asked.unanswered))
        rank = (float(amiss), decider.distinct)
        if best is None or rank < best[0]:
            best = rank, asked
    return None if best is None else best[1]


def _split(decider: Facts, codes: Codes, answered: Flags) -> Integers | None:
    """Return the answers that lead to the question, if the blanks follow the answers at all."""
    size = len(decider.labels)
    everyone = np.bincount(codes + 2, minlength=size + 2)
    answering = np.bincount(codes[answered] + 2, minlength=size + 2)
    shares = answering[2:] / np.maximum(everyone[2:], 1)
    leads = (shares >= 1 - _UNANSWERED) & (everyone[2:] > 0)
    turns_away = (everyone[2:] > 0) & ~leads
    strays = int(answering[2:][~leads].sum() + answering[:2].sum())
    total = int(answering.sum())
    asked = int(everyone[2:][leads].sum())
    unanswered = asked - int(answering[2:][leads].sum())
    not_asked = len(codes) - asked
    plausible = strays <= _STRAY * total and strays <= _AMISS * not_asked
    explained = unanswered <= min(_UNANSWERED / 2 * asked, not_asked)
    is_filter = leads.any() and turns_away.any() and plausible and explained
    return np.flatnonzero(leads) if is_filter else None


def _asked(question: Facts, decider: Facts, answers: Integers, answered: Flags) -> FilterQuestion:
    is_asked = np.isin(decider.codes, answers)
    return FilterQuestion(
        question,
        decider,
        answers,
        asked=int(is_asked.sum()),
        unanswered=int((is_asked & ~answered).sum()),
        strays=int((answered & ~is_asked).sum()),
    )
