"""What a package of rules says about a file, checked before anything else relies on it."""

import math
from collections.abc import Mapping
from typing import Any

from sudare.contest.rulebooks.rule_book import MASK, EvaluationResult, problem_from_json

_LARGEST_COUNT = (1 << 31) - 1
_MOST_PARTS = 100
_MOST_PROBLEMS = 1000
_LONGEST_TEXT = 1000


def is_result(kind: str, result: object) -> bool:
    """Return whether a result has all that the leaderboard needs, and only numbers that are some.

    Examples
    --------
    >>> is_result("mask", {"result": {"score": 0.5, "parts": {}}})
    True
    >>> is_result("mask", {"result": {"score": float("nan"), "parts": {}}})
    False
    """
    if not isinstance(result, dict):
        return False
    if "result" not in result:
        return _are_problems(result)
    content = result["result"]
    if not isinstance(content, dict):
        return False
    return _is_mask(content) if kind == MASK else _is_attack(content)


def _is_mask(content: Mapping[str, Any]) -> bool:
    return (
        _is_number(content.get("score"))
        and _are_numbers(content.get("parts"))
        and _are_numbers(content.get("own_attacks", {}))
        and isinstance(content.get("missed", []), list)
        and all(_is_text(limit) for limit in content.get("missed", []))
    )


def _is_attack(content: Mapping[str, Any]) -> bool:
    success = content.get("success")
    counts = (content.get("named"), content.get("right", 0), content.get("needed", 0))
    return (
        all(type(count) is int and 0 <= count <= _LARGEST_COUNT for count in counts)
        and type(content.get("effective")) is bool
        and (success is None or (_is_number(success) and 0 <= success <= 1))
    )


def _are_problems(result: EvaluationResult) -> bool:
    problems, count = result.get("problems"), result.get("count")
    if not isinstance(problems, list) or not 0 < len(problems) <= _MOST_PROBLEMS:
        return False
    try:
        texts = [str(problem_from_json(problem)) for problem in problems]
    except (KeyError, TypeError, ValueError, AttributeError, IndexError):
        return False
    return type(count) is int and 0 < count <= _LARGEST_COUNT and all(map(bool, texts))


def _are_numbers(given: object) -> bool:
    return (
        isinstance(given, dict)
        and len(given) <= _MOST_PARTS
        and all(_is_text(name) and _is_number(value) for name, value in given.items())
    )


def _is_number(given: object) -> bool:
    return type(given) in (int, float) and math.isfinite(given)  # type: ignore[arg-type]


def _is_text(given: object) -> bool:
    return isinstance(given, str) and len(given) <= _LONGEST_TEXT
