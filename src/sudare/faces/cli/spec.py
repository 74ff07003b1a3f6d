"""Methods on the command line: ``pram``, or ``pram: retain = 0.9, columns = ["sex"]``."""

import operator
import re
import tomllib
from collections.abc import Callable
from pathlib import Path

from sudare import catalog
from sudare.core.errors import SettingError
from sudare.core.masker import Treatment
from sudare.core.measure import Assessment, Result
from sudare.release.recipe import Recipe

_COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
}


def parse_masker(text: str) -> Treatment:
    """Return the masker that a command line word stands for."""
    return catalog.masker(*_split(text))


def recipe_or_steps(path: Path | None, steps: list[str]) -> Recipe:
    """Return the recipe of a file, or one of the steps on the command line."""
    if (path is None) == (not steps):
        raise SettingError("give either a recipe (--recipe) or steps (--step).")
    if path is not None:
        return Recipe.read(path)
    return Recipe("steps", [parse_masker(text) for text in steps])


def parse_measure(text: str) -> Assessment:
    """Return the measure that a command line word stands for.

    Examples
    --------
    >>> parse_measure("uniques: columns = ['sex']")
    Uniques(columns=('sex',))
    """
    return catalog.measure(*_split(text))


def parse_limit(text: str) -> tuple[str, str, float]:
    """Return the measure, the comparison and the number of a limit.

    Examples
    --------
    >>> parse_limit("k-anonymity >= 5")
    ('KAnonymity', '>=', 5.0)
    """
    match = re.fullmatch(r"\s*([\w-]+)\s*(<=|>=|<|>)\s*([-+.\deE]+)\s*", text)
    if match is None:
        raise SettingError("write a limit as 'k-anonymity >= 5'.")
    return catalog.find(match[1]).name, match[2], float(match[3])


def meets(result: Result, comparison: str, number: float) -> bool:
    """Return whether a result is within a limit."""
    return _COMPARISONS[comparison](result.value, number)


def _split(text: str) -> tuple[str, dict[str, object]]:
    name, _, rest = text.partition(":")
    try:
        settings = tomllib.loads(f"settings = {{{rest.strip()}}}")["settings"]
    except tomllib.TOMLDecodeError:
        raise SettingError(
            "'{text}' is not understood; write settings as name = value, for example "
            "\"pram: retain = 0.9, columns = ['sex']\".",
            text=text,
        ) from None
    return name.strip(), settings
