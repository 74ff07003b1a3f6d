"""How much memory work on a large table may take, and what that means for blocks and counts."""

import os
import re
from dataclasses import dataclass

from sudare.core import MOST_VALUES, SettingError, TooLargeError

LEAST_MEMORY = 1 << 30  # bytes
_MOST_MEMORY = 1 << 50

_LIBRARIES = 448 << 20  # bytes that the program takes before it has seen a record
_MOST_ROWS = 1 << 17  # records of a block
_LEAST_ROWS = 1 << 4
_CELL, _TEXT = 256, 6  # bytes that a cell of a block takes on its way, and a byte of its text
_CELL_ASIDE = 32  # bytes of a cell that is put aside, and sorted with others
_VALUE, _VALUE_COUNTED = 112, 48  # bytes of a distinct value: known, and in each thread before
_ENTRY, _ENTRY_CELL = 48, 12  # bytes of a combination of values, and of each of these


@dataclass(frozen=True)
class MemoryBudget:
    """The memory that a process may take while it works on a large table.

    Attributes
    ----------
    memory
        In bytes, in all: libraries, blocks of records, distinct values and counts.
    threads
        That work at the same time, each on a block of its own.

    Examples
    --------
    >>> small, large = MemoryBudget(1 << 30, threads=2), MemoryBudget(4 << 30, threads=2)
    >>> small.block_rows(10), large.block_rows(10)
    (29491, 131072)
    >>> small.values(10), large.values(10)
    (96791, 613013)
    """

    memory: int = 16 << 30
    threads: int = os.cpu_count() or 1

    def __post_init__(self) -> None:
        if self.memory < LEAST_MEMORY:
            raise SettingError(
                "memory must be at least {least}GB; the libraries alone take half of that.",
                least=LEAST_MEMORY >> 30,
            )
        if self.memory > _MOST_MEMORY:
            raise SettingError(
                "memory must be at most {most}TB; no machine has more.", most=_MOST_MEMORY >> 40
            )

    @property
    def free(self) -> int:
        """Bytes that are left for data."""
        return self.memory - _LIBRARIES

    def block_rows(self, columns: int, text: float = 0.0) -> int:
        """Return how many records a block may have.

        Parameters
        ----------
        columns
            Of a record.
        text
            Bytes of text of a record, in the mean.
        """
        record = int(columns * _CELL + text * _TEXT) * self.threads
        rows = self.free // 4 // record
        if rows < _LEAST_ROWS:
            raise TooLargeError(
                "records of {columns} columns and {text} bytes of text cannot be read in blocks "
                "within the memory allowed; allow {needed}GB.",
                columns=columns,
                text=int(text),
                needed=(_LIBRARIES + 4 * _LEAST_ROWS * record >> 30) + 1,
            )
        return min(rows, _MOST_ROWS)

    def values(self, columns: int) -> int:
        """Return how many distinct values of each of ``columns`` columns are counted together."""
        value = _VALUE + _VALUE_COUNTED * self.threads
        return min(MOST_VALUES, self.free // 3 // (columns * value))

    def records(self, columns: int) -> int:
        """Return how many records of ``columns`` columns each thread may put aside."""
        return self.free // 4 // (columns * _CELL_ASIDE * self.threads)

    @property
    def counting(self) -> int:
        """Bytes that counting combinations may take before it continues on disk."""
        return self.free // 2

    def entries(self, columns: int) -> int:
        """Return how many different combinations of ``columns`` columns may be in memory."""
        return self.free // (_ENTRY + columns * _ENTRY_CELL)


def half_of_memory() -> int:
    """Return half of the memory of this machine, in bytes."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2


def byte_count(size: int | str) -> int:
    """Return a size such as "8GB" in bytes.

    Examples
    --------
    >>> byte_count("1.5 GB"), byte_count(1000)
    (1610612736, 1000)
    """
    match = re.fullmatch(r"([0-9.]+) *([kmgt]?)i?b?", str(size).strip().lower())
    try:
        number = float(match[1]) if match else 0.0
    except ValueError:
        number = 0.0
    if match is None or number <= 0:
        raise SettingError("memory must be a size such as 8GB or 1500MB.")
    return int(number * 1024 ** " kmgt".index(match[2] or " "))
