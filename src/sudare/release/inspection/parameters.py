"""Published parameters with so many digits that they tell a record to who knows all others."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from sudare.core import Message, Step
from sudare.release.inspection.findings import Finding

_DIGITS = 4  # an analyst needs fewer
_FOLLOWING = {"retain", "epsilon", "scale"}  # from settings, published ranges and counts


def find_precise_parameters(steps: Iterable[Step]) -> Iterator[Finding]:
    """Yield the columns of which steps publish numbers of more digits than an analyst needs.

    Settings may have any digits: a person chose them, and they tell nothing of the data. Neither
    do the entries of matrices, which follow from settings and rounded shares.
    """
    for step in steps:
        stated = set(_numbers(step.settings))
        for name, public in step.public.items():
            precise = [
                parameter
                for parameter, value in public.items()
                if isinstance(value, float) and parameter not in _FOLLOWING
                if _is_precise(value) and value not in stated
            ]
            if precise:
                yield _finding(step.method, name, precise)


def _numbers(settings: Any) -> Iterator[float]:
    """Yield all numbers in settings, however deep."""
    if isinstance(settings, Mapping):
        settings = list(settings.values())
    if isinstance(settings, list | tuple):
        for part in settings:
            yield from _numbers(part)
    elif isinstance(settings, int | float):
        yield float(settings)


def _is_precise(number: float) -> bool:
    """Return whether a number has more than a few significant digits."""
    return float(f"{number:.{_DIGITS}g}") != number


def _finding(method: str, column: str, parameters: list[str]) -> Finding:
    facts = {"method": method, "column": column, "parameters": ", ".join(parameters)}
    detail = Message(
        "{method} publishes {parameters} of '{column}' with so many digits that who knows all "
        "records but one finds the last.",
        **facts,
    )
    remedy = Message("State the parameter, or have the method round it before it draws.")
    return Finding("precise-parameters", (column,), 0, "stop", detail, remedy)
