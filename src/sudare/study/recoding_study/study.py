"""The recoding study: what a minimum share p costs, by the loss of a model's scores.

Sano and Hattori, tables 4 to 8 and fig. 2, as one call on any data set.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sudare.core import Categorical, Floats, Microdata, OnProgress, SettingError, say
from sudare.describe import Grouping, cramers_matrix, group_variables
from sudare.engine.counting import label_counts
from sudare.engine.formats import ResultCache
from sudare.loss.models import Undefined
from sudare.mask import GlobalRecode
from sudare.study.recoding_study.models import ORIGINAL, Model, Versions, all_models, score_designs
from sudare.study.recoding_study.pages import presented, recoding_blocks
from sudare.study.recoding_study.paper import LETTERS as PAPER_LETTERS
from sudare.study.recoding_study.tables import (
    Losses,
    table_4,
    table_5,
    table_6,
    table_7,
    table_8,
    table_models,
    verdicts,
)
from sudare.study.recoding_study.variables import Variables, choose, variable_tables
from sudare.study.result import Row, StudyResult


@dataclass(frozen=True, eq=False)
class RecodingStudy(StudyResult):
    """The tables of the study, with what they were made from.

    Attributes
    ----------
    losses
        The scores of every model, and the losses between them.
    grouping
        How many variables were split into groups; ``None`` when all were studied together.
    """

    losses: Losses
    grouping: Grouping | None = None

    @property
    def properties(self) -> Sequence[Row]:
        """By score, whether the loss has the properties (a) to (d)."""
        return verdicts(self.losses)

    def presented(self) -> Mapping[str, Sequence[Row]]:
        """Return the tables as people read them, with the paper's figures if they compare."""
        return presented(self.tables, self.losses)


def recoding(
    data: Microdata,
    *,
    shares: Sequence[float] = (0.01, 0.03, 0.05),
    columns: Sequence[str] | None = None,
    max_inputs: int | None = None,
    undefined: Undefined = "drop",
    dominant: float = 0.9,
    largest_group: int = 5,
    folder: str | os.PathLike[str] | None = None,
    on_progress: OnProgress | None = None,
) -> RecodingStudy:
    """Study what global recoding by minimum share costs, by model-based loss.

    Every variable is predicted from every subset of the others by a multinomial logit, once from
    the original inputs and once from the recoded ones; the loss is the difference of the scores.
    Sampling weights, if there are any, count in shares, associations, models and scores. Variables
    of which one follows from the other are never in one model.

    Parameters
    ----------
    data
        The table; its categorical columns are studied.
    shares
        The minimum shares p.
    columns
        The variables; by default all categorical columns but identifiers, weights and households,
        constants, columns whose values are all different, and those that say the same as another.
    max_inputs
        The most inputs a model may have.
    undefined
        What becomes of the precision and F of a class that is never predicted.
    dominant
        A target whose most frequent category has this share or more is called dominated.
    largest_group
        With more variables than this, they are grouped by association and studied within groups.
    folder
        Where finished models are noted, so that an interrupted study goes on from there.
    on_progress
        Called after each model with (done, in all, what was done).

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy(1000)
    >>> result = recoding(data, columns=["sex", "region", "education"], shares=[0.05, 0.2])
    >>> result.tables["table_4_categories"][1]
    {'variable': 'region', 'original': 8, 'p=0.05': 7, 'p=0.2': 3}
    """
    ordered = _shares(shares)
    if data.weights is not None:
        data = data.take(np.flatnonzero(data.weights > 0))  # the others count for nothing
    variables = choose(data, columns)
    names, weights = variables.names, data.weights
    recoded = _recoded(data, names, ordered)
    association = cramers_matrix(list(recoded[ORIGINAL].values()), weights)
    grouping = None
    if len(names) > largest_group:
        apart = _apart(names, association, variables)
        grouping = group_variables(names, apart, largest=largest_group)
    by_group = [
        [model for model in all_models(group, max_inputs) if variables.allows(model)]
        for group in (grouping.groups if grouping else [names])
    ]
    models = [model for some in by_group for model in some]
    if not models:
        raise SettingError(
            "every variable of the study follows from the others, so there is nothing to predict."
        )
    losses = _losses(recoded, models, undefined, dominant, folder, on_progress, weights)
    tables: dict[str, Sequence[Row]] = {
        "table_4_categories": table_4(recoded),
        "table_5_association": table_5(names, association),
        "table_6_mean_loss": table_6(losses),
        "table_7_correlation": table_7(losses),
        "table_8_largest_loss": table_8(losses),
        "properties": verdicts(losses),
        "models": table_models(losses),
        **variable_tables(data, variables),
    }
    if grouping is not None:
        tables["groups"] = _groups(grouping, names, [len(some) for some in by_group])
    weighted = data.with_role("weight")[0] if weights is not None else None
    blocks = recoding_blocks(tables, losses, grouping, weighted)
    title = say("Global recoding and model-based loss")
    return RecodingStudy(title, tables, blocks, losses, grouping)


def _recoded(
    data: Microdata, names: tuple[str, ...], shares: Sequence[float]
) -> dict[float, Mapping[str, Categorical]]:
    """Return the variables as they are, and as each minimum share recodes them."""
    recoded: dict[float, Mapping[str, Categorical]] = {
        ORIGINAL: {name: data[name].coded for name in names}
    }
    for share in shares:
        plan = GlobalRecode(min_share=share, columns=names, weighted=True).fit(data)
        masked = plan.transform(data)
        recoded[share] = {name: masked[name].coded for name in names}
    return recoded


def _apart(names: Sequence[str], association: Floats, variables: Variables) -> Floats:
    """Return the association without that of dependent pairs, which no model has together."""
    shown = association.copy()
    for pair in variables.dependent:
        first, second = (names.index(name) for name in pair)
        shown[first, second] = shown[second, first] = 0.0
    return shown


def _shares(shares: Sequence[float]) -> tuple[float, ...]:
    ordered = tuple(sorted(set(shares)))
    if not ordered or not (ordered[0] > 0 and ordered[-1] < 1):
        raise SettingError("shares must be above 0 and below 1.")
    return ordered


def _losses(
    recoded: Mapping[float, Mapping[str, Categorical]],
    models: Sequence[Model],
    undefined: Undefined,
    dominant: float,
    folder: str | os.PathLike[str] | None,
    on_progress: OnProgress | None,
    weights: Floats | None,
) -> Losses:
    versions = Versions.of(recoded, weights)
    designs = {(m, share): versions.design(m, share) for m in models for share in recoded}
    path = None if folder is None else Path(folder) / "models.jsonl"
    cache = ResultCache(path, f"{versions.digest()} {undefined}")
    scores = score_designs(
        versions,
        list(dict.fromkeys(designs.values())),
        undefined=undefined,
        cache=cache,
        on_progress=on_progress,
    )
    counts = {name: label_counts(column, weights) for name, column in recoded[ORIGINAL].items()}
    return Losses(
        scored={key: scores[design] for key, design in designs.items()},
        shares=[share for share in recoded if share != ORIGINAL],
        dominated=frozenset(n for n, c in counts.items() if c.max() >= dominant * c.sum()),
        letters=_letters(list(counts)),
    )


def _letters(names: Sequence[str]) -> Mapping[str, str]:
    """Return the first letter of each name, or the names themselves where that is ambiguous."""
    if set(names) == set(PAPER_LETTERS):
        return PAPER_LETTERS
    first = [name[:1].upper() for name in names]
    return dict(zip(names, first if len(set(first)) == len(first) else names, strict=True))


def _groups(grouping: Grouping, names: Sequence[str], models: Sequence[int]) -> list[Row]:
    size = len(names)
    skipped = size * (2 ** (size - 1) - 1) - sum(models)
    rows: list[Row] = [
        {"group": number, "variables": ", ".join(group), "models": count}
        for number, (group, count) in enumerate(zip(grouping.groups, models, strict=True), 1)
    ]
    rows.append({"group": "skipped", "variables": "across groups", "models": skipped})
    return rows
