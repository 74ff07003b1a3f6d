"""Uniques: the share of records whose keys no other record has."""

from typing import Any

from sudare.core import Integers, Result, TablePair
from sudare.describe.pairing import TableMeasure, by_rule, key_counts, key_sizes, rule_notes
from sudare.engine.counting import MissingKeys
from sudare.risk.keys.records_alike import released_alike


class Uniques(TableMeasure):
    """The share of records whose combination of keys occurs once in the released table.

    Not applicable counts as a value of its own, and missing as in :class:`sudare.risk.KAnonymity`:
    by default a key that masking suppressed matches every value, and with "wildcard" a note says
    how many records would be alone without that rule. With "suppressed", limits are judged by
    ``informed``, if that is larger: the share of records that no other looks like, for an attacker
    who knows the keys that were suppressed. The parts are the share of uniques on each
    key by itself; the record detail is whether a record is unique. Sample uniques are not
    population uniques: a table that is a sample has fewer people at risk than this says.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> Uniques(columns=("sex", "age", "region"))(data).value
    0.5725
    """

    kind = "risk"
    of_release = True
    formula = "number of records whose combination of keys occurs once / number of records"
    needs = "counts"
    roles = ("key",)

    missing: MissingKeys = "suppressed"

    def _measure(self, pair: TablePair) -> Result:
        ruled, rule = by_rule(pair, self.missing)
        groupings: list[tuple[str, ...]] = [(name,) for name in pair.columns]
        if pair.detail:
            by_record = key_counts([ruled.after[name] for name in pair.columns], rule) == 1
            unique, alone = int(by_record.sum()), key_sizes(ruled, groupings, rule)
        else:
            by_record = None
            together, *alone = key_sizes(ruled, [pair.columns, *groupings], rule)
            unique = _number(*together)
        suppressed = self.missing == "suppressed" and rule == "wildcard"
        known = _known_keys(pair) if suppressed and not pair.stands_alone else {}
        return self.result(
            unique / pair.records,
            parts={
                name: _number(*own) / pair.records
                for name, own in zip(pair.columns, alone, strict=True)
            },
            by_record=by_record,
            notes=rule_notes(pair, self.missing, rule),
            **known,
        )


def _known_keys(pair: TablePair) -> dict[str, Any]:
    """Return who is alone for an attacker who knows what was suppressed."""
    both = pair.on(pair.columns)
    alone = released_alike(both, pair.columns) == 1
    parts = {name: released_alike(both, [name]) == 1 for name in pair.columns}
    return {
        "informed": both.after.total(alone) / pair.records,
        "informed_parts": {
            name: both.after.total(own) / pair.records for name, own in parts.items()
        },
        "informed_by_record": alone if pair.detail else None,
    }


def _number(sizes: Integers, groups: Integers) -> int:
    """Return how many records are alone with their keys."""
    return int(groups[sizes == 1].sum())
