"""What was done: every step with its columns, and the settings that matter."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from sudare.catalog import find
from sudare.core import Setting, Step, say, shown
from sudare.release.report.document import Block, Items, Table, Text
from sudare.release.report.sections.results import Edition

if TYPE_CHECKING:
    from sudare.release.publishing import Publication

_LONGEST = 60  # characters of a setting that are shown


def method_blocks(publication: "Publication", edition: Edition) -> Iterator[Block]:
    """Yield the steps in a table, then what each of them does and where it comes from."""
    steps = publication.steps
    with_settings = edition == "internal" or publication.may_show_recipe
    if not steps:
        yield Text(say("Nothing is masked."))
        return
    yield Table(
        [say("step"), say("method"), say("columns"), *[say("settings")] * with_settings],
        [
            [
                number,
                say(find(step.method).title),
                say(", ").join(step.columns) or say("whole records"),
                *[_settings(step)] * with_settings,
            ]
            for number, step in enumerate(steps, 1)
        ],
    )
    entries = [find(method) for method in dict.fromkeys(step.method for step in steps)]
    yield Items([f"{say(entry.title)}: {entry.summary}" for entry in entries])
    for step in steps:
        yield from _weights(step)
    sources = [f"{say(entry.title)}: {entry.references}" for entry in entries if entry.references]
    if sources:
        yield Text(heading=say("Literature"), level=3)
        yield Items(sources)


def _settings(step: Step) -> str:
    stated = say(", ").join(f"{name} = {value}" for name, value in telling(step).items())
    return stated or say("; ").join(_learnt(step))


def telling(step: Step) -> dict[str, str]:
    """Return the settings of a step that matter: other than usual, or how strongly it masks.

    Examples
    --------
    >>> telling(Step("Pram", ("sex",), {"retain": 0.8, "change": "frequencies"}))
    {'retain': '0.8'}
    """
    settings = find(step.method).settings
    limited = (s.name for s in settings if s.limit is not None)
    strength = next((name for name in limited if step.settings.get(name) is not None), None)
    return {
        setting.name: _worded(step.settings[setting.name])
        for setting in settings
        if _matters(setting, step.settings, strength)
    }


def _learnt(step: Step) -> Iterator[str]:
    """Yield the numbers that a step publishes of its columns, where no setting says them."""
    for name in step.columns:
        numbers = {
            fact: shown(value)
            for fact, value in step.public.get(name, {}).items()
            if isinstance(value, int | float)
        }
        if numbers:
            facts = say(", ").join(f"{fact} = {value}" for fact, value in numbers.items())
            yield f"{name}: {facts}"


def _matters(setting: Setting, stated: Mapping[str, object], strength: str | None) -> bool:
    value = stated.get(setting.name)
    if value is None:
        return False
    return setting.name == strength or setting.required or value != setting.default


def _worded(value: object) -> str:
    if isinstance(value, Mapping):
        text = say(", ").join(f"{name}: {_worded(part)}" for name, part in value.items())
        if len(text) > _LONGEST:
            return say("stated for {columns}", columns=say(", ").join(map(str, value)))
        return text
    if isinstance(value, tuple | list):
        return say(", ").join(map(_worded, value))
    return shown(value)


def _weights(step: Step) -> Iterator[Block]:
    """Yield what became of the weights where whole records were left out."""
    if step.method == "Subsample" and step.columns:
        yield Text(
            say(
                "Weights were multiplied by N/n of the stratum, the number of records before over "
                "that after the sample was drawn; totals keep their expectation."
            )
        )
    elif step.method == "Subsample":
        share = step.settings.get("share")
        yield Text(
            say("There are no weights: each record stands for 1/{share} records.", share=share)
            if share
            else say("There are no weights: each record stands for equally many of its stratum.")
        )
    elif step.method == "RemoveRecords" and step.columns:
        yield Text(
            say(
                "Weights of the records that stay were scaled to the sum of all; what was removed "
                "is spread over the others."
            )
        )
    elif step.method == "RemoveRecords":
        yield Text(
            say("Weights were left as they are: the file stands for those who were not removed.")
        )
