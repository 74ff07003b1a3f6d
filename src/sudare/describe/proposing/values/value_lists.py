"""The word lists of ``values.toml``."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from sudare.describe.proposing.facts import plain_text


@cache
def words(*path: str) -> frozenset[str]:
    """Return the words of one list, as :func:`plain_text` has them."""
    return frozenset(plain_text(word) for word in _at(path)["words"])


@cache
def topics() -> Mapping[str, frozenset[str]]:
    """Return by concept the labels that tell that a column is about it."""
    return {name: words("about", name) for name in _listed()["about"]}


@cache
def orders() -> tuple[Mapping[str, int], ...]:
    """Return the lists of ordered labels: the place of each word."""
    return tuple(
        {
            plain_text(word): position
            for position, alike in enumerate(entries)
            for word in alike.split("|")
        }
        for entries in _listed()["order"].values()
    )


@cache
def number_words(kind: str) -> tuple[str, ...]:
    """Return the parts of headings whose numbers are "codes", or "classes" in order."""
    return tuple(plain_text(word) for word in _listed()["numbers"][kind])


def _at(path: tuple[str, ...]) -> Mapping[str, list[str]]:
    entry: Any = _listed()
    for name in path:
        entry = entry[name]
    return entry


@cache
def _listed() -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath("values.toml").read_text(encoding="utf-8"))
