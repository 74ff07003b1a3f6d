"""Survival analyses: how far Cox regression and Kaplan–Meier curves agree after masking."""

from typing import Annotated

import numpy as np

from sudare.core import Flags, Floats, Microdata, Numeric, Result, SettingError, TablePair, say
from sudare.describe.pairing import TableMeasure
from sudare.describe.regression import Design, cox_fit, kaplan_meier
from sudare.loss.models.coefficient_overlap import interval_overlap

_EVENTS, _NONE = ("1", "1.0", "true", "yes"), ("0", "0.0", "false", "no")
_GRID = 200


def curve_distance(first: tuple[Floats, Flags], second: tuple[Floats, Flags]) -> float:
    """Return the mean distance of two Kaplan–Meier curves over the time of the first, 0 to 1.

    Each argument has the times and whether the event came then.

    Examples
    --------
    >>> seen = np.array([1.0, 2.0]), np.array([True, True])
    >>> curve_distance(seen, seen), round(curve_distance(seen, (seen[0], ~seen[1])), 2)
    (0.0, 0.25)
    """
    at = np.linspace(0, float(first[0].max(initial=0.0)), _GRID)
    curves = [kaplan_meier(time, event, at) for time, event in (first, second)]
    return float(np.abs(curves[0] - curves[1]).mean())


class SurvivalOverlap(TableMeasure):
    """How little analyses of survival agree before and after masking: Cox and Kaplan–Meier.

    ``time`` is when a record was last seen, and ``event`` has what happened then: the label
    ``state``, by default 1, true or yes, is the event, and all others are censored, also those of a
    competing risk. All other columns are the inputs of a Cox regression. The parts are 1 minus the
    mean overlap of its coefficients' 95 % intervals, by input, and the mean distance between the
    Kaplan–Meier curves. The value is the larger of the mean of the former and of the latter:
    synthetic times may keep the curve and lose what it depends on, or the other way round.

    Coefficients that the original cannot tell do not count. Records without a time or a state are
    left out; sampling weights are not used. Numbers of records may differ.

    References
    ----------
    Karr, Kohnen, Oganian, Reiter and Sanil (2006). A framework for evaluating the utility of data
    altered to protect confidentiality. The American Statistician 60(3).

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> same = SurvivalOverlap(time="age", event="sex", state="female", columns=("income",))
    >>> same(data, data).value
    0.0
    """

    kind = "loss"
    formula = (
        "mean of 1 − overlap of the intervals of a Cox regression and of the distance of the "
        "Kaplan–Meier curves"
    )
    counted = "Records that have a time."
    needs = "records"

    time: Annotated[str | None, "column of the time until the event or the last observation"] = None
    event: Annotated[str | None, "column of what happened then"] = None
    state: Annotated[str | None, "the label that is the event; by default 1, true or yes"] = None

    def _measure(self, pair: TablePair) -> Result:
        if self.time is None or self.event is None:
            raise SettingError("SurvivalOverlap needs the columns of the time and of the event.")
        inputs = [name for name in pair.columns if name not in {self.time, self.event}]
        design = Design.of(pair.before, pair.after, inputs)
        first, second = self._outcome(pair.before), self._outcome(pair.after)
        (old, owners), (new, _) = design.matrix(pair.before), design.matrix(pair.after)
        parts = self._overlaps(_fit(old, *first), _fit(new, *second), owners)
        mean = float(np.mean(list(parts.values()) or [0.0]))
        curves = curve_distance(_known(*first), _known(*second))
        parts[say("Kaplan–Meier curve")] = curves
        return self.result(max(mean, curves), parts=parts)

    def _outcome(self, data: Microdata) -> tuple[Floats, Flags]:
        """Return times and events, with NaN as the time of records that have none."""
        if not isinstance(data[str(self.time)], Numeric):
            raise SettingError(
                "SurvivalOverlap: column '{column}' holds no numbers; name a column of times.",
                column=self.time,
            )
        time = self.numeric(data, str(self.time))
        coded = data[str(self.event)].coded
        wanted = _EVENTS if self.state is None else (self.state.casefold(),)
        named = np.array([str(label).casefold() in wanted for label in coded.labels] or [False])
        if coded.known.any() and not named.any():
            raise SettingError(
                "SurvivalOverlap: no label of column '{column}' is the event; name it with state.",
                column=self.event,
            )
        words = {str(label).casefold() for label in coded.labels}
        if (
            self.state is None
            and len(words) > 1
            and words & {*_EVENTS[:2]}
            and not words & {*_NONE}
        ):
            raise SettingError(
                "SurvivalOverlap: column '{column}' has no label 0, so 1 may be the event or its "
                "absence; name the event with state.",
                column=self.event,
            )
        return np.where(coded.known, time.values, np.nan), named[coded.codes] & coded.known

    def _overlaps(self, first: Floats, second: Floats, owners: tuple[str, ...]) -> dict[str, float]:
        overlap, estimated = interval_overlap(first, second), first[1] > 0
        return {
            name: 1 - float(overlap[mine].mean())
            for name in dict.fromkeys(owners)
            if (mine := estimated & np.array([owner == name for owner in owners])).any()
        }


def _fit(inputs: Floats, time: Floats, event: Flags) -> Floats:
    known = ~np.isnan(time)
    if not event[known].any() or not inputs.shape[1]:
        return np.zeros((2, inputs.shape[1]))
    return cox_fit(inputs[known], time[known], event[known])


def _known(time: Floats, event: Flags) -> tuple[Floats, Flags]:
    known = ~np.isnan(time)
    return time[known], event[known]
