"""Uniques: the share of records that nobody shares their keys with."""

from collections.abc import Sequence
from typing import ClassVar

from sudare.core.case import Case
from sudare.core.measure import Kind, Measure, Needs, Result
from sudare.core.method import Takes
from sudare.core.types import Role
from sudare.risk.sampling import key_counts, key_sizes


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
        by_record = None
        if case.detail:
            by_record = key_counts([case.after[name] for name in case.columns], "category") == 1
        unique = _number(case, case.columns) if by_record is None else by_record.sum()
        return self.result(
            unique / case.records,
            best=0,
            worst=1,
            parts={name: _number(case, [name]) / case.records for name in case.columns},
            by_record=by_record,
        )


def _number(case: Case, columns: Sequence[str]) -> int:
    """Return how many records are alone with their keys."""
    sizes, number = key_sizes(case, columns)
    return int(number[sizes == 1].sum())
