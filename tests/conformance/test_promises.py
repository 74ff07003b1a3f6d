"""Promises that every method of the catalog keeps. New methods are tested by being listed."""

import json
import re
from typing import Any

import numpy as np
import pytest

import sudare
from sudare import catalog, loss, mask, risk
from sudare.core.methods.masker import Masker
from sudare.core.methods.measure import Measure
from sudare.core.settings import settings_of
from sudare.core.table.categorical import Categorical
from sudare.core.table.column import Column
from sudare.core.table.microdata import Microdata
from sudare.core.table.numeric import Numeric
from sudare.mask import PkAnonymization, TreeMicroaggregation
from sudare.mask.anonymity.conditions import Anonymity
from sudare.mask.microaggregation.aggregation import Aggregation
from sudare.release.recipe import Recipe

ENTRIES = {
    entry.name: entry
    for entry in catalog.METHODS
    if entry.subject == "table" and entry.family != "reconstruct"
}
MASKERS = [name for name, entry in ENTRIES.items() if entry.family == "mask"]
MEASURES = [name for name, entry in ENTRIES.items() if entry.family != "mask"]
Refusing = Aggregation | TreeMicroaggregation | Anonymity | PkAnonymization  # fewer than k
SUPPRESS = {"FullDomain", "LocalSuppression", "Mondrian", "PkSampling", "Suppression"}
LEAVE_OUT = {"RemoveRecords", "Subsample"}  # whole records
SYNTHESIZE = {"SequentialSynthesis", "MultipleImputation"}
SIGNED = {"ClassificationLoss", "DistanceLoss", "ModelLoss"}  # may be better than the original
NEEDED: dict[str, dict[str, Any]] = {
    "MembershipInference": {"control": "held"},
    "SurvivalOverlap": {"time": "age", "event": "held"},
    **{name: {"given": ("held",)} for name in SYNTHESIZE},  # nothing else stays
}
PLANTED_LABEL = "zq9planted"
PLANTED_NUMBER = 918273.6455


@pytest.fixture(scope="module")
def data() -> Microdata:
    """The toy population with a planted secret label and a planted secret number."""
    toy = sudare.datasets.toy(300, seed=3)
    region, income = toy["region"], toy["income"]
    assert isinstance(region, Categorical)
    assert isinstance(income, Numeric)
    values = income.values.copy()
    values[7] = PLANTED_NUMBER
    codes = region.codes.copy()
    codes[7] = len(region.labels)
    planted = Categorical("region", codes, (*region.labels, PLANTED_LABEL), role="key")
    masked = toy.replacing(
        [planted, Numeric("income", values, role="sensitive", absent=income.absent)]
    )
    held = Categorical("held", np.arange(toy.rows) % 3 == 0, (0, 1), role="other")
    return Microdata((*masked.columns, held))


def masker(name: str) -> Masker:
    method = catalog.masker(name, NEEDED.get(name, {}))
    assert isinstance(method, Masker)
    return method


def released(name: str, masked: Microdata) -> Microdata:
    """Return a masked table as a measure gets it: what marks control records is not released."""
    return masked.without({NEEDED.get(name, {}).get("control", "")})


def measure(name: str) -> Measure:
    method = catalog.measure(name, NEEDED.get(name, {}))
    assert isinstance(method, Measure)
    return method


def method_of(name: str, **settings: Any) -> Masker | Measure:
    method = catalog.find(name).method(**settings)
    assert isinstance(method, Masker | Measure)
    return method


def bytes_of(column: Column) -> bytes:
    if isinstance(column, Categorical):
        return column.codes.tobytes() + repr(column.labels).encode()
    assert isinstance(column, Numeric)
    return column.values.tobytes() + column.not_applicable.tobytes()


@pytest.mark.parametrize("name", MASKERS)
def test_the_input_stays_untouched(name: str, data: Microdata) -> None:
    before = [bytes_of(column) for column in data.columns]
    sudare.apply(data, masker(name), seed=1)
    assert before == [bytes_of(column) for column in data.columns]


@pytest.mark.parametrize("name", MASKERS)
def test_the_same_seed_gives_the_same_table_and_another_seed_another(
    name: str, data: Microdata
) -> None:
    first, second, third = (sudare.apply(data, masker(name), seed=s).data for s in (1, 1, 2))
    assert first.equals(second)
    assert first.equals(third) is not masker(name).random


@pytest.mark.parametrize("name", MASKERS)
def test_only_the_columns_of_the_step_change(name: str, data: Microdata) -> None:
    masked = sudare.apply(data, masker(name), seed=1)
    assert masked.data.names == data.names
    assert (masked.data.rows < data.rows) is (name in LEAVE_OUT)
    kept = data.still_in(masked.data)
    for before, after in zip(kept.columns, masked.data.columns, strict=True):
        assert (before.role, before.rows) == (after.role, after.rows)
        if before.name not in masked.steps[0].columns:
            assert before is after or (name in LEAVE_OUT and bytes_of(before) == bytes_of(after))


@pytest.mark.parametrize("name", MASKERS)
def test_absent_values_stay_absent_in_the_same_way(name: str, data: Microdata) -> None:
    masked = sudare.apply(data, masker(name), seed=1).data
    for before, after in zip(data.still_in(masked).columns, masked.columns, strict=True):
        if name in SYNTHESIZE:  # new records: none belongs to an original one
            assert after.known.any()
            continue
        if name in SUPPRESS:
            assert not (after.known & ~before.known).any()
            continue
        np.testing.assert_array_equal(before.missing, after.missing)
        np.testing.assert_array_equal(before.not_applicable, after.not_applicable)


@pytest.mark.parametrize("name", MASKERS)
def test_what_is_learnt_does_not_depend_on_record_order(name: str, data: Microdata) -> None:
    shuffled = np.random.default_rng(4).permutation(data.rows)
    plan, other = masker(name).fit(data), masker(name).fit(data.take(shuffled))
    if not masker(name).random:
        expected, actual = plan.transform(data), other.transform(data.take(shuffled))
        kept = expected.record_numbers
        stays = shuffled >= 0 if kept is None else np.isin(shuffled, kept)
        order = np.argsort(np.argsort(shuffled[stays]))
        _assert_alike(expected.take(order), actual)
    for column, facts in plan.step.public.items():
        for fact, value in facts.items():
            np.testing.assert_array_equal(
                _numbers(value), _numbers(other.step.public[column][fact])
            )


def _assert_alike(expected: Microdata, actual: Microdata) -> None:
    """Sums depend on the order of their terms in the last digits; nothing else may."""
    for wanted, other in zip(expected.columns, actual.columns, strict=True):
        if isinstance(wanted, Numeric) and isinstance(other, Numeric):
            np.testing.assert_allclose(other.values, wanted.values, rtol=1e-9)
        else:
            assert bytes_of(wanted) == bytes_of(other)


def _numbers(value: object) -> object:
    return round(value, 9) if isinstance(value, float) else value


@pytest.mark.parametrize("name", [n for n in MASKERS if masker(n).works_on == "rows"])
def test_rows_are_masked_alike_in_any_partition(name: str, data: Microdata) -> None:
    from sudare.core.draws import Draws

    plan, draws = masker(name).fit(data), Draws(9)
    whole = plan.transform(data, seed=draws)
    for part in (slice(0, 101), slice(101, 300)):
        rows = np.arange(data.rows)[part]
        masked = plan.transform(data.take(rows), seed=draws.starting_at(part.start))
        assert masked.equals(whole.take(rows))


@pytest.mark.parametrize("name", MASKERS)
def test_a_masker_replays_from_its_recipe(name: str, data: Microdata) -> None:
    import tomllib

    recipe = Recipe("one step", [masker(name)])
    again = Recipe.from_mapping(tomllib.loads(recipe.to_toml()))
    assert again.apply(data, seed=5).data.equals(recipe.apply(data, seed=5).data)


@pytest.mark.parametrize("name", MEASURES)
def test_identity_costs_nothing(name: str, data: Microdata) -> None:
    if ENTRIES[name].family == "loss":
        result = measure(name)(data, data)
        assert result.value == result.best
        assert all(part == result.best for part in result.parts.values())


@pytest.mark.parametrize("name", MEASURES)
def test_a_measure_does_not_depend_on_record_order(name: str, data: Microdata) -> None:
    masked = released(name, sudare.apply(data, mask.Pram(retain=0.5), seed=1).data)
    shuffled = np.random.default_rng(4).permutation(data.rows)
    before, after = data.take(shuffled), masked.take(shuffled)
    assert measure(name)(before, after).value == pytest.approx(measure(name)(data, masked).value)


@pytest.mark.parametrize("name", MEASURES)
def test_a_measure_takes_a_table_with_fewer_records(name: str, data: Microdata) -> None:
    steps = [mask.Subsample(share=0.4), mask.Pram(retain=0.9)]
    masked = released(name, sudare.apply(data, steps, seed=1).data)
    result = measure(name)(data, masked)
    assert np.isfinite(result.value)
    if measure(name).pairs:
        assert "120 records that were kept" in " ".join(result.notes)
        assert result.value == measure(name)(data.still_in(masked), masked).value


@pytest.mark.parametrize("name", MEASURES)
def test_values_lie_between_best_and_worst(name: str, data: Microdata) -> None:
    steps = [mask.Pram(retain=0.2), mask.Noise(sd_ratio=2.0)]
    result = measure(name)(data, released(name, sudare.apply(data, steps, seed=1).data))
    low, high = sorted((result.best, result.worst))
    if name in SIGNED:
        low = -np.inf
    assert low <= result.value <= high
    assert result.by_record is None or len(result.by_record) == data.rows


@pytest.mark.parametrize("name", MEASURES)
def test_a_result_draws_itself_and_goes_into_json(name: str, data: Microdata) -> None:
    result = measure(name)(data, released(name, data))
    assert json.loads(json.dumps(result.figure()))["mark"]
    assert json.dumps(result.as_dict(), allow_nan=False)


@pytest.mark.parametrize("name", ENTRIES)
def test_nothing_secret_is_printed(name: str, data: Microdata) -> None:
    texts = [repr(data), str(data), *(repr(column) for column in data.columns)]
    if name in MASKERS:
        plan = masker(name).fit(data)
        masked = sudare.apply(data, masker(name), seed=1)
        texts += [repr(plan), str(plan), repr(plan.step), repr(masked), repr(masked.steps)]
    else:
        result = measure(name)(data, released(name, data))
        texts += [
            repr(result),
            str(result),
            json.dumps(result.as_dict()),
            json.dumps(result.figure()),
        ]
    for text in texts:
        assert PLANTED_LABEL not in text
        assert "918273" not in text


@pytest.mark.parametrize("name", ENTRIES)
def test_an_unknown_column_is_refused_with_the_nearest_name(name: str, data: Microdata) -> None:
    method = method_of(name, columns=("incom",))
    with pytest.raises(sudare.errors.ColumnError, match="did you mean 'income'"):
        method.fit(data) if isinstance(method, Masker) else method(data, data)


@pytest.mark.parametrize("name", ENTRIES)
def test_a_method_without_fitting_columns_says_what_it_needs(name: str) -> None:
    bare = Microdata((Numeric("id", np.arange(3.0), role="identifier"),))
    method = method_of(name)
    with pytest.raises(
        sudare.errors.ColumnError, match=r"no column (has|with) the role .* name the columns"
    ):
        method.fit(bare) if isinstance(method, Masker) else method(bare, bare)


@pytest.mark.parametrize("name", ENTRIES)
@pytest.mark.parametrize("rows", ["one record", "nothing known", "one category"])
def test_the_edges_do_not_break_a_method(name: str, rows: str) -> None:
    method = method_of(name)
    edge = _edge(rows)
    if isinstance(method, Masker) and rows == "nothing known":
        with pytest.raises(sudare.errors.ColumnError, match="has no values; leave it out"):
            method.fit(edge)
    elif isinstance(method, Refusing) and rows == "one record":
        with pytest.raises(sudare.errors.SettingError, match="fewer than k = 3"):
            method.fit(edge)
    elif isinstance(method, Masker):
        rows_left = method.fit(edge).transform(edge, seed=1).rows
        assert 0 < rows_left <= edge.rows if name in LEAVE_OUT else rows_left == edge.rows
    elif name in {"LDiversity", "TCloseness"}:
        with pytest.raises(sudare.errors.ColumnError, match="no sensitive column"):
            method(edge, edge)
    elif name in NEEDED:
        with pytest.raises(sudare.errors.SettingError, match="needs"):
            method(edge, edge)
    elif name == "ModelLoss":
        with pytest.raises(sudare.errors.ColumnError, match="nothing to predict"):
            method(edge, edge)
    else:
        assert np.isfinite(method(edge, edge).value)


def _edge(rows: str) -> Microdata:
    size = {"one record": 1, "nothing known": 4, "one category": 5}[rows]
    code, number = (-1, np.nan) if rows == "nothing known" else (0, 3.0)
    labels = () if rows == "nothing known" else ("a",)
    return Microdata(
        (
            Categorical("sex", np.full(size, code), labels, role="key"),
            Numeric("pay", np.full(size, number), role="key"),
            Numeric("house", np.full(size, number), role="household"),
        )
    )


@pytest.mark.parametrize("name", ENTRIES)
def test_every_setting_has_a_help_text_and_every_method_a_summary(name: str) -> None:
    entry = ENTRIES[name]
    assert re.match(r"[A-Z].*\.$", entry.summary), entry.summary
    assert all(setting.help for setting in settings_of(entry.method))
    assert ">>>" in (entry.method.__doc__ or ""), "a docstring carries an example that runs"


def test_the_catalog_lists_what_the_rooms_offer() -> None:
    offered = {name: getattr(room, name) for room in (mask, risk, loss) for name in dir(room)}
    methods = {
        name
        for name, offer in offered.items()
        if isinstance(offer, type) and issubclass(offer, Masker | Measure)
    }
    assert methods == set(ENTRIES)
