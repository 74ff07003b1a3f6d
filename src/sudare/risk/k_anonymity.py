"""k-anonymity: the size of the smallest group of records with equal keys."""

from typing import ClassVar

from sudare.core.case import Case
from sudare.core.measure import Kind, Measure, Needs, Result
from sudare.core.method import Takes
from sudare.core.types import Role
from sudare.engine.wildcards import MissingKeys
from sudare.risk.sampling import key_counts, key_sizes


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
        by_record = None
        if case.detail:
            by_record = key_counts([case.after[name] for name in case.columns], self.missing)
        sizes = key_sizes(case, case.columns, self.missing)[0] if by_record is None else by_record
        alone = {name: key_sizes(case, [name], self.missing)[0] for name in case.columns}
        return self.result(
            sizes.min(),
            best=case.records,
            worst=1,
            parts={name: float(own.min()) for name, own in alone.items()},
            by_record=by_record,
        )
