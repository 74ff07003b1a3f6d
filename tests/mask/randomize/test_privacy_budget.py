import numpy as np
import pytest
from hypothesis import given, strategies as st

import sudare
from sudare.core.table.categorical import Categorical
from sudare.core.table.microdata import Microdata
from sudare.core.table.numeric import Numeric
from sudare.mask import BoundedLaplace, PkAnonymization, RetentionReplacement, privacy
from sudare.mask.randomize.privacy_budget import anonymity, budget_shares, total_epsilon


@given(
    st.integers(3, 10**7),
    st.floats(0.001, 1),
    st.lists(st.floats(0, 5), min_size=1, max_size=12).filter(lambda w: sum(w) > 0.01),
)
def test_calibration_hits_k(rows: int, part: float, weights: list[float]) -> None:
    k = 1 + (rows - 1) * part
    shares = budget_shares(k, rows, weights)
    assert anonymity(shares, rows) == pytest.approx(k, rel=1e-12)
    np.testing.assert_allclose(shares * sum(weights), shares.sum() * np.array(weights), atol=1e-9)


@pytest.mark.parametrize("k", [2.0, 3.0, 50.0, 400.0])
@pytest.mark.parametrize("weights", [None, {"age": 3.0, "sex": 0.0}])
def test_the_published_settings_give_k_by_the_papers_formula(
    toy: Microdata, k: float, weights: dict[str, float] | None
) -> None:
    step = PkAnonymization(k=k, weights=weights).fit(toy).step
    product = 1.0
    for public in step.public.values():
        if "retain" in public:
            retain, size = public["retain"], len(public["labels"])
            product *= ((1 - retain) / (1 + (size - 1) * retain)) ** 2
        else:
            product *= np.exp(-2 * (public["high"] - public["low"]) / public["scale"])
    assert 1 + (toy.rows - 1) * product == pytest.approx(k, rel=1e-12)
    assert privacy([step], rows=toy.rows).k == pytest.approx(k, rel=1e-12)


def test_the_budget_of_the_papers_experiment() -> None:
    assert total_epsilon(3, 16281) / 10 == pytest.approx(0.4502, abs=1e-4)


def test_columns_that_can_tell_nothing_take_no_share() -> None:
    data = Microdata(
        (
            Categorical("one", np.zeros(9), ("x",), role="key"),
            Numeric("same", np.full(9, 5.0), role="key"),
            Categorical("two", np.arange(9) % 2, ("x", "y"), role="key"),
        )
    )
    step = PkAnonymization(k=2).fit(data).step
    assert privacy([step], rows=9).by_column == {
        "one": 0,
        "same": 0,
        "two": pytest.approx(total_epsilon(2, 9)),
    }


def test_only_the_columns_chosen_are_randomized_and_counted(toy: Microdata) -> None:
    masked = sudare.apply(toy, PkAnonymization(k=3, columns=("sex", "age")), seed=1)
    bounds = privacy(masked.steps, rows=toy.rows)
    assert set(bounds.by_column) == {"sex", "age"}
    assert bounds.k == pytest.approx(3)


def test_two_methods_by_hand_amount_to_their_sum(toy: Microdata) -> None:
    masked = sudare.apply(
        toy, [RetentionReplacement(retain={"sex": 0.5}), BoundedLaplace(scale_ratio=1.0)], seed=1
    )
    bounds = privacy(masked.steps, rows=toy.rows)
    assert bounds.epsilon == pytest.approx(np.log(3) + 1)
    assert bounds.k == pytest.approx(1 + 399 * np.exp(-2 * (np.log(3) + 1)))


def test_randomizing_twice_counts_the_smaller_epsilon(toy: Microdata) -> None:
    twice = [RetentionReplacement(retain={"sex": r}) for r in (0.5, 0.9)]
    steps = sudare.apply(toy, twice, seed=1).steps
    assert privacy(steps, rows=toy.rows).epsilon == pytest.approx(np.log(3))


def test_a_domain_given_is_drawn_from_and_published(toy: Microdata) -> None:
    domain = ("female", "male", "other")
    method = RetentionReplacement(retain=0.1, columns=("sex",), domains={"sex": domain})
    masked = sudare.apply(toy, method, seed=1)
    sex = masked.data["sex"]
    assert isinstance(sex, Categorical)
    assert sex.labels == domain == masked.steps[0].public["sex"]["labels"]
    assert set(sex.codes.tolist()) == {0, 1, 2}
    with pytest.raises(sudare.errors.ColumnError, match=r"categor(y|ies) that did not occur"):
        RetentionReplacement(columns=("sex",), domains={"sex": ("male",)}).fit(toy)


def test_bounds_given_are_used_and_checked(toy: Microdata) -> None:
    masked = sudare.apply(toy, PkAnonymization(k=3, bounds={"age": (0, 120)}), seed=1)
    assert masked.steps[0].public["age"]["high"] == 120
    age = masked.data["age"]
    assert isinstance(age, Numeric)
    assert age.values.max() > 99
    with pytest.raises(sudare.errors.ColumnError, match=r"has \d+ numbers beyond its bounds"):
        BoundedLaplace(bounds={"age": (0, 50)}).fit(toy)
    with pytest.raises(sudare.errors.SettingError, match="two finite numbers, the lower one first"):
        BoundedLaplace(bounds={"age": (50, 0)}).fit(toy)


def test_a_plan_refuses_numbers_beyond_the_bounds_it_learnt(toy: Microdata) -> None:
    plan = BoundedLaplace(columns=("age",)).fit(toy)
    older = toy.replacing([Numeric("age", np.full(toy.rows, 200.0), role="key")])
    with pytest.raises(sudare.errors.ColumnError, match="400 numbers beyond its bounds"):
        plan.transform(older, seed=1)


def test_settings_for_columns_that_are_not_randomized_are_refused(toy: Microdata) -> None:
    with pytest.raises(sudare.errors.ColumnError, match="'income' has a setting but"):
        PkAnonymization(weights={"income": 1.0}).fit(toy)
    with pytest.raises(sudare.errors.SettingError, match="retain has no number for column 'sex'"):
        RetentionReplacement(retain={"region": 0.5}, columns=("sex",)).fit(toy)


def test_entropy_loss_takes_the_published_matrix(toy: Microdata) -> None:
    masked = sudare.apply(toy, PkAnonymization(k=3), seed=1)
    loss = sudare.loss.EntropyLoss(columns=("sex", "region"))
    known = loss(toy, masked.data, steps=masked.steps)
    observed = loss(toy, masked.data)
    assert known.value != observed.value
    assert known.value == pytest.approx(observed.value, abs=0.05)


def test_records_that_lack_a_key_are_hidden_among_their_like_only() -> None:
    blank = np.array([0, 0, 0, 0, 0, 1, 1, 1, 0, 1]) == 1
    data = Microdata(
        (
            Categorical("sex", np.arange(10) % 2, ("f", "m"), role="key"),
            Numeric("age", np.where(blank, np.nan, np.arange(10.0)), role="key"),
        )
    )
    masked = sudare.apply(data, PkAnonymization(k=3, bounds={"age": (0, 10)}), seed=1)
    stated = privacy(masked.steps, rows=10)
    known = privacy(masked.steps, rows=10, before=data, after=masked.data)
    assert stated.k == stated.stated == known.stated == pytest.approx(3)
    both, alone = stated.epsilon, stated.by_column["sex"]
    assert known.k == pytest.approx(min(1 + 5 * np.exp(-2 * both), 1 + 3 * np.exp(-2 * alone)))
    assert (stated.revealed, known.revealed) == (0, 4)
    assert privacy(masked.steps, rows=10, after=masked.data, order_known=True).k == 1


@pytest.mark.parametrize("absent", [None, np.arange(9) == 8])
def test_a_record_that_alone_lacks_a_key_is_not_hidden(absent: np.ndarray | None) -> None:
    codes = np.array([0, 1, 0, 1, 0, 1, 0, 1, -1 if absent is None else -2])
    data = Microdata((Categorical("sex", codes, ("f", "m"), role="key"),))
    step = PkAnonymization(k=3).fit(data).step
    assert privacy([step], rows=9, after=data).k == 1


def test_a_few_answers_count_by_the_original_that_is_left() -> None:
    data = Microdata(
        (
            Categorical("sex", np.arange(12) % 2, ("f", "m"), role="key"),
            Categorical("area", np.where(np.arange(12) < 4, -1, 0), ("x", "y"), role="key"),
        )
    )
    masked = sudare.apply(data, sudare.mask.PkSampling(k=3), seed=1)
    known = privacy(masked.steps, rows=12, before=data, after=masked.data)
    epsilon = total_epsilon(3, 12)
    assert known.k == pytest.approx(1 + 3 * np.exp(-2 * epsilon))
    assert known.revealed == 4
