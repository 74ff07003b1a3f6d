"""k-anonymity: the size of the smallest group of records with equal keys."""

from typing import ClassVar

from sudare.core import Kind, Needs, Result, Role, TablePair, Takes
from sudare.describe.pairing import TableMeasure
from sudare.engine.counting import MissingKeys
from sudare.risk.samples import key_counts, key_sizes


class KAnonymity(TableMeasure):
    """The number of records in the smallest group of equal keys in the released table.

    A table is k-anonymous when every combination of key values that occurs is shared by at least k
    records. Not applicable counts as a value of its own, and so does missing, unless it is a
    wildcard that matches every value: the counting of :class:`sudare.mask.LocalSuppression` by
    default, which trusts that nobody can guess a missing key. The parts are the k of each key by
    itself; the record detail is the size of each record's group.

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

    kind: ClassVar[Kind] = "risk"
    needs: ClassVar[Needs] = "counts"
    takes: ClassVar[Takes] = "any"
    roles: ClassVar[tuple[Role, ...]] = ("key",)

    missing: MissingKeys = "category"

    def _measure(self, pair: TablePair) -> Result:
        groupings: list[tuple[str, ...]] = [(name,) for name in pair.columns]
        if pair.detail:
            by_record = key_counts([pair.after[name] for name in pair.columns], self.missing)
            sizes, alone = by_record, key_sizes(pair, groupings, self.missing)
        else:
            by_record = None
            (sizes, _), *alone = key_sizes(pair, [pair.columns, *groupings], self.missing)
        return self.result(
            sizes.min(),
            best=pair.records,
            worst=1,
            parts={n: float(own.min()) for n, (own, _) in zip(pair.columns, alone, strict=True)},
            by_record=by_record,
        )
