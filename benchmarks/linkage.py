"""Record linkage on 43,861 × 82 against the bare single-precision product and scikit-learn."""

import numpy as np
from numpy.typing import NDArray
from sklearn.neighbors import NearestNeighbors

from benchmarks.timing import best_of
from sudare.core import Masker, apply
from sudare.core.table.microdata import Microdata
from sudare.core.table.numeric import Numeric
from sudare.core.types import Floats
from sudare.datasets import expenditure_like
from sudare.mask import Noise, OrthogonalTransform, RegressionSynthesis
from sudare.risk import RecordLinkage
from sudare.risk.linkage.linkage_search import rivals

BLOCK = 1024
MASKERS: dict[str, Masker] = {
    "OT(0.01)": OrthogonalTransform(loss=0.01),
    "OT(0.05)": OrthogonalTransform(loss=0.05),
    "OT(0.10)": OrthogonalTransform(loss=0.10),
    "OT(0.20)": OrthogonalTransform(loss=0.20),
    "DRI": RegressionSynthesis(noise=False),
    "SRI": RegressionSynthesis(noise=True),
    "noise of one sd": Noise(sd_ratio=1.0),
}


def values(data: Microdata) -> Floats:
    return np.column_stack([c.values for c in data.columns if isinstance(c, Numeric)])


def product(left: NDArray[np.float32], right: NDArray[np.float32]) -> None:
    """The bare product in blocks of rows, on all threads that the library takes."""
    out = np.empty((BLOCK, len(right)), np.float32)
    for start in range(0, len(left), BLOCK):
        block = left[start : start + BLOCK]
        np.matmul(block, right.T, out=out[: len(block)])


def main(n: int = 43_861, rounds: int = 2) -> None:
    data = expenditure_like(n)
    original = values(data)
    weight = np.ones(original.shape[1])
    tables = {name: apply(data, masker, seed=1).data for name, masker in MASKERS.items()}
    single = original.astype(np.float32)
    synthetic = {name: values(table) for name, table in tables.items()}
    rivals(original[:100], original[:100], weight, cap=5)  # compile
    works = [lambda: product(single, single)]
    works += [lambda s=s: rivals(s, original, weight, cap=5) for s in synthetic.values()]  # type: ignore[misc]
    works += [lambda: RecordLinkage(k=(1, 3, 5))(data, tables["OT(0.10)"])]  # type: ignore[list-item]
    works += [lambda: RecordLinkage(ranks="all")(data, tables["DRI"])]  # type: ignore[list-item]
    neighbours = NearestNeighbors(n_neighbors=5, algorithm="brute").fit(original)
    works += [lambda: neighbours.kneighbors(synthetic["OT(0.10)"])]
    bare, *ours, brute = best_of(*works, rounds=rounds)
    print(f"{n} × {original.shape[1]}; bare product {bare:.2f} s, scikit-learn brute {brute:.2f} s")
    whole = ("the measure, OT(0.10), k = 1, 3, 5", "the measure, DRI, all ranks")
    for name, seconds in zip((*MASKERS, *whole), ours, strict=True):
        print(
            f"rivals up to 5, {name}: {seconds:.2f} s, {seconds / bare:.2f} of the bare product, "
            f"{brute / seconds:.1f} times as fast as scikit-learn"
        )


if __name__ == "__main__":
    main()
