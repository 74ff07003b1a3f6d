"""Attacks against a baseline or a control: what a release reveals beyond common knowledge."""

from abc import ABC
from collections.abc import Iterable, Sequence
from typing import Annotated, Any, NamedTuple

import numpy as np

from sudare.core import (
    AtLeast,
    Column,
    Draws,
    Flags,
    Floats,
    Integers,
    Label,
    Microdata,
    SettingError,
    TablePair,
    say,
)
from sudare.describe import wilson_interval
from sudare.describe.pairing import TableMeasure, comparison_notes, shared_keys

_CHANCE = 0.05  # of the control records may equal a member, whatever members do
_FEW = 0.05  # of the different records of a release may come once where the others have copies
_CONTROL, _MEMBERS = ("1", "true", "yes"), ("0", "false", "no")
Control = Annotated[
    str | None, "column that marks, by 1, originals from which the release was not made"
]
Attacked = Annotated[int, AtLeast(1), "largest number of records attacked, and of control records"]


class ControlledRisk(TableMeasure, ABC):
    """An attack on records that is compared with the same attack on people left out of the release.

    Attributes
    ----------
    control
        The column that marks these people; without one, an attack has a baseline only.
    """

    kind = "risk"
    improved_by = "Coarser keys, or a release that follows single records less closely."
    needs = "records"

    control: Control = None

    def chosen(self, data: Microdata) -> tuple[str, ...]:
        """Return the columns that count: never the one that marks the control."""
        return tuple(name for name in super().chosen(data) if name != self.control)

    def members(self, pair: TablePair) -> Flags:
        """Return which originals the release was made from; refuse one that has control records."""
        inside = members(pair.before, self.control)
        if self.control is not None and self.control in pair.after:
            count = int(marked(pair.after[self.control]).sum())
            if count:
                raise SettingError(
                    "{method}: column '{column}' marks {count} {count:record|records} of the "
                    "masked table as control. Take control records out before masking: the "
                    "comparison needs people from whom the table was not made.",
                    method=type(self).__name__,
                    column=self.control,
                    count=count,
                )
        return inside

    def secrets(self, pair: TablePair, named: Sequence[str] | None) -> tuple[str, ...]:
        """Return the sensitive columns named, or those with that role, or else all that count."""
        names = named or [name for name in pair.before.sensitive if name != self.control]
        self.require(pair.after, names)
        return tuple(names) or pair.columns

    def notes(self, pair: TablePair, inside: Flags, columns: Iterable[str]) -> tuple[str, ...]:
        """Return what to know about an attack by some columns, and about its control."""
        names = list(dict.fromkeys(columns))
        compared = comparison_notes(pair.before, pair.after, names)
        if self.control is None:
            return (*control_notes(), *compared)
        return (*copied_control_notes(pair, inside, names), *compared)


class Excess(NamedTuple):
    """A success rate beyond another, as a share of what was left: from 0 to 1, with bounds."""

    risk: float
    low: float
    high: float


def largest(excesses: Iterable[Excess]) -> Excess:
    """Return the largest of several, with the largest of their bounds.

    Where the bounds hold together (Bonferroni), these hold for the largest of the true values,
    whichever that is.

    Examples
    --------
    >>> largest([Excess(0.05, 0.0, 0.1), Excess(0.04, 0.02, 0.2)])
    Excess(risk=0.05, low=0.02, high=0.2)
    """
    return Excess(*(max(each) for each in zip(*excesses, strict=True)))


def excess(
    success: Floats, reference: Floats, confidence: float, *, attempts_each: float = 1.0
) -> Excess:
    """Return how much better an attack does than a reference: (a − b) / (1 − b), at least 0.

    The bounds take the Wilson intervals of both rates, in the way of two independent shares.

    Parameters
    ----------
    success, reference
        Chance that each attempt succeeds, shapes (n,) and (m,).
    confidence
        Probability that the bounds aim for.
    attempts_each
        How many attempts are about the same person, on average: they tell no more than one.

    References
    ----------
    Giomi, Boenisch, Wehmeyer and Tasnádi (2023). A unified framework for quantifying privacy risk
    in synthetic data. Proceedings on Privacy Enhancing Technologies 2023(2).

    Examples
    --------
    >>> [round(x, 3) for x in excess(np.ones(100), np.full(100, 0.5), 0.95)]
    [1.0, 0.794, 1.0]
    """
    a, b = float(success.mean()), float(reference.mean())
    low, high = wilson_interval(a, max(len(success) / attempts_each, 1), confidence)
    under, over = wilson_interval(b, max(len(reference) / attempts_each, 1), confidence)
    if b >= 1:  # nothing was left here, which says little where few were asked
        return Excess(0.0, 0.0, max((high - under) / (1 - under), 0.0))
    rate = (a - b) / (1 - b)
    below = np.hypot(a - low, over - b) / (1 - b)
    above = np.hypot(high - a, b - under) / (1 - b)
    risk, lower, upper = (float(np.clip(x, 0, 1)) for x in (rate, rate - below, rate + above))
    return Excess(risk, lower, upper)


def against_reference(
    attack: Floats,
    baseline: Floats,
    control: Floats | None,
    confidence: float,
    *,
    attempts_each: float = 1.0,
    notes: tuple[str, ...] = (),
) -> dict[str, Any]:
    """Return the parts of a result: an attack beyond its control, or else beyond its baseline.

    The value is :func:`excess`, the parts are the rates of success of all three, and the notes say
    what the value does not show.

    Parameters
    ----------
    attack
        Chance that each attempt on a member succeeds.
    baseline
        Chances of attempts without the release.
    control
        Chances of attempts on control records, if there are any.
    confidence
        Probability that the interval aims for.
    attempts_each
        How many attempts are about the same person, on average.
    notes
        What else must be known to read the value.
    """
    reference = baseline if control is None else control
    estimate = excess(attack, reference, confidence, attempts_each=attempts_each)
    rates = {say("attack"): attack, say("baseline"): baseline}
    rates |= {} if control is None else {say("control"): control}
    if attack.mean() <= baseline.mean():
        notes = (*notes, say("the attack does no better than its baseline: it shows nothing."))
    return {
        "value": estimate.risk,
        "best": 0,
        "worst": 1,
        "parts": {name: float(rate.mean()) for name, rate in rates.items()},
        "interval": (estimate.low, estimate.high),
        "baseline": 0.0,  # the value is already what exceeds the reference
        "notes": notes,
    }


def targets(rows: Integers, attacks: int) -> Integers:
    """Return the records that are attacked: all of these, or one at random of each of some parts.

    At equal steps would not do: of households of five, all those attacked could be heads.
    """
    if len(rows) <= attacks:
        return rows
    ends = np.arange(attacks + 1) * len(rows) // attacks
    lots = Draws(0).uniform("attacked", attacks) * np.diff(ends)
    return rows[ends[:-1] + lots.astype(np.int64)]


def once_each(released: Floats) -> Floats:
    """Return the points of a release, each once if nearly all records come several times.

    Nobody hides behind copies of the own record.

    Examples
    --------
    >>> once_each(np.array([[1.0], [0.0], [1.0], [0.0]])).tolist(), len(once_each(np.zeros((1, 2))))
    ([[0.0], [1.0]], 1)
    """
    distinct, copies = np.unique(released, axis=0, return_counts=True)
    several = len(copies) and np.quantile(copies, _FEW, method="inverted_cdf") > 1
    return distinct if several else released


def members(data: Microdata, control: str | None) -> Flags:
    """Return which originals the release was made from: all, or all but the control records.

    Parameters
    ----------
    data
        The original table, with the control records.
    control
        The column that marks them: with 1, true or yes; the others have 0, false or no.
    """
    if control is None:
        return np.ones(data.rows, np.bool_)
    column = data[control].coded
    words = {_word(label) for label in column.labels}
    if not column.known.all() or words - {*_CONTROL, *_MEMBERS}:
        raise SettingError(
            "column '{column}' must mark control records with 1 and the others with 0 (or true "
            "and false, yes and no), without missing values.",
            column=control,
        )
    held = marked(data[control])
    if held.all() or not held.any():
        raise SettingError(
            "column '{column}' marks {count} of {rows} records as control; there must be control "
            "records and other records.",
            column=control,
            count=int(held.sum()),
            rows=data.rows,
        )
    return ~held


def marked(column: Column) -> Flags:
    """Return which records a column marks as control."""
    coded = column.coded
    named = np.array([_word(label) in _CONTROL for label in coded.labels] or [False])
    return named[coded.codes] & coded.known


def attacked(inside: Flags, attacks: int) -> Integers:
    """Return the records that are attacked: members, and equally many control records."""
    return np.sort(
        np.concatenate([targets(np.flatnonzero(side), attacks) for side in (inside, ~inside)])
    )


def copied_control_notes(pair: TablePair, inside: Flags, columns: Sequence[str]) -> tuple[str, ...]:
    """Return a warning where most control records like no other original are in the release."""
    original, released, size = shared_keys(pair.before, pair.after, columns)
    alone = original[~inside & (np.bincount(original, minlength=size)[original] == 1)]
    copied = int(np.isin(alone, released).sum())
    if copied <= len(alone) / 2:
        return _twin_notes(original[inside], original[~inside], size)
    return (
        say(
            "{count} of {total} control records that no other original equals are in the masked "
            "table; if it was made from them, too, the comparison shows nothing.",
            count=copied,
            total=len(alone),
        ),
    )


def _twin_notes(inside: Integers, control: Integers, size: int) -> tuple[str, ...]:
    """Return a warning where control records equal members more than these equal each other."""
    members = np.bincount(inside, minlength=size)
    twins, pairs = (members[control] == 1).sum(), (members[inside] == 2).sum()
    usual = len(control) * max(_CHANCE, 2 * pairs / max(len(inside), 1))
    if twins <= usual + 5 * np.sqrt(usual):  # no more than chance in a few records
        return ()
    return (
        say(
            "{count} of {total} control records equal a record from which the masked table was "
            "made; if they are copies of it, the comparison shows nothing.",
            count=int(twins),
            total=len(control),
        ),
    )


def control_notes() -> tuple[str, ...]:
    """Return what to know about an attack without control records."""
    return (
        say(
            "without a control this cannot tell disclosure from knowledge about the population: "
            "keep some records out of the release, mark them with 1 in a column and name it as "
            "control."
        ),
    )


def _word(label: Label) -> str:
    return f"{label:g}" if isinstance(label, float) else str(label).casefold()
