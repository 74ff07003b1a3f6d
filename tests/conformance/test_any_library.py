"""Same seed, same file: on any number of threads, and with any kernels of the matrix library."""

import os
import subprocess
import sys

CHANGING = """
import hashlib
import numpy as np
import sudare
from sudare import mask

spending = sudare.datasets.expenditure_like(300, seed=1)
people = sudare.datasets.toy(200)
for data, masker in [
    (spending, mask.CorrelatedNoise()),
    (spending, mask.OrthogonalTransform()),
    (spending, mask.OrthogonalTransform(basis="covariance")),
    (spending, mask.RegressionSynthesis()),
    (spending, mask.HybridSynthesis()),
    (spending, mask.Shuffling(given=("米",), columns=spending.names[1:20])),
    (spending, mask.Microaggregation()),
    (people, mask.Shuffling()),
    (people, mask.SequentialSynthesis()),
    (people, mask.SequentialSynthesis(model="regression")),
    (people, mask.MultipleImputation(m=2, model="regression")),
]:
    masked = sudare.apply(data, masker, seed=7).data
    digest = hashlib.sha256()
    for column in masked.columns:
        numbers = column.coded.codes if hasattr(column, "codes") else column.values
        digest.update(np.ascontiguousarray(numbers).tobytes())
    print(type(masker).__name__, digest.hexdigest())
"""


def digests(threads: int, kernels: str | None) -> list[str]:
    """Return the digest of what every method makes, with so many threads and these kernels."""
    chosen = {"OPENBLAS_NUM_THREADS": str(threads), "OMP_NUM_THREADS": str(threads)}
    chosen |= {} if kernels is None else {"OPENBLAS_CORETYPE": kernels}
    ran = subprocess.run(
        [sys.executable, "-c", CHANGING],
        env={**os.environ, **chosen},
        capture_output=True,
        text=True,
        check=True,
    )
    return ran.stdout.splitlines()


def test_threads_and_kernels_of_the_matrix_library_change_no_digit() -> None:
    expected = digests(1, None)
    assert len(expected) == 11
    assert digests(2, "Prescott") == expected
    assert digests(4, "Haswell") == expected
