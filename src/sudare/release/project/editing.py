"""Changes of a project file that leave its comments and its order alone."""

import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

import tomlkit
from tomlkit.items import AoT, Comment, Item, Null, Table

PROPOSED = "#?"  # how a comment begins that gives the reason of a proposal


def edited(text: str, changes: Mapping[str, Any]) -> str:
    """Return the text of a project file with some entries changed.

    Parameters
    ----------
    text
        The file as it is.
    changes
        New values, in tables as the file has them; None takes an entry away. The reason of a
        proposal goes with the entry that it was for.

    Examples
    --------
    >>> text = '''# mine
    ... version = 1
    ... [columns.age]
    ... #? usually known
    ... role = "key" # or not
    ... '''
    >>> print(edited(text, {"columns": {"age": {"role": "other"}}}))
    # mine
    version = 1
    [columns.age]
    role = "other" # or not
    <BLANKLINE>
    """
    document = tomlkit.parse(text)
    _merge(document, changes, depth=0)
    return tomlkit.dumps(document)


def with_entry(text: str, name: str, entry: Mapping[str, Any]) -> str:
    """Return the text of a project file with one more table in a list such as ``[[recipes]]``.

    Examples
    --------
    >>> print(with_entry("version = 1", "recipes", {"name": "coarse", "steps": [{"k": 5}]}))
    version = 1
    <BLANKLINE>
    [[recipes]]
    name = "coarse"
    <BLANKLINE>
    [[recipes.steps]]
    k = 5
    <BLANKLINE>
    <BLANKLINE>
    """
    document = tomlkit.parse(text if text.endswith("\n") else text + "\n")
    if name in document:
        document[name].append(_item(entry))
    else:
        document.add(tomlkit.nl())
        document[name] = AoT([_item(entry)])
    return tomlkit.dumps(document)


def unconfirmed(text: str) -> dict[str, set[str]]:
    """Return which entries of which columns are still below the reason of their proposal.

    Examples
    --------
    >>> text = '''
    ... [columns.age]
    ... #? usually known
    ... role = "key"
    ... scale = "ratio"
    ... '''
    >>> unconfirmed(text)
    {'age': {'role'}}
    """
    column, proposed = None, False
    entries: dict[str, set[str]] = {}
    for line in map(str.strip, text.splitlines()):
        if line.startswith("["):
            column, proposed = _column_of(line), False
        elif line.startswith(PROPOSED):
            proposed = True
        elif proposed and column is not None and "=" in line:
            entries.setdefault(column, set()).add(line.partition("=")[0].strip())
            proposed = False
    return entries


def _column_of(heading: str) -> str | None:
    """Return the column that a section is about, if it is about one."""
    try:
        columns = tomllib.loads(heading).get("columns", {})
    except tomllib.TOMLDecodeError:  # an item of a list that has several lines
        return None
    return next(iter(columns), None) if isinstance(columns, Mapping) else None


def _merge(level: Any, changes: Mapping[str, Any], depth: int) -> None:
    for name, value in changes.items():
        if isinstance(value, Mapping) and isinstance(level.get(name), Mapping):
            _merge(level[name], value, depth + 1)
            continue
        _forget_reason(level, name)
        if value is None:
            if name in level:
                level.remove(name)
        elif isinstance(value, Mapping) and depth > 1:  # what a column holds stays on its line
            level[name] = _inline(value)
        else:
            level[name] = _item(value)


def _inline(value: Mapping[str, Any]) -> Any:
    table = tomlkit.inline_table()
    table.update(value)
    return table


def _item(value: Any) -> Any:
    """Return a value as TOML has it; tables in a list are below one another."""
    if isinstance(value, Item):
        return value
    if isinstance(value, Mapping):
        table = tomlkit.table()
        for name, part in value.items():
            table.append(name, _item(part))
        table.add(tomlkit.nl())
        return table
    if isinstance(value, Sequence) and not isinstance(value, str):
        if value and all(isinstance(part, Mapping) for part in value):
            return AoT([_item(part) for part in value])
        return tomlkit.item([_item(part) for part in value])
    return tomlkit.item(value)


def _forget_reason(level: Any, name: str) -> None:
    """Take away the comments above an entry that say why it was proposed."""
    body = level.value.body if isinstance(level, Table) else getattr(level, "body", [])
    places = [line for line, (key, _) in enumerate(body) if key is not None and key.key == name]
    line = places[0] - 1 if places else -1
    while line >= 0 and _is_reason(body[line][1]):
        body[line] = (None, Null())
        line -= 1


def _is_reason(item: object) -> bool:
    return isinstance(item, Comment) and item.as_string().lstrip().startswith(PROPOSED)
