import numpy as np
import pytest
from hypothesis import given, strategies as st

import sudare
from sudare.core.errors import ColumnError
from sudare.core.table.categorical import Categorical
from sudare.core.table.column import NOT_APPLICABLE
from sudare.core.table.microdata import Microdata
from sudare.core.table.numeric import Numeric
from sudare.mask import Intervals, PkAnonymization, PkSampling, privacy
from sudare.mask.randomize.pk_sampling import first_to_arrive
from sudare.mask.randomize.privacy_budget import total_epsilon


@given(st.integers(1, 30), st.integers(1, 6), st.data())
def test_each_record_draws_so_many_columns_of_those_with_a_weight(
    rows: int, columns: int, data: st.DataObject
) -> None:
    weights = np.array(data.draw(st.lists(st.floats(0.1, 5), min_size=columns, max_size=columns)))
    weights[data.draw(st.integers(0, columns - 1))] = 0
    number = data.draw(st.integers(0, columns - 1))
    uniform = np.random.default_rng(rows).random((rows, columns))
    drawn = first_to_arrive(uniform, weights, number)
    assert (drawn.sum(axis=1) == number).all()
    assert not drawn[:, weights == 0].any()


def test_columns_are_drawn_in_proportion_to_their_weights() -> None:
    uniform = np.random.default_rng(1).random((200_000, 3))
    drawn = first_to_arrive(uniform, np.array([5.0, 3.0, 2.0]), 1)
    np.testing.assert_allclose(drawn.mean(axis=0), [0.5, 0.3, 0.2], atol=0.005)


@given(st.integers(1, 9), st.floats(1.5, 300))
def test_k_is_hit_whatever_the_number_of_answers(answers: int, k: float) -> None:
    toy = sudare.datasets.toy()
    step = PkSampling(k=k, answers=answers).fit(toy).step
    bounds = privacy([step], rows=toy.rows)
    assert bounds.k == pytest.approx(k)
    assert bounds.by_column["sex"] == pytest.approx(total_epsilon(k, toy.rows) / min(answers, 5))


def test_no_exchange_of_two_owners_is_less_likely_than_k_allows() -> None:
    """Eq. 4 by brute force: every pair of true records, every pair of published ones."""
    data = Microdata(
        (
            Categorical("a", np.array([0, 1, 2] * 4), ("x", "y", "z"), role="key"),
            Categorical("b", np.array([0, 1] * 6), ("x", "y"), role="key"),
        )
    )
    step = PkSampling(k=4.0).fit(data).step
    matrices = [step.public[name]["matrix"] for name in ("a", "b")]
    answers = [matrix[:, code] for matrix in matrices for code in range(matrix.shape[1])]
    of_record = [(a, b) for a in range(3) for b in range(2)]
    likely = np.array(
        [[column[a] if len(column) == 3 else column[b] for column in answers] for a, b in of_record]
    )
    swapped = np.einsum("ir,js->ijrs", likely, likely)
    least = (swapped.transpose(1, 0, 2, 3) / swapped).min()
    assert 1 + (data.rows - 1) * least == pytest.approx(4.0)


def test_a_record_publishes_its_answers_and_nothing_else(toy: Microdata) -> None:
    for answers in (1, 2):
        masked = sudare.apply(toy, PkSampling(k=5, answers=answers), seed=3).data
        published = np.sum([masked[name].known for name in toy.keys], axis=0)
        occupied = np.sum([~masked[name].missing for name in toy.keys], axis=0)
        assert published.max() == answers
        assert (occupied <= answers).all()


def test_numbers_are_randomized_or_missing() -> None:
    values = np.arange(300.0)
    values[:2] = np.nan
    data = Microdata(
        (
            Numeric("x", values, role="key", absent=np.arange(300) == 0),
            Categorical("y", np.arange(300) % 2, ("a", "b"), role="key"),
        )
    )
    masked = PkSampling(k=10).fit(data).transform(data, seed=1)
    x, y = masked["x"], masked["y"]
    assert isinstance(x, Numeric)
    assert 0.4 < x.known.mean() < 0.6
    assert (x.known ^ y.known)[2:].all()
    assert x.not_applicable.sum() == (not y.known[0])
    assert np.nanmin(x.values) >= 0


def test_what_is_not_drawn_does_not_even_say_that_it_does_not_apply() -> None:
    data = Microdata(
        (
            Categorical("a", np.array([NOT_APPLICABLE, 0] * 50), ("x", "y"), role="key"),
            Categorical("b", np.array([0, 1] * 50), ("x", "y"), role="key"),
        )
    )
    masked = PkSampling(k=3).fit(data).transform(data, seed=1)
    assert not masked["a"].not_applicable[masked["b"].known].any()


def test_all_answers_are_pk_anonymization(toy: Microdata) -> None:
    sampled = PkSampling(k=5, answers=5).fit(toy).transform(toy, seed=2)
    assert sampled.equals(PkAnonymization(k=5).fit(toy).transform(toy, seed=2))


def test_columns_without_weight_are_never_published(toy: Microdata) -> None:
    weights = {"age": 0.0, "region": 3.0}
    masked = sudare.apply(toy, PkSampling(k=5, weights=weights), seed=2)
    assert not masked.data["age"].known.any()
    assert masked.data["region"].known.mean() > masked.data["sex"].known.mean()
    assert privacy(masked.steps, rows=toy.rows).k == pytest.approx(5)


def test_two_draws_of_different_columns_add_up(toy: Microdata) -> None:
    two = [PkSampling(k=5, columns=("sex", "age")), PkSampling(k=5, columns=("region",))]
    bounds = privacy(sudare.apply(toy, two, seed=1).steps, rows=toy.rows)
    assert bounds.epsilon == pytest.approx(2 * total_epsilon(5, toy.rows))


def test_a_weight_for_a_column_that_is_not_masked_is_refused(toy: Microdata) -> None:
    with pytest.raises(ColumnError, match="PkSampling: column 'income' has a setting"):
        sudare.apply(toy, [Intervals(), PkSampling(weights={"income": 1.0})])
