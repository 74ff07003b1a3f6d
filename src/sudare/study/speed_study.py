"""How long methods take on this machine and this table, relative to reading and writing it once."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from sudare.catalog import METHODS, CatalogEntry, Family, find
from sudare.core import (
    AnyMasker,
    Assessment,
    Microdata,
    Numeric,
    OnProgress,
    SettingError,
    SudareError,
    apply,
)
from sudare.mask import Noise, Pram

_ROUNDS = 3
_ENOUGH = 2.0  # seconds after which a method is not timed again
_TIMED: tuple[Family, ...] = ("mask", "risk", "loss")


@dataclass(frozen=True)
class Timing:
    """What a method took.

    Attributes
    ----------
    method
        Name on the command line.
    seconds
        The shortest of up to three runs, after one that compiled; None where it does not suit.
    passes
        How many times as long as one pass over the table.
    reason
        Why it does not suit.
    """

    method: str
    seconds: float | None
    passes: float | None
    reason: str = ""


def speed(
    data: Microdata, methods: Sequence[str] | None = None, on_progress: OnProgress | None = None
) -> Iterator[Timing]:
    """Time methods with their default settings on a table.

    Measures compare the table with itself after PRAM and noise.

    Parameters
    ----------
    data
        The table.
    methods
        Names of masking methods and measures of tables; by default all.
    on_progress
        Called with how many are done.

    Examples
    --------
    >>> import sudare
    >>> [timing] = speed(sudare.datasets.toy(), ["pram"])
    >>> timing.method, timing.seconds > 0
    ('pram', True)
    """
    entries = [_timed(name) for name in methods] if methods else [e for e in METHODS if _suits(e)]
    bound = _shortest(lambda: one_pass(data))
    masked = _masked(data)
    for done, entry in enumerate(entries):
        if on_progress:
            on_progress(done, len(entries), entry.slug)
        yield _timing(entry, data, masked, bound)
    if on_progress:
        on_progress(len(entries), len(entries), "")


def one_pass(data: Microdata) -> None:
    """Read every value of a table once, and write it once."""
    for column in data.columns:
        np.copy(column.values if isinstance(column, Numeric) else column.coded.codes)


def _timing(entry: CatalogEntry, data: Microdata, masked: Microdata, bound: float) -> Timing:
    method = entry.method()
    try:
        if isinstance(method, AnyMasker):
            seconds = _shortest(lambda: apply(data, method, seed=1))
        elif isinstance(method, Assessment):
            seconds = _shortest(lambda: method(data, masked))
    except SudareError as error:
        return Timing(entry.slug, None, None, str(error))
    return Timing(entry.slug, seconds, seconds / bound)


def _shortest(work: Callable[[], object]) -> float:
    """Return the shortest time of some runs; the first compiles, and counts if it took long."""
    spent: list[float] = []
    while len(spent) <= _ROUNDS and sum(spent) < _ENOUGH:
        start = time.perf_counter()
        work()
        spent.append(time.perf_counter() - start)
    return min(spent)


def _masked(data: Microdata) -> Microdata:
    """Return the table with labels and numbers masked, as far as it has any."""
    for masker in (Pram(), Noise()):
        try:
            data = apply(data, masker, seed=1).data
        except SudareError:
            continue
    return data


def _timed(name: str) -> CatalogEntry:
    entry = find(name)
    if not _suits(entry):
        raise SettingError("'{method}' is not a method or measure for tables.", method=name)
    return entry


def _suits(entry: CatalogEntry) -> bool:
    return entry.subject == "table" and entry.family in _TIMED
