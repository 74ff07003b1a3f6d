"""k-anonymity: the size of the smallest group of records with equal keys."""

from collections.abc import Sequence
from typing import Annotated, ClassVar, Literal

from sudare.core.case import Case
from sudare.core.columns import Column
from sudare.core.measure import Kind, Measure, Needs, Result
from sudare.core.method import Takes
from sudare.core.types import Integers, Role
from sudare.engine.counts import groups
from sudare.engine.wildcards import wildcard_sizes


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

    missing: Annotated[
        Literal["category", "wildcard"],
        "whether a missing key matches every value or is a value of its own",
    ] = "category"

    def _measure(self, case: Case) -> Result:
        after = case.released(case.columns)
        sizes = self._sizes([after[name] for name in case.columns])
        return self.result(
            sizes.min(),
            best=after.records,
            worst=1,
            parts={name: float(self._sizes([after[name]]).min()) for name in case.columns},
            by_record=sizes if case.detail else None,
        )

    def _sizes(self, keys: Sequence[Column]) -> Integers:
        if self.missing == "wildcard":
            return wildcard_sizes(keys)
        return groups(keys).size_of_record
