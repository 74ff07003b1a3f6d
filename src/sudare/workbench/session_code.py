"""The code of a session: what a screen shows, as Python, as commands, and as the project file."""

import shlex
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import tomli_w

from sudare.core import say
from sudare.release import Project

# Entries of a project that hold labels of the data.
_OF_LABELS = {
    *("order", "missing", "not_applicable", "hierarchy", "hierarchies"),
    *("maps", "where", "domains", "trees", "rules"),
}
_OF_LABELS_OR_NUMBERS = {"top", "bottom"}  # numbers of a person are no labels
_OPTIONS = {"order", "missing"}  # of a method: how it works, no labels
_HIDDEN = "…"


@dataclass(frozen=True)
class SessionCode:
    """How to do without the page what a screen does.

    Attributes
    ----------
    python, command
        Lines after the project was opened, and a command.
    toml
        The project file; labels of the data only where values are shown.
    """

    python: str
    command: str
    toml: str


def session_code(project: Project, python: str, command: str, *, shows_values: bool) -> SessionCode:
    """Return the code of a screen.

    Parameters
    ----------
    project
        The project.
    python
        What follows after ``project`` was opened.
    command
        A command without its project, such as ``sudare describe``; or with ``{project}`` in its
        place, before any name of a user. Such names are quoted for the shell.
    shows_values
        Whether labels of the data are shown.
    """
    name = project.path.name
    quoted = shlex.quote(name)
    opened = f"import sudare\n\nproject = sudare.Project.open({name!r})"
    text = project.text if shows_values else without_labels(project.text)
    return SessionCode(
        python=f"{opened}\n{python}".rstrip(),
        command=command.replace("{project}", quoted, 1)
        if "{project}" in command
        else f"{command} -p {quoted}",
        toml=text,
    )


def without_labels(text: str) -> str:
    r"""Return the text of a project without labels of the data, and without comments.

    Comments may hold them, too: what was proposed and is not certain stands in one.

    Examples
    --------
    >>> print(without_labels('version = 1\n[columns.age]\nrole = "key"\norder = ["low"]\n'))
    # Labels of the data are hidden until values are shown.
    version = 1
    <BLANKLINE>
    [columns.age]
    role = "key"
    order = "…"
    <BLANKLINE>
    """
    told = say("Labels of the data are hidden until values are shown.")
    return f"# {told}\n{tomli_w.dumps(hidden_labels(tomllib.loads(text)))}"


def hidden_labels(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return entries of a project, such as a step of a recipe, without labels of the data.

    Examples
    --------
    >>> hidden_labels({"method": "global-recode", "maps": {"area": {"a": "ab"}}})
    {'method': 'global-recode', 'maps': '…'}
    """
    of_labels = _OF_LABELS - _OPTIONS if "method" in content else _OF_LABELS
    return {
        name: _HIDDEN
        if (name in of_labels and value) or (name in _OF_LABELS_OR_NUMBERS and _has_text(value))
        else _hidden_within(value)
        for name, value in content.items()
    }


def _has_text(value: Any) -> bool:
    return any(map(_has_text, value.values())) if isinstance(value, Mapping) else type(value) is str


def _hidden_within(value: Any) -> Any:
    if isinstance(value, Mapping):
        return hidden_labels(value)
    return [_hidden_within(part) for part in value] if isinstance(value, list) else value
