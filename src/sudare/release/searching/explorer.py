"""Which recipe to try next: Optuna proposes, what was measured teaches it."""

import math
import warnings
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from sudare.core import AnyMasker, Assessment, MissingPartError, Result, fingerprint, say
from sudare.release.comparing import Candidate
from sudare.release.limits import Limit
from sudare.release.recipe import Recipe
from sudare.release.searching.beginnings import Beginning, afterwards, by_hand
from sudare.release.searching.space import Move, Numbers, Range

_STARTS = 12  # proposals by chance before the model of good ones takes over


class Explorer:
    """Proposes recipes: first those that a person would write, then the rest of the usual.

    In turn with the latter come the neighbours of the best one, whenever a better one is found;
    after them others by chance, then what a model of the good ones expects to be good.
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
        self._first = deque(_wanted(space, used) for used in by_hand(space))
        self._later = deque(_wanted(space, used) for used in afterwards(space))

    def propose(self, count: int) -> list[Recipe]:
        """Return the recipes to try next."""
        self._open = [self._asked() for _ in range(count)]
        return [self._recipe(trial) for trial in self._open]

    def _asked(self) -> Any:
        """Return the next trial: by hand, then others and neighbours in turn, then Optuna's."""
        turns = [self._later, self._near][:: (-1) ** self.proposed]
        waiting = next((queue for queue in (self._first, *turns) if queue), None)
        if waiting:
            self.study.enqueue_trial(waiting.popleft())
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


def _wanted(space: Sequence[Move], used: Beginning) -> dict[str, object]:
    """Return a recipe as Optuna has it: some methods with some settings on all their columns."""
    wanted: dict[str, object] = {f"{move.slug}|use": False for move in space}
    for move, settings in used:
        wanted |= {f"{move.slug}|{name}": True for name in ("use", *move.columns)}
        wanted |= {f"{move.slug}.{name}": value for name, value in settings.items()}
    return wanted


def _neighbors(space: Sequence[Move], wanted: Mapping[str, object]) -> Iterator[dict[str, object]]:
    """Yield recipes beside one that keeps the limits, as Optuna has them.

    Each has one other word, one more method that makes values coarser, one other number, or one
    method less.
    """
    used = [move for move in space if wanted.get(f"{move.slug}|use")]
    added = [
        (move, {**wanted, **_wanted([move], [(move, move.usual())])})
        for move in space
        if move.makes_coarser and move not in used
    ]
    near = {move.slug: list(move.neighbors(wanted)) for move in used}
    words = [own for others in near.values() for own in others if _is_word(own)]
    yield from ({**wanted, **own} for own in words)
    yield from (more for _, more in added)
    for move in used:
        yield from ({**wanted, **own} for own in near[move.slug] if own not in words)
        if len(used) > 1:
            yield {**wanted, f"{move.slug}|use": False}
    for move, more in added:
        yield from ({**more, **near} for near in move.neighbors(more))


def _is_word(settings: Mapping[str, object]) -> bool:
    return all(isinstance(value, str) for value in settings.values())


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
