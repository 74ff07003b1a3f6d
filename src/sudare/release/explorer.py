"""Which recipe to try next: Optuna proposes, what was measured teaches it."""

import math
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from sudare.core import AnyMasker, Assessment, MissingPartError, Result, fingerprint, say
from sudare.release.comparison import Candidate
from sudare.release.limits import Limit
from sudare.release.recipe import Recipe
from sudare.release.space import Move, Numbers, Range
from sudare.risk import KAnonymity

_STARTS = 12  # proposals by chance before the model of good ones takes over


class Explorer:
    """Proposes recipes: nothing, all, each method alone, some by chance, then near the best."""

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
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
            sampler = optuna.samplers.TPESampler(
                seed=seed % 2**32,
                multivariate=True,
                group=True,
                n_startup_trials=_STARTS,
            )
        self.study = optuna.create_study(sampler=sampler, directions=["minimize"] * len(losses))
        for used in ((), space, *([move] for move in space)):
            wanted: dict[str, object] = {f"{move.slug}|use": move in used for move in space}
            for move in used:
                wanted |= {f"{move.slug}|{name}": True for name in move.columns}
                usual = {**move.usual(), **_stated(move, limits)}
                wanted |= {f"{move.slug}.{name}": value for name, value in usual.items()}
            self.study.enqueue_trial(wanted)

    def propose(self, count: int) -> list[Recipe]:
        """Return the recipes to try next."""
        self._open = [self.study.ask() for _ in range(count)]
        self.proposed += count
        return [self._recipe(trial) for trial in self._open]

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
            for number, excess in enumerate(_excesses(candidate, self.limits, measures)):
                trial.set_constraint(str(number), excess)
            self.study.tell(trial, values)

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


def _stated(move: Move, limits: Sequence[Limit]) -> dict[str, object]:
    """Return the k of a method that a limit on k-anonymity asks for, if any does."""
    least = {">=": math.ceil, ">": lambda number: math.floor(number) + 1}
    k = max(
        (
            least[limit.comparison](limit.number)
            for limit in limits
            if isinstance(limit.measure, KAnonymity)
            and limit.comparison in least
            and math.isfinite(limit.number)
        ),
        default=0,
    )
    return {"k": k} if "k" in move.ranges and move.ranges["k"].holds(k) else {}


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
        max(limit.excess(value) for value in candidate.runs[_label(measures, limit.measure)])
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
