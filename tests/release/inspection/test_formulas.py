"""A masked number that released ones give together is told, by whatever formula."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import sudare
from sudare.core import Array, Categorical, Floats, Microdata, Numeric
from sudare.release import Finding, gate
from sudare.release.inspection.derivable_values.formulas import formulas

ROWS = 500
DRAWS = np.random.default_rng(6)
A, B, C = (DRAWS.integers(1, 100, ROWS).astype(np.float64) for _ in range(3))
HEIGHT, WEIGHT = np.round(DRAWS.normal(1.65, 0.08, ROWS), 2), np.round(DRAWS.normal(62, 9, ROWS), 1)
AGE = DRAWS.integers(18, 95, ROWS)


def twins(masked: str, **numbers: Array) -> list[Finding]:
    """Return what tells a number that was masked by noise."""
    columns = tuple(
        Numeric(name, np.asarray(values, np.float64), role="sensitive")
        for name, values in numbers.items()
    )
    return twins_in(Microdata(columns), masked)


def twins_in(data: Microdata, masked: str) -> list[Finding]:
    done = sudare.apply(data, sudare.mask.Noise(sd_ratio=0.3, columns=(masked,)), seed=2**90)
    return [f for f in gate(data, done.data, done.steps) if f.kind == "twin"]


def test_a_formula_names_no_column_that_it_can_do_without() -> None:
    """Differences from a small number, which cancels, fit as well as the columns themselves."""
    draws = np.random.default_rng(10)
    gross = np.floor(draws.lognormal(15, 0.6, ROWS)) * (AGE > 30)
    small = draws.integers(1, 6, ROWS)
    costs = np.floor(gross * draws.uniform(0.05, 0.6, ROWS))
    numbers = {"gross": gross, "rating": small, "costs": costs, "net": gross - costs}
    assert [f.columns for f in twins("net", **numbers)] == [("gross", "costs", "net")]


@pytest.mark.parametrize(
    ("masked", "numbers"),
    [
        ("mean", {"a": A, "b": B, "mean": (A + B) / 2}),
        ("a", {"a": A, "b": B, "mean": (A + B) / 2}),
        ("points", {"a": A, "b": B, "points": 3 * A + 7 * B}),
        ("points", {"a": A, "b": B, "c": C, "points": A + 2 * B - 5 * C}),
        ("age", {"tens": AGE // 10, "units": AGE % 10, "age": AGE}),
        ("index", {"height": HEIGHT, "weight": WEIGHT, "index": np.round(WEIGHT / HEIGHT**2, 1)}),
        ("weight", {"height": HEIGHT, "weight": WEIGHT, "index": np.round(WEIGHT / HEIGHT**2, 1)}),
        ("area", {"a": A, "b": B, "area": A * B}),
        ("total", {"a": A, "b": B, "c": C, "total": A * B + C}),
        ("c", {"a": A, "b": B, "c": C, "total": A * B + C}),
        ("a", {"a": A, "b": B, "c": C, "total": A * B + C}),
        ("most", {"a": A, "b": B, "most": np.maximum(A, B)}),
        ("least", {"a": A, "b": B, "c": C, "least": np.minimum(np.minimum(A, B), C)}),
        ("apart", {"a": A, "b": B, "apart": np.abs(A - B)}),
        ("cost", {"a": A, "b": B, "c": C, "cost": A * (B + C)}),
        ("share", {"a": A, "b": B, "share": A / (A + B)}),
        ("length", {"a": A, "b": B, "length": np.sqrt(A**2 + B**2)}),
        ("length", {"a": A, "b": B, "c": C, "length": np.sqrt(A**2 + B**2 + C**2)}),
        ("total", {"a": A, "b": B, "c": C, "total": A**2 + B * C}),
        ("gain", {"a": A, "b": B, "c": C, "gain": A * (B - C)}),
        ("pay", {"a": A, "b": B, "c": C, "pay": np.maximum(A, B) + C}),
        ("score", {"a": A, "b": B, "score": np.log(A) + B / 30}),
    ],
)
def test_a_number_that_others_give_together_stops_a_release(
    masked: str, numbers: dict[str, Array]
) -> None:
    told = twins(masked, **numbers)
    others = {name for name in numbers if name != masked}
    assert any(f.stops and {*f.columns[:-1]} == others for f in told), told
    assert max(f.count for f in told) > 0.8 * ROWS


def test_a_sum_whose_other_masked_parts_are_mostly_nothing_is_found() -> None:
    drawn = np.random.default_rng(8)
    parts = {
        f"x{n}": np.where(drawn.random(ROWS) < 0.1, drawn.uniform(1, 99, ROWS), 0.0)
        for n in range(9)
    }
    numbers = {**parts, "total": np.sum(list(parts.values()), axis=0)}
    data = Microdata(tuple(Numeric(name, own, role="sensitive") for name, own in numbers.items()))
    noise = sudare.mask.Noise(sd_ratio=0.3, columns=("total", "x1", "x2"))
    done = sudare.apply(data, noise, seed=2**90)
    told = [f for f in gate(data, done.data, done.steps).of_kind("twin") if f.stops]
    some = np.count_nonzero(numbers["total"])  # that the others have nothing is guessed, not told
    assert [f.count > 0.5 * some for f in told if f.columns[-1] == "total"] == [True]


def test_a_formula_that_fails_in_some_records_is_found() -> None:
    drawn = np.random.default_rng(7)
    total = np.where(np.arange(ROWS) % 4 == 0, drawn.permutation(3 * A + 7 * B), 3 * A + 7 * B)
    assert [f.count > 0.6 * ROWS for f in twins("total", a=A, b=B, total=total)] == [True]


def test_categories_tell_a_number_together() -> None:
    data = Microdata(
        (
            Categorical("decade", AGE // 10 - 1, tuple(f"d{n}" for n in range(9))),
            Categorical("year", AGE % 10, tuple(f"y{n}" for n in range(10))),
            Numeric("age", AGE.astype(np.float64), role="key"),
        )
    )
    told = [f.columns for f in twins_in(data, "age") if f.stops]
    assert told == [("decade", "age"), ("decade", "year", "age")]


INCOME = np.round(np.random.default_rng(9).lognormal(6, 0.6, 1_500))


@pytest.mark.parametrize("classes", [5, 10])
def test_the_class_of_a_number_stops_where_it_is_nearer_than_the_masked_number(
    classes: int,
) -> None:
    bounds = np.quantile(INCOME, np.arange(1, classes) / classes)
    told = twins("income", income=INCOME, tenth=np.searchsorted(bounds, INCOME))
    assert [(f.columns, f.severity) for f in told] == [(("tenth", "income"), "stop")]


def test_a_class_that_is_coarser_than_the_noise_tells_nothing() -> None:
    half = (np.median(INCOME) < INCOME).astype(np.float64)
    assert not twins("income", income=INCOME, half=half)


def test_the_last_digits_tell_a_number_that_noise_leaves_near() -> None:
    pay = np.random.default_rng(3).integers(500_000, 2_900_000, ROWS).astype(np.float64)
    assert [f.columns for f in twins("pay", pay=pay, rest=pay % 500_000)] == [("rest", "pay")]
    assert not twins("pay", pay=pay, rest=pay % 100)


def test_a_column_that_holds_some_numbers_as_they_were_stops_a_release() -> None:
    lives_alone = np.arange(1_500) % 6 == 0
    others = np.random.default_rng(4).permutation(INCOME)
    of_all = np.where(lives_alone, INCOME, INCOME + others)
    told = twins("income", income=INCOME, of_all=of_all)
    assert [(f.columns, f.stops) for f in told] == [(("of_all", "income"), True)]
    assert told[0].count > 0.8 * lives_alone.sum()


def test_what_most_have_is_guessed_and_not_told() -> None:
    drawn = np.random.default_rng(5)
    gain = np.where(drawn.random(1_500) < 0.9, 0.0, np.round(drawn.lognormal(8, 1, 1_500)))
    assert not twins("gain", gain=gain, other=drawn.permutation(INCOME))


def test_numbers_that_only_go_together_tell_nothing() -> None:
    assert not twins("pay", a=A, b=B, pay=A + 2 * B + np.random.default_rng(7).normal(0, 60, ROWS))


def test_a_table_of_many_columns_says_what_was_not_combined() -> None:
    drawn = np.random.default_rng(7)
    many = {f"x{n}": drawn.integers(0, 5, ROWS) for n in range(63)}
    columns = tuple(Numeric(name, values.astype(np.float64)) for name, values in many.items())
    data = Microdata(columns)
    done = sudare.apply(data, sudare.mask.Noise(sd_ratio=0.5, columns=("x0",)), seed=2**90)
    unchecked = gate(data, done.data, done.steps).of_kind("not-checked")
    assert [finding.count for finding in unchecked] == [2]
    assert "60" in str(unchecked[0].detail)


def test_columns_that_tell_together_are_found_among_many() -> None:
    rows = 2_000
    draws = np.random.default_rng(7)
    first, second = draws.integers(0, 4, (2, rows))
    labels = tuple(f"r{n}" for n in range(16))
    both = Categorical("both", first * 4 + second, labels, role="key")
    noise = [Numeric(f"x{n}", draws.integers(0, 5, rows).astype(np.float64)) for n in range(61)]
    halves = [Numeric("first", first.astype(np.float64)), Numeric("second", second.astype(float))]
    data = Microdata((both, *noise, *halves))
    done = sudare.apply(data, sudare.mask.Pram(columns=("both",), retain=0.5), seed=2**90)
    told = gate(data, done.data, done.steps).of_kind("twin")
    assert ("first", "second", "both") in [f.columns for f in told if f.stops]


@settings(max_examples=30)
@given(
    st.integers(0, 1_000),
    st.tuples(*[st.integers(-9, 9).filter(bool)] * 2),
    st.integers(-100, 100),
    st.booleans(),
)
def test_every_weighted_sum_and_every_product_is_found(
    seed: int, multiples: tuple[int, int], constant: int, product: bool
) -> None:
    draws = np.random.default_rng(seed)
    numbers: dict[str, Floats] = {name: draws.uniform(1, 9, 80) for name in "abcd"}
    first, second = multiples
    target = constant + first * numbers["b"] + second * numbers["d"]
    if product:
        target = numbers["b"] ** (first / 3) * numbers["d"] ** (second / 3)
    best = min(np.nanmax(np.abs(f.made(numbers) / target - 1)) for f in formulas(numbers, target))
    assert best < 1e-6
