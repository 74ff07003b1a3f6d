"""Groups of three and more customers: annealed on the costs of pairs, then improved by exchange."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sudare.core import Array, Draws, Floats, Integers
from sudare.transactions.mask.alignment import OnShare
from sudare.transactions.mask.grouping import Groups, PairCosts

if TYPE_CHECKING:
    from sudare.transactions.mask._kernels_group import Exchangeable

_NEAR = 6  # partners by bound whose cost is computed at first
_TRIED = 24  # partners of each customer whose groups he may join
_ANNEALED = 6  # times; before each, the costs of the pairs that were used are computed
_MOVES = 100  # exchanges tried per customer at each temperature
_COOLING = tuple(8 * 0.8**step for step in range(30))  # temperatures, in rows
_UNSEEN = 1.08  # what a pair costs beyond its bound, about
Parts = tuple[tuple[int, ...], tuple[int, ...]]  # two groups after an exchange


@dataclass(repr=False)
class _Groups:
    """Groups of customers, padded to one width, and where everybody is."""

    members: Integers
    counts: Integers
    positions: Integers

    @classmethod
    def of_sizes(cls, customers: int, k: int) -> "_Groups":
        """Return neighbors by number of rows together, in groups of k or a few more."""
        parts = np.array_split(np.arange(customers), max(customers // k, 1))
        counts = np.array([len(part) for part in parts])
        members = np.full((len(parts), counts.max()), -1)
        positions = np.empty((customers, 2), dtype=np.int64)
        for number, part in enumerate(parts):
            members[number, : len(part)] = part
            positions[part, 0], positions[part, 1] = number, np.arange(len(part))
        return cls(members, counts, positions)

    def exchange(self, move: Array) -> None:
        """Exchange two customers."""
        group, i, other, j = (int(part) for part in move)
        a, c = self.members[group, i], self.members[other, j]
        self.members[group, i], self.members[other, j] = c, a
        self.positions[a], self.positions[c] = (other, j), (group, i)

    def exchanged(self, move: Array) -> Parts:
        """Return what two groups would be if two customers were exchanged."""
        group, i, other, j = (int(part) for part in move)
        first, second = list(self[group]), list(self[other])
        first[i], second[j] = second[j], first[i]
        return tuple(sorted(first)), tuple(sorted(second))

    def __getitem__(self, number: int) -> tuple[int, ...]:
        return tuple(self.members[number, : self.counts[number]].tolist())

    def __len__(self) -> int:
        return len(self.counts)


def exchanged_groups(
    costs: PairCosts, k: int, *, rounds: int, on_progress: OnShare | None = None
) -> Groups:
    """Return groups of k customers or a few more, at a low cost.

    The groups are annealed on a guess of their cost from the costs of pairs, bounds at first; the
    costs of the pairs that came together are computed, and so on. Then the rows of the groups are
    aligned, and in each round the most promising exchanges are tried and the better ones kept.
    """
    costs.learn_nearest(_NEAR, on_progress)
    for _ in range(_ANNEALED):
        groups, state = _annealed(costs, k)
        members = [np.array(groups[number]) for number in range(len(groups))]
        within = [np.stack(np.triu_indices(len(group), 1), axis=1) for group in members]
        costs.learn(
            np.concatenate(
                [group[positions] for group, positions in zip(members, within, strict=True)]
            )
        )
    _improve(costs, groups, state, rounds, on_progress)
    return [groups[number] for number in range(len(groups))]


def _annealed(costs: PairCosts, k: int) -> "tuple[_Groups, Exchangeable]":
    """Return groups that are cheap by the costs of their pairs, and what exchanges need."""
    from sudare.transactions.mask._kernels_group import Exchangeable, anneal
    from sudare.transactions.mask._kernels_pairs import ROW

    pairs = np.where(costs.known, costs.least, _unseen(costs))
    sizes = costs.baskets.sizes
    near = np.argsort(pairs, axis=1, kind="stable")[:, : min(_TRIED, len(sizes) - 1)]
    groups = _Groups.of_sizes(len(sizes), k)
    near = np.ascontiguousarray(near)
    state = Exchangeable(pairs, sizes, near, groups.members, groups.counts, groups.positions)
    for step, heat in enumerate((*_COOLING, 0.0)):
        draws = Draws(seed=0, step=step).uniform("exchange", 4 * _MOVES * len(sizes))
        anneal(state, draws.reshape(-1, 4), heat * ROW)
    return groups, state


def _unseen(costs: PairCosts) -> Integers:
    """Return a guess of the cost of pairs from their bounds."""
    from sudare.transactions.mask._kernels_pairs import ROW

    sizes = costs.baskets.sizes
    surplus = ROW * np.abs(sizes[:, None] - sizes)
    return surplus + ((costs.least - surplus) * _UNSEEN).astype(np.int64)


def _improve(
    costs: PairCosts,
    groups: _Groups,
    state: "Exchangeable",
    rounds: int,
    on_progress: OnShare | None,
) -> None:
    """Keep the exchanges that make two aligned groups cheaper, the best first."""
    cost_of = dict[tuple[int, ...], int]()

    def learn(some: list[tuple[int, ...]]) -> None:
        new = sorted({group for group in some if group not in cost_of})
        cost_of.update(zip(new, costs.baskets.group_costs(new).tolist(), strict=True))

    learn([tuple(sorted(groups[number])) for number in range(len(groups))])
    tried = set[Parts]()
    for turn in range(rounds):
        moves, worse = _exchanges(state)
        fresh = dict[Parts, Array]()
        for move in moves[np.argsort(worse, kind="stable")]:
            parts = groups.exchanged(move)
            if parts not in tried:
                fresh[parts] = move
            if len(fresh) == max(len(costs.least) // 2, 1):
                break
        if not fresh:
            break
        learn([group for parts in fresh for group in parts])
        tried.update(fresh)
        _keep_better(groups, fresh, cost_of)
        if on_progress is not None:
            on_progress((turn + 1) / rounds)


def _exchanges(state: "Exchangeable") -> tuple[Integers, Floats]:
    """Return the exchanges that bring a customer to a near one, (n, 4), and what they cost."""
    from sudare.transactions.mask._kernels_group import find_exchanges

    most = len(state.sizes) * state.near.shape[1] * state.groups.shape[1]
    moves, worse = np.empty((most, 4), np.int64), np.empty(most)
    count = find_exchanges(state, moves, worse)
    return moves[:count], worse[:count]


def _keep_better(
    groups: _Groups,
    fresh: dict[Parts, Array],
    cost_of: dict[tuple[int, ...], int],
) -> None:
    """Make the exchanges that help, the best first, each group at most once."""
    gains = []
    for (first, second), move in fresh.items():
        before = sum(cost_of[tuple(sorted(groups[int(number)]))] for number in move[[0, 2]])
        gains.append((before - cost_of[first] - cost_of[second], move))
    gains.sort(key=lambda gain: -gain[0])
    touched = set[int]()
    for gain, move in gains:
        numbers = {int(move[0]), int(move[2])}
        if gain > 0 and not numbers & touched:
            groups.exchange(move)
            touched |= numbers
