"""Obstacles to masking a table well, grouped by cause: each once, with a remedy."""

import shlex
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal
from unicodedata import normalize

from sudare.core import Categorical, Label, Microdata, say
from sudare.describe.associations import Association
from sudare.describe.obstacles import Pattern
from sudare.describe.proposing import Filter, Proposal, What, proposals

Kind = Literal[
    "identifier", "weight", "household", "filter", "missing", "not_applicable", "number", "date",
    "strays", "codes", "order", "twin", "derived", "constant", "spelling", "obstacle",
]  # fmt: skip
_SURE = 0.8
_MOST_LABELS = 10_000  # whose spelling is compared
_ABSENCE: Mapping[Literal["missing", "not_applicable"], str] = {
    "missing": "--missing",
    "not_applicable": "--not-applicable",
}
_NAMING = {"identifier", "household", "weight"}


@dataclass(frozen=True)
class Problem:
    """A cause, the columns it concerns, and what to do about it.

    Attributes
    ----------
    kind
        A word for programs.
    cause, remedy
        A sentence each, without a value of the data. Words for "no answer" are named in
        ``command``, since they come from a public list.
    command
        What to write on the command line to apply the remedy; empty where there is no option.
    """

    kind: Kind
    cause: str
    columns: tuple[str, ...]
    remedy: str
    command: str = ""


def problems(
    data: Microdata,
    pairs: Association | None = None,
    proposed: Sequence[Proposal] | None = None,
) -> tuple[Problem, ...]:
    """Return what should be settled before a table is masked; the gravest first.

    Parameters
    ----------
    data
        The table.
    pairs
        Its associations, if they were computed: what has none is explained.
    proposed
        Its proposals, if they were made.

    Examples
    --------
    >>> import sudare
    >>> survey = sudare.datasets.survey_like(2_000, seed=1)
    >>> problem = problems(survey)[0]
    >>> problem.cause, problem.columns
    ('They point at single persons and are not declared as identifiers.', ('一連番号',))
    >>> problem.command
    "--identifier '一連番号'"
    """
    made = proposals(data) if proposed is None else proposed
    groups = [*_roles(data, made), *_filters(made), *_words(made), *_types(data, made)]
    groups += [*_scales(data, made), *_repeated(made), *_spellings(data)]
    explained = {name for problem in groups for name in problem.columns}
    explained |= {p.column for p in made if p.what == "filter"}  # that is what filters are for
    if pairs is not None:
        groups += _obstacles(pairs, explained)
    return tuple(groups)


def _roles(data: Microdata, proposed: Sequence[Proposal]) -> Iterator[Problem]:
    open_roles = [
        p for p in proposed
        if p.what == "role" and data[p.column].role == "other" and p.confidence >= _SURE
    ]  # fmt: skip
    names = tuple(p.column for p in open_roles if p.value == "identifier")
    if names:
        yield Problem(
            "identifier",
            say("They point at single persons and are not declared as identifiers."),
            names,
            say("Declare them, so that they are never published or used as keys."),
            _options("--identifier", names),
        )
    for name in (p.column for p in open_roles if p.value == "weight"):
        cause = say("It holds sampling weights and is not declared.")
        remedy = say("Declare it, so that counts and risks refer to the population.")
        command = _options("--weights", (name,)) + _words_of((name,), proposed)
        yield Problem("weight", cause, (name,), remedy, command)
    for name in (p.column for p in open_roles if p.value == "household"):
        cause = say("It holds household numbers and is not declared.")
        remedy = say("Declare it, so that members of a household are protected together.")
        yield Problem("household", cause, (name,), remedy, _options("--household", (name,)))


def _filters(proposed: Sequence[Proposal]) -> Iterator[Problem]:
    blanks = {p.column for p in proposed if p.what == "not_applicable"}
    asked: dict[str, list[str]] = defaultdict(list)
    for proposal in proposed:
        if isinstance(proposal.value, Filter) and proposal.column in blanks:
            asked[proposal.value.column].append(proposal.column)
    for decider, names in asked.items():
        cause = say(
            "They were asked only where '{column}' has certain answers, and are blank for all "
            "others.",
            column=decider,
        )
        remedy = say("Read their blanks as not applicable.")
        command = _options("--not-applicable", [f"{name}=" for name in names])
        yield Problem("filter", cause, tuple(names), remedy, command)


def _words(proposed: Sequence[Proposal]) -> Iterator[Problem]:
    causes = {
        "missing": say("They have values that usually mean no answer."),
        "not_applicable": say("They have words that usually mean not applicable."),
    }
    remedies = {
        "missing": say("Read these values as missing."),
        "not_applicable": say("Read these words as not applicable."),
    }
    for kind, option in _ABSENCE.items():
        words = _with_words(proposed, kind)
        if words:
            command = _options(option, _assigned(words))
            yield Problem(kind, causes[kind], tuple(words), remedies[kind], command)


def _with_words(proposed: Sequence[Proposal], what: What) -> dict[str, list[str]]:
    """Return the words of a kind by column; blanks belong to filter questions."""
    words = {
        p.column: [str(word) for word in p.value if word]
        for p in proposed
        if p.what == what and isinstance(p.value, tuple)
    }
    return {name: listed for name, listed in words.items() if listed}


def _words_of(names: Sequence[str], proposed: Sequence[Proposal]) -> str:
    """Return options for the words of columns, without which they cannot be read as numbers."""
    options = ""
    for what, option in _ABSENCE.items():
        words = _with_words(proposed, what)
        own = {name: words[name] for name in names if name in words}
        options += f" {_options(option, _assigned(own))}" if own else ""
    return options


def _assigned(words: Mapping[str, Iterable[str]]) -> list[str]:
    return [f"{name}={word}" for name, listed in words.items() for word in listed]


def _types(data: Microdata, proposed: Sequence[Proposal]) -> Iterator[Problem]:
    stated = data.reading.get("types", {})
    texts = {
        what: [p for p in proposed if p.what == what and p.column not in stated]
        for what in ("number", "date")
    }
    words: dict[Literal["number", "date"], tuple[str, str]] = {
        "number": (say("They are text and hold numbers."), say("Read them as numbers.")),
        "date": (say("They hold dates and were not read as such."), say("Read them as dates.")),
    }
    for kind, (cause, remedy) in words.items():
        names = tuple(p.column for p in texts[kind] if not p.evidence["strays"])
        if names:
            command = _options("--type", [f"{name}={kind}" for name in names])
            yield Problem(kind, cause, names, remedy, command + _words_of(names, proposed))
    serials = tuple(p.column for p in texts["date"] if p.value == "serial")
    if serials:
        cause = say("They seem to hold days as Excel counts them, not dates.")
        remedy = say("Format their cells as dates in the workbook, and save it again.")
        yield Problem("strays", cause, serials, remedy)
    strays = tuple(
        p.column
        for some in texts.values()
        for p in some
        if p.evidence["strays"] and p.column not in serials
    )
    if strays:
        cause = say("They hold numbers or dates, and values that cannot be read as such.")
        remedy = say("Name these values (--missing, --not-applicable), or keep them as text.")
        command = _options("--type", [f"{name}=text" for name in strays])
        yield Problem("strays", cause, strays, remedy, command)


def _scales(data: Microdata, proposed: Sequence[Proposal]) -> Iterator[Problem]:
    written = {p.column for p in proposed if p.what in {"number", "date", "order", "constant"}}
    written |= {p.column for p in proposed if p.what == "role" and p.value in _NAMING}
    codes = tuple(
        p.column
        for p in proposed
        if p.what == "scale"
        and p.value in {"nominal", "ordinal"}
        and data[p.column].scale in {"ratio", "interval"}
        and p.column not in written
    )
    if codes:
        values = {p.column: p.value for p in proposed if p.what == "scale"}
        yield Problem(
            "codes",
            say("Their numbers are codes or labels, not amounts."),
            codes,
            say("Give them the scale of labels."),
            _options("--scale", [f"{name}={values[name]}" for name in codes]),
        )
    ordered = tuple(
        p.column for p in proposed if p.what == "order" and data[p.column].scale != "ordinal"
    )
    if ordered:
        remedy = say("Let a project keep the order that is proposed.")
        cause = say("Their labels have an order that is not used.")
        yield Problem("order", cause, ordered, remedy, "sudare init")


def _repeated(proposed: Sequence[Proposal]) -> Iterator[Problem]:
    words: dict[Literal["twin", "derived", "constant"], tuple[str, str]] = {
        "twin": (
            say("They say the same as another column, or say it in more detail."),
            say("Leave one of each pair out, or mask both together: one gives the other away."),
        ),
        "derived": (
            say("They follow from other columns by a sum, a difference or a ratio."),
            say("Leave them out before masking, and compute them again afterwards."),
        ),
        "constant": (
            say("They have one value at most."),
            say("Leave them out: they carry no information."),
        ),
    }
    for kind, (cause, remedy) in words.items():
        names = tuple(dict.fromkeys(p.column for p in proposed if p.what == kind))
        if names:
            yield Problem(kind, cause, names, remedy)


def _spellings(data: Microdata) -> Iterator[Problem]:
    names = tuple(
        column.name
        for column in data.columns
        if isinstance(column, Categorical) and _spelled_apart(column.labels)
    )
    if names:
        cause = say("They have labels that differ only in blanks or in the width of characters.")
        remedy = say("Write each label in one way: now they count as different values.")
        yield Problem("spelling", cause, names, remedy)


def _spelled_apart(labels: Sequence[Label]) -> bool:
    texts = [label for label in labels if isinstance(label, str)]
    if len(texts) > _MOST_LABELS:
        return False
    alike = {"".join(normalize("NFKC", text).split()) for text in texts}
    return len(alike) < len(texts)


def _obstacles(pairs: Association, explained: set[str]) -> Iterator[Problem]:
    """Yield why associations cannot be computed, for columns of which nothing was said yet."""
    groups: dict[Pattern, dict[str, None]] = defaultdict(dict)
    for pair in pairs.obstacles:
        names = [name for name in (pair.first, pair.second) if name not in explained]
        if pair.obstacle is not None and len(names) == 2:
            groups[pair.obstacle.pattern].update(dict.fromkeys(names))
    for pattern, columns in groups.items():
        cause, remedy = _pattern_words(pattern)
        yield Problem("obstacle", cause, tuple(columns), remedy)


def _pattern_words(pattern: Pattern) -> tuple[str, str]:
    if pattern == "B":
        return (
            say('Some have one value besides missing ones: "none" was probably coded as missing.'),
            say('Give "none" a category of its own, and "not applicable" a word of its own.'),
        )
    if pattern == "C":
        return (
            say("Some keep not applicable as a blank or a code, others as missing."),
            say("Code not applicable in the same way in all of them, and study them separately."),
        )
    if pattern == "A":
        return (
            say("No record has values in all of them: they were asked of different people."),
            say("Give not applicable a word of its own when reading, and study them separately."),
        )
    return (
        say("Some have a single value among the records that have the others."),
        say("Leave them out, or use more records."),
    )


def _options(option: str, words: Iterable[str]) -> str:
    return " ".join(f"{option} {shlex.quote(word)}" for word in words)
