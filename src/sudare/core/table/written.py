"""How the values of a column were written, where text was read as numbers or dates."""

from dataclasses import dataclass, replace

import numpy as np

from sudare.core.types import Array, Codes, Flags, Floats


@dataclass(frozen=True, eq=False, repr=False)
class Written:
    """The texts that a column had before the border read them as numbers or dates.

    Attributes
    ----------
    texts
        The distinct texts; opaque to everyone but the border.
    numbers
        The number of each text, NaN where it has none, shape (d,).
    absent
        Which texts are words for "not applicable", shape (d,).
    codes
        The text of each entry, ``MISSING`` where there was none, shape (rows,).
    typed
        Whether the source has types of its own, and a text for this column.
    """

    texts: object
    numbers: Floats
    absent: Flags
    codes: Codes
    typed: bool = False

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
