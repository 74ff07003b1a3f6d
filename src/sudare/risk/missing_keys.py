"""What a missing key counts as: the rule of a measure, as a pair of tables that it can count."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from sudare.core import TablePair
from sudare.engine.counting import MissingKeys, with_blank_value

Rule = Literal["category", "wildcard"]


def by_rule(
    pair: TablePair, missing: MissingKeys, more: Sequence[str] = ()
) -> tuple[TablePair, Rule]:
    """Return the tables and how their missing keys count: as a category, or as wildcards.

    With "suppressed", keys of the table returned are missing where masking made them so, and these
    are wildcards; blanks that the original had are a category among the others. Where that cannot
    be told, all blanks of a column are a category.

    Parameters
    ----------
    pair
        The tables.
    missing
        The rule.
    more
        Columns needed in addition to the keys.
    """
    if missing != "suppressed":
        return pair, missing
    if not pair.may_have_suppressed():
        return pair, "category"
    both = pair.on((*pair.columns, *more))
    columns = [(both.before[name], both.after[name]) for name in pair.columns]
    apart = [
        with_blank_value(after, after.missing & ~after.suppressed_since(before))
        for before, after in columns
    ]
    return replace(both, after=both.after.replacing(apart), columns=pair.columns), "wildcard"
