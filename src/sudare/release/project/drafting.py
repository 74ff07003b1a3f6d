"""The first text of a project: what was found and proposed, each with its reason beside it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, get_args

import tomlkit

from sudare.core import say, settings_of
from sudare.describe import Proposal
from sudare.release.project.editing import PROPOSED
from sudare.release.project.sections import (
    VERSION,
    ColumnSection,
    LimitsSection,
    MeasuresSection,
    ReleaseSection,
    ReportSection,
    is_section,
)

_ENTRIES = {
    "role": "role",
    "scale": "scale",
    "order": "order",
    "missing": "missing",
    "not_applicable": "not_applicable",
    "number": "type",
    "date": "type",
}
_TO_FILL_IN = {
    "limits": LimitsSection,
    "measures": MeasuresSection,
    "report": ReportSection,
    "release": ReleaseSection,
}
_EXAMPLE = (
    "# [[recipes]]",
    '# name = "coarse"',
    "# [[recipes.steps]]",
    '# method = "global-recode"',
    "# min_share = 0.05",
)
_LIKELY = 0.5  # what is less likely is written as a comment
_LONGEST = 100  # characters of a line


@dataclass(frozen=True)
class Draft:
    """What the first text of a project is made of.

    Attributes
    ----------
    source
        Path of the table, from the folder of the project.
    file
        How the file is read: encoding, separator and so on.
    columns
        Names of the columns, in their order.
    fingerprint
        Digest of the names.
    proposals
        What is proposed for the columns.
    stated
        By column, entries that a person stated; nothing is proposed in their place.
    """

    source: str
    file: Mapping[str, Any]
    columns: tuple[str, ...]
    fingerprint: str
    proposals: tuple[Proposal, ...]
    stated: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def text(self) -> str:
        """Return the text of the file, with comments in the current language."""
        blocks = [self._top(), self._data(), *self.column_texts().values(), *_to_fill_in()]
        return "\n\n".join(blocks) + "\n"

    def column_texts(self) -> dict[str, str]:
        """Return the text of each column's section, by column."""
        proposed: dict[str, list[Proposal]] = {name: [] for name in self.columns}
        for proposal in self.proposals:
            proposed[proposal.column].append(proposal)
        return {
            name: "\n".join(
                [
                    f"[columns.{tomlkit.key(name).as_string()}]",
                    *_entries(proposed[name], self.stated.get(name, {})),
                ]
            )
            for name in self.columns
        }

    def _top(self) -> str:
        told = (
            say("A sudare project: what is known about one table, and how it is released."),
            say("An entry below a comment that begins with #? is a proposal, and this its reason."),
            say("Check each one, correct what is wrong, then set reviewed to true."),
            say("Until then nothing is released."),
        )
        words = {setting.name: setting.help for setting in settings_of(ColumnSection)}
        lines = [f"# {text}" for text in told]
        lines += [f"# {name}: {say(words[name])}" for name in ("role", "scale")]
        return "\n".join([*lines, entry("version", VERSION), entry("reviewed", value=False)])

    def _data(self) -> str:
        told = {"source": self.source, **self.file, "fingerprint": self.fingerprint}
        lines = ["[data]"]
        for name, value in told.items():
            if name == "header_rows" and value:
                reason = say("the names of the columns seem to be on several lines")
                lines.append(f"{PROPOSED} {say('likely')}: {reason}")
            lines.append(entry(name, value))
        return "\n".join(lines)


def entry(name: str, value: object) -> str:
    """Return one line of TOML; a long list has a line for each of its items."""
    item = tomlkit.item(list(value) if isinstance(value, tuple) else value)
    line = f"{tomlkit.key(name).as_string()} = {item.as_string()}"
    if isinstance(item, tomlkit.items.Array) and len(line) > _LONGEST:
        item.multiline(multiline=True)
        line = f"{tomlkit.key(name).as_string()} = {item.as_string()}"
    return line


def _entries(proposed: Iterable[Proposal], stated: Mapping[str, Any]) -> Iterator[str]:
    told = set(stated)
    by_entry = [(_entry_name(proposal), proposal) for proposal in proposed]
    yield from (f"# {proposal.reason}" for name, proposal in by_entry if name is None)
    for name, proposal in by_entry:
        if name is not None and name not in told:
            yield from _proposal(name, proposal)
            told.add(name)
    yield from (entry(name, value) for name, value in stated.items())


def _entry_name(proposal: Proposal) -> str | None:
    """Return the entry that a proposal fills in; None for what is only good to know."""
    if proposal.what == "date" and proposal.value == "year":
        return None  # the year of a date is a number
    return _ENTRIES.get(proposal.what)


def _proposal(name: str, proposal: Proposal) -> Iterator[str]:
    value = proposal.what if name == "type" else proposal.value
    if proposal.confidence >= _LIKELY:
        likely = say("very likely") if proposal.confidence >= 0.9 else say("likely")
        yield from (f"{PROPOSED} {likely}: {proposal.reason}", entry(name, value))
    elif value == "other":
        yield from (f"{PROPOSED} {say('unknown')}: {proposal.reason}", entry(name, value))
    else:
        yield f"# {say('perhaps')}: {proposal.reason}"
        yield from (f"# {line}" for line in entry(name, value).splitlines())


def _to_fill_in() -> Iterator[str]:
    yield "\n".join([f"# {say('Recipes to try, for example:')}", *_EXAMPLE])
    for name, section in _TO_FILL_IN.items():
        lines = [f"[{name}]"]
        for setting in settings_of(section):
            line = entry(setting.name, setting.default)
            is_table = is_section(get_args(setting.kind)[0]) if get_args(setting.kind) else False
            lines += [f"# {say(setting.help)}", f"# {line}" if is_table else line]
        yield "\n".join(lines)
