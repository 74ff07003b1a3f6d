"""Mondrian: classes of k records, cut where a slow twin cuts, labels that cover their values."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

import sudare
from sudare.core.table.categorical import Categorical
from sudare.core.table.column import Column
from sudare.core.table.microdata import Microdata
from sudare.core.table.numeric import Numeric
from sudare.describe import Hierarchy
from sudare.mask import Mondrian
from sudare.mask.anonymity.mondrian import MondrianPlan
from sudare.risk import KAnonymity, LDiversity, TCloseness


def made(seed: int, n: int, *, gaps: float = 0.0) -> Microdata:
    """Some records with a number, an ordered and a nominal key, and a sensitive column."""
    rng = np.random.default_rng(seed)
    numbers = np.rint(rng.gamma(2, 10, n)) if seed % 2 else rng.normal(size=n)
    numbers[rng.random(n) < gaps] = np.nan
    numbers[0] = 3.0
    ordered, nominal = rng.integers(0, 5, n), rng.integers(0, 4, n)
    nominal[1:][rng.random(n - 1) < gaps] = -2
    columns: tuple[Column, ...] = (
        Numeric("size", numbers, role="key"),
        Categorical("grade", ordered, tuple("abcde"), role="key", scale="ordinal"),
        Categorical("area", nominal, ("n", "o", "p", "t"), role="key"),
        Categorical("illness", rng.integers(0, 3, n), ("x", "y", "z"), role="sensitive"),
    )
    return Microdata(columns)


def fitted(masker: Mondrian, data: Microdata) -> MondrianPlan:
    plan = masker.fit(data)
    assert isinstance(plan, MondrianPlan)
    return plan


AREAS = Hierarchy.of([("n", "west"), ("o", "west"), ("p", "east"), ("t", "east")])
SETTINGS: list[dict[str, object]] = [
    {},
    {"strict": False},
    {"hierarchies": {"area": AREAS}},
    {"hierarchies": {"area": AREAS}, "strict": False, "representative": "mean"},
    {"representative": "mode", "l": 2},
    {"t": 0.3},
    {"l": 1.5, "diversity": "entropy", "t": 0.5, "distance": "ordered"},
    {"l": 2, "diversity": "recursive", "c": 2.0, "strict": False},
]


@given(
    st.integers(0, 10**6),
    st.integers(5, 80),
    st.sampled_from([0.0, 0.2]),
    st.sampled_from(SETTINGS),
)
def test_what_is_published_meets_the_conditions(
    seed: int, n: int, gaps: float, settings: dict[str, object]
) -> None:
    data = made(seed, n, gaps=gaps)
    masker = Mondrian(k=3, **settings)  # type: ignore[arg-type]
    try:
        published = masker.fit(data).transform(data)
    except sudare.errors.SettingError as error:
        assert "not even all records together" in str(error)  # noqa: PT017
        return
    assert KAnonymity()(data, published).value >= 3
    if masker.l is not None:
        measure = LDiversity(diversity=masker.diversity, c=masker.c)
        assert measure(data, published).value >= masker.l - 1e-9
    if masker.t is not None:
        assert TCloseness(distance=masker.distance)(data, published).value <= masker.t + 1e-9


def slow_classes(points: np.ndarray, positions: list[np.ndarray], k: int) -> list[list[int]]:
    """Strict Mondrian said slowly, for keys without hierarchies and gaps."""
    done, waiting = [], [list(range(len(points)))]
    while waiting:
        members = waiting.pop()
        codes = points[members]
        widths = [p[codes[:, j].max()] - p[codes[:, j].min()] for j, p in enumerate(positions)]
        for key in np.argsort(-np.array(widths), kind="stable"):
            values = np.unique(codes[:, key])[:-1]
            left = np.array([(codes[:, key] <= value).sum() for value in values])
            apart = np.where(
                (left >= k) & (len(members) - left >= k), abs(2 * left - len(members)), 10**9
            )
            if len(values) and apart.min() < 10**9:
                low = codes[:, key] <= values[apart.argmin()]
                waiting += [
                    [m for m, is_low in zip(members, low, strict=True) if is_low == side]
                    for side in (True, False)
                ]
                break
        else:
            done.append(members)
    return done


@given(st.integers(0, 10**6), st.integers(4, 120), st.integers(2, 5))
def test_strict_cuts_are_those_of_the_slow_twin(seed: int, n: int, k: int) -> None:
    data = made(seed, n)
    if n < k:
        return
    keys = [data[name] for name in data.keys]
    points = np.stack([key.coded.codes for key in keys], axis=1)
    numbers = np.array(keys[0].coded.labels, float)
    span = max(numbers[-1] - numbers[0], 1e-300)
    positions = [(numbers - numbers[0]) / span, np.linspace(0, 1, 5), np.linspace(0, 1, 4)]
    groups = fitted(Mondrian(k=k), data).groups
    ours = {frozenset(np.flatnonzero(groups == g).tolist()) for g in np.unique(groups)}
    assert ours == {frozenset(members) for members in slow_classes(points, positions, k)}


@pytest.mark.parametrize("strict", [True, False])
def test_record_order_does_not_matter(strict: bool) -> None:
    data = made(3, 200, gaps=0.1)
    order = np.random.default_rng(1).permutation(200)
    masker = Mondrian(k=4, strict=strict)
    expected = masker.fit(data).transform(data).take(order)
    assert masker.fit(data.take(order)).transform(data.take(order)).equals(expected)


def test_relaxed_cuts_part_what_strict_ones_cannot() -> None:
    columns = (
        Numeric("a", np.array([1.0] * 7 + [9.0]), role="key"),
        Numeric("b", np.array([1.0, 1, 1, 1, 2, 2, 2, 2]), role="key"),
    )
    data = Microdata(columns)
    relaxed = fitted(Mondrian(k=4, strict=False), data)
    assert np.bincount(relaxed.groups).tolist() == [4, 4]
    assert relaxed.transform(data)["a"].coded.labels == (1, "1–9")


def test_sets_come_in_the_order_of_their_members() -> None:
    data = made(0, 300)
    labels = list(map(str, Mondrian(k=3).fit(data).transform(data)["area"].coded.labels))
    assert len(labels) > 4
    assert labels == sorted(labels)


def test_labels_by_hand() -> None:
    data = Microdata(
        (
            Numeric("age", np.array([20.0, 25, 60, 61]), role="key"),
            Categorical("area", np.array([0, 1, 2, 3]), ("n", "o", "p", "t"), role="key"),
        )
    )
    plain = Mondrian(k=2).fit(data).transform(data)
    assert plain["age"].coded.labels == ("20–25", "60–61")
    assert plain["area"].coded.labels == ("n | o", "p | t")
    declared = Mondrian(k=2, hierarchies={"area": AREAS}).fit(data).transform(data)
    assert set(declared["area"].coded.labels) == {"west", "east"}
    means = Mondrian(k=2, representative="mean").fit(data).transform(data)["age"]
    assert isinstance(means, Numeric)
    assert means.values.tolist() == [22.5, 22.5, 60.5, 60.5]


def test_a_class_with_gaps_it_cannot_cut_off_publishes_none_of_the_values() -> None:
    ages = np.array([20.0, 20, 30, 30, np.nan, 40])
    data = Microdata((Numeric("age", ages, role="key"),))
    published = Mondrian(k=2).fit(data).transform(data)["age"]
    assert published.missing.tolist() == [False] * 4 + [True] * 2
    cut_off = Microdata((Numeric("age", np.append(ages, np.nan), role="key"),))
    published = Mondrian(k=2).fit(cut_off).transform(cut_off)["age"]
    assert published.missing.tolist() == [False] * 4 + [True, False, True]


def test_other_data_are_refused() -> None:
    data = made(1, 20)
    with pytest.raises(sudare.errors.MismatchError, match="the plan groups 20 records"):
        Mondrian().fit(data).transform(data.take(np.arange(10)))


def test_ranges_of_dates_are_dates(tmp_path: Path) -> None:
    path, masked = tmp_path / "days.csv", tmp_path / "masked.csv"
    days = ["1998-03-21", "1998-08-17", "1999-01-01", "1999-01-01"]
    path.write_text("day\n" + "".join(f"{day}\n" for day in days), encoding="utf-8")
    data = sudare.read(path, roles={"day": "key"})
    made = sudare.apply(data, Mondrian(k=2)).data
    assert made["day"].coded.labels == ("1998-03-21–1998-08-17", "1999-01-01")
    assert sudare.loss.TotalVariation(columns=("day",))(data, made).value == 0.5
    sudare.write(made, masked)
    again = sudare.read(masked)["day"].coded
    assert again.labels == made["day"].coded.labels
    opened = sudare.apply(sudare.open(path, roles={"day": "key"}), Mondrian(k=2)).data
    sudare.write(opened, masked, overwrite=True)
    assert sudare.read(masked)["day"].coded.codes.tolist() == [0, 0, 1, 1]
