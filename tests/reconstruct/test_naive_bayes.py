import numpy as np
import pytest
from hypothesis import given, strategies as st

import sudare
from sudare.core.errors import ColumnError, SettingError
from sudare.core.methods.channels import Replacement
from sudare.core.methods.masker import Masker
from sudare.core.table.categorical import Categorical
from sudare.core.table.microdata import Microdata
from sudare.core.table.numeric import Numeric
from sudare.mask import BoundedLaplace, Intervals, PkAnonymization, PkSampling, Pram, Rounding
from sudare.reconstruct import NaiveBayes, NaiveBayesModel
from sudare.reconstruct.naive_bayes import shares_behind

counts = st.lists(st.integers(0, 200), min_size=3, max_size=3).filter(lambda c: sum(c) > 0)


@given(counts, st.floats(0.05, 1), st.floats(0, 30))
def test_no_shares_are_more_probable(seen: list[int], retain: float, prior: float) -> None:
    matrix = Replacement(("a", "b", "c"), retain).matrix()
    priors = np.full(3, prior)
    estimated = shares_behind(np.array(seen, float), matrix, priors)
    assert estimated.sum() == pytest.approx(1)

    def log_posterior(shares: np.ndarray) -> float:
        logs = np.log(np.maximum(np.concatenate((shares @ matrix, shares)), 1e-300))
        return float(np.concatenate((seen, priors)) @ logs)

    best = log_posterior(estimated)
    for other in np.random.default_rng(1).dirichlet(np.ones(3), 40):
        for share in (0.01, 0.3, 1.0):
            assert log_posterior((1 - share) * estimated + share * other) <= best + 1e-3 * sum(seen)


@given(counts)
def test_without_noise_and_prior_the_shares_are_those_published(seen: list[int]) -> None:
    published = np.array(seen, float)
    shares = shares_behind(published, np.eye(3), np.zeros(3))
    np.testing.assert_allclose(shares, published / published.sum(), atol=1e-9)


def test_nothing_published_leaves_the_prior() -> None:
    matrix = Replacement(("a", "b"), 0.5).matrix()
    assert shares_behind(np.zeros(2), matrix, np.zeros(2)).tolist() == [0.5, 0.5]
    assert shares_behind(np.zeros(2), matrix, np.array([3.0, 1.0])).tolist() == [0.75, 0.25]


def people(rows: int, seed: int = 1) -> Microdata:
    """Three keys that depend on the target, one of them a number, and one that does not."""
    rng = np.random.default_rng(seed)
    target = (rng.random(rows) < 0.3).astype(int)
    return Microdata(
        (
            Categorical("a", rng.random(rows) < 0.2 + 0.5 * target, ("no", "yes"), role="key"),
            Categorical("b", rng.binomial(2, 0.3 + 0.3 * target), ("x", "y", "z"), role="key"),
            Numeric("x", np.clip(rng.normal(40 + 15 * target, 10), 0, 99), role="key"),
            Categorical("idle", rng.integers(0, 2, rows), ("l", "r"), role="key"),
            Categorical("target", target, ("low", "high"), role="sensitive"),
        )
    )


def fitted(data: Microdata, *maskers: Masker, **settings: object) -> NaiveBayesModel:
    masked = sudare.apply(data, maskers, seed=5)
    return NaiveBayes(target="target", **settings).fit(masked.data, masked.steps)  # type: ignore[arg-type]


@pytest.mark.parametrize("sampling", [True, False])
def test_the_tables_are_those_behind_the_noise(sampling: bool) -> None:
    data = people(100_000)
    method = PkSampling(k=10) if sampling else PkAnonymization(k=10)
    model = fitted(data, Intervals(), method)
    assert model.tables["a"][:, 1] == pytest.approx([0.2, 0.7], abs=0.03)
    assert model.tables["b"][1] == pytest.approx([0.16, 0.48, 0.36], abs=0.03)
    assert model.shares == pytest.approx([0.7, 0.3], abs=0.01)
    information = model.information
    assert information["a"] == pytest.approx(0.17, abs=0.02)
    assert information["idle"] < 0.001
    for table in model.tables.values():
        np.testing.assert_allclose(table.sum(axis=1), 1)


def test_numbers_with_noise_are_cut_into_classes() -> None:
    data = people(50_000)
    model = fitted(data, BoundedLaplace(scale_ratio=0.3, columns=("x",)), classes=10)
    table, middles = model.tables["x"], np.array(model.readings["x"].labels)
    assert table.shape == (2, 10)
    assert table @ middles == pytest.approx([40, 55], abs=2)


def area(model: NaiveBayesModel, data: Microdata) -> float:
    scores, target = model.predict_proba(data)[:, 1], data["target"].coded.codes
    order = np.argsort(scores)
    ranks = np.empty(len(order))
    ranks[order] = np.arange(1, len(order) + 1)
    ones = target == 1
    return float((ranks[ones].mean() - (ones.sum() + 1) / 2) / (~ones).sum())


def test_few_keys_per_record_predict_better_than_all_keys_with_more_noise() -> None:
    data, fresh = people(5000), people(5000, seed=2)
    limit = area(fitted(data, Intervals(), Pram(retain=1.0)), fresh)
    few = area(fitted(data, Intervals(), PkSampling(k=50)), fresh)
    many = area(fitted(data, Intervals(), PkAnonymization(k=50)), fresh)
    assert many + 0.02 < few < limit + 0.01
    assert few > limit - 0.03


def test_prediction_takes_numbers_as_they_were_and_ignores_what_it_does_not_know() -> None:
    model = fitted(people(2000), Intervals(bounds={"x": (0.0, 99.0)}), PkSampling(k=3))
    strange = Microdata(
        (
            Categorical("a", np.array([-1, -1, 0]), ("new",)),
            Categorical("b", np.array([-2, -1, -1]), ("x",)),
            Numeric("x", np.array([np.nan, 1e9, 98.0])),
            Categorical("idle", np.array([-1, -1, -1]), ()),
        )
    )
    chances = model.predict_proba(strange)
    np.testing.assert_allclose(chances[0], model.shares)
    np.testing.assert_array_equal(chances[1], chances[2])
    assert model.predict(strange).tolist()[0] == "low"


def test_columns_can_be_named_and_need_not_be_randomized() -> None:
    data = people(1000)
    model = fitted(data, Intervals(), columns=("a", "x"), prior=0.0)
    truth = data["a"].coded.codes[data["target"].coded.codes == 1].mean()
    assert model.tables["a"][1, 1] == pytest.approx(truth)
    assert repr(model) == "<NaiveBayesModel of 2 classes from 2 columns>"


def test_two_randomizations_are_undone_together() -> None:
    data = people(100_000)
    model = fitted(data, Pram(retain=0.8), Pram(retain=0.7))
    assert model.tables["a"][:, 1] == pytest.approx([0.2, 0.7], abs=0.03)


@pytest.mark.parametrize(
    ("maskers", "settings", "error", "message"),
    [
        ([PkSampling(columns=("target",))], {}, ColumnError, "'target' was masked"),
        ([Pram()], {"columns": ("x",)}, ColumnError, "were not randomized"),
        ([Rounding(columns=("x",))], {}, ColumnError, "randomize no column"),
        ([PkSampling()], {"prior": -1}, SettingError, "at least 0"),
        (
            [BoundedLaplace(columns=("x",)), BoundedLaplace(columns=("x",))],
            {},
            ColumnError,
            "masked again",
        ),
    ],
)
def test_what_cannot_be_estimated_is_refused(
    maskers: list[Masker],
    settings: dict[str, object],
    error: type[Exception],
    message: str,
) -> None:
    with pytest.raises(error, match=message):
        fitted(people(100), *maskers, **settings)


def test_a_target_of_numbers_is_refused() -> None:
    masked = sudare.apply(people(50), PkSampling(columns=("a",)), seed=1)
    with pytest.raises(ColumnError, match="must hold categories"):
        NaiveBayes(target="x").fit(masked.data, masked.steps)
