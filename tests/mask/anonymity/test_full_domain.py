"""Full-domain generalization: the best of all levels, and k-anonymous as published."""

import tomllib
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

import sudare
from sudare.core import SettingError
from sudare.core.table.categorical import Categorical
from sudare.core.table.column import Column
from sudare.core.table.microdata import Microdata
from sudare.core.table.numeric import Numeric
from sudare.describe import Hierarchy
from sudare.describe.hierarchies.hierarchy_settings import Declaration
from sudare.mask import FullDomain, Suppression
from sudare.mask.anonymity.generalization import GeneralizationPlan, Keys
from sudare.mask.anonymity.lattice.branch_and_bound import Search
from sudare.mask.anonymity.lattice.losses import LossName, loss_of
from sudare.release.recipe import Recipe
from sudare.risk import KAnonymity, LDiversity, TCloseness
from tests.mask.lattice_twin import Key, all_levels, classes, keys_of, loss

LOSSES: tuple[LossName, ...] = ("loss", "entropy", "height", "discernibility", "class_size")
Case = tuple[Microdata, dict[str, Hierarchy]]


@st.composite
def cases(draw: Callable[..., int]) -> Case:
    """Some records with two or three keys, gaps among them, and a sensitive column."""
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    n, columns, hierarchies = draw(st.integers(6, 40)), list[Column](), {}
    for number in range(draw(st.integers(2, 3))):
        size = int(rng.integers(1, 7))
        share = rng.dirichlet(np.full(size, 0.7))
        codes = rng.choice(size, n, p=share)
        codes[rng.random(n) < rng.choice([0, 0.1])] = rng.choice([-1, -2])
        codes[0] = 0
        labels = tuple(f"v{i}" for i in range(size))
        columns.append(Categorical(f"key{number}", codes, labels, role="key"))
        hierarchies[f"key{number}"] = hierarchy(rng, labels)
    columns.append(Categorical("illness", rng.integers(0, 3, n), ("a", "b", "c"), role="sensitive"))
    return Microdata(tuple(columns)), hierarchies


def hierarchy(rng: np.random.Generator, labels: tuple[str, ...]) -> Hierarchy:
    levels: list[list[str]] = [list(labels)]
    for level in range(int(rng.integers(0, 3))):
        names = sorted(set(levels[-1]))
        merged = {name: f"g{level}{rng.integers(0, max(len(names) // 2, 1))}" for name in names}
        levels.append([merged[label] for label in levels[-1]])
    return Hierarchy.of(zip(*levels, strict=True))


def fitted(masker: FullDomain | Suppression, data: Microdata) -> GeneralizationPlan:
    plan = masker.fit(data)
    assert isinstance(plan, GeneralizationPlan)
    return plan


def kept_by_size(keys: list[Key], levels: tuple[int, ...], k: int) -> list[list[list[int]]]:
    """Return what may be published: the large classes, or all of these but one of the smallest."""
    all_classes = classes(keys, levels)
    kept = [members for members in all_classes if len(members) >= k]
    lost = sum(map(len, all_classes)) - sum(map(len, kept))
    if 0 < lost < k:
        smallest = min(map(len, kept))
        return [[m for m in kept if m is not left] for left in kept if len(left) == smallest]
    return [kept]


@given(cases(), st.sampled_from(LOSSES), st.sampled_from([0.0, 0.15, 0.4, 1.0]), st.integers(2, 4))
def test_no_levels_have_a_smaller_loss(case: Case, name: LossName, limit: float, k: int) -> None:
    data, hierarchies = case
    masker = FullDomain(k=k, suppression_limit=limit, loss=name, hierarchies=hierarchies)
    plan = fitted(masker, data)
    keys = keys_of(data, hierarchies)
    best, worst = np.inf, np.inf
    for levels in all_levels(keys):
        options = [
            loss(name, keys, levels, kept)
            for kept in kept_by_size(keys, levels, k)
            if data.rows - sum(map(len, kept)) <= limit * data.rows + 1e-9
        ]
        if options:  # which of several smallest classes is suppressed may matter
            best, worst = min(best, *options, np.inf), min(worst, max(options))
    assert best - 1e-9 <= plan.loss <= worst + 1e-9
    assert plan.optimal
    assert plan.gap == 0
    chosen = tuple(plan.levels[name] for name in hierarchies)
    assert any(
        plan.loss == pytest.approx(loss(name, keys, chosen, kept), abs=1e-9)
        and plan.suppressed == data.rows - sum(map(len, kept))
        for kept in kept_by_size(keys, chosen, k)
    )


CONDITIONS: list[dict[str, object]] = [
    {},
    {"l": 2},
    {"l": 1.6, "diversity": "entropy"},
    {"l": 2, "diversity": "recursive", "c": 2.0},
    {"t": 0.3},
    {"t": 0.2, "distance": "ordered"},
    {"l": 2, "t": 0.4, "distance": "hierarchical"},
]


@given(cases(), st.sampled_from(CONDITIONS), st.sampled_from([0.0, 0.2, 1.0]))
def test_what_is_published_meets_the_conditions(
    case: Case, conditions: dict[str, object], limit: float
) -> None:
    data, hierarchies = case
    masker = FullDomain(k=3, suppression_limit=limit, hierarchies=hierarchies, **conditions)  # type: ignore[arg-type]
    try:
        plan = fitted(masker, data)
    except sudare.errors.SettingError as error:
        assert "not even all records together" in str(error)  # noqa: PT017
        return
    published = plan.transform(data)
    assert KAnonymity()(data, published).value >= 3
    assert plan.suppressed <= limit * data.rows + 1e-9
    if masker.l is not None:
        measure = LDiversity(diversity=masker.diversity, c=masker.c)
        assert measure(data, published).value >= masker.l - 1e-9
    if masker.t is not None:
        assert TCloseness(distance=masker.distance)(data, published).value <= masker.t + 1e-9


@given(cases(), st.sampled_from(CONDITIONS[1:]), st.sampled_from([0.0, 0.3, 1.0]))
def test_no_levels_are_better_under_conditions_either(
    case: Case, conditions: dict[str, object], limit: float
) -> None:
    data, hierarchies = case
    masker = FullDomain(k=2, suppression_limit=limit, hierarchies=hierarchies, **conditions)  # type: ignore[arg-type]
    try:
        plan = fitted(masker, data)
    except sudare.errors.SettingError:
        return
    required, values = masker.class_conditions(data, tuple(hierarchies))
    keys = Keys([data[name] for name in hierarchies], list(hierarchies.values()))
    lattice = keys.lattice(values)
    most = int(limit * data.rows + 1e-9)
    search = Search(lattice, required, loss_of("loss", lattice, 2), most, None)
    nodes = [search.at(np.array(levels)) for levels in np.ndindex(*lattice.heights)]
    feasible = [n.loss for n in nodes if n.table.sizes[n.lost].sum() <= most]
    assert plan.loss == pytest.approx(min(feasible), abs=1e-12)


@given(cases(), st.sampled_from(LOSSES))
def test_more_suppression_and_smaller_classes_never_cost_more(case: Case, name: LossName) -> None:
    data, hierarchies = case
    losses = [
        fitted(
            FullDomain(k=3, suppression_limit=limit, loss=name, hierarchies=hierarchies), data
        ).loss
        for limit in (0.0, 0.1, 0.3, 1.0)
    ]
    assert losses == sorted(losses, reverse=True)
    without = [
        fitted(FullDomain(k=k, suppression_limit=0, loss=name, hierarchies=hierarchies), data).loss
        for k in (1, 2, 3, 4)
    ]
    assert without == sorted(without)


@given(cases(), st.integers(1, 4))
def test_suppression_publishes_exactly_what_is_frequent(case: Case, k: int) -> None:
    data, hierarchies = case
    plan = fitted(Suppression(k=k), data)
    published = plan.transform(data)
    assert KAnonymity()(data, published).value >= k
    keys = keys_of(data, hierarchies)
    options = kept_by_size(keys, (0,) * len(keys), k)
    assert plan.suppressed == data.rows - sum(map(len, options[0]))
    for name in hierarchies:
        after, before = published[name].coded.codes, data[name].coded.codes
        assert np.isin(after[after != before], [-1]).all()


def people() -> Microdata:
    """Eight people of known age and area."""
    ages = np.array([21.0, 22, 23, 31, 32, 33, 61, np.nan])
    areas = np.array([0, 0, 1, 1, 0, 1, 2, 2])
    return Microdata(
        (
            Numeric("age", ages, role="key"),
            Categorical("area", areas, ("Nara", "Osaka", "Tokyo"), role="key"),
        )
    )


AREAS = Hierarchy.of([("Nara", "Kansai"), ("Osaka", "Kansai"), ("Tokyo", "Kanto")])


def test_by_hand() -> None:
    ages = {"age": {"widths": [10, 20]}}
    plan = fitted(
        FullDomain(k=2, suppression_limit=0.25, hierarchies=ages, columns=("age",)), people()
    )
    assert plan.levels == {"age": 1}
    assert plan.suppressed == 2  # the one aged 61, and the one without an age
    # Six values stand for 3 of 7 ages, two are suppressed: (6 · 3/7 + 2 - 8/7) / (8 - 8/7).
    assert plan.loss == pytest.approx(0.5, abs=1e-9)
    published = plan.transform(people())["age"].coded
    assert [published.labels[c] for c in published.codes[:6]] == ["20–29"] * 3 + ["30–39"] * 3
    assert published.codes[6:].tolist() == [-1, -1]


def test_by_hand_with_two_keys() -> None:
    declared: dict[str, Declaration] = {"age": {"widths": [10, 20]}, "area": AREAS}
    plan = fitted(FullDomain(k=2, suppression_limit=0.25, hierarchies=declared), people())
    assert plan.levels == {"age": 3, "area": 0}
    assert plan.suppressed == 0
    assert plan.loss == pytest.approx(2**0.5 - 1, abs=1e-9)  # one key lost, one whole
    assert plan.step.public == {"age": {"level": 3, "levels": 4}, "area": {"level": 0, "levels": 3}}


def test_a_column_with_gaps_at_the_last_level_is_missing_altogether() -> None:
    masker = FullDomain(k=8, suppression_limit=0, hierarchies={"area": AREAS})
    published = masker.fit(people()).transform(people())
    assert published["age"].missing.all()
    assert set(published["area"].coded.codes.tolist()) == {0}
    assert published["area"].coded.labels == ("*",)


def test_few_suppressed_records_take_the_smallest_class_with_them() -> None:
    codes = np.array([0] * 5 + [1] * 4 + [2])
    data = Microdata((Categorical("key", codes, ("a", "b", "c"), role="key"),))
    plan = fitted(Suppression(k=3), data)
    assert plan.suppressed == 5
    assert plan.transform(data)["key"].coded.codes.tolist() == [0] * 5 + [-1] * 5


def test_level_0_keeps_numbers_numbers() -> None:
    data = Microdata((Numeric("age", np.repeat([20.0, 30.0], 3), role="key"),))
    published = FullDomain(k=3).fit(data).transform(data)
    assert isinstance(published["age"], Numeric)


def test_other_data_are_masked_by_the_same_levels() -> None:
    data = sudare.datasets.toy()
    plan = fitted(FullDomain(k=3, columns=("sex", "region")), data)
    part = plan.transform(data.take(np.arange(50)))
    assert part.equals(plan.transform(data).take(np.arange(50)))


def test_when_time_is_up_the_plan_says_how_much_better_another_could_be() -> None:
    data = sudare.datasets.toy()
    best = fitted(FullDomain(k=3, seconds=None), data)
    hasty = fitted(FullDomain(k=3, seconds=0), data)
    assert best.optimal
    assert hasty.bound <= best.loss <= hasty.loss
    assert hasty.gap == hasty.loss - hasty.bound
    assert not hasty.optimal


def test_hierarchies_come_from_files_and_words(tmp_path: Path) -> None:
    path = tmp_path / "areas.csv"
    path.write_text("Nara;Kansai\nOsaka;Kansai\nTokyo;Kanto\n")
    declarations: list[Declaration] = [
        AREAS,
        path,
        str(path),
        AREAS.tree(),
        {"ways": [["Nara", "Kansai"], ["Osaka", "Kansai"], ["Tokyo", "Kanto"]]},
        {
            "parents": dict.fromkeys(("Nara", "Osaka"), "Kansai")
            | {"Tokyo": "Kanto"}
            | dict.fromkeys(("Kansai", "Kanto"), "*")
        },
    ]
    plans = [
        fitted(FullDomain(k=2, hierarchies={"area": declaration}, suppression_limit=1), people())
        for declaration in declarations
    ]
    assert len({(plan.loss, tuple(plan.levels.values())) for plan in plans}) == 1


@pytest.mark.parametrize(
    ("declaration", "words"),
    [
        ({"width": [5]}, "is a path, or a table with one of"),
        ({"widths": [5], "cuts": [[1]]}, "is a path, or a table with one of"),
        ({"widths": [5]}, "its values are not numbers"),
        ("nowhere.csv", "there is no file"),
    ],
)
def test_a_hierarchy_that_cannot_be_is_refused(declaration: object, words: str) -> None:
    with pytest.raises(sudare.errors.SudareError, match=words):
        FullDomain(hierarchies={"area": declaration}, k=2).fit(people())  # type: ignore[dict-item]


def test_a_hierarchy_for_a_column_that_is_not_masked_is_refused() -> None:
    with pytest.raises(sudare.errors.SettingError, match="which is not masked"):
        FullDomain(hierarchies={"area": AREAS}, columns=("age",), k=2).fit(people())


def test_a_recipe_keeps_hierarchies() -> None:
    for area in (AREAS, AREAS.tree()):
        declared: dict[str, Declaration] = {"age": {"widths": [10, 20]}, "area": area}
        recipe = Recipe("general", [FullDomain(k=2, hierarchies=declared, suppression_limit=0.25)])
        again = Recipe.from_mapping(tomllib.loads(recipe.to_toml()))
        assert again.apply(people()).data.equals(recipe.apply(people()).data)


def test_tables_that_found_no_room_are_made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    data = sudare.datasets.toy()
    masker = FullDomain(k=3, suppression_limit=0.1, columns=("sex", "age", "region", "education"))
    roomy = fitted(masker, data)
    monkeypatch.setattr("sudare.mask.anonymity.lattice.branch_and_bound._MOST_ROWS", 0)
    cramped = fitted(masker, data)
    assert (cramped.loss, cramped.levels) == (roomy.loss, roomy.levels)


def wide(seed: int, rows: int = 300, keys: int = 14) -> Microdata:
    rng = np.random.default_rng(seed)
    level = rng.integers(0, 3, rows)
    return Microdata(
        tuple(
            Numeric(f"x{i}", (level * 8 + rng.integers(0, 9, rows)).astype(float), role="key")
            for i in range(keys)
        )
    )


@pytest.mark.parametrize("limit", [0.0, 0.1])
def test_a_wide_lattice_is_searched_from_the_top_down(limit: float) -> None:
    data = wide(1)
    hierarchies: dict[str, Declaration] = {name: {"widths": [4, 8]} for name in data.names}
    masker = FullDomain(k=3, suppression_limit=limit, hierarchies=hierarchies, seconds=1)
    plan = fitted(masker, data)
    lattice = Keys(data.columns, list(plan.hierarchies.values())).lattice(
        np.zeros((data.rows, 0), np.int32)
    )
    top = loss_of("loss", lattice, 3).at_least(lattice.heights - 1)
    assert plan.loss < 0.99 * top
    assert plan.suppressed <= limit * data.rows
    masked = plan.transform(data)
    assert sudare.risk.KAnonymity()(data, masked).value >= 3 or plan.suppressed


@given(st.integers(0, 50), st.integers(1, 6))
def test_classes_told_apart_by_hashes_are_those_told_apart_by_keys(seed: int, keys: int) -> None:
    data = wide(seed, 40, keys)
    levels = [Hierarchy.intervals(range(25), widths=[4, 8]) for _ in data.names]
    lattice = Keys(data.columns, levels).lattice(np.zeros((data.rows, 0), np.int32))
    at = np.random.default_rng(seed).integers(0, lattice.heights)
    groups = [lattice.groups[k][at[k]][lattice.codes[k]] for k in range(keys)]
    _, index = np.unique(np.stack(groups), axis=1, return_inverse=True)
    expected = np.bincount(index.ravel(), lattice.counts)
    assert sorted(lattice.table_at(at).sizes.tolist()) == sorted(expected.tolist())


def test_a_sensitive_column_may_have_as_many_values_as_records() -> None:
    rng = np.random.default_rng(1)
    x, y, pay = rng.normal(size=(3, 12_000))
    keys = Numeric("x", x, role="key"), Numeric("y", y, role="key")
    data = Microdata((*keys, Numeric("pay", pay, role="sensitive")))
    plan = fitted(FullDomain(k=5, t=0.3, sensitive=("pay",)), data)
    assert plan.optimal
    classes = plan.transform(data)
    assert (
        sudare.risk.TCloseness(columns=("x", "y"), sensitive=("pay",))(data, classes).value <= 0.3
    )


def test_whenever_time_is_up_the_bound_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    data = sudare.datasets.toy()
    keys = ("sex", "age", "region", "education")
    best = fitted(FullDomain(k=3, suppression_limit=0.1, columns=keys), data).loss
    for looks in range(40):
        clock = count()
        monkeypatch.setattr(
            "sudare.mask.anonymity.lattice.branch_and_bound.time.monotonic", lambda c=clock: next(c)
        )
        masker = FullDomain(k=3, suppression_limit=0.1, columns=keys, seconds=looks)
        plan = fitted(masker, data)
        assert plan.bound <= best <= plan.loss


@given(cases(), st.sampled_from([0.0, 0.15, 0.4]))
def test_a_solution_that_is_chosen_is_what_was_listed(case: Case, limit: float) -> None:
    data, hierarchies = case
    masker = FullDomain(k=2, suppression_limit=limit, hierarchies=hierarchies)
    best, solutions = fitted(masker, data), masker.solutions(data)
    assert len({tuple(solution.levels.values()) for solution in solutions}) == len(solutions)
    assert solutions[0].loss == pytest.approx(best.loss)
    for solution in solutions[:: max(len(solutions) // 5, 1)]:
        chosen = replace(masker, levels=solution.levels)
        if solution.is_kept:
            plan = fitted(chosen, data)
            assert (plan.levels, plan.suppressed) == (solution.levels, solution.suppressed)
            assert plan.loss == pytest.approx(solution.loss)
            assert plan.bound <= best.loss
        else:
            with pytest.raises(SettingError, match="would lose all keys"):
                chosen.fit(data)


def test_of_a_large_lattice_the_nearest_solutions_are_listed() -> None:
    masker = FullDomain(k=3, columns=("sex", "age", "region"))
    data = sudare.datasets.toy()
    best, *others = masker.solutions(data, most=4)
    assert len(others) == 3
    for other in others:
        assert sum(abs(other.levels[name] - level) for name, level in best.levels.items()) == 1


@pytest.mark.parametrize(
    ("levels", "refusal"),
    [({"sex": 0}, "levels must name every key"), ({"sex": 0, "region": 9}, "between 0 and")],
)
def test_levels_that_are_not_in_the_lattice_are_refused(
    levels: dict[str, int], refusal: str
) -> None:
    masker = FullDomain(k=3, columns=("sex", "region"), levels=levels)
    with pytest.raises(SettingError, match=refusal):
        masker.fit(sudare.datasets.toy())
