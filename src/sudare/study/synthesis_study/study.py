"""The synthesis study: what orthogonal transformation risks and costs, compared with regression.

Sano's two tables (mean absolute error, risk by record linkage) as one call on any data set.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sudare.core import (
    ColumnError,
    Masker,
    Microdata,
    Numeric,
    OnProgress,
    Result,
    Seed,
    SettingError,
    apply,
    say,
)
from sudare.datasets import ITEMS
from sudare.loss import MeanAbsoluteError
from sudare.mask import OrthogonalTransform, RegressionSynthesis
from sudare.mask.synthesis import Basis
from sudare.risk import RecordLinkage
from sudare.risk.linkage import AttackScale, part_name
from sudare.study.result import Row, StudyResult, ascending
from sudare.study.synthesis_study.pages import MethodOutcome, findings, presented, synthesis_blocks


@dataclass(frozen=True, eq=False)
class SynthesisStudy(StudyResult):
    """The tables of the study, with what they were made from.

    Attributes
    ----------
    outcomes
        By method, what it cost and what it left to an attacker.
    like_the_slides
        Whether the columns are the slides' items, so that their figures compare.
    """

    outcomes: Mapping[str, MethodOutcome]
    like_the_slides: bool

    def presented(self) -> Mapping[str, Sequence[Row]]:
        """Return the tables as people read them, with the slides' figures if they compare."""
        return presented(self.tables, beside_slides=self.like_the_slides)


def synthesis(
    data: Microdata,
    *,
    losses: Sequence[float] = (0.01, 0.05, 0.10, 0.20),
    k: Sequence[int] = (1, 3, 5),
    columns: Sequence[str] | None = None,
    basis: Basis = "correlation",
    scale: AttackScale = "none",
    seed: Seed = None,
    on_progress: OnProgress | None = None,
) -> SynthesisStudy:
    """Study the error and the linkage risk of synthetic data: DRI, SRI and OT.

    Parameters
    ----------
    data
        The table; its numbers are studied.
    losses
        The ILOT limits of the orthogonal transformation.
    k
        How many of the nearest originals the attacker takes.
    columns
        The variables; by default all numbers but identifiers, weights and households.
    basis
        Matrix whose components are kept.
    scale
        What numbers are divided by before the attacker compares them.
    seed
        Of the noise of SRI.
    on_progress
        Called before each method with (done, in all, its name).

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.expenditure_like(400, seed=1)
    >>> result = synthesis(data, losses=[0.05, 0.2], k=[1], seed=1)
    >>> list(result.tables["table_1_error"][0])
    ['measure', 'DRI', 'SRI', 'OT(0.05)', 'OT(0.2)']
    """
    names = _variables(data, columns)
    counts = ascending(k, 1)
    maskers: dict[str, Masker] = {
        "DRI": RegressionSynthesis(noise=False, columns=names),
        "SRI": RegressionSynthesis(noise=True, columns=names),
    }
    for loss in _limits(losses):
        maskers[f"OT({loss:g})"] = OrthogonalTransform(loss=loss, basis=basis, columns=names)
    attack = RecordLinkage(k=counts, scale=scale, columns=names)
    outcomes = {}
    for number, (name, masker) in enumerate(maskers.items()):
        if on_progress:
            on_progress(number, len(maskers), name)
        outcomes[name] = _outcome(data, masker, attack, seed)
    tables: dict[str, Sequence[Row]] = {
        "table_1_error": [{"measure": "MAE"} | {n: o.error for n, o in outcomes.items()}],
        "table_2_risk": [
            {"k": count} | {n: o.risks[count] for n, o in outcomes.items()} for count in counts
        ],
        "methods": [outcome.row(name) for name, outcome in outcomes.items()],
        "findings": findings(outcomes),
    }
    alike = set(names) == {label for items in ITEMS.values() for label, *_ in items}
    blocks = synthesis_blocks(tables, outcomes, data.rows, beside_slides=alike)
    title = say("Synthetic data: error and linkage risk")
    return SynthesisStudy(title, tables, blocks, outcomes, alike)


def _outcome(data: Microdata, masker: Masker, attack: RecordLinkage, seed: Seed) -> MethodOutcome:
    masked = apply(data, masker, seed=seed)
    error = MeanAbsoluteError(columns=masker.columns)(data, masked.data)
    risk: Result = attack(data, masked.data)
    counts = (attack.k,) if isinstance(attack.k, int) else attack.k
    public = next(iter(masked.steps[0].public.values()))
    return MethodOutcome(
        error=error.value,
        risks={count: risk.parts[part_name(count)] for count in counts},
        interval=risk.interval or (risk.value, risk.value),
        components=public.get("components"),
        ilot=public.get("ilot"),
    )


def _variables(data: Microdata, columns: Sequence[str] | None) -> tuple[str, ...]:
    roles = {"key", "sensitive", "other"}
    if columns is None:
        columns = [c.name for c in data.columns if isinstance(c, Numeric) and c.role in roles]
    for name in columns:
        if not isinstance(data[name], Numeric):
            raise ColumnError(
                "{method}: column '{column}' does not hold {takes}.",
                method="synthesis",
                column=name,
                takes="numbers",
            )
    if len(columns) < 2 or len(set(columns)) < len(columns):
        raise SettingError("the study needs at least two different columns of numbers.")
    return tuple(columns)


def _limits(losses: Sequence[float]) -> tuple[float, ...]:
    ordered = tuple(sorted(set(losses)))
    if not ordered or not (ordered[0] >= 0 and ordered[-1] <= 1):
        raise SettingError("losses must be between 0 and 1.")
    return ordered
