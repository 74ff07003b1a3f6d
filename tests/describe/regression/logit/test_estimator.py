import numpy as np
import pytest
from sklearn.model_selection import cross_val_score
from sklearn.utils.estimator_checks import parametrize_with_checks

from sudare.describe.regression.logit import collapse, fit_logit, probabilities
from sudare.describe.regression.logit.estimator import MultinomialLogit
from tests.describe.regression.logit.samples import sample

ZERO_WEIGHTS = "weights of zero are refused, by specification"
EXPECTED = {
    "check_sample_weight_equivalence_on_dense_data": ZERO_WEIGHTS,
    "check_classifiers_one_label_sample_weights": ZERO_WEIGHTS,
}


@pytest.mark.filterwarnings("ignore")
@parametrize_with_checks([MultinomialLogit()], expected_failed_checks=lambda _: EXPECTED)  # type: ignore[untyped-decorator]
def test_scikit_learn_accepts_it(estimator, check) -> None:  # type: ignore[no-untyped-def]
    check(estimator)


def test_it_gives_the_probabilities_of_the_function() -> None:
    inputs, target = sample(2_000, (3, 4), 3, seed=0)
    rows, counts = collapse(inputs, target)
    words = np.array(["low", "mid", "top", "zen"])
    X = np.stack([words[codes] for codes in inputs], axis=1)
    model = MultinomialLogit().fit(X, words[target])
    expected = probabilities(fit_logit(rows, counts), np.stack(inputs, axis=1))
    np.testing.assert_allclose(model.predict_proba(X), expected, atol=1e-12)
    assert set(model.predict(X)) <= set(words)
    assert 0 < model.score(X, words[target]) < 1


def test_an_unknown_category_is_refused_without_being_shown() -> None:
    model = MultinomialLogit().fit([["a", "x"], ["b", "y"], ["a", "y"]], [0, 1, 1])
    with pytest.raises(ValueError, match=r"input 1 has 1 categories") as error:
        model.predict([["a", "secret"]])
    assert "secret" not in str(error.value)


def test_one_class_is_refused() -> None:
    with pytest.raises(ValueError, match="one class"):
        MultinomialLogit().fit([["a"], ["b"]], ["only", "only"])


def test_columns_of_mixed_kinds_in_an_object_array_work() -> None:
    X = np.array([["a", 1], ["b", 2], ["a", 2], ["b", 1]], dtype=object)
    model = MultinomialLogit().fit(X, [0, 1, 1, 0])
    assert model.predict(X).tolist() == [0, 1, 1, 0]


def test_it_can_be_cross_validated() -> None:
    inputs, target = sample(2_000, (3, 4), 3, seed=0)
    assert (cross_val_score(MultinomialLogit(), np.stack(inputs, axis=1), target, cv=3) > 0.3).all()
