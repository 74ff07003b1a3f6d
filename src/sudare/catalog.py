"""Every method, one line each: command line, workbench, report, docs and tests all read this."""

import inspect
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Literal, cast, get_args

from sudare.core import AnyMasker, Assessment, Setting, SettingError, say, settings_of, unknown_name

if TYPE_CHECKING:
    from sudare.reconstruct import Estimator

Family = Literal["mask", "risk", "loss", "reconstruct"]
Subject = Literal["table", "history"]


@dataclass(frozen=True)
class CatalogEntry:
    """One method of the catalog: where its class is, and its name in plain words.

    The class is imported when it is first asked for, so that a command waits for no method but
    those it uses.
    """

    python_name: str
    title: str

    @property
    def method(self) -> "type[AnyMasker] | type[Assessment] | type[Estimator]":
        """Its class."""
        room, _, name = self.python_name.rpartition(".")
        method = getattr(import_module(f"sudare.{room}"), name)
        return cast("type[AnyMasker] | type[Assessment] | type[Estimator]", method)

    @property
    def name(self) -> str:
        """The name in Python: ``GlobalRecode``."""
        return self.python_name.rpartition(".")[2]

    @property
    def slug(self) -> str:
        """The name in recipes and on the command line: ``global-recode``."""
        return re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", self.name).lower()

    @property
    def family(self) -> Family:
        """Whether it masks, attacks, measures loss or reconstructs."""
        if self.subject == "table":
            return cast("Family", self.python_name.partition(".")[0])
        return self.method.kind if issubclass(self.method, Assessment) else "mask"

    @property
    def subject(self) -> Subject:
        """Whether it is for tables or for purchase histories."""
        return "history" if self.python_name.startswith("transactions.") else "table"

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
    def formula(self) -> str:
        """How the number of a measure is computed, in the current language."""
        return say(self.method.formula) if issubclass(self.method, Assessment) else ""

    @property
    def counted(self) -> str:
        """Which records a measure counts, in the current language."""
        return say(self.method.counted) if issubclass(self.method, Assessment) else ""

    @property
    def improved_by(self) -> str:
        """What would make the number of a measure better, in the current language."""
        if not issubclass(self.method, Assessment):
            return ""
        if self.method.improved_by:
            return say(self.method.improved_by)
        if self.method.kind == "risk":
            return say("Recode or suppress keys, or randomize them more strongly.")
        return say("Milder settings, or fewer masked columns.")

    @property
    def settings(self) -> tuple[Setting, ...]:
        """Its settings, in order."""
        return settings_of(self.method)


METHODS = (
    CatalogEntry("mask.GlobalRecode", "Global recoding"),
    CatalogEntry("mask.TopBottomCode", "Top and bottom coding"),
    CatalogEntry("mask.Rounding", "Rounding"),
    CatalogEntry("mask.Intervals", "Intervals"),
    CatalogEntry("mask.HouseholdNumbers", "New household numbers"),
    CatalogEntry("mask.Subsample", "Subsample"),
    CatalogEntry("mask.RemoveRecords", "Removal of records"),
    CatalogEntry("mask.EditRules", "Edit rules"),
    CatalogEntry("mask.LocalSuppression", "Local suppression"),
    CatalogEntry("mask.Pram", "Post-randomization (PRAM)"),
    CatalogEntry("mask.RetentionReplacement", "Retention and replacement"),
    CatalogEntry("mask.BoundedLaplace", "Bounded Laplace noise"),
    CatalogEntry("mask.PkAnonymization", "Pk-anonymization"),
    CatalogEntry("mask.PkSampling", "Pk-anonymization of a few keys per record"),
    CatalogEntry("mask.Noise", "Additive noise"),
    CatalogEntry("mask.CorrelatedNoise", "Correlated noise"),
    CatalogEntry("mask.MultiplicativeNoise", "Multiplicative noise"),
    CatalogEntry("mask.Microaggregation", "Microaggregation (MDAV)"),
    CatalogEntry("mask.VariableMicroaggregation", "Microaggregation with variable groups (V-MDAV)"),
    CatalogEntry("mask.UnivariateMicroaggregation", "Optimal univariate microaggregation"),
    CatalogEntry("mask.TreeMicroaggregation", "Microaggregation along a tree"),
    CatalogEntry("mask.FullDomain", "Full-domain generalization (k-anonymity)"),
    CatalogEntry("mask.Mondrian", "Mondrian (k-anonymity)"),
    CatalogEntry("mask.Suppression", "Record suppression (k-anonymity)"),
    CatalogEntry("mask.Shuffling", "Data shuffling"),
    CatalogEntry("mask.RankSwapping", "Rank swapping"),
    CatalogEntry("mask.RecordSwapping", "Record swapping"),
    CatalogEntry("mask.OrthogonalTransform", "Orthogonal transformation (OT)"),
    CatalogEntry("mask.RegressionSynthesis", "Synthesis by regression (DRI, SRI)"),
    CatalogEntry("mask.HybridSynthesis", "Hybrid synthesis"),
    CatalogEntry("mask.SequentialSynthesis", "Sequential synthesis (trees, regressions)"),
    CatalogEntry("mask.MultipleImputation", "Multiple imputation"),
    CatalogEntry("risk.Reidentification", "Re-identification"),
    CatalogEntry("risk.KAnonymity", "k-anonymity"),
    CatalogEntry("risk.LDiversity", "l-diversity"),
    CatalogEntry("risk.TCloseness", "t-closeness"),
    CatalogEntry("risk.Uniques", "Sample uniques"),
    CatalogEntry("risk.PopulationUniques", "Population uniques"),
    CatalogEntry("risk.IndividualRisk", "Individual and global risk"),
    CatalogEntry("risk.HouseholdRisk", "Household risk"),
    CatalogEntry("risk.Suda", "Special uniques (SUDA2, DIS)"),
    CatalogEntry("risk.RecordLinkage", "Record linkage"),
    CatalogEntry("risk.ProbabilisticLinkage", "Probabilistic record linkage"),
    CatalogEntry("risk.IntervalDisclosure", "Interval disclosure"),
    CatalogEntry("risk.AttributeInference", "Attribute inference"),
    CatalogEntry("risk.MembershipInference", "Membership inference"),
    CatalogEntry("risk.SinglingOut", "Singling out"),
    CatalogEntry("risk.Linkability", "Linkability"),
    CatalogEntry("risk.ReplicatedUniques", "Replicated uniques (UiO, UiS, repU)"),
    CatalogEntry("risk.CorrectAttribution", "Correct attribution (DiSCO, DiSDiO, TCAP, DCAP)"),
    CatalogEntry("risk.NearestDistances", "Distances to the closest record (DCR, NNDR)"),
    CatalogEntry("loss.DirectComparison", "Direct comparison"),
    CatalogEntry("loss.ContingencyTables", "Contingency tables (CTBIL)"),
    CatalogEntry("loss.EntropyLoss", "Entropy (EBIL)"),
    CatalogEntry("loss.ModelLoss", "Model-based loss"),
    CatalogEntry("loss.DistanceLoss", "Distances (ILD)"),
    CatalogEntry("loss.MeanAbsoluteError", "Mean absolute error"),
    CatalogEntry("loss.TotalVariation", "Total variation"),
    CatalogEntry("loss.Hellinger", "Hellinger distance"),
    CatalogEntry("loss.MomentLoss", "Moments"),
    CatalogEntry("loss.AssociationLoss", "Associations"),
    CatalogEntry("loss.Propensity", "Propensity score (pMSE)"),
    CatalogEntry("loss.TreePropensity", "Propensity by trees (CART pMSE)"),
    CatalogEntry("loss.ForestTest", "Two-sample test by a forest"),
    CatalogEntry("loss.KMarginal", "k-marginals"),
    CatalogEntry("loss.TailLoss", "Tails"),
    CatalogEntry("loss.RareGroupLoss", "The rare group"),
    CatalogEntry("loss.SurvivalOverlap", "Survival analyses (Cox, Kaplan–Meier)"),
    CatalogEntry("loss.CoefficientOverlap", "Overlap of regression intervals"),
    CatalogEntry("loss.RuleViolations", "Edit rules that are broken"),
    CatalogEntry("loss.ClassificationLoss", "Classification of unseen records"),
    CatalogEntry("reconstruct.IterativeBayes", "Iterative Bayes"),
    CatalogEntry("reconstruct.InverseChannel", "Inverse channel (unbiased)"),
    CatalogEntry("reconstruct.KernelDensityRatio", "Density ratio by kernels"),
    CatalogEntry("reconstruct.LinearDensityRatio", "Linear density ratio"),
    CatalogEntry("reconstruct.NonparametricMaximum", "Nonparametric maximum likelihood"),
    CatalogEntry("transactions.CoarseDates", "Dates to periods"),
    CatalogEntry("transactions.PriceBands", "Price bands"),
    CatalogEntry("transactions.QuantityBands", "Quantity bands"),
    CatalogEntry("transactions.ItemFamilies", "Item families"),
    CatalogEntry("transactions.RowDeletion", "Deletion of rows"),
    CatalogEntry("transactions.CellDeletion", "Deletion of columns"),
    CatalogEntry("transactions.Pseudonyms", "New pseudonyms"),
    CatalogEntry("transactions.CustomerAnonymity", "Customers alike in groups or cycles"),
    CatalogEntry("transactions.Reidentification", "Re-identification by attackers"),
    CatalogEntry("transactions.CellError", "Mean error of the cells (U)"),
    CatalogEntry("transactions.UseCaseLoss", "Errors of use cases"),
)


def find(
    name: str, subject: Subject = "table", *, offered: tuple[Family, ...] = get_args(Family)
) -> CatalogEntry:
    """Return the method of a name, written ``GlobalRecode`` or ``global-recode``.

    Tables and purchase histories have a method each of some names; the subject says which is meant.
    A name that only the other has is found too. The error for a name that nobody has offers methods
    of some families alone, those of the subject first.

    Examples
    --------
    >>> find("global-recode").title
    'Global recoding'
    >>> find("reidentification", "history").title
    'Re-identification by attackers'
    """
    named = [entry for entry in METHODS if name in {entry.name, entry.slug}]
    if not named:
        known = sorted(METHODS, key=lambda entry: entry.subject != subject)
        slugs = dict.fromkeys(entry.slug for entry in known if entry.family in offered)
        raise unknown_name("method", name, slugs)
    return next((entry for entry in named if entry.subject == subject), named[0])


def entry_of(method: object) -> CatalogEntry:
    """Return the line of a method, given as an object or as its class.

    Examples
    --------
    >>> from sudare import risk
    >>> entry_of(risk.Reidentification).subject
    'table'
    """
    kind = method if isinstance(method, type) else type(method)
    for entry in METHODS:
        if entry.name == kind.__name__ and entry.method is kind:
            return entry
    raise unknown_name("method", kind.__name__, [entry.slug for entry in METHODS])


def masker(name: str, settings: Mapping[str, object]) -> AnyMasker:
    """Return a masker by name, with settings as a recipe gives them."""
    entry = find(name, offered=("mask",))
    if issubclass(entry.method, AnyMasker):
        return entry.method(**settings)
    raise _estimates(entry) or SettingError(
        "{method} measures; it does not mask.", method=entry.slug
    )


def measure(name: str, settings: Mapping[str, object], subject: Subject = "table") -> Assessment:
    """Return a measure by name, with settings as a recipe gives them."""
    entry = find(name, subject, offered=("risk", "loss"))
    if issubclass(entry.method, Assessment):
        return entry.method(**settings)
    raise _estimates(entry) or SettingError(
        "{method} masks; it does not measure.", method=entry.slug
    )


def _estimates(entry: CatalogEntry) -> SettingError | None:
    if entry.family != "reconstruct":
        return None
    return SettingError(
        "{method} reconstructs; it neither masks nor measures. Use it in Python: "
        "sudare.reconstruct.{name}.",
        method=entry.slug,
        name=entry.name,
    )
