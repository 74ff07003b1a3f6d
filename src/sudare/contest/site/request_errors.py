"""What is wrong with a request to the API, in the reader's language and without what was sent."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from sudare.core import say

_PLACES = ("body", "path", "query", "header")


def complaint(errors: Iterable[Mapping[str, Any]]) -> str:
    """Return one sentence for each error that pydantic found.

    Examples
    --------
    >>> complaint([{"type": "missing", "loc": ("body", "team"), "input": {"password": "…"}}])
    "'team' is missing."
    """
    return " ".join(dict.fromkeys(_sentence(one) for one in errors))


def _sentence(error: Mapping[str, Any]) -> str:
    name, limits = _field(error["loc"]), error.get("ctx", {})
    limit = limits.get("min_length", limits.get("max_length"))
    words = ", ".join(re.findall(r"'([^']*)'", str(limits.get("expected"))))
    one_of = say("'{name}' must be one of {words}.", name=name, words=words)
    number = say("'{name}' must be a whole number within its limits.", name=name)
    return {
        "missing": say("'{name}' is missing.", name=name),
        "string_too_short": say(
            "'{name}' is shorter than {limit} characters.", name=name, limit=limit
        ),
        "string_too_long": say(
            "'{name}' is longer than {limit} characters.", name=name, limit=limit
        ),
        "enum": one_of,
        "literal_error": one_of,
        "int_parsing": number,
        "greater_than_equal": number,
        "less_than_equal": number,
        "json_invalid": say("the request is not JSON."),
        # The name of a field that is not known was made up by the sender.
        "extra_forbidden": say("the request holds a field that is not known here."),
    }.get(error["type"], say("'{name}' is not in order.", name=name))


def _field(location: Iterable[str | int]) -> str:
    """Return the name of a field without the part of the request that it stands in."""
    first, *rest = [str(part) for part in location]
    return ".".join(rest if rest and first in _PLACES else [first, *rest])
