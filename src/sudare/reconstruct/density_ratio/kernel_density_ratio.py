"""The density ratio as a sum of Gaussian kernels (eq. 14, algorithm 1)."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from sudare.core import AtLeast
from sudare.reconstruct.density_ratio.ratio_estimator import DensityRatio, Model, Sample, points
from sudare.reconstruct.pairs import Singles
from sudare.reconstruct.released import Stratum

_WIDTHS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)  # per column; two even draws are 2 apart on average


@dataclass(frozen=True, eq=False)
class Gaussian:
    """Features exp(-‖z - z_r‖² / σ²), one per center."""

    centers: Singles
    variance: float

    def __call__(self, stratum: Stratum) -> Singles:
        """Return the features of records, shape (n, centers)."""
        here = points(stratum)
        lengths = (here**2).sum(axis=1)[:, None] + (self.centers**2).sum(axis=1)
        distance = np.maximum(lengths - 2 * here @ self.centers.T, 0)
        return np.asarray(np.exp(-distance / np.float32(self.variance)))


class KernelDensityRatio(DensityRatio):
    """Weight the randomized records by the sum of Gaussian kernels that is most likely.

    The weight of a record is Σ α_r exp(-‖z - z_r‖² / σ²) over ``centers`` records z_r, with α ≥ 0.
    Categories count as 0/1 columns; numbers are scaled by their public bounds. σ² is given, or
    chosen by cross-validation on the randomized records alone.

    Columns that were not randomized are known: records that differ there, or in what is absent,
    are estimated apart, so that the relation of the others to them is estimated too.

    Notes
    -----
    Algorithm 1 takes gradient steps of a size that the user has to find, and corrects what leaves
    α ≥ 0 and an average weight of 1. Here each coefficient takes a step in proportion to itself,
    which keeps both conditions and cannot lower the likelihood, and pairs of steps are lengthened
    as long as that gains; the maximum is the same. The paper puts a center on every record; as in
    its source (Sugiyama et al. 2008) some of them do as well, and a round then costs n·centers.

    σ² is the best of six for held-out records, three folds, on at most 4,096 records of each
    stratum. Then all pairs of records are compared once. A stratum longer than ``landmarks`` is
    represented by two samples of that many records, all records are weighted by the mean of the
    two models, and `Estimate.error` says how far these are apart.

    References
    ----------
    Hasegawa, Hamada and Kikuchi, Efficient reconstruction algorithm for multivariate statistics:
    eq. 12 to 14, algorithm 1.
    Sugiyama et al. (2008). Direct importance estimation with model selection and its application to
    covariate shift adaptation. NeurIPS.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy(2000)
    >>> masked = sudare.apply(data, sudare.mask.PkAnonymization(k=2), seed=7)
    >>> estimate = KernelDensityRatio().fit(masked.data, masked.steps)
    >>> round(float(estimate.weights.mean()), 9), estimate.error
    (1.0, 0.0)
    """

    variance: Annotated[
        float | None, AtLeast(0, above=True), "σ² of the kernel; by default by cross-validation"
    ] = None
    centers: Annotated[int, AtLeast(1), "largest number of records with a kernel"] = 200
    rounds: Annotated[int, AtLeast(1), "largest number of rounds"] = 100
    tolerance: Annotated[
        float, AtLeast(0), "a round that gains less mean log-likelihood is the last"
    ] = 1e-7
    landmarks: Annotated[int, AtLeast(2), "largest number of records compared with one another"] = (
        16_384
    )
    seed: Annotated[int, AtLeast(0), "which records get a kernel, and which are compared"] = 0

    def _models(self, sample: Sample) -> list[Model]:
        chosen = np.random.default_rng(self.seed).permutation(len(sample.counts))[: self.centers]
        centers = points(sample.records.take(chosen))
        if self.variance is not None:
            return [Gaussian(centers, self.variance)]
        return [Gaussian(centers, width * len(sample.records.columns)) for width in _WIDTHS]
