"""Measures that need counts or moments give the same result where equal records were counted."""

from dataclasses import replace

import numpy as np
import pytest

import sudare
from sudare import catalog, loss, risk
from sudare.core.methods.measure import Measure, Result
from sudare.core.table.categorical import Categorical
from sudare.core.table.microdata import Microdata
from sudare.core.table.numeric import Numeric
from sudare.core.types import Floats
from sudare.engine.counting.counts import record_keys, renumbered

ROWS = 600
ENTRIES = [e for e in catalog.METHODS if e.subject == "table" and e.family in {"risk", "loss"}]
FROM_COUNTS = [e.method for e in ENTRIES if getattr(e.method, "needs", None) != "records"]
FROM_RECORDS = [e.method for e in ENTRIES if getattr(e.method, "needs", None) == "records"]
FURTHER: list[Measure] = [
    risk.KAnonymity(missing="wildcard"),
    risk.IndividualRisk(missing="wildcard"),
    risk.IndividualRisk(model="poisson"),
    risk.IndividualRisk(model="poisson", interactions=True, columns=("sex", "job", "area")),
    risk.IndividualRisk(household=True),
    risk.HouseholdRisk(missing="wildcard"),
    risk.Suda(missing="wildcard"),
    risk.Suda(scoring="ihsn", max_size=2, sampling_fraction=0.1),
    risk.PopulationUniques(sampling_fraction=0.2, estimator="zayatz"),
    risk.LDiversity(diversity="entropy"),
    risk.LDiversity(diversity="recursive", c=2.0),
    risk.TCloseness(distance="equal"),
    loss.EntropyLoss(relative=False),
    loss.MeanAbsoluteError(unit="sd"),
    loss.ContingencyTables(max_dim=3, spread="share"),
    loss.DistanceLoss(weighted=True),
    loss.DistanceLoss(power=1.0, unit="own"),
    loss.DistanceLoss(power=3.0, unit="capacity", weighted=True),
    loss.DistanceLoss(distance="discrete"),
    loss.ModelLoss(weighted=True),
    loss.ModelLoss(columns=("sex", "job", "area"), folds=3),
    loss.ModelLoss(target="ill", score="accuracy"),
]
CASES = [*(method() for method in FROM_COUNTS), *FURTHER]


def absent(values: Floats, share: float, seed: int) -> Floats:
    return np.where(np.random.default_rng(seed).random(len(values)) < share, np.nan, values)


def codes(kinds: int, seed: int, missing: float = 0.0) -> Floats:
    rng = np.random.default_rng(seed)
    drawn = np.minimum(rng.geometric(0.4, ROWS) - 1, kinds - 1)
    return np.where(rng.random(ROWS) < missing, -1, drawn)


def before_and_after(*, weighted: bool) -> tuple[Microdata, Microdata]:
    """Return tables of few values, so that many records are equal, masked in several ways."""
    area, rng = codes(5, 3), np.random.default_rng(9)
    age, pay = 10 * codes(4, 4) + 20, absent(100 * codes(3, 5) + rng.integers(0, 2, ROWS), 0.1, 6)
    before = [
        Categorical("sex", codes(2, 1), ("f", "m"), role="key"),
        Categorical("job", codes(3, 2, missing=0.1), ("a", "b", "c"), role="key", scale="ordinal"),
        Categorical("area", area, ("p", "q", "r", "s", "t"), role="key"),
        Numeric("age", age, role="key"),
        Categorical("ill", codes(2, 7), ("no", "yes"), role="sensitive"),
        Numeric("pay", pay, role="sensitive"),
        Numeric("home", absent(codes(9, 8), 0.2, 8), role="household"),
    ]
    after = [
        Categorical("sex", codes(2, 11), ("f", "m"), role="key"),
        replace(before[1], codes=codes(3, 2, missing=0.3)),  # type: ignore[call-arg]
        Categorical("area", np.minimum(area, 3), ("p", "q", "r", "s・t"), role="key"),
        Numeric("age", np.where(rng.random(ROWS) < 0.3, age + 10, age), role="key"),
        before[4],
        Numeric("pay", absent(np.minimum(pay, 150), 0.1, 12), role="sensitive"),
        before[6],
    ]
    if weighted:
        weight = Numeric("weight", np.random.default_rng(13).integers(1, 40, ROWS), role="weight")
        return Microdata((*before, weight)), Microdata((*after, weight))
    return Microdata(tuple(before)), Microdata(tuple(after))


def counted(before: Microdata, after: Microdata) -> tuple[Microdata, Microdata]:
    """Return both tables with equal pairs of records once, in another order."""
    named = [name for name in before.names if name != "weight"]
    kinds, number = renumbered(*record_keys([d[n] for d in (before, after) for n in named]))
    example = np.empty(number, np.int64)
    example[kinds] = np.arange(before.rows)
    copies, order = np.bincount(kinds), np.random.default_rng(14).permutation(number)
    tables = []
    for data in (before, after):
        columns = [replace(data[name].take(example), copies=copies) for name in named]
        if data.weights is not None:
            mean = np.bincount(kinds, data.weights) / copies
            columns.append(Numeric("weight", mean, role="weight", copies=copies))
        tables.append(Microdata(tuple(columns)).take(order))
    return tables[0], tables[1]


def assert_same(result: Result, expected: Result) -> None:
    assert result.value == pytest.approx(expected.value, rel=1e-9, abs=1e-12)
    assert (result.best, result.worst) == pytest.approx((expected.best, expected.worst))
    assert result.parts == pytest.approx(dict(expected.parts), rel=1e-9, abs=1e-12)


def spread_back(measure: Measure) -> Measure:
    """Return the measure as it takes merged categories."""
    if isinstance(measure, loss.ContingencyTables) and measure.spread is None:
        return replace(measure, spread="uniform")
    return measure


@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
@pytest.mark.parametrize("case", CASES, ids=repr)
def test_equal_records_may_stand_once_with_their_number(case: Measure, *, weighted: bool) -> None:
    before, after = before_and_after(weighted=weighted)
    measure = spread_back(case)
    few = counted(before, after)
    assert few[0].rows < before.rows == few[0].records
    expected, result = measure(before, after), measure(*few)
    assert_same(result, expected)
    assert result.by_record is None, "entries that stand for several records have no record detail"


@pytest.mark.parametrize("method", FROM_RECORDS, ids=lambda method: method.__name__)
def test_what_needs_the_records_does_not_take_counts_for_them(method: type[Measure]) -> None:
    few = counted(*before_and_after(weighted=False))
    with pytest.raises(sudare.errors.InputError, match="needs the records themselves"):
        method()(*few)
