"""The plan of sequential synthesis: fits the models, draws, and draws again what is too near."""

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from sudare.core import Column, Draws, Flags, Floats, Integers, Microdata, Plan
from sudare.engine.counting import groups
from sudare.mask.synthesis.column_models import Conditional, Predictor
from sudare.mask.synthesis.copies import joint_groups, near_copies, replicated_uniques
from sudare.mask.synthesis.synthetic_columns import Uniform, drawn, drawn_survival, spliced

if TYPE_CHECKING:
    from sudare.mask.synthesis.sequential_synthesis import SequentialSynthesis

Records = Literal["all", "at-risk", "missing"]
_BOOTSTRAP = 3  # a lane of draws; columns take those below
_LANES = 4  # of every attempt
_ATTEMPTS = 10


@dataclass(frozen=True, repr=False)
class SynthesisPlan(Plan):
    """The table learned from, columns given, the order, the settings, and columns left out.

    The order has the columns that are drawn together: one, or a time and its state.

    Models are fitted while masking, because a proper synthesis fits new ones for each version.
    """

    learnt: Microdata
    given: tuple[str, ...]
    sequence: tuple[tuple[str, ...], ...]
    settings: "SequentialSynthesis"
    dropped: tuple[str, ...] = ()

    def _transform(self, data: Microdata, draws: Draws) -> Microdata:
        data = data.without(self.dropped)
        weights, rows = self._weights(draws), np.arange(data.rows)
        fitted: dict[str, dict[str, Any]] = {name: {} for name in self.step.columns}
        made = self._made(data, weights, fitted, partial(_uniform, draws, rows, 0))
        for attempt in range(1, _ATTEMPTS):
            rows = np.flatnonzero(self._refused(made))
            if not len(rows):
                return made
            uniform = partial(_uniform, draws, rows, attempt)
            made = _put(made, rows, self._made(data.take(rows), weights, fitted, uniform))
        refused = self._refused(made)
        return made.keeping(np.flatnonzero(~refused)) if refused.any() else made

    def _made(
        self,
        data: Microdata,
        weights: Floats,
        fitted: dict[str, dict[str, Any]],
        uniform: Uniform,
    ) -> Microdata:
        """Return the records with new values, drawn from models that are fitted once."""
        settings, impute = self.settings, self.settings.records == "missing"
        there = {name: data[name] for name in self.given}
        if impute:
            there |= {name: data[name] for name in self.step.columns}
        predictors = {n: Predictor(self.learnt[n], c, weights) for n, c in there.items()}
        at_risk = self._at_risk(data)
        for names in self.sequence:
            learnt = [self.learnt[name] for name in names]
            others = [p for n, p in predictors.items() if n not in names]
            way = (settings.models or {}).get(names[0], settings.model)
            model = Conditional(way, settings.min_leaf, others, weights, fitted[names[0]])
            columns: tuple[Column, ...]
            if len(names) == 2:
                columns = drawn_survival(
                    learnt[0], learnt[1], model, uniform, smooth=settings.smooth
                )
            else:
                columns = (self._drawn(learnt[0], model, uniform),)
            for column, before in zip(columns, learnt, strict=True):
                own = data[column.name]
                kept = ~own.missing if impute else ~at_risk
                new = spliced(own, column, kept) if kept.any() else column
                data = data.replacing([new])
                predictors[column.name] = Predictor(before, new, weights)
        return data

    def _drawn(self, learnt: Column, model: Conditional, uniform: Uniform) -> Column:
        """Return a new column, where strata have enough donors from trees of their own."""
        settings, impute = self.settings, self.settings.records == "missing"
        draw = partial(drawn, learnt, absent=not impute, smooth=settings.smooth)
        column = draw(model, uniform)
        strata = [p for p in model.predictors if p.learnt.name in settings.strata]
        if model.model != "tree" or not strata or len(strata) < len(settings.strata):
            return column
        old, new = joint_groups([(predictor.learnt, predictor.new) for predictor in strata])
        for stratum in np.unique(new):
            weights = np.where(old == stratum, model.weights, 0.0)
            if ((weights > 0) & learnt.known).sum() >= settings.min_leaf:
                fitted = model.fitted.setdefault(f"stratum {stratum}", {})
                own = replace(model, weights=weights, fitted=fitted)
                column = spliced(column, draw(own, uniform), new != stratum)
        return column

    def _refused(self, made: Microdata) -> Flags:
        """Return which records give an original one away, as far as the settings say."""
        names = self.step.columns
        pairs = {name: (self.learnt[name], made[name]) for name in names}
        refused = np.zeros(made.rows, np.bool_)
        if self.settings.redraw_uniques:
            keys = [name for name in names if name in made.keys] or names
            refused |= replicated_uniques([pairs[name] for name in keys])
        if self.settings.min_distance > 0:
            refused |= near_copies(list(pairs.values()), self.settings.min_distance)
        return refused

    def _weights(self, draws: Draws) -> Floats:
        """Return sampling weights, times those of a Bayesian bootstrap if synthesis is proper."""
        weights = self.learnt.weights
        if weights is None or self.learnt.with_role("weight")[0] in self.step.columns:
            weights = np.ones(self.learnt.rows)
        if self.settings.proper:
            weights = weights * -np.log1p(-draws.uniform("", self.learnt.rows, lane=_BOOTSTRAP))
        return weights

    def _at_risk(self, data: Microdata) -> Flags:
        if self.settings.records != "at-risk":
            return np.ones(data.rows, np.bool_)
        return groups([data[name] for name in data.keys]).size_of_record < self.settings.k


def _uniform(draws: Draws, rows: Integers, attempt: int, column: str, lane: int) -> Floats:
    """Return the draws of some records, others at each attempt."""
    return draws.uniform(column, int(rows[-1]) + 1, lane=lane + _LANES * attempt)[rows]


def _put(whole: Microdata, rows: Integers, part: Microdata) -> Microdata:
    """Return a table with some of its records replaced."""
    position, kept = np.zeros(whole.rows, np.int64), np.ones(whole.rows, np.bool_)
    position[rows], kept[rows] = np.arange(len(rows)), False
    new = part.take(position).columns
    return whole.replacing([spliced(whole[column.name], column, kept) for column in new])
