"""What randomization protects, counted: k and ε of what is really hidden.

Whether a key is there at all is not randomized. A record can therefore be confused only with those
that lack the same keys, and only in the keys that they have.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import repeat
from typing import Any

import numpy as np

from sudare.core import LargeTable, Microdata, Step
from sudare.engine.counting import joint_keys, renumbered
from sudare.mask.randomize.privacy_budget import anonymity

Table = Microdata | LargeTable
# By key: 0 where there is a value, 1 where it is missing, 2 not applicable.
Lacking = tuple[int, ...]
Pattern = tuple[Lacking, tuple[Any, ...]]  # what records lack, and in what else they are alike


@dataclass(frozen=True)
class Privacy:
    """What randomization protects.

    Attributes
    ----------
    k
        Of Pk-anonymity, for every record: 1 where a record is alone with what it lacks, or where
        the order of the records tells whose they are.
    epsilon
        Local privacy of the values of a record: whatever is published, the probabilities given any
        two true records that lack the same keys differ at most by the factor e^ε.
    by_column
        ε of each column.
    stated
        k where no record lacks a key and nobody knows the order.
    revealed
        Number of records that lack a key, which their release tells.
    """

    k: float
    epsilon: float
    by_column: Mapping[str, float] = field(default_factory=dict)
    stated: float = 1.0
    revealed: int = 0


def privacy(
    steps: Iterable[Step],
    *,
    rows: int,
    before: Table | None = None,
    after: Table | None = None,
    order_known: bool = False,
    alike: Sequence[str] = (),
) -> Privacy:
    """Return k and ε of the columns that some steps randomized; other columns do not count.

    A column that was randomized twice counts with the smaller ε: the second time cannot undo the
    first. Of columns of which each record publishes a few, the few of largest ε count.

    Missing and not-applicable keys are not randomized. k is the least over the records: of m
    records that lack the same keys, each is hidden among these m only, by the ε of the keys that
    they have. This counts only where a table is given.

    Parameters
    ----------
    steps
        What was done.
    rows
        Number of records that are published.
    before, after
        The original and the masked table, by which is known who lacks what. The masked one counts,
        unless its records publish a few keys each: what these lack is then mostly drawn.
    order_known
        Whether an attacker can tell from the order of the records whose they are: then nothing is
        hidden, and k is 1.
    alike
        Keys: a record is hidden only among those that agree in the keys that were not randomized.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> masked = sudare.apply(data, sudare.mask.PkAnonymization(k=5), seed=7)
    >>> bounds = sudare.mask.privacy(masked.steps, rows=data.rows, after=masked.data)
    >>> round(bounds.stated, 9), round(bounds.epsilon, 3), round(bounds.by_column["age"], 3)
    (5.0, 2.301, 0.46)
    >>> round(bounds.k, 3), bounds.revealed  # those without an occupation are few
    (1.201, 18)
    """
    by_column: dict[str, float] = {}
    drawn_by: dict[str, tuple[int, int]] = {}
    few = False
    for number, step in enumerate(steps):
        for column, public in step.public.items():
            if "epsilon" in public:
                by_column[column] = min(public["epsilon"], by_column.get(column, np.inf))
                drawn_by[column] = number, public.get("answers", len(step.columns))
                few = few or "answers" in public
    names = tuple(by_column)
    others = [name for name in alike if name not in by_column]
    counts = _patterns(_table(before, after, few=few), names, others)
    patterns = counts or {((0,) * len(names), ()): rows}
    fewest: dict[Lacking, int] = {}
    for (lacking, _), size in patterns.items():
        fewest[lacking] = min(size, fewest.get(lacking, size))

    def spent(lacking: Lacking) -> float:
        there = [name for name, state in zip(names, lacking, strict=True) if state == 0]
        return _spent(there, by_column, drawn_by)

    hidden = min(anonymity([spent(lacking)], size) for lacking, size in fewest.items())
    whole = _spent(names, by_column, drawn_by)
    return Privacy(
        1.0 if order_known else hidden,
        whole,
        by_column,
        anonymity([whole], rows),
        sum(size for (lacking, _), size in patterns.items() if any(lacking)),
    )


def _spent(
    names: Sequence[str], by_column: Mapping[str, float], drawn_by: Mapping[str, tuple[int, int]]
) -> float:
    """Return the ε that some columns of a record spend, each draw with its largest answers."""
    spent: list[float] = []
    for draw in {drawn_by[name] for name in names}:
        of_draw = [by_column[name] for name in names if drawn_by[name] == draw]
        spent += sorted(of_draw, reverse=True)[: draw[1]]
    return float(sum(spent))


def _table(before: Table | None, after: Table | None, *, few: bool) -> Table | None:
    """Return the table that tells which keys records lack."""
    if few and isinstance(before, Microdata) and isinstance(after, Microdata):
        return before.still_in(after)
    first, second = (before, after) if few else (after, before)
    return second if first is None else first


def _patterns(
    table: Table | None, names: Sequence[str], alike: Sequence[str]
) -> dict[Pattern, int]:
    """Return how many records lack which keys; nothing where no table is given."""
    if table is None or not names:
        return {}
    if isinstance(table, Microdata):
        return dict(_lacking(names, alike, table))
    counts: Counter[Pattern] = Counter()
    for block in table.in_blocks([*names, *alike], partial(_lacking, names, alike)):
        counts.update(block)
    return dict(counts)


def _lacking(names: Sequence[str], alike: Sequence[str], data: Microdata) -> Counter[Pattern]:
    columns = [data[name] for name in names]
    states = [c.missing + 2 * c.not_applicable.astype(np.int64) for c in columns]
    shown = [data[name].coded for name in alike]
    parts = [(state, 3) for state in states]
    parts += [(c.codes + 2, len(c.labels) + 2) for c in shown]
    index, kinds = renumbered(*joint_keys(parts))
    sizes = np.bincount(index, data.copies, kinds).astype(np.int64)
    example = np.empty(kinds, np.int64)
    example[index] = np.arange(len(index))
    patterns = np.stack([state[example] for state in states], axis=1).tolist()
    values = [[*column.labels, (), None] for column in shown]  # by code, from the end where absent
    told = [
        [own[c] for c in column.codes[example]] for own, column in zip(values, shown, strict=True)
    ]
    alike_in = zip(*told, strict=True) if told else repeat((), kinds)
    return Counter(
        {
            (tuple(lacking), each): size
            for lacking, each, size in zip(patterns, alike_in, sizes.tolist(), strict=True)
        }
    )
