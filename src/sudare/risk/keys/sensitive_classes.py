"""Classes of equal keys by their sensitive values, also as seen by informed attackers."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sudare.core import Array, Column, Floats, Integers, TablePair
from sudare.describe import Spread, value_codes
from sudare.describe.pairing import Rule, by_rule, class_figures, rule_notes
from sudare.engine.counting import MissingKeys


def class_results(
    pair: TablePair,
    named: Sequence[str],
    missing: MissingKeys,
    figure: Callable[[Column, Spread], Floats],
    worst: Callable[..., Array],
) -> tuple[Mapping[str, Integers], dict[str, Any]]:
    """Return the codes of sensitive values, and what a result says of the worst class.

    The records that fit a person whose keys an attacker knows, suppressed ones too, are a union of
    classes of records that look alike. No union is less diverse, or further from the whole table,
    than all of its classes: the worst of these bounds what such an attacker learns.

    Parameters
    ----------
    pair
        The tables.
    named
        The sensitive columns.
    missing
        How missing keys count.
    figure
        Of a sensitive column and some classes, shape (classes,).
    worst
        ``np.min`` or ``np.max``.
    """
    ruled, rule = by_rule(pair, missing, named)
    after = ruled.released([*pair.columns, *named])
    values = {name: value_codes(after[name]) for name in named}

    def read(rule: Rule) -> dict[str, Any]:
        figures, classes = class_figures(
            after, pair.columns, rule, values, lambda name, given: figure(after[name], given)
        )
        each = worst(list(figures.values()), axis=0)
        return {
            "value": float(worst(each)),
            "parts": {name: float(worst(own)) for name, own in figures.items()},
            "by_record": each[classes] if pair.detail else None,
        }

    results = read(rule)
    if missing == "suppressed" and rule == "wildcard":
        alike = read("category")
        results |= {"informed": alike["value"], "informed_parts": alike["parts"]}
        results["informed_by_record"] = alike["by_record"]
    return values, {**results, "notes": rule_notes(pair, missing, rule)}
