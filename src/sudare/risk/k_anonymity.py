"""k-anonymity: the size of the smallest group of records with equal keys."""

from typing import ClassVar

from sudare.core.case import Case
from sudare.core.measure import Kind, Measure, Needs, Result
from sudare.core.method import Takes
from sudare.core.types import Role
from sudare.engine.wildcards import MissingKeys
from sudare.risk.sampling import key_counts


class KAnonymity(Measure):
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

    def _measure(self, case: Case) -> Result:
        after = case.released(case.columns)
        keys = {name: after[name] for name in case.columns}
        sizes = key_counts(list(keys.values()), self.missing)
        alone = {name: key_counts([key], self.missing) for name, key in keys.items()}
        return self.result(
            sizes.min(),
            best=after.records,
            worst=1,
            parts={name: float(counts.min()) for name, counts in alone.items()},
            by_record=sizes if case.detail else None,
        )
