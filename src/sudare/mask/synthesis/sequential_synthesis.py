"""Sequential synthesis: column by column, each drawn given those that are there already."""

from collections.abc import Mapping
from typing import Annotated, Literal

from sudare.core import (
    AtLeast,
    Between,
    Categorical,
    ColumnError,
    Masker,
    Microdata,
    Numeric,
    Plan,
    Role,
    SettingError,
    check_known,
)
from sudare.mask.synthesis.column_models import Model, is_ordered
from sudare.mask.synthesis.synthesis_plan import Records, SynthesisPlan

Order = Literal["stated", "found"]
_OF_PERSONS: tuple[Role, ...] = ("identifier", "weight", "household")
_MOST_CATEGORIES = 1000  # every node of a tree counts each of them


class SequentialSynthesis(Masker):
    """Replace records by synthetic ones, column by column, each given those before it.

    Columns are drawn in the order in which they are named (by default, that of the table), each
    from its distribution given the columns that are kept (``given``) and those drawn already. The
    distribution is learned from the original: by a tree, whose leaf donates a value, or by a
    regression, on the normal scores of ranks for numbers and ordinal categories and by a
    multinomial logit for the others.

    ``models`` says so by column: a tree here, a regression there. "local-regression" adds to a
    prediction what was left over in a record with nearly the same prediction, so that noise is as
    large and as skewed as it is there. ``survival`` names outcomes, a time and the state that ends
    it: both are drawn together, from a proportional hazard (Cox) of each state, censoring included,
    given all columns before, numbers by their values. So a state that only occurs at one time, such
    as the end of a study, only occurs there in what is drawn. Beside numbers, the most frequent
    categories act on hazards, an input for ten events at most (Peduzzi et al. 1995).

    ``strata`` are for rare groups, which a tree of all records has too few of to find: they are
    drawn first, and in each that has as many donors as a leaf the other columns have trees of their
    own. Such a group is made up from few people, so measure the risk in it.

    *Fully* synthetic data have all columns drawn. They are *partially* synthetic if only some
    columns are named, or only some records replaced: those ``at-risk`` share their keys with
    fewer than ``k`` records. With ``records="missing"`` nothing but missing values is replaced.

    Missing and not-applicable values are drawn like others, and are distinguished where others are
    drawn given them. Sampling weights count where models are fitted and donors drawn, so that new
    records are as the population is, not as the sample; unless the weights are synthesized
    themselves. Fully synthetic records are no members of a household, and stand for as many people
    each: identifiers, household numbers and weights are left out of their table, unless they are
    named among the columns.

    Notes
    -----
    A tree and ranks give back values that somebody has. With ``smooth``, numbers that only one
    record has move by up to half the way to their neighbors; the largest may still come back
    almost as it was, so top-code it first. Order the columns so that those with many categories
    come last. In a regression, categories beyond the 30 most frequent act alike.

    With ``redraw_uniques`` no record is left that is unique on the keys that are drawn (on all
    columns drawn, if none is a key) and equals a record of the original that is unique there too.
    With ``min_distance`` none is nearer to any original record than that: the mean over the columns
    drawn of the difference as a share of the range, for numbers, and of 0 or 1 for categories that
    are equal or not. Such records are drawn again, up to nine times, and then left out. A gap is
    information too: nothing is published where an original record with rare values is. So choose
    the distance small.

    Columns that stay but are not ``given``, those of the role "other" too, would be original values
    that have nothing to do with what is drawn beside them; this is refused, as two syntheses in
    turn, each of its own columns, would leave no relation between them.

    A proper synthesis fits its models to a Bayesian bootstrap of the records (Rubin 1981), so that
    versions differ as much as the data leave open; see :class:`MultipleImputation`.

    References
    ----------
    Reiter (2005). Using CART to generate partially synthetic public use microdata. Journal of
    Official Statistics 21(3). Nowok, Raab and Dibben (2016). synthpop: bespoke creation of
    synthetic data in R. Journal of Statistical Software 74(11). Peduzzi, Concato, Feinstein and
    Holford (1995). Importance of events per independent variable in proportional hazards regression
    analysis II. Journal of Clinical Epidemiology 48(12).

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> full = sudare.apply(data, SequentialSynthesis(), seed=1)
    >>> partial = sudare.apply(data, SequentialSynthesis(columns=("income",)), seed=1)
    >>> [made.steps[0].public["income"]["rule"] for made in (full, partial)]
    ['fitted', 'partial']
    """

    works_on = "table"
    relation = "synthetic"
    random = True
    roles = ("key", "sensitive")

    model: Annotated[Model, "how a column is drawn given the others"] = "tree"
    models: Annotated[
        Mapping[str, Model] | None, "by column, how it is drawn where that differs from the others"
    ] = None
    survival: Annotated[
        Mapping[str, str] | None,
        "by column of times, the column of the states that end them: both are drawn together",
    ] = None
    order: Annotated[
        Order,
        "columns are drawn in the order stated, or with the fewest values first and times last",
    ] = "stated"
    strata: Annotated[
        tuple[str, ...], "columns drawn first, in whose categories other columns have trees apart"
    ] = ()
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
    redraw_uniques: Annotated[
        bool, "draw records again that are unique and equal a unique record of the original"
    ] = False
    min_distance: Annotated[
        float, Between(0, 1), "draw records again that are nearer to one of the original"
    ] = 0.0

    def _fit(self, data: Microdata, columns: tuple[str, ...]) -> Plan:
        given = self._given(data, columns)
        for name in given:
            if data[name].name in columns:
                raise SettingError(
                    "{method}: column '{column}' cannot be both synthesized and given; name it "
                    "once.",
                    method=type(self).__name__,
                    column=name,
                )
        for name in columns:
            self._check_column(data, name)
        if self.records == "at-risk" and not data.keys:
            raise ColumnError(
                "{method}: without key columns no record is at risk; give columns that role.",
                method=type(self).__name__,
            )
        self._check_names(data, columns, given)
        self._check_severed(data, columns, given)
        rule = "missing" if self.records == "missing" else "partial"
        dropped = self.leaves_out(data)
        if self._is_full(given):
            rule = "proper" if self.proper else "fitted"
        step = self.step(columns, {name: {"rule": rule} for name in columns})
        return SynthesisPlan(step, data, given, self._sequence(data, columns), self, dropped)

    def leaves_out(self, data: Microdata) -> tuple[str, ...]:
        """Return identifiers, weights and household numbers where all columns are drawn anew."""
        columns = self.chosen(data)
        if not self._is_full(self._given(data, columns)):
            return ()
        named = (name for role in _OF_PERSONS for name in data.with_role(role))
        return tuple(name for name in named if name not in columns)

    def _is_full(self, given: tuple[str, ...]) -> bool:
        return self.records == "all" and not given

    def _given(self, data: Microdata, columns: tuple[str, ...]) -> tuple[str, ...]:
        """Return the columns that stay and that others are drawn given."""
        others = (name for name in (*data.keys, *data.sensitive) if name not in columns)
        given = others if self.given is None else self.given
        return tuple(name for name in given if not data[name].empty)

    def _sequence(self, data: Microdata, columns: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
        """Return the columns in the order in which they are drawn, a time with its state."""
        survival = dict(self.survival or {})
        states = set(survival.values())
        alone = [name for name in columns if name not in states]
        if self.order == "found":
            alone.sort(key=lambda name: (name in survival, len(data[name].coded.labels)))
        alone.sort(key=lambda name: name not in self.strata)
        return tuple((name, survival[name]) if name in survival else (name,) for name in alone)

    def _check_names(
        self, data: Microdata, columns: tuple[str, ...], given: tuple[str, ...]
    ) -> None:
        """Refuse settings for columns that are not drawn, and outcomes that cannot be drawn."""
        survival = dict(self.survival or {})
        check_known("column", [*(self.models or {}), *survival, *survival.values()], columns)
        first = set(columns).union(given) - set(survival) - set(survival.values())
        check_known("column", self.strata, sorted(first))
        for time, state in survival.items():
            numbers, kinds = isinstance(data[time], Numeric), isinstance(data[state], Categorical)
            if not (numbers and kinds and data[time].known.all() and data[state].known.all()):
                raise ColumnError(
                    "{method}: survival needs a column of numbers and one of categories, without "
                    "missing values; '{column}' and '{state}' are not.",
                    method=type(self).__name__,
                    column=time,
                    state=state,
                )
        if self.records != "all" and (survival or self.redraw_uniques or self.min_distance > 0):
            raise SettingError(
                "{method}: survival, redraw_uniques and min_distance need records='all'.",
                method=type(self).__name__,
            )

    def _check_severed(
        self, data: Microdata, columns: tuple[str, ...], given: tuple[str, ...]
    ) -> None:
        """Refuse columns that stay and are not given: originals that no longer fit their record."""
        if self.records != "all":
            return
        stay = [*data.keys, *data.sensitive, *data.with_role("other")]
        left = [n for n in stay if n not in columns and n not in given and not data[n].empty]
        if left:
            raise SettingError(
                "{method}: {columns} would keep original values beside drawn ones that have "
                "nothing to do with them; name such columns among those that are drawn (models "
                "says how), add them to given, or leave them out of the table.",
                method=type(self).__name__,
                columns=", ".join(f"'{name}'" for name in left),
            )

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
