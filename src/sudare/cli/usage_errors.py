"""Mistakes on the line in Japanese: the library that reads it knows English alone.

It gives away finished sentences, so that each is recognized by its form. One that is not known
stays as it is.
"""

import re
from typing import Any

from sudare.cli.help_language import translated
from sudare.core import Message, say

FORMS = (
    (r"No such option: (?P<name>\S+)(?P<hint>.*)", Message("there is no option {name}.{hint}")),
    (
        r"No such command '(?P<name>.*)'\.(?P<hint>.*)",
        Message("there is no command '{name}'.{hint}"),
    ),
    (r"Missing (?:option|argument|parameter) (?P<name>.+)\.", Message("{name} is missing.")),
    (r"Missing (?:option|argument|parameter)\.", Message("a part of the line is missing.")),
    (
        r"Got unexpected extra arguments?(?:\(s\))? \((?P<names>.*)\)",
        Message("too many words: {names}."),
    ),
    (r"Option '?(?P<name>[^']+)'? requires an argument\.", Message("option {name} needs a value.")),
    (
        r"Option '?(?P<name>[^']+)'? does not take a value\.",
        Message("option {name} takes no value."),
    ),
    (
        r"Invalid value for (?P<name>.+?): (?P<reason>.+)",
        Message("invalid value for {name}: {reason}"),
    ),
)
REASONS = (
    (r".*valid integer.*", Message("a whole number is needed.")),
    (r".*valid number.*", Message("a number is needed.")),
    (r".*greater than or equal to (?P<low>\S+)", Message("{low} or more is needed.")),
    (r".*less than or equal to (?P<high>\S+)", Message("{high} or less is needed.")),
    (r"Input should be (?P<words>'.+)", Message("possible are {words}.")),
    (r".* is not one of (?P<words>'.+)\.", Message("possible are {words}.")),
    (r".* does not match the formats? .*%Y-%m-%d.*", Message("a date such as {day} is needed.")),
    (r"\(Possible options: (?P<names>.*)\)", Message("similar ones: {names}.")),
    (r"Did you mean (?P<names>[^?]*)\?.*", Message("similar ones: {names}.")),
)


def shown_usage_error(error: Any) -> str:
    """Return a mistake on the line as it is shown: usage, where help is, what is wrong."""
    lines = []
    if error.ctx is not None:
        translated(error.ctx.command, error.ctx)
        usage = error.ctx.get_usage().partition(" ")[2]
        lines.append(say("Usage: {usage}", usage=usage))
        option = error.ctx.help_option_names[0] if error.ctx.help_option_names else "--help"
        lines.append(say("'{command}' explains it.", command=f"{error.ctx.command_path} {option}"))
    return "\n".join([*lines, "", say("Error: {reason}", reason=sentence(error.format_message()))])


def sentence(english: str) -> str:
    """Return a sentence of the library in the current language.

    Examples
    --------
    >>> from sudare.core import speaking
    >>> with speaking("ja"):
    ...     sentence("Invalid value for '--rows': Input should be greater than or equal to 1")
    '--rows の値が正しくありません: 1 以上にしてください。'
    >>> with speaking("ja"):
    ...     sentence("Invalid value for '--day': '1/4' does not match the formats '%Y-%m-%d'.")
    '--day の値が正しくありません: 2024-04-01 のような日付にしてください。'
    >>> with speaking("ja"):
    ...     sentence("Invalid value for '--family': 'x' is not one of 'mask', 'risk'.")
    "--family の値が正しくありません: 指定できるのは 'mask', 'risk' です。"
    """
    for form, message in FORMS:
        match = re.fullmatch(form, english, re.DOTALL)
        if match:
            facts = {key: value.replace("'", "") for key, value in match.groupdict().items()}
            for part in {"reason", "hint"} & facts.keys():
                facts[part] = _reason(match[part].strip())
            return say(message.template, **facts)
    return english


def _reason(english: str) -> str:
    for form, message in REASONS:
        match = re.fullmatch(form, english, re.DOTALL)
        if match:
            return say(message.template, **{"day": "2024-04-01"} | match.groupdict())
    return english
