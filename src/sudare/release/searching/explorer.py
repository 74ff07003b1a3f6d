"""Which recipe to try next: Optuna proposes, what was measured teaches it."""

import math
import warnings
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations, zip_longest
from typing import Any

import numpy as np

from sudare.core import AnyMasker, Assessment, MissingPartError, Result, fingerprint, say
from sudare.release.comparing import Candidate
from sudare.release.limits import Limit
from sudare.release.recipe import Recipe
from sudare.release.searching.space import Move, Numbers, Range

_STARTS = 12  # proposals by chance before the model of good ones takes over


class Explorer:
    """Proposes recipes: first those that promise the limits, then nothing, each method alone, all.

    In turn with these come the neighbours of the best one, whenever a better one is found; after
    them others by chance, then what a model of the good ones expects to be good.
    """

    def __init__(
        self,
        space: Sequence[Move],
        limits: Sequence[Limit],
        losses: Sequence[Assessment],
        seed: int,
    ) -> None:
        try:
            import optuna
        except ImportError:
            raise MissingPartError(
                "search needs Optuna; install it with: pip install 'sudare[search]'."
            ) from None
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        self.space, self.limits, self.losses = space, limits, losses
        self.proposed = 0
        self._open: list[Any] = []
        self._beginnings: deque[dict[str, object]] = deque()
        self._near: deque[dict[str, object]] = deque()
        self._least = math.inf
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
            sampler = optuna.samplers.TPESampler(
                seed=seed % 2**32,
                multivariate=True,
                group=True,
                n_startup_trials=_STARTS,
            )
        self.study = optuna.create_study(sampler=sampler, directions=["minimize"] * len(losses))
        for used in _beginnings(space):
            wanted: dict[str, object] = {f"{move.slug}|use": False for move in space}
            for move, settings in used:
                wanted |= {f"{move.slug}|use": True}
                wanted |= {f"{move.slug}|{name}": True for name in move.columns}
                wanted |= {f"{move.slug}.{name}": value for name, value in settings.items()}
            self._beginnings.append(wanted)

    def propose(self, count: int) -> list[Recipe]:
        """Return the recipes to try next."""
        self._open = [self._asked() for _ in range(count)]
        return [self._recipe(trial) for trial in self._open]

    def _asked(self) -> Any:
        """Return the next trial: beginnings and neighbours take turns, then what Optuna expects."""
        waiting = [self._beginnings, self._near]
        first = next((queue for queue in waiting[:: (-1) ** self.proposed] if queue), None)
        if first:
            self.study.enqueue_trial(first.popleft())
        self.proposed += 1
        return self.study.ask()

    def tell(
        self, candidates: Sequence[Candidate | None], measures: Mapping[str, Assessment]
    ) -> None:
        """Report how the recipes did; None means one that was refused."""
        from optuna.trial import TrialState

        for trial, candidate in zip(self._open, candidates, strict=True):
            values = [] if candidate is None else _values(candidate, self.losses, measures)
            if candidate is None or not np.isfinite(values).all():
                self.study.tell(trial, state=TrialState.FAIL)
                continue
            excesses = _excesses(candidate, self.limits, measures)
            for number, excess in enumerate(excesses):
                trial.set_constraint(str(number), excess)
            self.study.tell(trial, values)
            if not any(excesses) and values[0] < self._least:
                self._least = values[0]
                self._near.extendleft(reversed(list(_neighbors(self.space, trial.params))))

    def _recipe(self, trial: Any) -> Recipe:
        maskers: list[AnyMasker] = []
        for move in self.space:
            if not trial.suggest_categorical(f"{move.slug}|use", (False, True)):
                continue
            columns = [
                name
                for name in move.columns
                if trial.suggest_categorical(f"{move.slug}|{name}", (True, False))
            ]
            settings = {
                name: _suggest(trial, f"{move.slug}.{name}", allowed)
                for name, allowed in move.ranges.items()
            }
            maskers.append(move.build(columns or move.columns, settings))
        steps = Recipe("", maskers).to_toml()
        description = " + ".join(masker.label() for masker in maskers) or say("nothing is masked")
        return Recipe(fingerprint([steps])[:8], maskers, description=description)


Beginning = Sequence[tuple[Move, Mapping[str, object]]]


def _beginnings(space: Sequence[Move]) -> list[Beginning]:
    """Return the recipes to begin with: methods that promise the limits in all their variants.

    The usual variant of each comes first, by itself and then after each method that makes values
    coarser, then the other variants in turn, then other methods.
    """
    ways = [[(move, settings) for settings in move.variants()] for move in space if move.promised]
    turns = [[[way] for way in turn if way is not None] for turn in zip_longest(*ways)]
    coarser = [
        [(before, before.usual()), (move, move.usual())]
        for before, move in combinations(space, 2)
        if before.makes_coarser and move.promised and not move.may_need_less
    ]
    first = [*chain(*turns[:1]), *coarser, *chain(*turns[1:])]
    alone = [[(move, move.usual())] for move in space if not move.promised]
    return [*first, [], *alone, [(move, move.usual()) for move in space]]


def _neighbors(space: Sequence[Move], wanted: Mapping[str, object]) -> Iterator[dict[str, object]]:
    """Yield recipes beside one that keeps the limits, as Optuna has them.

    Each has one other setting, or one method less, or one more that makes values coarser.
    """
    used = [move for move in space if wanted.get(f"{move.slug}|use")]
    for move in used:
        yield from ({**wanted, **near} for near in move.neighbors(wanted))
        if len(used) > 1:
            yield {**wanted, f"{move.slug}|use": False}
    for move in space:
        if move.makes_coarser and move not in used:
            usual = {f"{move.slug}.{name}": value for name, value in move.usual().items()}
            chosen = [f"{move.slug}|{name}" for name in ("use", *move.columns)]
            added = {**wanted, **dict.fromkeys(chosen, True), **usual}
            yield from (added, *({**added, **near} for near in move.neighbors(usual)))


def _suggest(trial: Any, name: str, allowed: Range) -> object:
    if not isinstance(allowed, Numbers):
        return trial.suggest_categorical(name, allowed.choices)
    if allowed.whole:
        return trial.suggest_int(name, int(allowed.low), int(allowed.high), log=allowed.by_ratio)
    return float(
        f"{trial.suggest_float(name, allowed.low, allowed.high, log=allowed.by_ratio):.3g}"
    )


def to_minimize(result: Result) -> float:
    """Return a result as a number that is better when smaller."""
    return result.value if result.lower_is_better else -result.value


def _values(
    candidate: Candidate, losses: Sequence[Assessment], measures: Mapping[str, Assessment]
) -> list[float]:
    return [to_minimize(candidate.results[_label(measures, loss)]) for loss in losses]


def _excesses(
    candidate: Candidate, limits: Sequence[Limit], measures: Mapping[str, Assessment]
) -> list[float]:
    """Return by how much each limit is missed in the worst of the runs."""
    return [
        max(limit.excess(value) for value in candidate.runs[_label(measures, limit.quantity)])
        for limit in limits
    ]


def misses(
    candidate: Candidate, limits: Sequence[Limit], measures: Mapping[str, Assessment]
) -> int:
    """Return how many limits a candidate misses in one run or another."""
    return sum(excess > 0 for excess in _excesses(candidate, limits, measures))


def distance(
    candidate: Candidate, limits: Sequence[Limit], measures: Mapping[str, Assessment]
) -> float:
    """Return how far a candidate is from keeping all limits, each over its own number."""
    excesses = _excesses(candidate, limits, measures)
    return sum(
        excess / (abs(limit.number) or 1.0) for excess, limit in zip(excesses, limits, strict=True)
    )


def _label(measures: Mapping[str, Assessment], wanted: Assessment) -> str:
    return next(label for label, measure in measures.items() if measure == wanted)
