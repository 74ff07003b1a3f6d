from itertools import product

import numpy as np
import pytest
from hypothesis import given, strategies as st

import sudare
from sudare.core.errors import MismatchError
from sudare.core.table.categorical import Categorical
from sudare.engine.counting.counts import cross_table
from sudare.loss import ContingencyTables
from sudare.mask import GlobalRecode, Pram


def table(*columns: list[int], labels: int = 3) -> sudare.Microdata:
    names = tuple("abcdefgh"[:labels])
    return sudare.Microdata(
        tuple(Categorical(str(i), np.array(codes), names) for i, codes in enumerate(columns))
    )


codes = st.lists(st.tuples(*[st.integers(-2, 2)] * 4), min_size=1, max_size=30)


@given(codes)
def test_the_sum_is_that_of_the_dense_tables(rows: list[tuple[int, ...]]) -> None:
    first, second, third, fourth = (list(column) for column in zip(*rows, strict=True))
    before, after = table(first, second), table(third, fourth)
    expected = sum(
        np.abs(cross_table([before[n] for n in s]) - cross_table([after[n] for n in s])).sum()
        for s in (["0"], ["1"], ["0", "1"])
    )
    result = ContingencyTables(per_cell=False)(before, after)
    assert result.value == pytest.approx(expected)
    assert sum(result.parts.values()) == pytest.approx(expected)
    per_cell = ContingencyTables()(before, after)
    assert per_cell.value == pytest.approx(expected / (5 + 5 + 25))


def test_cells_that_do_not_correspond_are_refused_with_the_way_out(toy: sudare.Microdata) -> None:
    masked = sudare.apply(toy, GlobalRecode(min_share=0.2)).data
    with pytest.raises(MismatchError, match="choose spread='uniform' or spread='share'"):
        ContingencyTables()(toy, masked)


def test_a_recoding_followed_by_exchange_cannot_be_spread_back(toy: sudare.Microdata) -> None:
    maskers = [GlobalRecode(min_share=0.2), Pram(retain=0.5)]
    masked = sudare.apply(toy, maskers, seed=1).data
    with pytest.raises(MismatchError, match="became several"):
        ContingencyTables(spread="uniform")(toy, masked)


@pytest.mark.parametrize("spread", ["uniform", "share"])
def test_merged_counts_are_spread_back_as_by_hand(spread: str) -> None:
    before = table([0, 0, 0, 1, 2], [0, 1, 0, 0, 2])
    merged = Categorical("0", np.array([0, 0, 0, 0, 1]), ("a・b", "c"))
    after = before.replacing([merged])
    part = {"uniform": [0.5, 0.5, 1], "share": [0.75, 0.25, 1]}[spread]
    given_back = np.array([4, 4, 1]) * part
    expected_one = np.abs(given_back - [3, 1, 1]).sum()
    result = ContingencyTables(spread=spread, per_cell=False)(before, after)  # type: ignore[arg-type]
    assert result.parts["0"] == pytest.approx(expected_one)
    counts = np.zeros((3, 3))
    for a, b in zip([0, 0, 0, 1, 2], [0, 1, 0, 0, 2], strict=True):
        counts[a, b] += 1
    together = np.vstack([counts[0] + counts[1], counts[0] + counts[1], counts[2]])
    back = together * np.array(part)[:, None]
    expected = sum(abs(back[a, b] - counts[a, b]) for a, b in product(range(3), range(3)))
    assert result.parts["0 × 1"] == pytest.approx(expected)


def test_spreading_by_share_costs_one_way_tables_nothing(toy: sudare.Microdata) -> None:
    masked = sudare.apply(toy, GlobalRecode(min_share=0.2)).data
    result = ContingencyTables(spread="share", max_dim=1)(toy, masked)
    assert result.value == pytest.approx(0, abs=1e-12)
