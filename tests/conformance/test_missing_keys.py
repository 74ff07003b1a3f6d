"""Every method of k-anonymity keeps its promise by the default measure, with blanks in the keys."""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import sudare
from sudare import mask
from sudare.core import Assessment, SettingError
from sudare.core.methods.masker import Masker
from sudare.core.table.categorical import Categorical
from sudare.core.table.microdata import Microdata
from sudare.core.types import Flags, Floats
from sudare.engine.counting import MissingKeys
from sudare.risk import (
    HouseholdRisk,
    IndividualRisk,
    KAnonymity,
    LDiversity,
    Suda,
    TCloseness,
    Uniques,
)

MASKERS = [mask.LocalSuppression, mask.Suppression, mask.FullDomain, mask.Mondrian]
BY_CLASSES = [mask.Suppression, mask.FullDomain, mask.Mondrian]
MEASURES = [KAnonymity, LDiversity, TCloseness, Uniques, IndividualRisk, HouseholdRisk, Suda]
RULES: tuple[MissingKeys, ...] = ("suppressed", "category", "wildcard")


def blanks(seed: int, rows: int = 120) -> Microdata:
    """Return keys of which some are blank, some so in few records only."""
    rng = np.random.default_rng(seed)
    columns = []
    for column, size in enumerate((3, 4, 7)):
        codes = rng.integers(0, size, rows)
        codes[rng.random(rows) < (0.01, 0.1, 0.4)[column]] = -1
        codes[rng.random(rows) < 0.05] = -2
        columns.append(Categorical(f"k{column}", codes, tuple("abcdefg"[:size]), role="key"))
    answers = rng.integers(0, 4, rows)
    answers[rng.random(rows) < 0.1] = -1
    columns.append(Categorical("answer", answers, tuple("wxyz"), role="sensitive"))
    return Microdata(tuple(columns))


@pytest.mark.parametrize("method", MASKERS)
@pytest.mark.parametrize("seed", range(4))
def test_k_of_the_default_measure_is_at_least_k(method: type[Masker], seed: int) -> None:
    data = blanks(seed)
    for masker in (method(), method(k=5)):  # type: ignore[call-arg]
        masked = sudare.apply(data, masker, seed=1).data
        assert KAnonymity()(data, masked).value >= masker.k  # type: ignore[attr-defined]
        assert Uniques()(data, masked).value == 0


@pytest.mark.parametrize("missing", RULES)
@pytest.mark.parametrize("method", [mask.LocalSuppression, mask.Suppression])
def test_masker_and_measure_mean_the_same(method: type[Masker], missing: MissingKeys) -> None:
    for seed in range(6, 10):
        data = blanks(seed)
        masked = sudare.apply(data, method(k=4, missing=missing)).data  # type: ignore[call-arg]
        assert KAnonymity(missing=missing)(data, masked).value >= 4


def test_maskers_and_measures_have_one_default() -> None:
    for method in (*MASKERS, *MEASURES):
        assert method().missing == "suppressed"


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("method", BY_CLASSES)
def test_classes_are_diverse_and_close_by_every_rule(
    method: type[Masker], rule: MissingKeys
) -> None:
    for seed in range(12):
        data = blanks(seed, rows=80)
        kinds = {"distinct": 1.0, "entropy": 1.0, "recursive": 2.0}
        for diversity, c in kinds.items():
            diverse = method(k=3, l=2, diversity=diversity, c=c)  # type: ignore[call-arg]
            masked = sudare.apply(data, diverse).data
            measure = LDiversity(diversity=diversity, c=c, missing=rule)  # type: ignore[arg-type]
            assert measure(data, masked).value >= 2 - 1e-9
        masked = sudare.apply(data, method(k=3, t=0.3)).data  # type: ignore[call-arg]
        assert TCloseness(missing=rule)(data, masked).value <= 0.3 + 1e-9


@pytest.mark.parametrize("rule", RULES)
def test_classes_are_what_matches_and_what_looks_like_it(rule: MissingKeys) -> None:
    for seed in range(6):
        data = blanks(seed, rows=60)
        masked = sudare.apply(data, mask.LocalSuppression(k=3)).data
        sets, answers = _classes(data, masked, rule), masked["answer"].coded.codes + 1
        whole = np.bincount(answers, minlength=5) / len(answers)
        shares = [np.bincount(answers[members], minlength=5) / members.sum() for members in sets]
        diversity = LDiversity(missing=rule)(data, masked).by_record
        distance = TCloseness(missing=rule)(data, masked).by_record
        assert diversity is not None
        assert distance is not None
        np.testing.assert_array_equal(diversity, [(own > 0).sum() for own in shares])
        np.testing.assert_allclose(distance, [np.abs(own - whole).sum() / 2 for own in shares])


def _classes(before: Microdata, after: Microdata, rule: MissingKeys) -> Flags:
    """Return who may be whom by comparing every pair of records, shape (n, n)."""
    matching = alike = np.ones((before.rows, before.rows), np.bool_)
    for name in before.keys:
        codes = after[name].coded.codes
        suppressed = after[name].suppressed_since(before[name])
        wild = {"suppressed": suppressed, "category": codes < -9, "wildcard": codes == -1}[rule]
        equal = codes[:, None] == codes
        matching, alike = matching & (equal | wild | wild[:, None]), alike & equal
    return np.asarray(matching.astype(int) @ alike.astype(int) > 0)


@pytest.mark.parametrize("method", [mask.FullDomain, mask.Mondrian])
def test_classes_that_cannot_overlap_refuse_wildcards(method: type[Masker]) -> None:
    with pytest.raises(SettingError, match="LocalSuppression"):
        method(missing="wildcard").fit(blanks(1))  # type: ignore[call-arg]
    with pytest.raises(SettingError, match="with l or t"):
        mask.Suppression(missing="wildcard", l=2).fit(blanks(1))


@pytest.mark.parametrize("measure", MEASURES)
def test_wildcards_are_reported_with_what_they_hide(measure: type[Assessment]) -> None:
    frame = pl.DataFrame(
        {
            "a": [*"uvwxy", *[None] * 3],
            "b": [*"pqrst", *[None] * 3],
            "income": ["low", "high"] * 4,
        }
    )
    data = sudare.read(frame, roles={"a": "key", "b": "key", "income": "sensitive"})
    (note,) = measure(missing="wildcard")(data).notes  # type: ignore[call-arg]
    assert "without that rule, 8 records share their keys with fewer than 4" in note


def test_wildcards_keep_records_that_enough_others_match() -> None:
    data = blanks(2)
    plans: dict[str, Any] = {r: mask.Suppression(k=4, missing=r).fit(data) for r in RULES}
    lost = {rule: plan.suppressed for rule, plan in plans.items()}
    assert 0 < lost["wildcard"] < lost["suppressed"] == lost["category"]
    assert all(plan.loss == plan.suppressed / data.rows for plan in plans.values())


@pytest.mark.parametrize(
    "measure",
    [
        *(KAnonymity(), Uniques(), IndividualRisk(), Suda()),
        *(LDiversity(diversity="entropy"), TCloseness()),
    ],
)
def test_blocks_count_suppressed_keys_as_memory_does(measure: KAnonymity, tmp_path: Path) -> None:
    data = blanks(3, rows=500)
    path = sudare.write(data, tmp_path / "in.parquet")
    roles = {column.name: column.role for column in data.columns}
    table, read = sudare.open(path, roles=roles), sudare.read(path, roles=roles)
    masker = mask.LocalSuppression(k=8)
    large, small = sudare.apply(table, masker).data, sudare.apply(read, masker).data
    assert measure(table, large).value == pytest.approx(measure(read, small).value)
    assert measure(table, large).value != measure(table).value


def test_stricter_rules_find_smaller_groups() -> None:
    data = blanks(5)
    masked = sudare.apply(data, mask.LocalSuppression(k=3)).data
    category, suppressed, wildcard = (
        _sizes(data, masked, missing) for missing in ("category", "suppressed", "wildcard")
    )
    assert (category <= suppressed).all()
    assert (suppressed <= wildcard).all()


def _sizes(before: Microdata, after: Microdata, missing: str) -> Floats:
    sizes = KAnonymity(missing=missing)(before, after).by_record  # type: ignore[arg-type]
    assert sizes is not None
    return sizes


def test_blanks_that_changed_places_are_no_wildcards() -> None:
    before = Microdata((Categorical("a", np.array([0, 1, 2, -1]), tuple("xyz"), role="key"),))
    moved = before.take(np.array([3, 1, 2, 0]))
    assert KAnonymity()(before, moved).value == 1
    assert Uniques()(before, moved).value == 1


def test_of_tables_with_other_records_blanks_are_a_value() -> None:
    data = blanks(1)
    masked = sudare.apply(data, mask.LocalSuppression(k=3)).data
    some = masked.take(np.arange(50))
    assert KAnonymity()(data, some).value == KAnonymity(missing="category")(some).value


def test_of_a_release_alone_the_steps_tell_what_was_suppressed() -> None:
    known = Categorical("a", np.array([0, 0, 0, 1]), ("x", "y"), role="key")
    data = Microdata((known,))
    outcome = sudare.apply(data, mask.LocalSuppression(k=3))
    released, steps = outcome.data, outcome.steps
    assert KAnonymity()(released).value == 1
    assert KAnonymity()(released, steps=steps).value == KAnonymity()(data, released).value == 4
    blank = blanks(2)
    outcome = sudare.apply(blank, mask.LocalSuppression(k=3))
    alone = KAnonymity()(outcome.data, steps=outcome.steps).value
    assert alone <= KAnonymity()(blank, outcome.data).value
