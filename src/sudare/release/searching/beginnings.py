"""What a search tries before it learns: what a person would write, then the rest of the usual."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations, product, zip_longest

from sudare.core import Masker
from sudare.release.searching.space import Move, Numbers, Words

_SMALL, _LARGE = (0.01, 0.02), (0.9,)  # shares as people write them
_GOALS = ("loss",)  # settings that say what a method itself makes small

Beginning = Sequence[tuple[Move, Mapping[str, object]]]


def by_hand(space: Sequence[Move]) -> list[Beginning]:
    """Return the recipes that a person who knows the methods would write for the limits.

    They are the methods that promise the limits, each as it is usually used; nothing at all; the
    first method after records were grouped by the same k; and, where k itself is stated, the first
    method after each that merges or draws values, and all in their variants with round figures.
    They come before anything else: a search with some two dozen trials cannot lose to them.
    """
    promising = [move for move in space if move.promised]
    sure = [move for move in promising if not move.may_need_less]
    prepared = [
        [(before, settings), (promise, promise.usual())]
        for promise in (sure or promising)[:1]
        for before in space[: space.index(promise)]
        if _groups_records(before) or (sure and _may_go_before(before))
        for settings in _round_figures(before, promise)
    ]
    ways = [[[(move, settings)] for settings in _variants(move)] for move in sure]
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
    less = [[[(move, settings)] for settings in _variants(move)] for move in unsure]
    goals = [[(move, settings)] for move in space if move.promised for settings in _goals(move)]
    others = [[(move, move.usual())] for move in space if not move.promised]
    together = [(move, move.usual()) for move in space]
    return [*_in_turn(less), *coarser, *goals, *others, together]


def _in_turn(ways: Sequence[Sequence[Beginning]]) -> list[Beginning]:
    """Return the first of each, then the second of each, and so on."""
    return [way for way in chain(*zip_longest(*ways)) if way is not None]


def _may_go_before(move: Move) -> bool:
    """Return whether a promise may cost less after it.

    Merging values leaves less to hide; drawing them loosens ties with sensitive values.
    """
    kind = move.method
    masks_rows = issubclass(kind, Masker) and kind.works_on == "rows"
    return masks_rows and not move.promised and (move.makes_coarser or kind.random)


def _groups_records(move: Move) -> bool:
    """Return whether it makes records of a group alike, so that a promise has little left to do."""
    return "k" in move.ranges and not move.promised


def _variants(move: Move) -> Iterator[dict[str, object]]:
    """Yield other ways than the usual one: with less k, or with other words and shares."""
    usual = move.usual()
    ways: list[dict[str, object]] = [*_worded(move), *_figures(move)]
    if isinstance(k := move.ranges.get("k"), Numbers) and move.may_need_less:
        ways = [{"k": k.between(k.low, k.high, share)} for share in (0.5, 0.0)]
    yield from ({**usual, **way} for way in ways if way.items() - usual.items())


def _round_figures(move: Move, promise: Move) -> list[dict[str, object]]:
    """Return the usual settings with shares as people write them, or with the k of a promise."""
    usual = move.usual()
    if "k" in usual and "k" in promise.promised:
        return [{**usual, "k": promise.promised["k"]}]
    return [{**usual, **way} for way in _figures(move)] or [usual]


def _goals(move: Move) -> Iterator[dict[str, object]]:
    """Yield the usual way with each other goal that the method may pursue."""
    usual = move.usual()
    for name in _GOALS:
        if isinstance(allowed := move.ranges.get(name), Words):
            others = (word for word in allowed.choices if word != usual.get(name))
            yield from ({**usual, name: word} for word in others)


def _worded(move: Move) -> Iterator[dict[str, object]]:
    """Yield all combinations of words, but for goals."""
    words = {
        name: allowed.choices
        for name, allowed in move.ranges.items()
        if isinstance(allowed, Words) and name not in _GOALS
    }
    for chosen in product(*words.values()):
        yield dict(zip(words, chosen, strict=True))


def _figures(move: Move) -> Iterator[dict[str, object]]:
    """Yield round figures of each share by itself."""
    usual = move.usual()
    for name, allowed in move.ranges.items():
        if isinstance(allowed, Numbers) and not allowed.whole and allowed.high <= 1:
            value = usual.get(name, 0.0)
            for share in _LARGE if isinstance(value, float) and value > 0.5 else _SMALL:
                if allowed.holds(share):
                    yield {name: share}
