"""Customer anonymity: every published customer could be any of k, at the least loss of utility."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Annotated, Literal

import numpy as np

from sudare.core import AtLeast, Draws, Integers, Seed, SettingError, draws_from
from sudare.transactions.cells import DELETED, GONE, ItemSets, MaskedHistory, Ranges
from sudare.transactions.history import AMOUNTS, COLUMNS, History
from sudare.transactions.loss import range_error
from sudare.transactions.mask.alignment import Baskets, OnShare
from sudare.transactions.mask.exchange import exchanged_groups
from sudare.transactions.mask.grouping import Groups, PairCosts, cheapest_pairs, short_cycles
from sudare.transactions.methods import HistoryMasker

Representative = Literal["hull", "center"]
_MOST_TOGETHER = 1500  # customers of whom any two may be grouped: time grows with their cube
_BLOCK = 500


class CustomerAnonymity(HistoryMasker):
    """Make every published customer match k or more customers, with the least error of cells.

    Groups of k customers publish the same rows: as many as the smallest of them has, each cell the
    hull of the dates, prices or quantities, or the set of the items, of the rows that are published
    as one. Rows that are left over are deleted, and so are the cells of a row that are lost less by
    deletion than by their hull, and sets of more items than the rules of the history allow. Who is
    grouped, and which rows are published as one, is chosen for the least U (:func:`utility`): for
    pairs this is the optimum, for larger groups it is sought by exchange. Of more than 1,500
    customers, only those with alike numbers of rows are grouped, some 500 at a time. Customers get
    new pseudonyms in random order.

    With ``representative="center"`` a cell is the median of the amounts, or the commonest item, of
    the rows that are published as one. It need not hold the true value, and the error is smaller:
    never above that of the hull, and clearly below it for k of 3 and more. Customers are alike as
    before; who is grouped with whom is still chosen by the hulls.

    With ``structure="cycles"`` (for k = 2) a customer need not be published like the one whose rows
    he covers: three customers may form a cycle, in which each published customer covers one and the
    next. Each still fits two customers and each customer fits two published ones, but three names
    are right or wrong together. U is lower, and the chance of an attack that names whole cycles is
    higher; :func:`best_attack` tells how much.

    Notes
    -----
    Which way round a cycle goes is drawn, and what is published of it is the same either way: the
    cells depend on who is next to whom only, and so does the number of rows. The file therefore
    tells nothing about the draw, whatever an attacker knows about the method. The same holds for
    the pseudonyms within a group.

    Cells that are ranges or sets already are kept inside the hull; they are aligned by the middle
    of the range, and by the set as a whole. Deleted rows stay deleted. No customer is ever left as
    he is, and nobody is deleted altogether.

    References
    ----------
    Hamada et al. (2018), A report of the anonymization and re-identification contest PWSCUP 2018,
    sections 2.3, 2.4.2 and 5.1.

    Jonker and Volgenant (1987), A shortest augmenting path algorithm for dense and sparse linear
    assignment problems, Computing 38.

    Examples
    --------
    >>> from sudare.datasets import purchases_like
    >>> from sudare.transactions import utility
    >>> history = purchases_like(20, seed=1)
    >>> masked = CustomerAnonymity(k=2).mask(history, seed=7)
    >>> masked
    <MaskedHistory 1913 rows: 20 customers, 431 rows deleted>
    >>> round(utility(history, masked), 4)
    0.395
    """

    random = True

    k: Annotated[int, AtLeast(2), "least number of customers that each published one matches"] = 2
    structure: Annotated[
        Literal["groups", "cycles"], "published alike in groups, or in cycles too (k = 2)"
    ] = "groups"
    representative: Annotated[
        Representative,
        "publish ranges and sets that hold the true values, or medians and commonest items",
    ] = "hull"
    rounds: Annotated[int, AtLeast(0), "rounds of exchanges between groups of three and more"] = 12

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.structure == "cycles" and self.k > 2:
            raise SettingError(
                "CustomerAnonymity: structure 'cycles' is for k = 2, got k = {k}; use 'groups'.",
                k=self.k,
            )

    def touches(self) -> tuple[str, ...]:
        """Return all columns: customers get new pseudonyms."""
        return COLUMNS

    def mask(
        self,
        history: History | MaskedHistory,
        *,
        seed: Seed = None,
        on_progress: OnShare | None = None,
    ) -> MaskedHistory:
        """Return the masked history; the one given stays as it is.

        ``on_progress`` is called with the share of the present stage that is done.
        """
        masked = MaskedHistory.of(history) if isinstance(history, History) else history
        return self._masked(masked, draws_from(seed), on_progress)

    def _mask(self, masked: MaskedHistory, draws: Draws) -> MaskedHistory:
        return self._masked(masked, draws, None)

    def _masked(
        self, masked: MaskedHistory, draws: Draws, on_progress: OnShare | None
    ) -> MaskedHistory:
        baskets = Baskets.of(masked) if not masked.gone.all() else None
        if baskets is None or len(baskets.sizes) < self.k:
            raise SettingError(
                "CustomerAnonymity: k must be at most the number of customers, "
                "{customers}, got {k}.",
                k=self.k,
                customers=0 if baskets is None else len(baskets.sizes),
            )
        groups = [
            tuple(customers[list(group)].tolist())
            for customers in baskets.in_blocks(_MOST_TOGETHER, max(_BLOCK, 4 * self.k))
            for group in self._groups(PairCosts.bounded(baskets.taking(customers)), on_progress)
        ]
        return self.alike(masked, baskets, groups, draws)

    def alike(
        self, masked: MaskedHistory, baskets: Baskets, groups: Groups, draws: Draws
    ) -> MaskedHistory:
        """Return the file in which these groups, or cycles, of customers publish alike."""
        if self.structure == "cycles":
            turned = draws.uniform("cycle", len(groups)) < 0.5
            groups = [
                group[::-1] if turn else group for group, turn in zip(groups, turned, strict=True)
            ]
        merged = self._merged(baskets, groups)
        alike = published_as(masked, baskets, merged, representative=self.representative)
        return renamed(alike, baskets, draws)

    def _groups(self, costs: PairCosts, on_progress: OnShare | None) -> Groups:
        if self.structure == "cycles":
            return short_cycles(costs, on_progress)
        if self.k == 2:
            return cheapest_pairs(costs, on_progress)
        return exchanged_groups(costs, self.k, rounds=self.rounds, on_progress=on_progress)

    def _merged(self, baskets: Baskets, groups: Groups) -> Iterator[tuple[Integers, Integers]]:
        """Yield rows, shape (m,), and the rows that each is published as one with, shape (m, k)."""
        for group in groups:
            if self.structure == "groups" or len(group) == 2:
                members, rows = baskets.aligned(group)
                for column in range(len(members)):
                    yield rows[:, column], rows
                continue
            for customer, following in zip(group, (*group[1:], group[0]), strict=True):
                members, rows = baskets.aligned((customer, following))
                yield rows[:, int(np.flatnonzero(members == customer)[0])], rows


def published_as(
    masked: MaskedHistory,
    baskets: Baskets,
    merged: Iterable[tuple[Integers, Integers]],
    *,
    representative: Representative = "hull",
) -> MaskedHistory:
    """Return a file whose rows are those that represent the rows they are merged with.

    Rows that are merged with none are deleted, and so are cells whose representative is a larger
    error than their deletion, and sets with too many items.
    """
    by_width = defaultdict[int, list[tuple[Integers, Integers]]](list)
    for rows, sets in merged:
        by_width[sets.shape[1]].append((baskets.rows[rows], baskets.rows[sets]))
    whole = [
        (np.concatenate([own for own, _ in parts]), np.concatenate([sets for _, sets in parts]))
        for parts in by_width.values()
    ]
    hull = representative == "hull"
    merge = _widened if hull else _centered
    amounts = {name: merge(masked.amounts(name), baskets.rows, whole) for name in AMOUNTS}
    items = masked.items
    items = _united(items, whole, masked.rules.set_size) if hull else _commonest(items, whole)
    gone = np.ones(masked.rows, dtype=np.bool_)
    for own, _ in whole:
        gone[own] = False
    return masked.with_amounts(amounts).with_items(items).without_rows(gone)


def _widened(cells: Ranges, live: Integers, whole: Sequence[tuple[Integers, Integers]]) -> Ranges:
    """Return the hulls of one column of amounts."""
    low, high = cells.low.copy(), cells.high.copy()
    middle = (cells.low + cells.high) / 2
    deviation = middle[live].std()
    for own, sets in whole:
        lowest, highest = cells.low[sets].min(axis=1), cells.high[sets].max(axis=1)
        ends = lowest[:, None], np.maximum(lowest, highest)[:, None]  # deleted cells end below
        errors = range_error(middle[sets], *ends).sum(axis=1)
        lost = (errors > sets.shape[1] * deviation) | cells.deleted[sets].any(axis=1)
        low[own], high[own] = np.where(lost, 1, lowest), np.where(lost, 0, highest)
    return Ranges(low, high)


def _centered(cells: Ranges, live: Integers, whole: Sequence[tuple[Integers, Integers]]) -> Ranges:
    """Return the medians of one column of amounts, the lower one of two."""
    low, high = cells.low.copy(), cells.high.copy()
    middle = (cells.low + cells.high) // 2
    deviation = middle[live].std()
    for own, sets in whole:
        centers = np.sort(middle[sets], axis=1)[:, (sets.shape[1] - 1) // 2]
        errors = np.abs(middle[sets] - centers[:, None]).sum(axis=1)
        lost = (errors > sets.shape[1] * deviation) | cells.deleted[sets].any(axis=1)
        low[own], high[own] = np.where(lost, 1, centers), np.where(lost, 0, centers)
    return Ranges(low, high)


def _commonest(items: ItemSets, whole: Sequence[tuple[Integers, Integers]]) -> ItemSets:
    """Return the commonest item, or set of items, of the rows that are published as one."""
    cells = np.full(len(items.cells), DELETED, dtype=np.int32)
    for own, sets in whole:
        numbers = np.sort(items.cells[sets], axis=1)
        times = (numbers[:, :, None] == numbers[:, None, :]).sum(axis=2)
        cells[own] = numbers[np.arange(len(own)), times.argmax(axis=1)]
    return replace(items, cells=cells)


def _united(items: ItemSets, whole: Sequence[tuple[Integers, Integers]], set_size: int) -> ItemSets:
    """Return the unions of the sets of items; those of more than ``set_size`` are deleted."""
    cells = np.full(len(items.cells), DELETED, dtype=np.int32)
    known = dict[tuple[int, ...], int]()
    for own, sets in whole:
        distinct, of = np.unique(np.sort(items.cells[sets], axis=1), axis=0, return_inverse=True)
        numbers = np.full(len(distinct), DELETED)
        for entry, combined in enumerate(distinct):
            if combined[0] != DELETED:
                parts = {int(item) for number in combined for item in items.members_of(number)}
                if len(parts) <= set_size:
                    numbers[entry] = known.setdefault(tuple(sorted(parts)), len(known))
        cells[own] = numbers[of.reshape(-1)]
    lengths = [len(members) for members in known]
    members = np.array([item for members in known for item in members], dtype=np.int32)
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    return ItemSets(cells, starts, members, items.item_ids)


def renamed(masked: MaskedHistory, baskets: Baskets, draws: Draws) -> MaskedHistory:
    """Return the file with pseudonyms 1, 2, … dealt to the customers at random."""
    numbers = np.argsort(np.argsort(draws.uniform("customer", len(baskets.sizes)))) + 1
    pseudonyms = np.zeros(masked.rows, dtype=np.int64)
    pseudonyms[baskets.rows] = np.repeat(numbers, baskets.sizes)
    return replace(masked, pseudonyms=np.where(masked.gone, GONE, pseudonyms))
