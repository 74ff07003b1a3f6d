"""Same seed, same file: on any number of threads, and with any build of the matrix library."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.lacking import lacking

CHANGING = """
import hashlib
import numpy as np
import sudare
from sudare import catalog, mask
from sudare.core import SudareError

spending = sudare.datasets.expenditure_like(150, seed=1)
people = sudare.datasets.toy(150)
maskers = [
    catalog.masker(entry.name, {})
    for entry in catalog.METHODS
    if (entry.family, entry.subject) == ("mask", "table")
]
amounts = [m for m in maskers if m.random and m.takes == "numbers"]
for data, masker in [
    *((people, masker) for masker in maskers),
    *((spending, masker) for masker in amounts),
    (spending, mask.OrthogonalTransform()),
    (spending, mask.OrthogonalTransform(basis="covariance")),
    (spending, mask.HybridSynthesis(scale="normal-scores")),
    (spending, mask.Shuffling(given=("米",), columns=spending.names[1:20])),
    (spending, mask.Microaggregation()),
    (people, mask.SequentialSynthesis(model="regression")),
    (people, mask.MultipleImputation(m=2, model="regression")),
]:
    try:
        masked = sudare.apply(data, masker, seed=7).data
    except SudareError:
        continue
    digest = hashlib.sha256()
    for column in masked.columns:
        numbers = column.coded.codes if hasattr(column, "codes") else column.values
        digest.update(np.ascontiguousarray(numbers).tobytes())
    print(type(masker).__name__, digest.hexdigest())
square = np.random.default_rng(1).normal(size=(300, 300))
print(hashlib.sha256((square @ square.T).tobytes()).hexdigest())
"""


def digests(threads: int, **chosen: str) -> tuple[list[str], str]:
    """Return the digest of what every method makes with so many threads, and of a plain product."""
    counted = {"OPENBLAS_NUM_THREADS": str(threads), "OMP_NUM_THREADS": str(threads)}
    ran = subprocess.run(
        [sys.executable, "-c", CHANGING],
        env={**os.environ, **counted, **chosen},
        capture_output=True,
        text=True,
        check=True,
    )
    *masked, product = ran.stdout.splitlines()
    return masked, product


@pytest.fixture(scope="module")
def expected() -> tuple[list[str], str]:
    # Kernels of the oldest machines: what the library chooses by itself is another everywhere.
    return digests(1, OPENBLAS_CORETYPE="Prescott")


def test_threads_and_kernels_of_the_matrix_library_change_no_digit(
    expected: tuple[list[str], str],
) -> None:
    assert len(expected[0]) > 40
    for masked, product in (
        digests(2),
        digests(4, OPENBLAS_CORETYPE="Haswell"),
    ):
        assert masked == expected[0]
        assert product != expected[1]  # or else there is nothing to test


@pytest.mark.skipif(sys.platform != "linux", reason="puts a library before another")
def test_another_build_of_the_matrix_library_changes_no_digit(
    expected: tuple[list[str], str],
) -> None:
    """An older OpenBLAS, which takes the place of the one that NumPy brings."""
    spec = importlib.util.find_spec("scipy_openblas64")
    if spec is None or spec.origin is None:
        lacking("another build of OpenBLAS: scipy-openblas64")
    library = Path(spec.origin).parent / "lib" / "libscipy_openblas64_.so"
    masked, product = digests(2, LD_PRELOAD=str(library))
    assert masked == expected[0]
    assert product != expected[1]
