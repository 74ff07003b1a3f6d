"""Promises that every estimator of the catalog keeps."""

import re
from typing import Any

import numpy as np
import pytest

import sudare
from sudare import catalog, mask, reconstruct
from sudare.core import Masked
from sudare.core.settings import settings_of
from sudare.core.table.categorical import Categorical
from sudare.core.table.microdata import Microdata
from sudare.core.table.numeric import Numeric
from sudare.reconstruct.estimator import Estimator

ENTRIES = {e.name: e for e in catalog.METHODS if e.family == "reconstruct"}
COLUMNS = ("sex", "age", "education", "occupation", "condition")


def estimator(name: str, *columns: str, **settings: Any) -> Estimator:
    method = catalog.find(name).method
    assert issubclass(method, Estimator)
    return method(columns=columns or COLUMNS, **settings)


@pytest.fixture(scope="module")
def masked() -> Masked[Microdata]:
    return sudare.apply(sudare.datasets.toy(600, seed=3), mask.PkAnonymization(k=2), seed=5)


@pytest.mark.parametrize("name", ENTRIES)
def test_weights_are_not_negative_and_average_one(name: str, masked: Masked[Microdata]) -> None:
    weights = estimator(name).fit(masked.data, masked.steps).weights
    assert weights.shape == (masked.data.rows,)
    assert (weights >= 0).all()
    assert weights.mean() == pytest.approx(1)


@pytest.mark.parametrize("name", ENTRIES)
def test_the_likelihood_never_falls(name: str, masked: Masked[Microdata]) -> None:
    path = estimator(name).fit(masked.data, masked.steps).log_likelihood
    assert len(path) > 1
    assert (np.diff(path) >= -1e-12).all()


@pytest.mark.parametrize("name", ENTRIES)
def test_an_estimate_does_not_depend_on_record_order(name: str, masked: Masked[Microdata]) -> None:
    shuffled = np.random.default_rng(4).permutation(masked.data.rows)
    known = {setting.name for setting in settings_of(catalog.find(name).method)}
    settings = {"rounds": 5} if "rounds" in known else {}  # rounding adds up with every round
    weights = estimator(name, **settings).fit(masked.data, masked.steps).weights
    other = estimator(name, **settings).fit(masked.data.take(shuffled), masked.steps).weights
    np.testing.assert_allclose(other, weights[shuffled], rtol=1e-2, atol=1e-2)


@pytest.mark.parametrize("name", ENTRIES)
def test_randomization_that_changes_nothing_is_reconstructed_as_it_is(name: str) -> None:
    data = sudare.datasets.toy(300, seed=3)
    steps = sudare.apply(data, mask.RetentionReplacement(retain=1.0), seed=5)
    chosen = estimator(name, "sex", "region")
    estimate = chosen.fit(steps.data, steps.steps)
    shares = np.bincount(data["sex"].coded.codes) / data.rows
    np.testing.assert_allclose(estimate.shares("sex"), shares, atol=0.02)
    if name != "LinearDensityRatio":  # a linear function cannot follow every cell
        np.testing.assert_allclose(estimate.weights, 1, atol=0.05)


@pytest.mark.parametrize("name", ENTRIES)
def test_many_records_show_the_true_shares(name: str) -> None:
    data = sudare.datasets.toy(30_000, seed=2)
    method = mask.RetentionReplacement(retain=0.5, columns=("education", "sex"))
    masked = sudare.apply(data, method, seed=5)
    chosen = estimator(name, "education", "sex")
    true = np.bincount(data["education"].coded.codes) / data.rows
    published = np.bincount(masked.data["education"].coded.codes) / data.rows
    estimate = chosen.fit(masked.data, masked.steps)
    before, after = (np.abs(s - true).max() for s in (published, estimate.shares("education")))
    assert after < 0.02 < before


@pytest.mark.parametrize("name", ENTRIES)
def test_data_and_weights_go_into_no_repr(name: str, masked: Masked[Microdata]) -> None:
    text = repr(estimator(name).fit(masked.data, masked.steps))
    assert "array" not in text
    assert "Microdata" not in text


@pytest.mark.parametrize("name", ENTRIES)
def test_an_unknown_column_is_refused_with_the_nearest_name(
    name: str, masked: Masked[Microdata]
) -> None:
    chosen = estimator(name, "incom")
    with pytest.raises(sudare.errors.ColumnError, match="did you mean 'income'"):
        chosen.fit(masked.data, masked.steps)


@pytest.mark.parametrize("name", ENTRIES)
def test_without_randomized_columns_an_estimator_says_so(
    name: str, masked: Masked[Microdata]
) -> None:
    with pytest.raises(sudare.errors.ColumnError, match="randomize no column of this table"):
        estimator(name).fit(masked.data, [])


@pytest.mark.parametrize("name", ENTRIES)
@pytest.mark.parametrize("rows", [1, 5])
def test_the_edges_do_not_break_an_estimator(name: str, rows: int) -> None:
    edge = Microdata(
        (
            Categorical("sex", np.zeros(rows), ("a",), role="key"),
            Numeric("pay", np.full(rows, 3.0), role="key"),
        )
    )
    steps = sudare.apply(edge, [mask.RetentionReplacement(), mask.BoundedLaplace()], seed=1).steps
    np.testing.assert_allclose(estimator(name, "sex", "pay").fit(edge, steps).weights, 1)


@pytest.mark.parametrize("name", ENTRIES)
def test_every_setting_has_a_help_text_and_every_estimator_a_summary(name: str) -> None:
    entry = ENTRIES[name]
    assert re.match(r"[A-Z].*\.$", entry.summary), entry.summary
    assert all(setting.help for setting in settings_of(entry.method))
    assert ">>>" in (entry.method.__doc__ or ""), "a docstring carries an example that runs"


def test_the_catalog_lists_the_estimators() -> None:
    offered = {name: getattr(reconstruct, name) for name in dir(reconstruct)}
    estimators = {
        name for name, o in offered.items() if isinstance(o, type) and issubclass(o, Estimator)
    } - {"Estimator"}
    assert estimators == set(ENTRIES)


def test_an_estimator_is_no_step_of_a_recipe() -> None:
    with pytest.raises(sudare.errors.SettingError, match="neither masks nor measures"):
        catalog.masker("iterative-bayes", {})
    with pytest.raises(sudare.errors.SettingError, match=r"sudare\.reconstruct\.IterativeBayes"):
        catalog.measure("IterativeBayes", {})
