"""The methods of the randomization study: from the training data to scores of the test data."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from sudare.core import (
    MISSING,
    Column,
    Flags,
    Floats,
    Masked,
    Microdata,
    MissingPartError,
    Numeric,
    apply,
    label_codes,
)
from sudare.describe import Hierarchy
from sudare.mask import FullDomain, Intervals, PkAnonymization, PkSampling, Suppression
from sudare.mask.anonymity import GeneralizationPlan
from sudare.reconstruct import KernelDensityRatio, LinearDensityRatio, NaiveBayes

# For the search of one generalization; then the best found so far is taken. Without suppression few
# levels are k-anonymous and the search is soon complete; with it nearly all are.
SECONDS, SECONDS_WITH_SUPPRESSION = 120.0, 30.0


@dataclass(frozen=True)
class StudyTrial:
    """One split of the data, one k, one seed.

    Attributes
    ----------
    training, test
        The two parts; inputs are keys, the target is sensitive.
    target
        The column to predict; it has two classes.
    categories
        Inputs that the paper takes by category although they are numbers.
    hierarchies
        By input, the hierarchy along which it is generalized.
    """

    training: Microdata
    test: Microdata
    target: str
    categories: tuple[str, ...]
    hierarchies: Mapping[str, Hierarchy]
    k: int
    seed: int

    @property
    def inputs(self) -> tuple[str, ...]:
        """The columns to predict from."""
        return self.training.keys

    def by_category(self, data: Microdata) -> Microdata:
        """Return the data with the numbers that the paper takes by category as categories."""
        return data.assigning(scales=dict.fromkeys(self.categories, "nominal"))

    def randomized(self) -> Masked[Microdata]:
        """Return the training data randomized as in the paper, the budget shared equally."""
        training = self.by_category(self.training)
        return apply(training, PkAnonymization(k=float(self.k)), seed=self.seed)

    def logistic(self, training: Microdata, weights: Floats | None = None) -> Floats:
        """Return scores of the test data by a logistic regression on some training data."""
        test = self.by_category(self.test)
        return logistic_scores(training, test, self.inputs, self.target, weights)


Method = Callable[[StudyTrial], Floats]


def original(trial: StudyTrial) -> Floats:
    """Logistic regression on the true training data."""
    return trial.logistic(trial.by_category(trial.training))


def randomized(trial: StudyTrial) -> Floats:
    """Logistic regression on randomized data, as if they were true."""
    return trial.logistic(trial.randomized().data)


def kernel(trial: StudyTrial) -> Floats:
    """Logistic regression on randomized data, weighted by the kernel density ratio."""
    masked = trial.randomized()
    return trial.logistic(masked.data, KernelDensityRatio().fit(masked.data, masked.steps).weights)


def linear(trial: StudyTrial) -> Floats:
    """Logistic regression on randomized data, weighted by the linear density ratio."""
    masked = trial.randomized()
    return trial.logistic(masked.data, LinearDensityRatio().fit(masked.data, masked.steps).weights)


def naive_bayes(trial: StudyTrial) -> Floats:
    """Naive Bayes from the tables behind the same randomized data."""
    masked = trial.randomized()
    model = NaiveBayes(target=trial.target).fit(masked.data, masked.steps)
    return model.predict_proba(trial.test)[:, 1]


def sampling(trial: StudyTrial) -> Floats:
    """Naive Bayes from records that publish one key each, with the whole budget."""
    numbers = any(isinstance(trial.training[name], Numeric) for name in trial.inputs)
    steps = [*([Intervals()] if numbers else []), PkSampling(k=float(trial.k))]
    masked = apply(trial.training, steps, seed=trial.seed)
    model = NaiveBayes(target=trial.target).fit(masked.data, masked.steps)
    return model.predict_proba(trial.test)[:, 1]


def generalization(trial: StudyTrial) -> Floats:
    """Logistic regression on k-anonymous data, generalized without suppression."""
    return _generalized(trial, suppression_limit=0.0)


def both(trial: StudyTrial) -> Floats:
    """Logistic regression on k-anonymous data, generalized, up to a fifth suppressed."""
    return _generalized(trial, suppression_limit=0.2)


def suppression(trial: StudyTrial) -> Floats:
    """Logistic regression on the records that are k-anonymous as they are."""
    training = trial.by_category(trial.training)
    return trial.logistic(_left(Suppression(k=trial.k).fit(training).transform(training)))


def _generalized(trial: StudyTrial, suppression_limit: float) -> Floats:
    method = FullDomain(
        k=trial.k,
        suppression_limit=suppression_limit,
        hierarchies=trial.hierarchies,
        seconds=SECONDS_WITH_SUPPRESSION if suppression_limit else SECONDS,
    )
    plan = method.fit(trial.training)
    if not isinstance(plan, GeneralizationPlan):
        raise TypeError(type(plan).__name__)
    test = trial.test.replacing(
        plan.hierarchies[name].generalized(trial.test[name], level)
        for name, level in plan.levels.items()
        if level > 0
    )
    training = _left(plan.transform(trial.training))
    return logistic_scores(training, test, trial.inputs, trial.target)


def _left(data: Microdata) -> Microdata:
    """Return the records that have any key left."""
    left = np.any([data[name].known for name in data.keys], axis=0)
    return data.take(np.flatnonzero(left))


METHODS: Mapping[str, Method] = {
    "original": original,
    "randomized": randomized,
    "kernel": kernel,
    "linear": linear,
    "naive-bayes": naive_bayes,
    "sampling": sampling,
    "generalization": generalization,
    "suppression": suppression,
    "both": both,
}
# What does not depend on k is done once per split.
WITHOUT_K = frozenset({"original"})


def area_under_curve(scores: Floats, positive: Flags) -> float:
    """Return the share of pairs, one positive and one negative, that scores put in order.

    Ties count half. NaN if all or none are positive.

    Examples
    --------
    >>> area_under_curve(np.array([0.1, 0.4, 0.4, 0.9]), np.array([False, False, True, True]))
    0.875
    """
    from scipy.stats import rankdata

    ones = int(positive.sum())
    pairs = ones * (len(positive) - ones)
    if pairs == 0:
        return float("nan")
    return float((rankdata(scores)[positive].sum() - ones * (ones + 1) / 2) / pairs)


def logistic_scores(
    training: Microdata,
    test: Microdata,
    inputs: tuple[str, ...],
    target: str,
    weights: Floats | None = None,
) -> Floats:
    """Return the log-odds of the second class for test data, by logistic regression.

    Categories count as 0/1 columns, numbers are standardized; what is absent or unknown is 0.
    """
    try:
        from sklearn.linear_model import LogisticRegression
    except ImportError:
        raise MissingPartError(
            "the randomization study needs scikit-learn; install it with: pip install "
            "'sudare[models]'."
        ) from None
    classes = training[target].coded.codes
    known = classes >= 0
    if len(np.unique(classes[known])) < 2:
        return np.zeros(test.rows)  # nobody is left to learn from
    pairs = [_features(training[name], test[name]) for name in inputs]
    features, fresh = (np.concatenate(part, axis=1) for part in zip(*pairs, strict=True))
    model = LogisticRegression(solver="newton-cholesky")
    model.fit(features[known], classes[known], None if weights is None else weights[known])
    return model.decision_function(fresh)


def _features(column: Column, fresh: Column) -> tuple[Floats, Floats]:
    """Return the columns of a regression that a variable makes, of training and of test data."""
    if isinstance(column, Numeric) and isinstance(fresh, Numeric):
        known = column.values[column.known]
        mean, sd = (known.mean(), known.std() or 1.0) if len(known) else (0.0, 1.0)
        return tuple(  # type: ignore[return-value]
            np.nan_to_num((part.values - mean) / sd)[:, None] for part in (column, fresh)
        )
    coded, other = column.coded, fresh.coded
    dummies = np.vstack((np.eye(len(coded.labels)), np.zeros((2, len(coded.labels)))))
    codes = label_codes(other.labels, coded.labels, MISSING)[other.codes]
    return dummies[coded.codes], dummies[codes]
