"""A card for each column: its distribution, gaps, twins and strongest partners.

Counts below ten are shown as "<10" unless somebody unlocks them; the smallest count that is shown
then stands as a range, so that the hidden ones do not follow from the total.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise

import numpy as np

from sudare.core import Column, Integers, Microdata, Numeric, Role, Scale, say
from sudare.describe.associations import Association, Statistic, association, strength
from sudare.describe.proposing import Proposal, proposals
from sudare.engine.frames import is_dated, texts_of

_LEAST = 10  # records that a count must have to be shown
_MOST_BARS = 50
_BINS = 12
_PARTNERS = 3
_WEAKEST = 0.05  # strength below which columns do not go together
_NAMING = {"identifier", "household", "weight"}
_TOLD = {"filter", "twin", "derived", "constant", "missing", "number", "date"}


@dataclass(frozen=True)
class Bar:
    """A label or an interval of numbers, its count as shown, and the length of its bar (0 to 1)."""

    label: str
    count: str
    length: float


@dataclass(frozen=True)
class Partner:
    """A column with which another goes together, and how closely: r, V or η²."""

    name: str
    statistic: Statistic
    value: float


@dataclass(frozen=True)
class Card:
    """What people want to know of one column.

    Attributes
    ----------
    bars
        The distribution in natural order; empty for identifiers and household numbers.
    more
        Number of labels beyond those that are shown.
    notes
        Sentences: by whom a question was asked, twins, sums, words for no answer.
    """

    name: str
    role: Role
    scale: Scale
    records: int
    distinct: int
    missing: int
    not_applicable: int
    bars: tuple[Bar, ...]
    more: int
    notes: tuple[str, ...]
    partners: tuple[Partner, ...]

    def facts(self) -> str:
        """Return role, scale and counts in a line."""
        return " · ".join(
            (
                self.role,
                self.scale,
                f"{say('distinct')} {self.distinct}",
                f"{say('missing')} {self.missing}",
                f"{say('not applicable')} {self.not_applicable}",
            )
        )

    def going_with(self) -> str:
        """Return the strongest partners in a line."""
        symbols = {"r": "r", "V": "V", "eta2": "η²"}
        named = ", ".join(
            f"{partner.name} ({symbols[partner.statistic]} = {partner.value:.2f})"
            for partner in self.partners
        )
        return say("Goes with: {names}", names=named) if named else ""

    def _repr_html_(self) -> str:
        """Return the card as a notebook and a page show it."""
        rows = "".join(
            f"<tr><td>{escape(bar.label)}</td><td>{escape(bar.count)}</td>"
            f'<td><meter min="0" max="1" value="{bar.length:.3f}"></meter></td></tr>'
            for bar in self.bars
        )
        more = say("and {count} more", count=self.more) if self.more else ""
        lines = (self.facts(), *self.notes, self.going_with(), more)
        told = "".join(f"<p>{escape(line)}</p>" for line in lines if line)
        table = f"<table><tbody>{rows}</tbody></table>" if rows else ""
        return f'<section class="card"><h3>{escape(self.name)}</h3>{told}{table}</section>'


class Cards(tuple[Card, ...]):
    """Cards that a notebook shows one below the other."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        """Return all cards as HTML."""
        return "".join(card._repr_html_() for card in self)

    def __repr__(self) -> str:
        return f"<Cards of {len(self)} columns>"


def cards(
    data: Microdata,
    pairs: Association | None = None,
    proposed: Sequence[Proposal] | None = None,
    *,
    unlocked: bool = False,
) -> Cards:
    """Return a card for each column of a table.

    Parameters
    ----------
    data
        The table.
    pairs, proposed
        Its associations and proposals, if there are any yet.
    unlocked
        Whether counts below ten are shown.

    Examples
    --------
    >>> import sudare
    >>> sex = next(c for c in cards(sudare.datasets.toy()) if c.name == "sex")
    >>> [(bar.label, bar.count) for bar in sex.bars]
    [('female', '195'), ('male', '205')]
    """
    made = proposals(data) if proposed is None else proposed
    associations = association(data) if pairs is None else pairs
    by_column: dict[str, list[Proposal]] = {name: [] for name in data.names}
    twins: dict[str, set[str]] = {name: set() for name in data.names}
    for proposal in made:
        by_column[proposal.column].append(proposal)
        if proposal.what == "twin":
            twins[proposal.column].add(str(proposal.value))
            twins[str(proposal.value)].add(proposal.column)
    named = {p.column for p in made if p.what == "role" and p.value in _NAMING}
    return Cards(
        _card(
            column,
            by_column[column.name],
            twins[column.name],
            _partners(associations, column.name, twins[column.name] | named),
            unlocked=unlocked,
        )
        for column in data.columns
    )


def _card(
    column: Column,
    proposed: Sequence[Proposal],
    twins: set[str],
    partners: tuple[Partner, ...],
    *,
    unlocked: bool,
) -> Card:
    role = next((p.value for p in proposed if p.what == "role"), column.role)
    names_somebody = {role, column.role} & {"identifier", "household"}
    labels, counts, more = _distribution(column, proposed)
    if names_somebody:
        labels, counts, more = [], counts[:0], 0
    told = [f"{p.reason[:1].upper()}{p.reason[1:]}." for p in proposed if p.what in _TOLD]
    of_others = twins - {str(p.value) for p in proposed if p.what == "twin"}
    told += [
        say("'{twin}' holds the same information, as a code or in more detail.", twin=twin)
        for twin in of_others
    ]
    known = column.coded.codes[column.known]
    return Card(
        name=column.name,
        role=column.role,
        scale=column.scale,
        records=column.rows,
        distinct=len(np.unique(known)),
        missing=int(column.missing.sum()),
        not_applicable=int(column.not_applicable.sum()),
        bars=bars_of(labels, counts, unlocked=unlocked),
        more=more,
        notes=tuple(told),
        partners=partners,
    )


def _distribution(
    column: Column, proposed: Sequence[Proposal]
) -> tuple[Sequence[str], Integers, int]:
    """Return labels in natural order with counts, and how many labels are left out."""
    coded = column.coded
    counts = np.bincount(coded.codes + 2, minlength=len(coded.labels) + 2)[2:]
    occurring = np.flatnonzero(counts)
    scale = next((p.value for p in proposed if p.what == "scale"), column.scale)
    is_amount = scale in {"interval", "ratio"} or len(occurring) > 10 * _MOST_BARS
    if len(occurring) > _MOST_BARS // 2 and isinstance(column, Numeric) and is_amount:
        return (*_classes(column), 0)
    texts = {code: str(coded.labels[code]) for code in occurring.tolist()}
    order = next((p.value for p in proposed if p.what == "order"), ())
    if isinstance(order, tuple) and order:
        position = {text: number for number, text in enumerate(order)}
        occurring = np.array(
            sorted(occurring, key=lambda c: position.get(texts[int(c)], len(position)))
        )
    kept = occurring
    if len(occurring) > _MOST_BARS:  # the commonest, in the order of the list
        common = np.argsort(-counts[occurring], kind="stable")[:_MOST_BARS]
        kept = occurring[np.sort(common)]
        kept = kept[counts[kept] >= _LEAST]
    return [texts[code] for code in kept.tolist()], counts[kept], len(occurring) - len(kept)


def _classes(column: Numeric) -> tuple[Sequence[str], Integers]:
    """Return about a dozen intervals of numbers with round ends, and their counts."""
    values = column.values[column.known]
    width = (values.max() - values.min()) / _BINS
    step = _round_step(width)
    edges = np.arange(np.floor(values.min() / step), np.ceil(values.max() / step) + 1) * step
    edges = np.append(edges, edges[-1] + step) if edges[-1] <= values.max() else edges
    counts = np.histogram(values, edges)[0]
    ends = texts_of(column, edges) if is_dated(column) else tuple(f"{edge:g}" for edge in edges)
    return [f"{low} – {high}" for low, high in pairwise(ends)], counts


def _round_step(width: float) -> float:
    """Return the next of 1, 2 or 5 times a power of ten."""
    power = 10.0 ** np.floor(np.log10(width))
    return float(next(m * power for m in (1, 2, 5, 10) if m * power >= width * (1 - 1e-9)))


def bars_of(labels: Sequence[str], counts: Integers, *, unlocked: bool) -> tuple[Bar, ...]:
    """Return bars; counts below 10 are shown, and drawn, as one band unless they are unlocked."""
    return bars_within(labels, *shown_bounds(counts, unlocked=unlocked))


def shown_bounds(counts: Integers, *, unlocked: bool) -> tuple[Integers, Integers]:
    """Return the bounds of each count that a reader is shown.

    Counts below 10 are between 1 and 9. The least of the others is told by its tens, or else what
    is missing to the number of all records would tell a hidden count.

    Examples
    --------
    >>> import numpy as np
    >>> [bound.tolist() for bound in shown_bounds(np.array([195, 200, 5]), unlocked=False)]
    [[190, 200, 1], [199, 200, 9]]
    """
    hidden = (counts > 0) & (counts < _LEAST) & (not unlocked)
    lows, highs = np.where(hidden, 1, counts), np.where(hidden, _LEAST - 1, counts)
    visible = np.flatnonzero(~hidden & (counts > 0))
    if hidden.any() and len(visible):
        least = visible[np.argmin(counts[visible])]
        lows[least] = counts[least] // 10 * 10
        highs[least] = lows[least] + 9
    return lows, highs


def bars_within(labels: Sequence[str], lows: Integers, highs: Integers) -> tuple[Bar, ...]:
    """Return bars of counts that lie between bounds; where some differ, lengths tell tens only."""
    if not len(lows):
        return ()
    told = np.maximum(lows // 10 * 10, _LEAST / 2 * (highs > 0)) if (lows < highs).any() else lows
    longest = max(float(told.max()), 1.0)
    return tuple(
        Bar(label, _told_count(int(low), int(high)), float(length) / longest)
        for label, low, high, length in zip(labels, lows, highs, told, strict=True)
    )


def _told_count(low: int, high: int) -> str:
    if low == high:
        return str(low)
    return f"<{_LEAST}" if (low, high) == (1, _LEAST - 1) else f"{low}–{high}"


def _partners(pairs: Association, name: str, left_out: set[str]) -> tuple[Partner, ...]:
    """Return the three columns that go most closely with one; twins and names are left out."""
    partners = [
        (strength(pair), Partner(other, pair.statistic, pair.value))
        for pair in pairs.pairs
        if name in {pair.first, pair.second} - left_out and strength(pair) >= _WEAKEST
        for other in {pair.first, pair.second} - {name} - left_out
    ]
    partners.sort(key=lambda entry: -entry[0])
    return tuple(partner for _, partner in partners[:_PARTNERS])
