"""A synthetic table that every contest of cohorts takes, however its own people were drawn."""

from pathlib import Path

import numpy as np

import sudare
from sudare.datasets import cohort_like


def write_common_people(path: Path, count: int) -> None:
    """Write made-up people without the labels that a small cohort and its background may lack."""
    people = cohort_like(2 * count, seed=9)
    common = (people["rare"].coded.codes == 0) & (people["region"].coded.codes < 5)
    sudare.write(people.take(np.flatnonzero(common)[:count]), path)
