import numpy as np
import pytest

import sudare
from sudare.core.errors import ColumnError, SettingError
from sudare.core.table.categorical import Categorical
from sudare.core.table.microdata import Microdata
from sudare.core.table.numeric import Numeric
from sudare.loss import ModelLoss
from sudare.loss.models.model_loss import cross_validated, dealt_folds, model_scores
from sudare.mask import GlobalRecode, Pram


def copies(n: int = 600, noise: float = 0.1) -> Microdata:
    """A variable, and another that mostly repeats it."""
    rng = np.random.default_rng(0)
    first = rng.integers(0, 5, n)
    second = np.where(rng.random(n) < noise, rng.integers(0, 5, n), first)
    weight = Numeric("w", np.ones(n), role="weight")
    labels = tuple("abcde")
    return Microdata((Categorical("x", first, labels), Categorical("y", second, labels), weight))


@pytest.mark.parametrize("score", ["recall", "precision", "f", "accuracy"])
def test_destroying_the_input_costs_what_it_gave(score: str) -> None:
    data = copies()
    y = data["y"].coded
    constant = data.replacing([Categorical("y", np.zeros(data.rows), ("all",))])
    measure = ModelLoss(target="x", columns=("x", "y"), score=score)  # type: ignore[arg-type]
    kept = model_scores([y.codes.astype(np.int64)], data["x"].coded.codes)
    nothing = model_scores([], data["x"].coded.codes)
    expected = getattr(kept.scores, score) - getattr(nothing.scores, score)
    assert measure(data, constant).value == pytest.approx(expected)


def test_the_target_is_always_the_original() -> None:
    data = copies()
    masked = sudare.apply(data, Pram(retain=0.0, columns=("x",)), seed=1).data
    assert ModelLoss(target="x")(data, masked).value == 0


def test_recoding_more_costs_more() -> None:
    data = sudare.datasets.census_like(20_000)
    measure = ModelLoss(target="occupation", columns=("industry", "occupation"))
    losses = [
        measure(data, GlobalRecode(min_share=p).fit(data).transform(data)).value
        for p in (0.01, 0.05, 0.2)
    ]
    assert losses == sorted(losses)
    assert losses[-1] > 0.1


def test_equal_weights_change_nothing_and_zero_weights_are_refused() -> None:
    data = copies()
    masked = sudare.apply(data, Pram(retain=0.5, columns=("y",)), seed=1).data
    plain, weighted = ModelLoss()(data, masked), ModelLoss(weighted=True)(data, masked)
    assert plain.value == pytest.approx(weighted.value)
    zero = data.replacing([Numeric("w", np.r_[0.0, np.ones(data.rows - 1)], role="weight")])
    with pytest.raises(ColumnError, match="1 weight is zero"):
        ModelLoss(weighted=True)(zero, masked)


def test_cross_validation_scores_what_was_not_seen() -> None:
    data = copies()
    x, y = data["x"].coded.codes, data["y"].coded.codes.astype(np.int64)
    serial = np.arange(data.rows)  # an input that says everything in training and nothing beyond
    folds = dealt_folds([y, x], 5)
    seen = model_scores([serial, y], x).scores.accuracy
    unseen = cross_validated([serial, y], x, folds).accuracy
    assert seen == 1
    assert unseen < 0.95
    assert ModelLoss(folds=5)(data, data).value == 0


def test_folds_are_dealt_evenly_whatever_the_order_of_records() -> None:
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 3, 100)
    folds = dealt_folds([codes], 4)
    shuffled = rng.permutation(100)
    again = dealt_folds([codes[shuffled]], 4)
    for code in range(3):
        counts = np.bincount(folds[codes == code], minlength=4)
        assert np.ptp(counts) <= 1
        np.testing.assert_array_equal(
            counts, np.bincount(again[codes[shuffled] == code], minlength=4)
        )


def test_what_cannot_be_predicted_is_refused() -> None:
    data = copies()
    with pytest.raises(SettingError, match="cannot be its own input"):
        ModelLoss(target="x", columns=("x",))(data, data)
    constant = data.replacing([Categorical("x", np.zeros(data.rows), ("a",))])
    with pytest.raises(ColumnError, match="'x' has 1 category, so there is nothing to predict"):
        ModelLoss(target="x")(constant, constant)
