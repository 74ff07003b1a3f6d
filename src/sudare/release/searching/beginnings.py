"""What a search tries before it learns: what a person would write, then the rest of the usual."""

from collections.abc import Mapping, Sequence
from itertools import chain, combinations, zip_longest

from sudare.release.searching.space import Move

Beginning = Sequence[tuple[Move, Mapping[str, object]]]


def by_hand(space: Sequence[Move]) -> list[Beginning]:
    """Return the recipes that a person who knows the methods would write for the limits.

    They are the methods that promise the limits, each as it is usually used; nothing at all; and,
    where k itself is stated, the first method after each that merges or draws values, and all in
    their variants with round figures. They come before anything else: a search with some two dozen
    trials cannot lose to them.
    """
    promising = [move for move in space if move.promised]
    sure = [move for move in promising if not move.may_need_less]
    prepared = [
        [(before, settings), (promise, promise.usual())]
        for promise in sure[:1]
        for before in space[: space.index(promise)]
        if before.may_go_before
        for settings in before.round_figures()
    ]
    ways = [[[(move, settings)] for settings in move.variants()[1:]] for move in sure]
    return [*([(move, move.usual())] for move in promising), [], *prepared, *_in_turn(ways)]


def afterwards(space: Sequence[Move]) -> list[Beginning]:
    """Return what comes in turn with neighbours of the best recipe.

    These are promises after a method that merges values, with less k or another goal; then each
    other method alone, and all together.
    """
    coarser = [
        [(before, before.usual()), (promise, promise.usual())]
        for before, promise in combinations(space, 2)
        if before.makes_coarser and promise.promised and not promise.may_need_less
    ]
    unsure = [move for move in space if move.may_need_less]
    less = [[[(move, settings)] for settings in move.variants()[1:]] for move in unsure]
    goals = [[(move, settings)] for move in space if move.promised for settings in move.goals()]
    others = [[(move, move.usual())] for move in space if not move.promised]
    together = [(move, move.usual()) for move in space]
    return [*_in_turn(less), *coarser, *goals, *others, together]


def _in_turn(ways: Sequence[Sequence[Beginning]]) -> list[Beginning]:
    """Return the first of each, then the second of each, and so on."""
    return [way for way in chain(*zip_longest(*ways)) if way is not None]
