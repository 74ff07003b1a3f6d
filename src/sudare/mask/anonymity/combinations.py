"""Plans by combination: records with equal keys get the same masked keys, looked up by value."""

from dataclasses import dataclass, replace

import numpy as np

from sudare.core import Codes, Column, ColumnError, Draws, Integers, Label, Microdata, Plan
from sudare.engine.counting import Finder


@dataclass(frozen=True, repr=False)
class CombinationPlan(Plan):
    """What each combination of keys becomes. Secret: it says what there was.

    Attributes
    ----------
    labels
        What the codes of each key mean.
    finder
        Finds a combination of codes.
    masked
        The masked keys of each combination.
    """

    labels: tuple[tuple[Label, ...], ...]
    finder: Finder
    masked: tuple[Column, ...]

    def _transform(self, data: Microdata, draws: Draws) -> Microdata:
        rows = self.finder.find(
            [
                data[name].coded.codes_in(labels)
                for name, labels in zip(self.step.columns, self.labels, strict=True)
            ]
        )
        strangers = int((rows < 0).sum())
        if strangers:
            raise ColumnError(
                "{method}: {count} {count:record has a combination|records have combinations} "
                "of keys that did not occur when the method was fitted; fit it again on these "
                "data.",
                method=self.step.method,
                count=strangers,
            )
        return data.replacing(column.take(rows) for column in self.masked)


def by_combination(plan: Plan, counted: Microdata) -> CombinationPlan:
    """Return a plan learned from counted records as one for any table with such records."""
    names = plan.step.columns
    masked = plan.transform(counted)
    coded = [counted[name].coded for name in names]
    codes: Codes = np.stack([column.codes for column in coded], axis=1)
    _, first = np.unique(codes, axis=0, return_index=True)
    kept: Integers = np.sort(first)
    return CombinationPlan(
        plan.step,
        tuple(column.labels for column in coded),
        Finder.of([column.codes[kept] for column in coded], [len(c.labels) for c in coded]),
        tuple(replace(masked[name].take(kept), copies=None) for name in names),
    )
