"""What the public learns about numbers that depend on the original: with noise, or not at all.

Whoever knows all records but one can compute such a number for every value that the last one may
have. Rounding does not help where the number is near a step: so it is drawn, with the secret of the
release, and no outcome is much more likely by one value than by another.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sudare.core import (
    Assessment,
    Draws,
    Floats,
    LargeTable,
    Microdata,
    Result,
    SettingError,
    Step,
    SudareError,
    say,
    unit_above,
    with_noise,
)
from sudare.mask import SHARES_EPSILON

EPSILON = 1.0  # of all numbers of a release together, with those that its steps publish
_WIDEST, _WIDEST_PART = 0.05, 0.02  # noise beyond which a share tells nothing
_BLOCK, _BLOCKS = 50, 600  # fewest records of a block, and most blocks
_SAMPLED = 60_000  # records of a large table that are put in blocks


@dataclass(frozen=True)
class PublicFigures:
    """The public results of what was measured.

    Attributes
    ----------
    results
        By measure, what is told; what cannot be told is not there.
    before
        By measure, the risk of the original as if it were released.
    """

    results: Mapping[Assessment, Result] = field(default_factory=dict)
    before: Mapping[Assessment, float] = field(default_factory=dict)


@dataclass(frozen=True)
class _Figure:
    """A number that a record can move by less than a unit; the value itself is part ""."""

    measure: Assessment
    part: str
    share: float
    unit: float


def table_figures(
    before: Any,
    masked: Any,
    steps: Sequence[Step],
    measured: Sequence[tuple[Assessment, Result]],
    before_risks: Mapping[Assessment, Result],
    draws: Draws,
) -> PublicFigures:
    """Return what is published about a table: numbers of the release exactly, others with noise.

    Each of k numbers is drawn with ε/k of the ε that the steps have left, so that by all numbers
    together no value of a record becomes more than e times as likely against another. Numbers that
    would drown are not told.

    Parameters
    ----------
    before, masked
        The original and the masked table, record by record.
    steps
        What was done.
    measured
        Every measure with its result.
    before_risks
        The risks of the original.
    draws
        Those of the release. Secret.
    """
    open_to_all = [(m, result) for m, result in measured if not m.confidential]
    results = {m: m(masked, steps=steps) for m, _ in open_to_all if m.of_release}
    values = [
        _Figure(measure, when, float(result.value), unit_above(result.influence))
        for when, pairs in (("", open_to_all), ("before", before_risks.items()))
        for measure, result in pairs
        if result.influence is not None and measure not in results
    ]
    block_results = {
        m: block_means(m, before, masked, steps, draws) for m, _ in open_to_all if m.by_blocks
    }
    parts: list[_Figure] = []
    for measure, (unit, shares) in block_results.items():
        values += [_Figure(measure, "", shares.pop(""), unit)] if shares else []
        parts += [_Figure(measure, f"part {name}", s, unit) for name, s in shares.items()]
    told = [*values, *parts]
    left = EPSILON - SHARES_EPSILON * sum(bool(step.settings.get("invariant")) for step in steps)
    if left < 0:
        raise SettingError(
            "a release can have at most {most} invariant PRAM steps: each reveals something "
            "about the shares of the original. Put their columns into one step.",
            most=int(EPSILON / SHARES_EPSILON),
        )
    if not parts or parts[-1].unit * len(told) > _WIDEST_PART * left:  # columns: all or none
        told = _that_can_be_told(values, left)
    drawn = dict(_drawn(told, left, draws))
    for measure, result in open_to_all:
        if (measure, "") in drawn:
            results[measure] = _public_result(measure, result, drawn)
    risks = {m: drawn[m, "before"] for m in before_risks if (m, "before") in drawn}
    return PublicFigures(results, risks)


def _that_can_be_told(figures: Sequence[_Figure], epsilon: float) -> list[_Figure]:
    """Return the numbers whose noise leaves something of them, most exact ones first."""
    told = sorted(figures, key=lambda figure: figure.unit)
    while told and told[-1].unit * len(told) > _WIDEST * epsilon:
        told.pop()
    return told


def _drawn(
    told: Sequence[_Figure], epsilon: float, draws: Draws
) -> Iterator[tuple[tuple[Assessment, str], float]]:
    """Yield the numbers with noise; other numbers get other draws, so that none cancel out."""
    names = [f"{figure.measure.label()}|{figure.part}" for figure in told]
    own = draws.of_release("|".join(["figures", *names]))
    for name, figure in zip(names, told, strict=True):
        uniform = float(own.uniform(name, 1)[0])
        share = with_noise(figure.share, figure.unit, epsilon / len(told), uniform)
        yield (figure.measure, figure.part), share


def _public_result(
    measure: Assessment, result: Result, drawn: Mapping[tuple[Assessment, str], float]
) -> Result:
    parts = {
        n: drawn[measure, f"part {n}"] for n in result.parts if (measure, f"part {n}") in drawn
    }
    notes = () if measure.by_blocks else result.notes
    if measure.by_blocks:
        notes = (say("reported as the mean over blocks of records, each measured separately."),)
    return Result(result.measure, drawn[measure, ""], result.best, result.worst, parts, notes=notes)


def block_means(
    measure: Assessment, before: Any, masked: Any, steps: Sequence[Step], draws: Draws
) -> tuple[float, dict[str, float]]:
    """Return the means over blocks of records, and more than one record moves them by.

    Every block gives a number from 0 to 1, so that a record, which is in a single block, moves
    the mean by one over their number at most, whatever is measured (Nissim, Raskhodnikova and Smith
    2007, sample and aggregate). Nothing is returned where records were left out.
    """
    own = draws.of_release("blocks")
    if before.records != masked.records:
        return 1.0, {}
    before, masked = (_in_memory(table, own) for table in (before, masked))
    if before.copies is not None:
        return 1.0, {}
    number = min(before.rows // _BLOCK, _BLOCKS)
    if not number:
        return 1.0, {}
    order = np.argsort(own.uniform("", before.rows), kind="stable")
    blocks = [
        _shares_of(measure, before.take(rows), masked.take(rows), steps)
        for rows in map(np.sort, np.array_split(order, number))
    ]
    names = dict.fromkeys(name for block in blocks for name in block)
    means = {n: float(np.mean([block.get(n, 1.0) for block in blocks])) for n in names}
    return unit_above(1 / number), means


def _in_memory(table: Microdata | LargeTable, draws: Draws) -> Microdata:
    if isinstance(table, Microdata):
        return table
    return table.sample(min(_SAMPLED, table.records), seed=draws.seed)


def _shares_of(
    measure: Assessment, before: Microdata, masked: Microdata, steps: Sequence[Step]
) -> dict[str, float]:
    """Return value and parts of a block, from 0 to 1; none where it cannot be measured."""
    try:
        result = measure(before, masked, steps=steps)
    except SudareError:
        return {}
    columns = {name: part for name, part in result.parts.items() if " × " not in name}
    shares: Floats = np.clip([result.value, *columns.values()], 0.0, 1.0)
    return dict(zip(["", *columns], shares.tolist(), strict=True))
