"""Columns of integer codes with labels."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np

from sudare.core.errors import ColumnError
from sudare.core.table.column import MISSING, NOT_APPLICABLE, Column, Label, frozen, taken
from sudare.core.types import Array, Codes, Flags

_STRANGER = -3


@dataclass(frozen=True, eq=False, repr=False)
class Categorical(Column):
    """Codes 0…len(labels)-1, ``MISSING`` or ``NOT_APPLICABLE``, and what each code means.

    The order of the labels is the order of an ordinal variable; otherwise the border sorts them,
    so that codes never depend on record order.
    """

    codes: Array
    labels: tuple[Label, ...]

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "codes", frozen(self.codes, np.int32))
        object.__setattr__(self, "labels", tuple(self.labels))

    @property
    def rows(self) -> int:
        """Number of entries."""
        return len(self.codes)

    @cached_property
    def missing(self) -> Flags:
        """Which records should have a value and have none."""
        return self.codes == MISSING

    @cached_property
    def not_applicable(self) -> Flags:
        """Which records cannot have a value."""
        return self.codes == NOT_APPLICABLE

    @property
    def known(self) -> Flags:
        """Which records have a value."""
        return self.codes >= 0

    @property
    def empty(self) -> bool:
        """Whether no record has a value."""
        return bool((self.codes[:1] < 0).all() and (self.codes < 0).all())

    @property
    def coded(self) -> "Categorical":
        """The column itself."""
        return self

    @property
    def blank_text(self) -> Flags:
        """Which records hold text of nothing but blanks, shape (rows,)."""
        blank = [code for code, label in enumerate(self.labels) if not str(label).strip()]
        return np.isin(self.codes, blank)

    def take(self, rows: Array) -> Self:
        """Return the column of some records, in the order given."""
        return replace(
            self,
            codes=self.codes[rows],
            copies=taken(self.copies, rows),
            written=None if self.written is None else self.written.take(rows),
        )

    def labels_that_occur(self) -> tuple[Label, ...]:
        """Return the labels that at least one record has."""
        counts = np.bincount(self.codes + 2, minlength=len(self.labels) + 2)[2:]
        return tuple(label for label, count in zip(self.labels, counts, strict=True) if count)

    def on_list(self, labels: tuple[Label, ...]) -> Self:
        """Return the column with another list of labels, on which those that occur must be."""
        if labels == self.labels:
            return self
        return replace(self, codes=self.codes_in(labels), labels=labels)

    def codes_in(self, labels: tuple[Label, ...]) -> Codes:
        """Return the codes on another list of labels, as a plan learned them.

        Raises
        ------
        ColumnError
            If a label that occurs is not on the list.
        """
        if labels == self.labels:
            return self.codes
        codes: Codes = label_codes(self.labels, labels, _STRANGER)[self.codes]
        strangers = len(np.unique(self.codes[codes == _STRANGER]))
        if strangers:
            raise ColumnError(
                "column '{column}' has {count} {count:category|categories} that did not occur "
                "when the method was fitted; fit it again on these data.",
                column=self.name,
                count=strangers,
            )
        return codes


def label_codes(
    labels: Iterable[Label], onto: Sequence[Label], otherwise: int | None = None
) -> Codes:
    """Return the code that each label has on another list, by which codes are moved there.

    Codes -2 and -1, for what is absent, index the last two entries, shape (labels + 2,).

    Parameters
    ----------
    labels
        Labels in the order of their codes.
    onto
        The other list.
    otherwise
        The code of labels that are not on it; by default they are numbered behind it.

    Examples
    --------
    >>> label_codes(("b", "c"), ("a", "b")).tolist()
    [1, 2, -2, -1]
    """
    given = tuple(labels)
    code_of = {label: code for code, label in enumerate(onto)}
    strangers = dict.fromkeys(label for label in given if label not in code_of)
    numbered = enumerate(strangers, len(onto))
    code_of |= {name: code if otherwise is None else otherwise for code, name in numbered}
    return np.array([code_of[label] for label in given] + [NOT_APPLICABLE, MISSING], np.int32)
