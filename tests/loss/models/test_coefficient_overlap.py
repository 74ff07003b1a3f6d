"""The overlap of coefficients against plain regressions, by orthogonal decompositions."""

from collections import Counter

import numpy as np
import pytest
from scipy.optimize import minimize

from sudare.core.errors import ColumnError
from sudare.core.table.categorical import Categorical
from sudare.core.table.microdata import Microdata
from sudare.core.table.numeric import Numeric
from sudare.core.types import Floats
from sudare.loss import CoefficientOverlap
from sudare.loss.models.coefficient_overlap import coefficients

AREAS = ("north", "south", "west")


def survey(seed: int, n: int = 300) -> Microdata:
    """Weighted people; some have no age, some no area, some no income."""
    draws = np.random.default_rng(seed)
    age, area = draws.normal(45, 12, n), draws.integers(0, 3, n)
    income = 20 + age / 3 + 4 * area + draws.normal(0, 6, n)
    works = draws.random(n) < 1 / (1 + np.exp((age - 50) / 9 + area / 2))
    age[draws.random(n) < 0.1], income[draws.random(n) < 0.1] = np.nan, np.nan
    return Microdata(
        (
            Numeric("age", age, role="key"),
            Categorical("area", np.where(draws.random(n) < 0.1, -1, area), AREAS, role="key"),
            Numeric("income", income, role="sensitive"),
            Categorical("works", works.astype(int), ("no", "yes"), role="sensitive"),
            Numeric("weight", draws.uniform(0.2, 3, n), role="weight"),
        )
    )


def design(data: Microdata, scale: tuple[float, float], reference: str) -> Floats:
    """Intercept, age and its absence, indicators of areas and of their absence."""
    age, area = data["age"].values, data["area"].coded  # type: ignore[attr-defined]
    known = ~np.isnan(age)
    labels = [AREAS.index(label) for label in AREAS if label != reference]
    return np.column_stack(
        [np.ones(data.rows), np.where(known, (age - scale[0]) / scale[1], 0), ~known]
        + [area.codes == code for code in (*labels, -1)]
    ).astype(float)


def fit(data: Microdata, inputs: Floats, target: str) -> Floats:
    """Weighted least squares by QR, or the maximum of the weighted likelihood by BFGS."""
    weights = data.weights
    assert weights is not None
    if target == "income":
        known = ~np.isnan(data[target].values)  # type: ignore[attr-defined]
        w, x = weights[known] * known.sum() / weights[known].sum(), inputs[known]
        y = data[target].values[known]  # type: ignore[attr-defined]
        q, r = np.linalg.qr(x * np.sqrt(w)[:, None])
        beta = np.linalg.solve(r, q.T @ (y * np.sqrt(w)))
        variance = (w * (y - x @ beta) ** 2).sum() / (len(y) - x.shape[1])
        return np.stack([beta, np.sqrt(variance * (np.linalg.inv(r) ** 2).sum(axis=1))])
    y, w = data[target].coded.codes == 1, weights / weights.mean()

    def loss(beta: Floats) -> tuple[float, Floats]:
        score = inputs @ beta
        p = 1 / (1 + np.exp(-score))
        return float(w @ (np.logaddexp(0, score) - y * score)), inputs.T @ (w * (p - y))

    beta = minimize(loss, np.zeros(inputs.shape[1]), jac=True, options={"gtol": 1e-9}).x
    p = 1 / (1 + np.exp(-inputs @ beta))
    root = np.linalg.qr(inputs * np.sqrt(w * p * (1 - p))[:, None], mode="r")
    return np.stack([beta, np.sqrt((np.linalg.inv(root) ** 2).sum(axis=1))])


@pytest.mark.parametrize("target", ["income", "works"])
def test_coefficients_and_overlap_are_those_of_a_plain_regression(target: str) -> None:
    before, after = survey(1), survey(2)
    age = before["age"].values  # type: ignore[attr-defined]
    scale = float(np.nanmean(age)), float(np.nanstd(age))
    codes = np.concatenate([table["area"].coded.codes for table in (before, after)])
    reference = AREAS[Counter(codes[codes >= 0].tolist()).most_common(1)[0][0]]
    fits = [fit(table, design(table, scale, reference), target) for table in (before, after)]
    if target == "works" and (before[target].coded.codes == 1).mean() < 0.5:
        for fitted in fits:  # the most frequent label is the one predicted
            fitted[0] *= -1

    estimates = coefficients(before, after, target, ["age", "area"])
    for at, (old, new) in enumerate(zip(*(np.transpose(f[:, 1:]) for f in fits), strict=True)):
        assert estimates[at].before == pytest.approx(tuple(old), rel=1e-6, abs=1e-6)
        assert estimates[at].after == pytest.approx(tuple(new), rel=1e-6, abs=1e-6)

    ends = [(f[0] - 1.959963984540054 * f[1], f[0] + 1.959963984540054 * f[1]) for f in fits]
    common = np.maximum(np.minimum(ends[0][1], ends[1][1]) - np.maximum(ends[0][0], ends[1][0]), 0)
    overlap = np.mean([common / (high - low) for low, high in ends], axis=0)[1:]
    measured = CoefficientOverlap(target=target, columns=("age", "area"))(before, after)
    assert measured.value == pytest.approx(1 - overlap.mean(), abs=1e-6)


def test_what_cannot_be_compared_is_no_agreement() -> None:
    data = survey(1)
    with pytest.raises(ColumnError, match="nothing to predict from"):
        CoefficientOverlap(target="works", columns=("works",))(data, data)
    alike = data.replacing([Numeric("age", np.full(300, 40.0), role="key")])
    (note,) = CoefficientOverlap(target="works", columns=("age", "works"))(alike, survey(2)).notes
    assert note.startswith("no coefficient was compared")


def test_numbers_of_records_may_differ() -> None:
    result = CoefficientOverlap(target="income", columns=("age",))(survey(1), survey(2, 200))
    assert 0 < result.value < 1
    assert not result.notes
