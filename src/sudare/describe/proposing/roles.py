"""The role of a column: by its heading, by the form of its values, by how often they repeat."""

import re
from collections.abc import Iterable
from dataclasses import replace

from sudare.core import Role, role_word, say
from sudare.describe.proposing.facts import Facts
from sudare.describe.proposing.headings import Concept, concepts
from sudare.describe.proposing.proposal import Proposal
from sudare.describe.proposing.twins import Twin
from sudare.describe.proposing.values import absent_labels, calendar_of, number_rules, topic_of

_SHARED = 30  # values up to which a column that many records share names nobody
_FREE_TEXT = 40  # mean length of answers in people's own words


def role_of(facts: Facts) -> Proposal:
    """Return the role that heading and values suggest; "other" where neither says anything."""
    topic = topic_of(facts)
    by_values = concepts()[topic[0]] if topic is not None else None
    if by_values is not None and topic is not None:
        agreed = facts.concept is not None and facts.concept.role == by_values.role
        if agreed or facts.concept is None or by_values.role == "identifier":
            return _by_values(facts, by_values, topic[1], sure=0.98 if agreed else 0.85)
    if facts.concept is None:
        return _by_counts(facts)
    if facts.known or facts.concept.role == "identifier":
        return _by_heading(facts, facts.concept)
    return _proposal(facts, "other", say("it has no values"), 0.9)


def _proposal(facts: Facts, role: Role, reason: str, confidence: float) -> Proposal:
    evidence = {"records": facts.known, "distinct": facts.distinct}
    return Proposal(facts.name, "role", role, reason, confidence, evidence)


def _by_values(facts: Facts, concept: Concept, count: int, sure: float) -> Proposal:
    reason = say(
        "{count} of the {looked} values examined have the form of {meaning}, {why}",
        count=count,
        looked=len(facts.texts),
        meaning=concept.words,
        why=_why(concept.role),
    )
    return _proposal(facts, concept.role, reason, sure)


def _by_heading(facts: Facts, concept: Concept) -> Proposal:
    if concept.role == "weight" and not _holds_amounts(facts):
        reason = say(
            "its heading says {meaning}, but its values are not numbers", meaning=concept.words
        )
        return _proposal(facts, "other", reason, 0.4)
    if concept.role == "weight" and (lacking := _lacking(facts)):
        reason = say(
            "its heading says {meaning}, but {count} {count:record has|records have} none",
            meaning=concept.words,
            count=lacking,
        )
        return _proposal(facts, "other", reason, 0.4)
    if (
        concept.role == "identifier"
        and 0 < facts.distinct <= _SHARED
        and (facts.known >= 50 * facts.distinct)
    ):
        if concept.name == "address":
            reason = say(
                "its heading says {meaning}, and {records} records share {count} values: "
                "districts, which others often know about a person",
                meaning=concept.words,
                records=facts.known,
                count=facts.distinct,
            )
            return _proposal(facts, "key", reason, 0.7)
        reason = say(
            "its heading says {meaning}, but {records} records share {count} values",
            meaning=concept.words,
            records=facts.known,
            count=facts.distinct,
        )
        return _proposal(facts, "other", reason, 0.5)
    if concept.role in {"weight", "other"}:
        reason = say("its heading says {meaning}", meaning=concept.words)
    elif concept.role == "household":
        reason = say(
            "its heading says {meaning}, and {count} of them have {records} records",
            meaning=concept.words,
            count=facts.distinct,
            records=facts.known,
        )
    else:
        reason = say(
            "its heading says {meaning}, {why}", meaning=concept.words, why=_why(concept.role)
        )
    return _proposal(facts, concept.role, reason, 0.9)


def _by_counts(facts: Facts) -> Proposal:
    is_label = facts.is_whole or not (facts.is_number or _has_decimal_commas(facts))
    if facts.is_unique and is_label and not facts.is_date and calendar_of(facts) is None:
        reason = say("all of its {count} values are different", count=facts.known)
        return _proposal(facts, "identifier", reason, 0.8)
    own = not facts.is_number and facts.known < 50 * facts.distinct
    if own and facts.texts and mean_length(facts.texts) >= _FREE_TEXT:
        reason = say("its values are long texts, which may contain anything")
        return _proposal(facts, "identifier", reason, 0.5)
    if (facts.is_date or calendar_of(facts) is not None) and facts.distinct > 1:
        reason = say("it holds dates, which others often know about a person")
        return _proposal(facts, "key", reason, 0.5)
    reason = say("neither its heading nor its values say what it is about a person")
    return _proposal(facts, "other", reason, 0.3)


def _holds_amounts(facts: Facts) -> bool:
    if facts.is_number:
        return not facts.is_date and (not len(facts.levels) or bool(facts.levels[0] >= 0))
    rules_and_strays = number_rules(facts)
    return not facts.known or (rules_and_strays is not None and not rules_and_strays[1])


def _has_decimal_commas(facts: Facts) -> bool:
    """Return whether text holds amounts such as 12,5: written so, they are measured."""
    if not any(re.fullmatch(r"\d+,\d{1,2}", text) for text in facts.texts):
        return False
    rules_and_strays = number_rules(facts)
    return rules_and_strays is not None and not rules_and_strays[1]


def _lacking(facts: Facts) -> int:
    """Return how many records of a column with values have none, or a word for none."""
    codes = [code for some in absent_labels(facts).values() for code in some]
    return (facts.blank if facts.known else 0) + int(facts.counts[codes].sum())


def mean_length(texts: Iterable[str]) -> float:
    """Return the mean length of some texts; a sign of full width counts twice."""
    lengths = [len(text) * (1 if text.isascii() else 2) for text in texts]
    return sum(lengths) / len(lengths)


def _why(role: Role) -> str:
    if role == "identifier":
        return say("which points at one person")
    if role == "key":
        return say("which others often know about a person")
    return say("which a person may not want known")


def settled(roles: dict[str, Proposal], twins: Iterable[Twin]) -> dict[str, Proposal]:
    """Return roles that fit together: twins share the surer one, and there is one weight."""
    for twin in twins:
        if twin.one_to_one:
            weak, sure = sorted(
                (roles[twin.code.name], roles[twin.label.name]), key=lambda p: p.confidence
            )
            if weak.value != sure.value and weak.confidence < sure.confidence:
                reason = say("it says the same as '{partner}' in other words", partner=sure.column)
                roles[weak.column] = replace(
                    weak, value=sure.value, reason=reason, confidence=sure.confidence - 0.05
                )
    single: tuple[Role, ...] = ("weight", "household")
    for role in single:
        rivals = [proposal for proposal in roles.values() if proposal.value == role]
        rivals.sort(key=lambda p: (-p.confidence, p.column[-1:].isdigit()))  # weight2: a replicate
        for other in rivals[1:]:
            reason = say(
                "its heading also speaks for the role {role}, but only one column can have it, and "
                "'{column}' is proposed",
                role=role_word(role),
                column=rivals[0].column,
            )
            roles[other.column] = replace(other, value="other", reason=reason, confidence=0.4)
        if rivals[1:]:
            reason = say(
                "{reason}; so does that of {others}, of which one may be meant instead",
                reason=rivals[0].reason,
                others=", ".join(other.column for other in rivals[1:6]),
            )
            roles[rivals[0].column] = replace(rivals[0], reason=reason)
    return roles
