"""k-anonymity: the size of the smallest group of records with equal keys."""

from typing import ClassVar

from sudare.core.masker import Step
from sudare.core.measure import Kind, Measure, Needs, Result
from sudare.core.method import Takes
from sudare.core.microdata import Microdata
from sudare.core.types import Role
from sudare.engine.counts import groups


class KAnonymity(Measure):
    """The number of records in the smallest group of equal keys in the released table.

    A table is k-anonymous when every combination of key values that occurs is shared by at least k
    records. Missing and not-applicable count as values of their own. The parts are the k of each
    key by itself; the record detail is the size of each record's group.

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

    def _measure(
        self,
        before: Microdata,
        after: Microdata,
        columns: tuple[str, ...],
        steps: tuple[Step, ...],
    ) -> Result:
        together = groups([after[name] for name in columns])
        return self.result(
            together.sizes.min(),
            best=after.rows,
            worst=1,
            parts={name: float(groups([after[name]]).sizes.min()) for name in columns},
            by_record=together.size_of_record,
        )
