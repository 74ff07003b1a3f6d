"""Sequential synthesis: column by column, each drawn given those that are there already."""

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np

from sudare.core import (
    AtLeast,
    Column,
    ColumnError,
    Draws,
    Flags,
    Floats,
    Masker,
    Microdata,
    Plan,
    Relation,
    Role,
    SettingError,
    Takes,
    WorksOn,
)
from sudare.engine.counting import groups
from sudare.mask.synthesis.conditional import Conditional, Model
from sudare.mask.synthesis.predictors import Predictor, is_ordered
from sudare.mask.synthesis.synthetic_columns import drawn, spliced

Records = Literal["all", "at-risk", "missing"]
_BOOTSTRAP = 3  # a lane of draws; columns take those below
_MOST_CATEGORIES = 1000  # every node of a tree counts each of them


@dataclass(frozen=True, repr=False)
class SynthesisPlan(Plan):
    """The table that is learnt from, the columns that are given, and the settings.

    Models are fitted while masking, because a proper synthesis fits new ones for each version.
    """

    learnt: Microdata
    given: tuple[str, ...]
    settings: "SequentialSynthesis"

    def _transform(self, data: Microdata, draws: Draws) -> Microdata:
        weights, impute = self._weights(draws), self.settings.records == "missing"
        there = {name: data[name] for name in self.given}
        if impute:
            there |= {name: data[name] for name in self.step.columns}
        predictors = {n: Predictor(self.learnt[n], c, weights) for n, c in there.items()}
        at_risk = self._at_risk(data)
        made: list[Column] = []
        for name in self.step.columns:
            learnt, others = self.learnt[name], [p for n, p in predictors.items() if n != name]
            model = Conditional(self.settings.model, self.settings.min_leaf, others, weights)
            smooth = self.settings.smooth
            new = drawn(learnt, model, draws, data.rows, absent=not impute, smooth=smooth)
            kept = ~data[name].missing if impute else ~at_risk
            made.append(spliced(data[name], new, kept) if kept.any() else new)
            predictors[name] = Predictor(learnt, made[-1], weights)
        return data.replacing(made)

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
        sizes = groups([data[name] for name in data.keys]).size_of_record
        rare: Flags = sizes < self.settings.k
        return rare


class SequentialSynthesis(Masker):
    """Replace records by synthetic ones, column by column, each given those before it.

    Columns are drawn in the order in which they are named (by default, that of the table), each
    from its distribution given the columns that are kept (``given``) and those drawn already. The
    distribution is learnt from the original: by a tree, whose leaf donates a value, or by a
    regression, on the normal scores of ranks for numbers and ordinal categories and by a
    multinomial logit for the others.

    *Fully* synthetic data have all columns drawn. They are *partially* synthetic if only some
    columns are named, or only some records replaced: those ``at-risk`` share their keys with
    fewer than ``k`` records. With ``records="missing"`` nothing but missing values is replaced.

    Missing and not-applicable values are drawn like others, and are distinguished where others are
    drawn given them. Sampling weights count where models are fitted and donors drawn, so that new
    records are as the population is, not as the sample; unless the weights are synthesized
    themselves. Identifiers and households stay with their place in the table and have nothing to
    do with fully synthetic records.

    Notes
    -----
    A tree and ranks give back values that somebody has. With ``smooth``, numbers that only one
    record has move by up to half the way to their neighbors; the largest may still come back
    almost as it was, so top-code it first. Order the columns so that those with many categories
    come last. In a regression, categories beyond the 30 most frequent act alike.

    A proper synthesis fits its models to a Bayesian bootstrap of the records (Rubin 1981), so that
    versions differ as much as the data leave open; see :class:`MultipleImputation`.

    References
    ----------
    Reiter (2005). Using CART to generate partially synthetic public use microdata. Journal of
    Official Statistics 21(3). Nowok, Raab and Dibben (2016). synthpop: bespoke creation of
    synthetic data in R. Journal of Statistical Software 74(11).

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> full = sudare.apply(data, SequentialSynthesis(), seed=1)
    >>> partial = sudare.apply(data, SequentialSynthesis(columns=("income",)), seed=1)
    >>> [made.steps[0].public["income"]["rule"] for made in (full, partial)]
    ['fitted', 'partial']
    """

    works_on: ClassVar[WorksOn] = "table"
    relation: ClassVar[Relation] = "synthetic"
    takes: ClassVar[Takes] = "any"
    random: ClassVar[bool] = True
    roles: ClassVar[tuple[Role, ...]] = ("key", "sensitive")

    model: Annotated[Model, "how a column is drawn given the others"] = "tree"
    given: Annotated[
        tuple[str, ...] | None,
        "columns that stay and that others are drawn given; by default the other key and "
        "sensitive columns",
    ] = None
    records: Annotated[
        Records, "which records are replaced: all, those at risk, or only missing values"
    ] = "all"
    k: Annotated[
        int, AtLeast(2), "records that share their keys with fewer than this are at risk"
    ] = 3
    min_leaf: Annotated[int, AtLeast(1), "smallest number of donors in a leaf of a tree"] = 5
    smooth: Annotated[bool, "move numbers that only one record has"] = True
    proper: Annotated[bool, "fit to a Bayesian bootstrap of the records"] = False

    def _fit(self, data: Microdata, columns: tuple[str, ...]) -> Plan:
        given = self.given
        if given is None:
            given = tuple(n for n in (*data.keys, *data.sensitive) if n not in columns)
        for name in given:
            if data[name].name in columns:
                raise SettingError(
                    "{method}: column '{column}' cannot be both synthesized and given; name it "
                    "once.",
                    method=type(self).__name__,
                    column=name,
                )
        given = tuple(name for name in given if not data[name].empty)
        for name in columns:
            self._check_column(data, name)
        if self.records == "at-risk" and not data.keys:
            raise ColumnError(
                "{method}: without key columns no record is at risk; give columns that role.",
                method=type(self).__name__,
            )
        rule = "missing" if self.records == "missing" else "partial"
        if self.records == "all" and not given:
            rule = "proper" if self.proper else "fitted"
        step = self.step(columns, {name: {"rule": rule} for name in columns})
        return SynthesisPlan(step, data, given, self)

    def _check_column(self, data: Microdata, name: str) -> None:
        column, weights = data[name], data.weights
        if weights is not None and not (weights[column.known] > 0).any():
            raise ColumnError(
                "{method}: column '{column}' has values only in records of weight 0; leave it out.",
                method=type(self).__name__,
                column=name,
            )
        count = 0 if is_ordered(column) else len(column.coded.labels)
        if count > _MOST_CATEGORIES:
            raise ColumnError(
                "{method}: column '{column}' has {count} categories, more than {limit}; recode it "
                "first, or leave it out.",
                method=type(self).__name__,
                column=name,
                count=count,
                limit=_MOST_CATEGORIES,
            )
