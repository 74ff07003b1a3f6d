"""Uniques: the share of records that nobody shares their keys with."""

from typing import ClassVar

from sudare.core.case import Case
from sudare.core.measure import Kind, Measure, Needs, Result
from sudare.core.method import Takes
from sudare.core.types import Role
from sudare.engine.counts import group_sizes, groups


class Uniques(Measure):
    """The share of records whose combination of keys occurs once in the released table.

    Missing and not-applicable count as values of their own. The parts are the share of uniques on
    each key by itself; the record detail is whether a record is unique. Sample uniques are not
    population uniques: a table that is a sample has fewer people at risk than this says.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> Uniques(columns=("sex", "age", "region"))(data).value
    0.5725
    """

    kind: ClassVar[Kind] = "risk"
    needs: ClassVar[Needs] = "counts"
    takes: ClassVar[Takes] = "any"
    roles: ClassVar[tuple[Role, ...]] = ("key",)

    def _measure(self, case: Case) -> Result:
        after = case.released(case.columns)
        together = groups([after[name] for name in case.columns])
        return self.result(
            (together.sizes == 1).sum() / after.records,
            best=0,
            worst=1,
            parts={
                name: float((group_sizes([after[name]]) == 1).sum() / after.records)
                for name in case.columns
            },
            by_record=together.size_of_record == 1 if case.detail else None,
        )
