"""Two releases do not undo each other: with one seed they share no draw, if they differ at all."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import sudare
from sudare import catalog
from sudare.core import AnyMasker, Floats, Microdata, Numeric, SettingError, same_values
from sudare.release import Recipe
from sudare.release.publishing import draws_for
from sudare.release.publishing.table_publication import TablePublication

SEED = 0x9E3779B97F4A7C15F39CC0605CEDC835  # one that nobody guesses, and the same for all
DRAWING = {
    kind: [
        entry.name
        for entry in catalog.METHODS
        if (entry.family, entry.subject) == ("mask", kind) and catalog.masker(entry.name, {}).random
    ]
    for kind in ("table", "history")
}
FirstRelease = Callable[[str], tuple[AnyMasker, TablePublication[Microdata]]]
LAST = sudare.mask.Rounding(columns=("visits",), base=2.0)  # of a column that nothing else masks


def with_visits(data: Microdata, changed: int | None = None) -> Microdata:
    visits = np.arange(data.rows, dtype=float)
    if changed is not None:
        visits[changed] += 1
    return Microdata((*data.columns, Numeric("visits", visits)))


def turned(data: Microdata) -> Microdata:
    """The same table, with the labels of a column the other way round."""
    column = data["sex"].coded
    codes = np.where(column.known, len(column.labels) - 1 - column.codes, column.codes)
    return data.replacing([replace(column, codes=codes, labels=column.labels[::-1])])


@pytest.fixture(scope="module")
def data() -> Microdata:
    toy = sudare.datasets.toy(120, seed=3)
    known = np.logical_and.reduce([column.known for column in toy.columns])
    return with_visits(toy.take(np.flatnonzero(known)[:60]))


def published(data: Microdata, maskers: list[AnyMasker]) -> TablePublication[Microdata]:
    return sudare.publish(data, Recipe("drawn", maskers), measures=(), seed=SEED)


OTHERS: dict[str, Callable[[Microdata, AnyMasker], tuple[Microdata, list[AnyMasker]]]] = {
    "a step more at the end": lambda data, masker: (data, [masker, LAST]),
    "another scale": lambda data, masker: (data.assigning({}, {"visits": "interval"}), [masker]),
    "labels in another order": lambda data, masker: (turned(data), [masker]),
    "one value changed elsewhere": lambda data, masker: (
        with_visits(data.without(["visits"]), changed=5),
        [masker],
    ),
}


@pytest.fixture(scope="module")
def first_release(data: Microdata) -> FirstRelease:
    """What a method releases, made once for all that differs from it."""

    @cache
    def release(name: str) -> tuple[AnyMasker, TablePublication[Microdata]]:
        draws_all = name in {"SequentialSynthesis", "MultipleImputation"}
        masker = catalog.masker(name, {"given": ["visits"]} if draws_all else {})
        return masker, published(data, [masker])

    return release


@pytest.mark.parametrize("difference", OTHERS)
@pytest.mark.parametrize("name", DRAWING["table"])
def test_releases_that_differ_elsewhere_share_no_draw(
    name: str, difference: str, data: Microdata, first_release: FirstRelease
) -> None:
    """With the same draws the columns of the method would be equal, and so would the order."""
    masker, first = first_release(name)
    other = published(*OTHERS[difference](data, masker))
    rows = first.masked.rows
    columns = first.steps[0].columns
    assert rows != other.masked.rows or not all(
        same_values(first.masked[column], other.masked[column]) for column in columns
    )
    assert first.order is not None
    assert other.order is not None
    assert not np.array_equal(first.order.uniform("", rows), other.order.uniform("", rows))


def settings_of(name: str) -> list[AnyMasker]:
    """Return a method with each of its numbers changed a little, as far as limits allow."""
    plain = catalog.masker(name, {})
    changed = []
    for setting, value in plain.all_settings().items():
        if isinstance(value, int | float) and not isinstance(value, bool):
            for other in {value + 1, value / 2} - {value}:
                try:
                    changed.append(replace(plain, **{setting: other}))
                except SettingError:
                    continue
    return changed


@pytest.mark.parametrize("name", DRAWING["table"])
def test_releases_with_other_settings_share_no_draw(name: str, data: Microdata) -> None:
    maskers = [catalog.masker(name, {}), *settings_of(name)]
    seeds = {draws_for(data, Recipe("drawn", [masker]), SEED).seed for masker in maskers}
    assert len(seeds) == len(maskers)


@pytest.mark.parametrize("name", DRAWING["history"])
def test_histories_that_differ_elsewhere_share_no_draw(name: str) -> None:
    history = sudare.datasets.purchases_like(12, seed=1)
    masker, months = catalog.masker(name, {}), catalog.masker("coarse-dates", {})
    prices = history.prices.copy()
    prices[0] += 1
    releases = [
        sudare.publish(purchases, Recipe("drawn", maskers), measures=(), seed=SEED).masked
        for purchases, maskers in (
            (history, [masker]),
            (history, [masker, months]),
            (replace(history, prices=prices), [masker]),
        )
    ]
    drawn = {(each.rows, each.pseudonyms.tobytes()) for each in releases}
    assert len(drawn) == len(releases)


@pytest.mark.parametrize("method", [sudare.mask.Noise, sudare.mask.CorrelatedNoise])
def test_noise_of_two_sizes_cannot_be_taken_out(
    method: type[sudare.mask.Noise], tmp_path: Path
) -> None:
    """The attack: twice the release with noise of 0.1, less that of 0.2, is the original."""
    incomes = np.random.default_rng(1).integers(2000, 9000, 300).astype(float)
    table = Microdata((Numeric("income", incomes, role="sensitive"),))

    def released(ratio: float) -> Floats:
        recipe, secret = Recipe("noise", [method(sd_ratio=ratio)]), tmp_path / "survey.secret"
        release = sudare.publish(table, recipe, measures=(), seed=20240401, secret=secret)
        return release.masked["income"].numeric.values

    undone = 2 * released(0.1) - released(0.2)
    assert (np.abs(undone - incomes) < 1).mean() < 0.1


def test_a_record_more_does_not_tell_the_differences_of_its_neighbours() -> None:
    """Rows move by one, so that shared draws would give the difference of each to the next."""
    incomes = np.random.default_rng(1).integers(2000, 9000, 300).astype(float)
    recipe = Recipe("noise", [sudare.mask.Noise(sd_ratio=0.2)])
    first, other = (
        published(Microdata((Numeric("income", values, role="sensitive"),)), list(recipe.maskers))
        for values in (incomes, np.append(4000.0, incomes))
    )
    told = first.masked["income"].numeric.values[1:] - other.masked["income"].numeric.values[1:-1]
    assert (np.abs(told - np.diff(incomes)) < 1).mean() < 0.1


def test_what_changes_no_record_changes_no_draw(data: Microdata) -> None:
    """Names and spellings, limits and measures, the file that the table came in."""
    noise = sudare.mask.Noise(sd_ratio=1.0)
    releases = [
        sudare.publish(data, Recipe("noise", [noise]), measures=(), seed=SEED),
        sudare.publish(
            data,
            Recipe("other", [sudare.mask.Noise(sd_ratio=1)], description="the same"),
            measures=["uniques"],
            limits=["uniques <= 1"],
            texts={"title": "the same"},
            confirmations=["order"],
            seed=SEED,
        ),
    ]
    assert releases[0].masked.equals(releases[1].masked)


def test_steps_behind_several_versions_learn_once() -> None:
    """Noise of two sizes, with the same draws, would be taken out of the records that are kept."""
    rng = np.random.default_rng(1)
    columns = [Numeric(name, rng.integers(0, 6, 90).astype(float), role="key") for name in "ab"]
    table = Microdata((*columns, Numeric("income", rng.integers(1, 99, 90) ** 2.0)))
    imputed = sudare.mask.MultipleImputation(
        columns=("income",), given=("a", "b"), m=3, records="at-risk", k=3
    )
    made = sudare.versions(table, [imputed, sudare.mask.Noise(columns=("income",))], seed=SEED)
    assert len({str(version.steps[1].public) for version in made}) == 1
    kept = [version.data["income"].numeric.values for version in made]
    assert (kept[0] == kept[1]).any()
    assert (kept[0] != kept[1]).any()
    with pytest.raises(SettingError, match="put it before"):
        sudare.versions(table, [imputed, sudare.mask.Mondrian(k=3)], seed=SEED)
