"""Every method of k-anonymity keeps its promise by the default measure, with blanks in the keys."""

from pathlib import Path

import numpy as np
import pytest

import sudare
from sudare import mask
from sudare.core.columns import Categorical
from sudare.core.masker import Masker
from sudare.core.microdata import Microdata
from sudare.core.types import Floats
from sudare.risk import HouseholdRisk, IndividualRisk, KAnonymity, Suda, Uniques

MASKERS = [mask.LocalSuppression, mask.Suppression, mask.FullDomain, mask.Mondrian]


def blanks(seed: int, rows: int = 120) -> Microdata:
    """Return keys of which some are blank, some so in few records only."""
    rng = np.random.default_rng(seed)
    columns = []
    for place, size in enumerate((3, 4, 7)):
        codes = rng.integers(0, size, rows)
        codes[rng.random(rows) < (0.01, 0.1, 0.4)[place]] = -1
        codes[rng.random(rows) < 0.05] = -2
        columns.append(Categorical(f"k{place}", codes, tuple("abcdefg"[:size]), role="key"))
    return Microdata(tuple(columns))


@pytest.mark.parametrize("method", MASKERS)
@pytest.mark.parametrize("seed", range(4))
def test_k_of_the_default_measure_is_at_least_k(method: type[Masker], seed: int) -> None:
    data = blanks(seed)
    for masker in (method(), method(k=5)):  # type: ignore[call-arg]
        masked = sudare.apply(data, masker, seed=1).data
        assert KAnonymity()(data, masked).value >= masker.k  # type: ignore[attr-defined]
        assert Uniques()(data, masked).value == 0


@pytest.mark.parametrize("missing", ["suppressed", "category", "wildcard"])
def test_masker_and_measure_mean_the_same(missing: str) -> None:
    data = blanks(7)
    masker = mask.LocalSuppression(k=4, missing=missing)  # type: ignore[arg-type]
    masked = sudare.apply(data, masker).data
    assert KAnonymity(missing=missing)(data, masked).value >= 4  # type: ignore[arg-type]


def test_maskers_and_measures_have_one_default() -> None:
    for method in (mask.LocalSuppression, KAnonymity, Uniques, IndividualRisk, HouseholdRisk, Suda):
        assert method().missing == "suppressed"


@pytest.mark.parametrize("measure", [KAnonymity(), Uniques(), IndividualRisk(), Suda()])
def test_blocks_count_suppressed_keys_as_memory_does(measure: KAnonymity, tmp_path: Path) -> None:
    data = blanks(3, rows=500)
    path = sudare.write(data, tmp_path / "in.parquet")
    table = sudare.open(path, roles=dict.fromkeys(data.names, "key"))
    read = sudare.read(path, roles=dict.fromkeys(data.names, "key"))
    masker = mask.LocalSuppression(k=3)
    large, small = sudare.apply(table, masker).data, sudare.apply(read, masker).data
    assert measure(table, large).value == pytest.approx(measure(read, small).value)
    assert measure(table, large).value != measure(table).value


def test_stricter_rules_find_smaller_groups() -> None:
    data = blanks(5)
    masked = sudare.apply(data, mask.LocalSuppression(k=3)).data
    found = [_sizes(data, masked, missing) for missing in ("category", "suppressed", "wildcard")]
    assert (found[0] <= found[1]).all()
    assert (found[1] <= found[2]).all()


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
