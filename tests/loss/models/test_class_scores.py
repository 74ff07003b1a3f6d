import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.metrics import precision_recall_fscore_support

from sudare.loss.models.class_scores import confusion, scores

tables = arrays(np.int64, (4, 4), elements=st.integers(0, 5)).filter(lambda g: g.sum() > 0)


@given(tables)
def test_with_zero_for_undefined_it_is_scikit_learn_over_the_classes_that_occur(g) -> None:  # type: ignore[no-untyped-def]
    actual, predicted = np.repeat(np.argwhere(g >= 0), g.ravel(), axis=0).T
    p, r, f, _ = precision_recall_fscore_support(
        actual, predicted, labels=np.unique(actual), average="macro", zero_division=0
    )
    ours = scores(g, "zero")
    assert (ours.precision, ours.recall, ours.f) == pytest.approx((p, r, f))
    assert ours.accuracy == pytest.approx(np.mean(actual == predicted))


@given(tables)
def test_dropping_never_scores_lower_than_zero_and_leaves_recall_alone(g) -> None:  # type: ignore[no-untyped-def]
    drop, zero = scores(g, "drop"), scores(g, "zero")
    assert drop.precision >= zero.precision
    assert drop.f >= zero.f
    assert (drop.recall, drop.accuracy) == (zero.recall, zero.accuracy)


def test_a_class_never_predicted_is_dropped_from_precision_and_f() -> None:
    result = scores([[4, 0, 0], [2, 2, 0], [1, 1, 0]])
    assert result.precision == pytest.approx((4 / 7 + 2 / 3) / 2)
    assert result.recall == pytest.approx((1 + 0.5 + 0) / 3)
    assert result.f == pytest.approx((8 / 11 + 4 / 7) / 2)
    assert result.accuracy == pytest.approx(0.6)


def test_a_class_predicted_but_never_correctly_has_precision_zero_and_no_f() -> None:
    result = scores([[3, 1], [2, 0]])
    assert result.precision == pytest.approx((3 / 5 + 0) / 2)
    assert result.f == pytest.approx(2 * 3 / 9)


def test_a_class_that_never_occurs_is_left_out_altogether() -> None:
    assert scores([[2, 0, 1], [0, 3, 0], [0, 0, 0]], "zero").recall == pytest.approx(
        (2 / 3 + 1) / 2
    )
    assert scores([[2, 0, 1], [0, 3, 0], [0, 0, 0]], "zero").precision == 1


def test_nothing_correct_scores_zero() -> None:
    assert scores([[0, 0, 2], [0, 0, 1], [0, 0, 0]]).precision == 0
    assert scores([[0, 2], [1, 0]]).f == 0


@given(arrays(np.float64, (5, 3), elements=st.integers(0, 4)), st.data())
def test_confusion_keeps_the_actual_totals(counts, data) -> None:  # type: ignore[no-untyped-def]
    predicted = data.draw(arrays(np.int64, 5, elements=st.integers(0, 2)))
    g = confusion(counts, predicted)
    assert np.array_equal(g.sum(axis=1), counts.sum(axis=0))
    for k in range(3):
        assert np.array_equal(g[:, k], counts[predicted == k].sum(axis=0))


def test_bad_input_is_refused_with_the_reason() -> None:
    with pytest.raises(ValueError, match='"drop" or "zero"'):
        scores([[1]], "nan")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="square"):
        scores([[1, 2]])
    with pytest.raises(ValueError, match="at least one record"):
        scores([[0, 0], [0, 0]])
    with pytest.raises(ValueError, match="2 predictions"):
        confusion([[1, 2]], [0, 1])
    with pytest.raises(ValueError, match="codes of the 2 classes"):
        confusion([[1, 2]], [2])
    with pytest.raises(ValueError, match="integer codes"):
        confusion([[1, 2]], [0.5])
