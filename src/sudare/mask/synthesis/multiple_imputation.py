"""Multiple imputation: several synthetic versions, so that analysts see what synthesis costs."""

from typing import Annotated

from sudare.core import AtLeast
from sudare.mask.synthesis.sequential_synthesis import SequentialSynthesis


class MultipleImputation(SequentialSynthesis):
    """Release several synthetic versions of a table, from which variances can be estimated.

    Each version is a proper sequential synthesis with draws of its own;
    :class:`SequentialSynthesis` says how. Fully synthetic versions come from drawing all columns,
    partially synthetic ones from naming some or from ``records="at-risk"``, and with
    ``records="missing"`` only missing values are imputed. The Step says by which ``rule``
    :func:`sudare.reconstruct.combine` puts the estimates of the versions together.

    :func:`sudare.versions` returns all versions, and ``sudare mask`` writes each to a file;
    :func:`sudare.apply` returns the first, which is what comparisons measure and what a
    publication holds. Anyone who has all versions can average them, so that m versions carry more
    risk than one.

    References
    ----------
    Rubin (1993). Discussion: statistical disclosure limitation. Journal of Official Statistics
    9(2). Raghunathan, Reiter and Rubin (2003). Multiple imputation for statistical disclosure
    limitation. Journal of Official Statistics 19(1).

    Examples
    --------
    >>> import numpy as np
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> imputation = MultipleImputation(m=5, columns=("age",))
    >>> tables = [made.data for made in sudare.versions(data, imputation, seed=1)]
    >>> ages = np.stack([table["age"].values for table in tables])
    >>> estimate = sudare.reconstruct.combine(
    ...     ages.mean(axis=1), ages.var(axis=1, ddof=1) / data.rows, rule="partial"
    ... )
    >>> bool(estimate.variance > estimate.within)
    True
    """

    m: Annotated[int, AtLeast(2), "number of versions"] = 5
    proper: Annotated[bool, "fit to a Bayesian bootstrap of the records"] = True

    @property
    def versions(self) -> int:
        """How many versions of the masked table a release has."""
        return self.m
