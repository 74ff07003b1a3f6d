"""What settles a problem of a table: entries of the project, from what was proposed."""

from collections.abc import Mapping, Sequence
from typing import Any

from sudare.describe import Problem, Proposal

_ROLES = {"identifier", "weight", "household"}
_WORDS = {"missing", "not_applicable"}


def fix_of(problem: Problem, proposed: Sequence[Proposal]) -> dict[str, dict[str, Any]]:
    """Return the entries that settle a problem, by column; empty where a person must decide.

    Examples
    --------
    >>> from sudare.describe import Problem
    >>> fix_of(Problem("identifier", "…", ("name",), "…"), ())
    {'name': {'role': 'identifier'}}
    """
    values: dict[tuple[str, str], Any] = {(p.column, p.what): p.value for p in proposed}
    return {
        name: entries
        for name in problem.columns
        if (entries := _entries(problem.kind, name, values))
    }


def _entries(kind: str, name: str, values: Mapping[tuple[str, str], Any]) -> dict[str, Any]:
    """Return the entries of one column."""
    entries: dict[str, Any] = {}
    if kind in _ROLES:
        entries = {"role": kind}
    elif kind == "filter":
        entries = {"not_applicable": [""]}
    elif kind in {"number", "date"}:
        words = {what: list(values[name, what]) for what in _WORDS if (name, what) in values}
        entries = {"type": kind, **words}
    elif kind == "strays":
        entries = {"type": "text"}
    elif kind == "codes":
        entries = {"scale": values[name, "scale"]}
    elif kind == "order":
        entries = {"scale": "ordinal", "order": list(values[name, "order"])}
    elif kind in _WORDS:
        entries = {kind: list(values[name, kind])}
    return entries
