import pytest

from tests.describe.regression.logit.samples import Ints, sample


@pytest.fixture(scope="session")
def well_posed() -> tuple[list[Ints], Ints]:
    """Every level × class margin is well filled, so the maximum is finite and unique."""
    return sample(20_000, (3, 4, 5), 4, seed=1)
