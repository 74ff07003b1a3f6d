"""Every method, one line each: command line, workbench, report, docs and tests all read this."""

import inspect
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from sudare import loss, mask, reconstruct, risk, transactions
from sudare.core import (
    AnyMasker,
    Assessment,
    Setting,
    SettingError,
    build,
    say,
    settings_of,
    unknown_name,
)
from sudare.reconstruct import Estimator
from sudare.transactions import HistoryMasker, HistoryMeasure

Family = Literal["mask", "risk", "loss", "reconstruct"]
Subject = Literal["table", "history"]


@dataclass(frozen=True)
class Entry:
    """One method of the catalog: its class and its name in plain words."""

    method: type[AnyMasker] | type[Assessment] | type[Estimator]
    title: str

    @property
    def name(self) -> str:
        """The name in Python: ``GlobalRecode``."""
        return self.method.__name__

    @property
    def slug(self) -> str:
        """The name in recipes and on the command line: ``global-recode``."""
        return re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", self.name).lower()

    @property
    def family(self) -> Family:
        """Whether it masks, attacks, measures loss or reconstructs."""
        if issubclass(self.method, Estimator):
            return "reconstruct"
        return "mask" if issubclass(self.method, AnyMasker) else self.method.kind

    @property
    def subject(self) -> Subject:
        """Whether it is for tables or for purchase histories."""
        return "history" if issubclass(self.method, HistoryMasker | HistoryMeasure) else "table"

    @property
    def summary(self) -> str:
        """The first sentence of its docs, in the current language."""
        return say((self.method.__doc__ or "").strip().splitlines()[0])

    @property
    def references(self) -> str:
        """The literature that its docs name."""
        doc = inspect.cleandoc(self.method.__doc__ or "")
        _, _, rest = doc.partition("References\n----------\n")
        return " ".join(re.split(r"\n\n\w[^\n]*\n-+\n", rest)[0].split())

    @property
    def settings(self) -> tuple[Setting, ...]:
        """Its settings, in order."""
        return settings_of(self.method)


METHODS = (
    Entry(mask.GlobalRecode, "Global recoding"),
    Entry(mask.TopBottomCode, "Top and bottom coding"),
    Entry(mask.Rounding, "Rounding"),
    Entry(mask.Intervals, "Intervals"),
    Entry(mask.HouseholdNumbers, "New household numbers"),
    Entry(mask.LocalSuppression, "Local suppression"),
    Entry(mask.Pram, "Post-randomization (PRAM)"),
    Entry(mask.RetentionReplacement, "Retention and replacement"),
    Entry(mask.BoundedLaplace, "Bounded Laplace noise"),
    Entry(mask.PkAnonymization, "Pk-anonymization"),
    Entry(mask.PkSampling, "Pk-anonymization of a few keys per record"),
    Entry(mask.Noise, "Additive noise"),
    Entry(mask.CorrelatedNoise, "Correlated noise"),
    Entry(mask.MultiplicativeNoise, "Multiplicative noise"),
    Entry(mask.Microaggregation, "Microaggregation (MDAV)"),
    Entry(mask.VariableMicroaggregation, "Microaggregation with variable groups (V-MDAV)"),
    Entry(mask.UnivariateMicroaggregation, "Optimal univariate microaggregation"),
    Entry(mask.TreeMicroaggregation, "Microaggregation along a tree"),
    Entry(mask.FullDomain, "Full-domain generalization (k-anonymity)"),
    Entry(mask.Mondrian, "Mondrian (k-anonymity)"),
    Entry(mask.Suppression, "Record suppression (k-anonymity)"),
    Entry(mask.Shuffling, "Data shuffling"),
    Entry(mask.RankSwapping, "Rank swapping"),
    Entry(mask.RecordSwapping, "Record swapping"),
    Entry(mask.OrthogonalTransform, "Orthogonal transformation (OT)"),
    Entry(mask.RegressionSynthesis, "Synthesis by regression (DRI, SRI)"),
    Entry(mask.HybridSynthesis, "Hybrid synthesis"),
    Entry(mask.SequentialSynthesis, "Sequential synthesis (trees, regressions)"),
    Entry(mask.MultipleImputation, "Multiple imputation"),
    Entry(risk.KAnonymity, "k-anonymity"),
    Entry(risk.LDiversity, "l-diversity"),
    Entry(risk.TCloseness, "t-closeness"),
    Entry(risk.Uniques, "Sample uniques"),
    Entry(risk.PopulationUniques, "Population uniques"),
    Entry(risk.IndividualRisk, "Individual and global risk"),
    Entry(risk.HouseholdRisk, "Household risk"),
    Entry(risk.Suda, "Special uniques (SUDA2, DIS)"),
    Entry(risk.RecordLinkage, "Record linkage"),
    Entry(risk.ProbabilisticLinkage, "Probabilistic record linkage"),
    Entry(risk.IntervalDisclosure, "Interval disclosure"),
    Entry(risk.AttributeInference, "Attribute inference"),
    Entry(risk.MembershipInference, "Membership inference"),
    Entry(loss.DirectComparison, "Direct comparison"),
    Entry(loss.ContingencyTables, "Contingency tables (CTBIL)"),
    Entry(loss.EntropyLoss, "Entropy (EBIL)"),
    Entry(loss.ModelLoss, "Model-based loss"),
    Entry(loss.DistanceLoss, "Distances (ILD)"),
    Entry(loss.MeanAbsoluteError, "Mean absolute error"),
    Entry(loss.TotalVariation, "Total variation"),
    Entry(loss.Hellinger, "Hellinger distance"),
    Entry(loss.MomentLoss, "Moments"),
    Entry(loss.AssociationLoss, "Associations"),
    Entry(loss.Propensity, "Propensity score (pMSE)"),
    Entry(loss.CoefficientOverlap, "Overlap of regression intervals"),
    Entry(loss.ClassificationLoss, "Classification of unseen records"),
    Entry(reconstruct.IterativeBayes, "Iterative Bayes"),
    Entry(reconstruct.KernelDensityRatio, "Density ratio by kernels"),
    Entry(reconstruct.LinearDensityRatio, "Linear density ratio"),
    Entry(reconstruct.NonparametricMaximum, "Nonparametric maximum likelihood"),
    Entry(transactions.CoarseDates, "Dates to periods"),
    Entry(transactions.PriceBands, "Price bands"),
    Entry(transactions.QuantityBands, "Quantity bands"),
    Entry(transactions.ItemFamilies, "Item families"),
    Entry(transactions.RowDeletion, "Deletion of rows"),
    Entry(transactions.CellDeletion, "Deletion of columns"),
    Entry(transactions.Pseudonyms, "New pseudonyms"),
    Entry(transactions.CustomerAnonymity, "Customers alike in groups or cycles"),
    Entry(transactions.Reidentification, "Re-identification by attackers"),
    Entry(transactions.CellError, "Mean error of the cells (U)"),
    Entry(transactions.UseCaseLoss, "Errors of use cases"),
)


def find(name: str) -> Entry:
    """Return the method of a name, written ``GlobalRecode`` or ``global-recode``.

    Examples
    --------
    >>> find("global-recode").title
    'Global recoding'
    """
    for entry in METHODS:
        if name in {entry.name, entry.slug}:
            return entry
    raise unknown_name("method", name, [entry.slug for entry in METHODS])


def masker(name: str, settings: Mapping[str, object]) -> AnyMasker:
    """Return a masker by name, with settings as a recipe gives them."""
    entry = _no_estimator(find(name))
    if not issubclass(entry.method, AnyMasker):
        raise SettingError("{method} measures; it does not mask.", method=entry.slug)
    return build(entry.method, settings)


def measure(name: str, settings: Mapping[str, object]) -> Assessment:
    """Return a measure by name, with settings as a recipe gives them."""
    entry = _no_estimator(find(name))
    if not issubclass(entry.method, Assessment):
        raise SettingError("{method} masks; it does not measure.", method=entry.slug)
    return build(entry.method, settings)


def _no_estimator(entry: Entry) -> Entry:
    if entry.family == "reconstruct":
        raise SettingError(
            "{method} reconstructs; it neither masks nor measures. Use it in Python: "
            "sudare.reconstruct.{name}.",
            method=entry.slug,
            name=entry.name,
        )
    return entry
