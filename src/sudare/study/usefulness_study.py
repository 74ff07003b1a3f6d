"""The usefulness of a release on one page: whether it differs from the original, and how."""

from sudare.core import Measure, Microdata, SudareError, say
from sudare.loss import (
    AssociationLoss,
    ForestTest,
    KMarginal,
    Propensity,
    RareGroupLoss,
    SurvivalOverlap,
    TailLoss,
    TotalVariation,
    TreePropensity,
)
from sudare.release.report import Block, Table, Text
from sudare.study.result import Row, StudyResult, rounded


def usefulness(
    before: Microdata,
    after: Microdata,
    *,
    time: str | None = None,
    event: str | None = None,
    state: str | None = None,
) -> StudyResult:
    """Return one page on what a release is good for: a headline, and what every loss sees.

    Parameters
    ----------
    before, after
        The original and the released table; their numbers of records may differ.
    time, event
        Columns of a survival outcome, if there is one.
    state
        The label of the event; by default 1, true or yes.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> page = usefulness(data, sudare.apply(data, sudare.mask.Noise(sd_ratio=2.0), seed=1).data)
    >>> page.title[:54]
    'a classifier can tell the two tables apart: of an orig'
    """
    test = ForestTest()(before, after)
    seen = _seen(time, event, state)
    rows: list[Row] = []
    for measure, sees, misses in seen:
        try:
            result = test if isinstance(measure, ForestTest) else measure(before, after)
            value: object = result.value
            worst = max(result.parts, key=lambda name: result.parts[name]) if result.value else ""
        except SudareError as error:  # of all losses, those that suit the tables
            value, worst = str(error), ""
        rows.append(
            {
                "loss": type(measure).__name__,
                "value": value,
                "largest_part": worst,
                "sees": sees,
                "misses": misses,
            }
        )
    blocks: list[Block] = [
        Text(say("Each loss sees something else; 0 is unchanged.")),
        Table.of([rounded(row) for row in rows]),
    ]
    return StudyResult(" ".join(test.notes), {"losses": rows}, blocks)


def _seen(time: str | None, event: str | None, state: str | None) -> list[tuple[Measure, str, str]]:
    """Return the losses with what each of them sees, and what it misses."""
    losses: list[tuple[Measure, str, str]] = [
        (
            ForestTest(),
            say("anything by which records can be told apart"),
            say("whether an analysis is harmed"),
        ),
        (
            TreePropensity(),
            say("interactions, bounds, values that do not occur"),
            say("smooth shifts in small tables"),
        ),
        (
            Propensity(),
            say("shifted means and shares"),
            say("interactions, tails, rare groups: nearly everything else"),
        ),
        (TotalVariation(), say("distributions of single columns"), say("relations of columns")),
        (
            KMarginal(),
            say("joint distributions of three columns"),
            say("tails of numbers, and what chance does to small cells"),
        ),
        (AssociationLoss(), say("relations of pairs of columns"), say("tails and rare groups")),
        (TailLoss(), say("the outer 5 % of numbers"), say("the other 95 %")),
        (RareGroupLoss(), say("the smallest groups"), say("all other records")),
    ]
    if time is not None and event is not None:
        overlap = SurvivalOverlap(time=time, event=event, state=state)
        losses.append((overlap, say("analyses of survival"), say("everything else")))
    return losses
