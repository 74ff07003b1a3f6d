"""Re-identification: laws that hold for every masker, cases by hand, and the unmasked table."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import sudare
from sudare import mask
from sudare.core import Categorical, Floats, Masker, Microdata, Numeric
from sudare.risk import AttributeInference, KAnonymity, Reidentification

TOY = sudare.datasets.toy(300, seed=5)
DISTINCT = Reidentification()(TOY).value


def table(**keys: Sequence[int]) -> Microdata:
    labels = tuple("abcdefgh")
    return Microdata(
        tuple(Categorical(name, np.array(k), labels, role="key") for name, k in keys.items())
    )


def risk_of(data: Microdata, *maskers: Masker, seed: int = 1) -> float:
    masked = sudare.apply(data, maskers, seed=seed)
    return Reidentification()(data, masked.data, steps=masked.steps).value


def mean_risk(data: Microdata, masker: Masker, runs: int = 6) -> float:
    return float(np.mean([risk_of(data, masker, seed=seed) for seed in range(runs)]))


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(-2, 2)), min_size=1, max_size=30),
)
def test_without_masking_it_is_the_number_of_combinations_over_that_of_records(
    rows: list[tuple[int, int]],
) -> None:
    data = table(a=[a for a, _ in rows], b=[b for _, b in rows])
    assert Reidentification()(data).value == pytest.approx(len(set(rows)) / len(rows), rel=1e-12)


MASKERS = [
    mask.GlobalRecode(min_share=0.15),
    mask.LocalSuppression(k=3),
    mask.Pram(retain=0.8),
    mask.Pram(retain=0.05),
    mask.RetentionReplacement(retain=0.6),
    mask.PkAnonymization(k=3),
    mask.Mondrian(k=3),
    mask.Mondrian(k=3, representative="mean"),
    mask.Suppression(k=2, columns=("sex", "region")),
    mask.Noise(sd_ratio=0.3, columns=("age",)),
    mask.MultiplicativeNoise(sd_ratio=0.3, columns=("age",)),
    mask.BoundedLaplace(scale_ratio=0.1, columns=("age",)),
    mask.Microaggregation(k=4, columns=("age",)),
    mask.RankSwapping(share=0.1, columns=("age",)),
    mask.RecordSwapping(share=0.2),
    mask.Rounding(base=10, columns=("age",)),
]


@pytest.mark.parametrize("masker", MASKERS, ids=lambda masker: masker.label())
def test_no_masking_makes_it_larger(masker: Masker) -> None:
    assert risk_of(TOY, masker) <= DISTINCT + 1e-12


@pytest.mark.parametrize("known", [True, False])
def test_recoding_alone_counts_the_combinations_that_are_left(known: bool) -> None:
    masked = sudare.apply(TOY, mask.GlobalRecode(min_share=0.2))
    left = {tuple(masked.data[k].coded.codes[i] for k in TOY.keys) for i in range(TOY.rows)}
    result = Reidentification()(TOY, masked.data, steps=masked.steps if known else ())
    assert result.value == pytest.approx(len(left) / TOY.rows, rel=1e-12)


@settings(max_examples=8)
@given(st.integers(2, 12))
def test_a_k_anonymous_file_has_at_most_one_over_k(k: int) -> None:
    for masker in (mask.Mondrian(k=k), mask.Mondrian(k=k, representative="mean")):
        masked = sudare.apply(TOY, masker)
        least = KAnonymity(missing="category")(TOY, masked.data).value
        assert least >= k
        assert risk_of(TOY, masker) <= 1 / k


@pytest.mark.parametrize(
    "weaker_first",
    [
        [mask.Pram(retain=r) for r in (1.0, 0.9, 0.7, 0.5)],
        [mask.RetentionReplacement(retain=r) for r in (1.0, 0.8, 0.4, 0.0)],
        [mask.Noise(sd_ratio=s, columns=("age",)) for s in (0.01, 0.1, 0.5, 2.0)],
        [mask.Mondrian(k=k) for k in (2, 5, 20)],
    ],
    ids=["retain", "retention", "noise", "k"],
)
def test_stronger_masking_lowers_it(weaker_first: list[Masker]) -> None:
    risks = [mean_risk(TOY, masker) for masker in weaker_first]
    assert risks == sorted(risks, reverse=True)
    assert risks[-1] < risks[0]


def test_the_likelihood_is_that_of_the_matrix_record_by_record() -> None:
    """The slow twin: all people by all records, by the products of the published matrices."""
    data = table(a=[0, 0, 1, 2, 2, 2, 1, 0], b=[0, 1, 1, 0, 2, 1, 0, 0])
    masked = sudare.apply(data, mask.Pram(retain=0.6), seed=3)
    fits = np.ones((8, 8))
    for name in ("a", "b"):
        public = masked.steps[0].public[name]
        own, shown = data[name].coded.codes, masked.data[name].coded.codes
        fits *= np.asarray(public["matrix"])[np.ix_(own, shown)]
    best = np.isclose(fits, fits.max(axis=1, keepdims=True), rtol=1e-9)
    expected = best.diagonal() / best.sum(axis=1)
    result = Reidentification()(data, masked.data, steps=masked.steps)
    assert result.by_record is not None
    np.testing.assert_allclose(result.by_record, expected, rtol=1e-9)
    assert result.baseline == 1 / 8


def test_what_is_suppressed_is_named_where_nothing_that_is_shown_fits() -> None:
    before, after = table(a=[0, 0, 1]), table(a=[0, 0, -1])
    steps = sudare.apply(before, mask.LocalSuppression(k=1)).steps
    result = Reidentification()(before, after, steps=steps)
    assert result.by_record is not None
    np.testing.assert_allclose(result.by_record, [1 / 2, 1 / 2, 1.0])


@pytest.mark.parametrize(
    "masker",
    [
        mask.Suppression(k=3),
        mask.LocalSuppression(k=3),
        mask.LocalSuppression(k=3, missing="category"),
    ],
    ids=lambda masker: f"{masker.label()} {masker.missing}",
)
def test_no_simple_attacker_names_more_of_a_table_with_suppressed_cells(masker: Masker) -> None:
    """One who names records that show the keys, and only where there are none, suppressed ones."""
    masked = sudare.apply(TOY, masker, seed=1).data
    shown = np.array([masked[name].coded.codes for name in TOY.keys]).T
    right = 0.0
    for person, own in enumerate(zip(*(TOY[name].coded.codes for name in TOY.keys), strict=True)):
        fits = np.all((shown == own) | (shown < 0), axis=1)
        gaps = np.where(fits, np.sum(shown < 0, axis=1), len(own) + 1)
        best = gaps == gaps.min()
        right += best[person] / best.sum()
    assert risk_of(TOY, masker) >= 0.97 * right / TOY.rows


def test_a_file_whose_suppressed_cells_are_a_value_has_at_most_one_over_k() -> None:
    for k in (2, 5):
        masker = mask.LocalSuppression(k=k, missing="category")
        assert risk_of(TOY, masker) <= 1 / k


def numbers(rows: int = 400, keys: int = 4) -> Microdata:
    rng = np.random.default_rng(8)
    values = rng.normal(size=(rows, keys)) @ rng.normal(size=(keys, keys))
    columns = zip("abcdefg", np.exp(values / 2).T, strict=False)
    return Microdata(tuple(Numeric(name, own, role="key") for name, own in columns))


def named_by(before: Microdata, after: Microdata, work: Callable[[Floats], Any]) -> float:
    """Return the share of people whose own record is the nearest one after some work."""
    true, shown = (work(np.array([c.numeric.values for c in d.columns])) for d in (before, after))
    gaps = np.sum((true[:, :, None] - shown[:, None, :]) ** 2, axis=0)
    return float(np.mean(gaps.argmin(axis=1) == np.arange(before.rows)))


@pytest.mark.parametrize("share", [0.05, 0.15])
def test_swapped_ranks_are_compared_as_ranks(share: float) -> None:
    data = numbers()
    masked = sudare.apply(data, mask.RankSwapping(share=share), seed=3).data
    by_rank = named_by(data, masked, lambda all_: all_.argsort(axis=1).argsort(axis=1) * 1.0)
    by_value = named_by(data, masked, lambda all_: all_ / all_.std(axis=1, keepdims=True))
    assert by_rank > by_value
    assert risk_of(data, mask.RankSwapping(share=share), seed=3) >= 0.95 * by_rank


@pytest.mark.parametrize("loss", [0.1, 0.3])
def test_the_nearest_point_of_a_plane_gives_everybody_away(loss: float) -> None:
    assert risk_of(numbers(), mask.OrthogonalTransform(loss=loss)) > 0.95


def test_correlated_noise_is_undone_beside_blanks_and_sums() -> None:
    data = numbers()
    masker = mask.CorrelatedNoise(sd_ratio=0.4)
    plain = risk_of(data, masker)
    first = data.columns[0].numeric
    blank = replace(first, values=np.where(np.arange(data.rows) == 7, np.nan, first.values))
    total = replace(
        first, name="sum", values=np.sum([c.numeric.values for c in data.columns], axis=0)
    )
    assert risk_of(data.replacing([blank]), masker) == pytest.approx(plain, abs=0.02)
    assert risk_of(Microdata((*data.columns, total)), masker) == pytest.approx(plain, abs=0.05)


def test_blanks_of_the_original_are_a_value() -> None:
    data = table(a=[0, -1, -1, 1])
    assert Reidentification()(data, data.take(np.arange(4))).value == 0.75


def test_two_channels_on_a_key_are_taken_in_turn() -> None:
    maskers = [mask.Pram(retain=0.9), mask.Pram(retain=0.7)]
    masked = sudare.apply(TOY, maskers, seed=2)
    result = Reidentification()(TOY, masked.data, steps=masked.steps)
    assert not result.notes
    assert result.value <= risk_of(TOY, maskers[0], seed=2)


def test_steps_without_a_formula_in_turn_are_read_from_the_pairs_and_said_so() -> None:
    masked = sudare.apply(TOY, [mask.GlobalRecode(min_share=0.1), mask.Pram(retain=0.8)], seed=2)
    (note,) = Reidentification()(TOY, masked.data, steps=masked.steps).notes
    assert "have no joint formula" in note


def test_files_alone_are_read_from_the_pairs_and_said_so() -> None:
    masked = sudare.apply(TOY, mask.Pram(retain=0.8), seed=2)
    blind = Reidentification()(TOY, masked.data)
    told = Reidentification()(TOY, masked.data, steps=masked.steps)
    assert any("no step says how" in note for note in blind.notes)
    assert blind.value >= told.value * 0.9  # granted the rates themselves


def test_the_people_of_the_population_share_the_risk() -> None:
    keys = table(a=[0, 0, 1])
    weighted = Microdata((*keys.columns, Numeric("w", np.array([2.0, 8.0, 4.0]), role="weight")))
    result = Reidentification(known="population")(weighted)
    assert result.influence is None  # by a record of a small weight, it can move far
    assert result.by_record is not None
    np.testing.assert_allclose(result.by_record, [0.1, 0.1, 0.25])


def test_a_synthetic_table_has_no_record_to_name() -> None:
    masked = sudare.apply(TOY, mask.SequentialSynthesis(), seed=1)
    result = Reidentification()(TOY, masked.data, steps=masked.steps)
    assert result.value == AttributeInference()(TOY, masked.data).value
    assert any("no record to name" in note for note in result.notes)


def test_correlated_noise_is_undone_along_independent_axes() -> None:
    draw = np.random.default_rng(1)
    common = draw.normal(size=400)
    columns = [common + 0.05 * draw.normal(size=400) for _ in range(2)]
    data = Microdata(tuple(Numeric(n, c, role="key") for n, c in zip("xy", columns, strict=True)))
    noise = mask.CorrelatedNoise(sd_ratio=0.3)
    masked = sudare.apply(data, noise, seed=1)
    joint = Reidentification()(data, masked.data, steps=masked.steps)
    each = np.mean([joint.parts[name] for name in "xy"])
    assert joint.value > 3 * each


def test_keys_drawn_together_are_compared_together() -> None:
    data = sudare.datasets.toy(600, seed=1)
    drawn = ("age", "region", "education")
    masked = sudare.apply(data, mask.MultipleImputation(m=2, columns=drawn), seed=1)
    result = Reidentification()(data, masked.data, steps=masked.steps)
    ages, shown_ages = data["age"].numeric.values, masked.data["age"].numeric.values
    apart = np.abs(ages[:, None] - shown_ages) / ages.std()
    for name in data.keys:
        if name != "age":
            own, shown = data[name].coded.codes, masked.data[name].coded.codes
            labels = data[name].coded.labels, masked.data[name].coded.labels
            assert labels[0] == labels[1]
            apart += (1.0 if name in drawn else 1e3) * (own[:, None] != shown)
    nearest = apart <= apart.min(axis=1)[:, None] + 1e-9
    by_distance = float((nearest.diagonal() / nearest.sum(axis=1)).mean())
    assert result.value > 0.98 * by_distance


def test_one_record_is_named() -> None:
    assert Reidentification()(table(a=[3])).value == 1.0
