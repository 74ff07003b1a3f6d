import numpy as np
import pytest

import sudare
from sudare.core.errors import SettingError
from sudare.datasets.cohort import RULES
from sudare.loss import RuleViolations


def test_every_person_keeps_the_rules_of_the_cohort() -> None:
    data = sudare.datasets.cohort_like()
    assert (data.rows, len(data.columns)) == (1049, 14)
    assert RuleViolations(rules=RULES)(data, data).value == 0
    shares = np.bincount(data["state"].coded.codes) / data.rows
    assert (shares > 0.1).all()
    assert 0.01 < (data["rare"].coded.codes == 1).mean() < 0.06


def test_the_same_seed_gives_the_same_persons() -> None:
    first, second, other = (sudare.datasets.cohort_like(100, seed=s) for s in (1, 1, 2))
    assert first.equals(second)
    assert not first.equals(other)
    with pytest.raises(SettingError, match="at least 1"):
        sudare.datasets.cohort_like(0)
