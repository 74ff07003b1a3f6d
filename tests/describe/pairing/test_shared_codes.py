"""Risk and loss put columns before and after on the same codes."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from sudare.core.errors import MismatchError
from sudare.core.table.categorical import Categorical, label_codes
from sudare.core.table.microdata import Microdata
from sudare.core.table.numeric import Numeric
from sudare.describe.pairing import class_codes, comparable_codes
from sudare.engine.counting import quantile_codes, quantile_edges
from sudare.loss.tables.distribution_distances import shares

texts = st.lists(st.text(max_size=2), unique=True, max_size=6)


@given(texts, texts)
def test_labels_keep_their_code_and_new_ones_come_behind(old: list[str], new: list[str]) -> None:
    codes = label_codes(new, old)
    together = [*old, *(label for label in new if label not in old)]
    assert [together[code] for code in codes[:-2]] == new
    assert codes[-2:].tolist() == [-2, -1]
    assert set(label_codes(new, old, -3)[:-2].tolist()) <= {*range(len(old)), -3}


def test_an_edge_belongs_to_the_class_below_it_in_risk_and_loss() -> None:
    before = Numeric("x", np.array([1.0, 2.0, 3.0, 4.0, 5.0, np.nan]))
    after = Numeric("x", np.array([3.0, 3.1, 0.0, 9.0, 3.0, 3.0]))
    expected = [0, 0, 0, 1, 1, -1], [0, 1, 0, 1, 0, 0]
    for codes in (class_codes(before, after, 2), comparable_codes(before, after, 2)):
        assert tuple(side.tolist() for side in codes) == expected
    p, _ = shares(Microdata((before,)), Microdata((after,)), "x", 2)
    np.testing.assert_allclose(p, [0, 1 / 6, 3 / 6, 2 / 6])


def test_a_value_that_many_share_makes_fewer_classes() -> None:
    column = Numeric("x", np.array([0.0] * 8 + [1.0, 2.0]))
    edges = quantile_edges(column, 4)
    assert edges.tolist() == [0.0]
    assert quantile_codes(column, edges).tolist() == [0] * 8 + [1, 1]
    assert not len(quantile_edges(Numeric("x", np.array([np.nan])), 4))


def test_copies_count_like_records() -> None:
    records = Numeric("x", np.array([1.0, 1.0, 1.0, 2.0, 5.0]))
    counted = Numeric("x", np.array([5.0, 1.0, 2.0]), copies=np.array([1, 3, 1]))
    assert quantile_edges(counted, 3).tolist() == quantile_edges(records, 3).tolist()


def test_an_attacker_refuses_numbers_against_other_labels() -> None:
    numbers, labels = Numeric("age", np.array([1.0, 2.0])), ("1 to 5", "6 and more")
    with pytest.raises(MismatchError, match="column 'age' holds numbers in one table"):
        comparable_codes(numbers, Categorical("age", np.array([0, 1]), labels), 4)
    partly = Categorical("age", np.array([0, 1]), (1, "2 and more"))
    assert comparable_codes(numbers, partly, 4)[1].tolist() == [0, 2]
    lost = Categorical("age", np.array([-1, -1]), labels)
    assert comparable_codes(numbers, lost, 4)[1].tolist() == [-1, -1]
