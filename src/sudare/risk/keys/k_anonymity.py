"""k-anonymity: the size of the smallest group of records with equal keys."""

from typing import Any

from sudare.core import Result, TablePair, say
from sudare.describe.pairing import TableMeasure, by_rule, key_counts, key_sizes, rule_notes
from sudare.engine.counting import MissingKeys
from sudare.risk.keys.records_alike import has_suppressed, released_alike


class KAnonymity(TableMeasure):
    """The number of records in the smallest group of equal keys in the released table.

    A table is k-anonymous when every combination of key values that occurs is shared by at least k
    records. Not applicable counts as a value of its own. A missing key counts by ``missing``, as in
    :class:`sudare.mask.LocalSuppression`: "suppressed" (a key that masking made missing matches
    every value, a blank of the original is a value of its own), "category" (every missing key is a
    value of its own) or "wildcard" (every missing key matches every value; a note then says how
    many records are below k without that rule). A table measured by itself has no key that masking
    suppressed. With "suppressed", limits are judged by ``informed``, if that is smaller: k for an
    attacker who knows the keys that were suppressed. The parts are the k of each key by itself; the
    record detail is the size of each record's group.

    References
    ----------
    Sweeney (2002). k-anonymity: a model for protecting privacy. International Journal of
    Uncertainty, Fuzziness and Knowledge-Based Systems 10(5).

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> KAnonymity(columns=("sex",))(data).value
    195.0
    """

    kind = "risk"
    of_release = True
    formula = "number of records in the smallest group of records with equal keys"
    needs = "counts"
    roles = ("key",)

    missing: MissingKeys = "suppressed"

    def _measure(self, pair: TablePair) -> Result:
        ruled, rule = by_rule(pair, self.missing)
        groupings: list[tuple[str, ...]] = [(name,) for name in pair.columns]
        if pair.detail:
            by_record = key_counts([ruled.after[name] for name in pair.columns], rule)
            sizes, alone = by_record, key_sizes(ruled, groupings, rule)
        else:
            by_record = None
            (sizes, _), *alone = key_sizes(ruled, [pair.columns, *groupings], rule)
        smallest = int(sizes.min())
        notes = rule_notes(pair, self.missing, rule)
        known: dict[str, Any] = {}
        if self.missing == "suppressed" and rule == "wildcard":
            known, noted = _known_keys(pair, smallest)
            notes += noted
        return self.result(
            smallest,
            best=pair.records,
            worst=1,
            parts={n: float(own.min()) for n, (own, _) in zip(pair.columns, alone, strict=True)},
            by_record=by_record,
            notes=notes,
            **known,
        )


def _known_keys(pair: TablePair, smallest: int) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return what is left of k for an attacker who knows what was suppressed, and a note on it."""
    if pair.stands_alone:
        text = say("an attacker who knows the keys of a person may find fewer records that fit.")
        return {}, (text,)
    both = pair.on(pair.columns)
    alike = released_alike(both, pair.columns)
    informed = {
        "informed": float(alike.min()),
        "informed_parts": {
            name: float(released_alike(both, [name]).min())
            for name in pair.columns
            if has_suppressed(both, name)
        },
        "informed_by_record": alike if pair.detail else None,
    }
    if smallest == 1:  # nobody finds fewer
        return informed, ()
    note = say(
        "for {count} of {total} people, an attacker who knows their keys finds fewer than {k} "
        "records that fit.",
        count=int(both.after.total(alike < smallest)),
        total=pair.records,
        k=smallest,
    )
    return informed, (note,)
