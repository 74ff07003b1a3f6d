"""What a recipe does to a table, column by column: what changed, what is gone, how shares moved."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from sudare.loss import TotalVariation
from sudare.release.inspection import MaskedPair

_MOST_PAIRS = 300  # of columns; with more, those of the first columns only


@dataclass(frozen=True)
class ColumnEffect:
    """What masking did to a column.

    Attributes
    ----------
    changed, suppressed
        Number of records whose value is another one, and whose value is gone.
    distance
        Total variation between the distributions before and after.
    """

    name: str
    is_key: bool
    changed: int
    suppressed: int
    distance: float


@dataclass(frozen=True)
class MaskingEffect:
    """What masking did to a table.

    Attributes
    ----------
    records
        Number of records that were looked at.
    left_out
        Number of records that masking left out.
    changed
        Number of records with at least one changed value.
    is_synthetic
        Whether records are nobody's, so that changes of records mean nothing.
    columns
        By column.
    pairs
        Total variation of pairs of columns, the largest first.
    """

    records: int
    left_out: int
    changed: int
    is_synthetic: bool
    columns: tuple[ColumnEffect, ...]
    pairs: Mapping[str, float]


def masking_effect(pair: MaskedPair) -> MaskingEffect:
    """Return what masking did to a table.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> effect = masking_effect(MaskedPair(data, data))
    >>> effect.records, effect.changed, max(effect.pairs.values())
    (400, 0, 0.0)
    """
    names = [
        name for name in pair.after.names if name in pair.before and not _is_number(pair, name)
    ]
    changed = {name: pair.changed(name) for name in names}
    apart = TotalVariation(columns=tuple(names))(pair.before, pair.after, steps=pair.steps).parts
    return MaskingEffect(
        records=pair.after.rows,
        left_out=pair.left_out,
        changed=int(np.logical_or.reduce(list(changed.values())).sum()) if changed else 0,
        is_synthetic=any(step.relation == "synthetic" for step in pair.steps),
        columns=tuple(
            ColumnEffect(
                name,
                pair.before[name].role == "key",
                int(changed[name].sum()),
                int(pair.after[name].suppressed_since(pair.before[name]).sum()),
                apart[name],
            )
            for name in names
        ),
        pairs=_pairs(pair, names),
    )


def _pairs(pair: MaskedPair, names: list[str]) -> dict[str, float]:
    size = len(names)
    while size * (size - 1) // 2 > _MOST_PAIRS:
        size -= 1
    if size < 2:
        return {}
    measure = TotalVariation(columns=tuple(names[:size]), dimensions=2)
    parts = measure(pair.before, pair.after, steps=pair.steps).parts
    return dict(sorted(parts.items(), key=lambda part: -part[1]))


def _is_number(pair: MaskedPair, name: str) -> bool:
    """Return whether a column only numbers or weighs records: every release changes it."""
    return pair.before[name].role in {"household", "weight"}
