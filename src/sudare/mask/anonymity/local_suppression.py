"""Local suppression: single key cells are made missing until the table is k-anonymous."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar

import numpy as np

from sudare.core import (
    AtLeast,
    Codes,
    Column,
    Draws,
    Flags,
    Integers,
    Label,
    Masker,
    Microdata,
    Plan,
    blanked,
    check_known,
)
from sudare.engine.counting import (
    KeyRows,
    MissingKeys,
    distinct_rows,
    joint_keys,
    renumbered,
    with_blank_value,
)
from sudare.mask.anonymity.suppression_search import (
    cells_suppressed,
    suppress_categories,
    suppress_wildcards,
)


@dataclass(frozen=True, repr=False)
class SuppressionPlan(Plan):
    """Combinations of keys and the cells each of them loses. Secret: these were the rare ones.

    Attributes
    ----------
    labels
        What the codes of each column mean.
    codes
        The combinations that lose cells, shape (combinations, columns).
    lost
        The cells they lose, of the same shape.
    suppressed
        Number of cells made missing, by column.
    """

    labels: tuple[tuple[Label, ...], ...]
    codes: Codes
    lost: Flags
    suppressed: Mapping[str, int]

    def _transform(self, data: Microdata, draws: Draws) -> Microdata:
        named = self.step.columns
        coded = [
            data[name].coded.codes_in(labels)
            for name, labels in zip(named, self.labels, strict=True)
        ]
        # Number the combinations of the plan and those of the data together, to look them up.
        pairs = [
            (np.concatenate((self.codes[:, column], codes)), len(self.labels[column]) + 2)
            for column, codes in enumerate(coded)
        ]
        index, number = renumbered(*joint_keys(pairs, shift=2))
        lost = np.zeros((number, len(named)), np.bool_)
        lost[index[: len(self.codes)]] = self.lost
        of_record = lost[index[len(self.codes) :]]
        return data.replacing(
            blanked(data[name], of_record[:, column]) for column, name in enumerate(named)
        )


class LocalSuppression(Masker):
    """Suppress single key cells until every record shares its keys with k records.

    Few cells are suppressed: no combination of keys loses more than the cheapest set of columns
    that makes it safe, and sets that make most records safe come first. ``importance`` says what a
    cell of each column costs; twice the importance, and two cells of another column go first.
    Records with equal keys are treated alike, so the result depends on no seed and no order.

    What a missing key counts as decides what k-anonymous means:

    - "suppressed": a cell that was suppressed matches every value; a blank that the data had is a
      value of its own, as :class:`sudare.risk.KAnonymity` counts by default. Where fewer than k
      records share a blank, others lose that key.
    - "wildcard": every missing cell matches every value, also blanks of the data: the rule of the
      reference system sdcMicro. It needs the fewest suppressions, and none where enough records
      are blank. Measure it by ``sudare.risk.KAnonymity(missing="wildcard")``.
    - "category": missing is a value of its own. This is the strictest: what is k-anonymous in this
      sense is so in the others.

    The first two hold against an attacker who does not know what was suppressed. One who knows the
    keys of a person looks for records that fit them, and among these a person's own suppressed
    cells hide nothing: :class:`sudare.risk.KAnonymity` notes for how many people fewer than k
    records fit. Use "category" where such an attacker must be expected: then every person's keys
    fit at least k records. Not applicable counts as a value, and may be
    suppressed like any other. A table of fewer than k records loses all its keys.

    References
    ----------
    Samarati and Sweeney (1998). Protecting privacy when disclosing information: k-anonymity and
    its enforcement through generalization and suppression. SRI International.
    Templ, Kowarik and Meindl (2015). Statistical disclosure control for micro-data using the R
    package sdcMicro. Journal of Statistical Software 67(4).

    Notes
    -----
    The search is our own (a greedy cover), not that of sdcMicro.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> keys = ("sex", "region", "education")
    >>> plan = LocalSuppression(k=3, importance={"sex": 2}, columns=keys).fit(data)
    >>> dict(plan.suppressed)
    {'sex': 0, 'region': 15, 'education': 0}
    """

    works_on = "groups"
    relation = "hides"
    promises: ClassVar[Mapping[str, str]] = {"KAnonymity": "k"}
    by_values = True

    k: Annotated[int, AtLeast(1), "records that must share their keys"] = 3
    importance: Annotated[
        Mapping[str, float] | None,
        AtLeast(0),
        "by column, what a suppressed cell costs; 1 for columns not named",
    ] = None
    missing: MissingKeys = "suppressed"

    def _fit(self, data: Microdata, columns: tuple[str, ...]) -> "SuppressionPlan":
        importance = self.importance or {}
        check_known("column", importance, columns)
        keys = [data[name] for name in columns]
        rows, index = self._rows(keys)
        search = suppress_categories if self.missing == "category" else suppress_wildcards
        after = search(rows, self.k, [importance.get(name, 1.0) for name in columns])
        counts = dict(zip(columns, cells_suppressed(rows, after).tolist(), strict=True))
        lost = (rows.terms != 0) & (after.terms == 0)
        some = lost.any(axis=1)
        example = np.empty(len(some), np.int64)
        example[index] = np.arange(len(index))
        return SuppressionPlan(
            self.step(columns, {name: {"suppressed": count} for name, count in counts.items()}),
            tuple(column.coded.labels for column in keys),
            np.stack([column.coded.codes[example[some]] for column in keys], axis=1),
            lost[some],
            counts,
        )

    def _rows(self, keys: list[Column]) -> tuple[KeyRows, Integers]:
        """Return the combinations of keys; blanks are values that stay, unless they match all."""
        if self.missing != "suppressed" or not any(key.missing.any() for key in keys):
            return distinct_rows(keys)
        rows, index = distinct_rows([with_blank_value(key) for key in keys])
        fixed = np.zeros(len(rows.sizes), np.int64)
        for position, key in enumerate(keys):
            fixed[index] |= key.missing.astype(np.int64) << position
        return replace(rows, fixed=fixed), index
