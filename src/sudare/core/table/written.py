"""How the values of a column were written, where text was read as numbers or dates."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from sudare.core.types import Array, Codes, Flags, Floats


@dataclass(frozen=True, eq=False, repr=False)
class Written:
    """The texts that a column had before the border read them as numbers or dates.

    Attributes
    ----------
    texts
        The distinct texts, or numbers some of which are words; opaque to everyone but the border.
    numbers
        The number of each text, NaN where it has none, shape (d,).
    absent
        Which texts are words for "not applicable", shape (d,).
    codes
        The text of each entry, ``MISSING`` where there was none, shape (rows,).
    typed
        Whether the source has types of its own, and a text for this column.
    plain
        Whether all texts but words for absent values are numbers or dates as files have them.
    """

    texts: object
    numbers: Floats
    absent: Flags
    codes: Codes
    typed: bool = False
    plain: bool = False

    @property
    def rows(self) -> int:
        """Number of entries."""
        return len(self.codes)

    def take(self, rows: Array) -> "Written":
        """Return the texts of some entries, in the order given."""
        return replace(self, codes=self.codes[rows])

    def fits(self, numbers: Floats, absent: Flags) -> bool:
        """Return whether every entry still has the value that its text has."""
        own, has_text = np.append(self.numbers, np.nan)[self.codes], self.codes >= 0
        return (
            len(own) == len(numbers)
            and np.array_equal(own, numbers, equal_nan=True)
            and np.array_equal(self.absent[self.codes[has_text]], absent[has_text])
        )


@dataclass(frozen=True, eq=False, repr=False)
class WrittenLabels:
    """The labels that a column had before words for absent values were set apart.

    Attributes
    ----------
    labels
        The labels, words among them.
    special
        What each of them became: ``MISSING``, ``NOT_APPLICABLE``, or 0 where it stayed a label.
    codes
        The label of each entry, below 0 where there was none, shape (rows,).
    """

    labels: tuple[object, ...]
    special: Codes
    codes: Codes
    typed: ClassVar[bool] = False
    plain: ClassVar[bool] = False

    @property
    def rows(self) -> int:
        """Number of entries."""
        return len(self.codes)

    def take(self, rows: Array) -> "WrittenLabels":
        """Return the labels of some entries, in the order given."""
        return replace(self, codes=self.codes[rows])


@dataclass(frozen=True, eq=False, repr=False)
class FixedDecimals:
    """Numbers that all had the same number of decimals: 1.50, 2.00.

    Attributes
    ----------
    numbers
        The numbers as they were read, shape (rows,).
    decimals
        How many digits each had behind the point.
    """

    numbers: Floats
    decimals: int
    typed: ClassVar[bool] = False
    plain: ClassVar[bool] = True

    @property
    def rows(self) -> int:
        """Number of entries."""
        return len(self.numbers)

    def take(self, rows: Array) -> "FixedDecimals":
        """Return the numbers of some entries, in the order given."""
        return replace(self, numbers=self.numbers[rows])


AnyWritten = Written | WrittenLabels | FixedDecimals
