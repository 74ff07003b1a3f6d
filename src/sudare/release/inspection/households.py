"""Members of a household tell what masking did to one of them, where their numbers are released."""

from collections.abc import Iterator

import numpy as np

from sudare.core import Flags, Message, label_codes
from sudare.engine.counting import joint_keys, tally
from sudare.release.inspection.findings import Finding
from sudare.release.inspection.masked_pair import MaskedPair, class_codes, is_amount

_MOST = 0.5  # share of the changed values from which members count as telling
_FEWEST = 20  # changed values


def find_telling_members(pair: MaskedPair) -> Iterator[Finding]:
    """Yield the masked columns that the members of a household give away together.

    A column that is the same for all members, and was randomized for each of them, is told by what
    most of them show.
    """
    for number in pair.after.with_role("household"):
        for name in pair.masked:
            if is_amount(pair.before[name]):
                continue
            hidden = int((pair.changed(name) & pair.before[name].known).sum())
            told = int(_told(pair, number, name).sum()) if hidden >= _FEWEST else 0
            if told > _MOST * hidden:
                yield _finding(number, name, told, hidden)


def _told(pair: MaskedPair, number: str, name: str) -> Flags:
    """Return which changed values are what most members of the household show."""
    before, after = pair.before[name].coded, pair.after[name].coded
    households = class_codes(pair.after[number])
    shown = after.codes + 2
    width = len(after.labels) + 2
    keys, _ = joint_keys([(households, int(households.max(initial=0)) + 1), (shown, width)])
    cells, counts = tally(keys)
    order = np.lexsort((counts, cells // width))
    last = np.flatnonzero(np.diff((cells // width)[order], append=-1))
    commonest = np.full(int(households.max(initial=0)) + 1, -9, np.int64)
    chosen = order[last]
    several = counts[chosen] > 1
    commonest[(cells // width)[chosen[several]]] = (cells % width)[chosen[several]] - 2
    labels = tuple(map(str, after.labels))
    true = label_codes(map(str, before.labels), labels)[before.codes]
    told: Flags = pair.changed(name) & before.known & (commonest[households] == true)
    return told


def _finding(number: str, name: str, told: int, hidden: int) -> Finding:
    facts = {"column": number, "masked": name, "count": told, "hidden": hidden}
    detail = Message(
        "'{column}' shows who lives together, and what most members show tells '{masked}' as it "
        "was before it was masked, in {count} of the {hidden} records that were changed.",
        **facts,
    )
    remedy = Message(
        "Leave '{column}' out, or recode '{masked}' instead of changing it at random.", **facts
    )
    return Finding("twin", (number, name), told, "stop", detail, remedy)
