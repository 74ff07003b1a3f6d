import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

import sudare
from sudare.core import retellable, speaking
from sudare.core.errors import SettingError
from sudare.core.methods.masker import Masker
from sudare.core.methods.measure import Result
from sudare.loss import DirectComparison, TotalVariation
from sudare.mask import GlobalRecode, Mondrian, Pram, SequentialSynthesis
from sudare.release.comparing.comparison import Comparison
from sudare.release.comparing.risk_utility_map import MapAxis, MapPoint, map_figure
from sudare.release.limits import Limit
from sudare.release.recipe import Recipe
from sudare.risk import KAnonymity, Uniques


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    recipes: dict[str, Masker | list[Masker]] = {
        "as it is": [],
        "coarse": GlobalRecode(min_share=0.2),
        "coarser": GlobalRecode(min_share=0.4),
        "coarse and random": [GlobalRecode(min_share=0.2), Pram(retain=0.5)],
    }
    measures = [Uniques(), KAnonymity(), TotalVariation(), DirectComparison()]
    return sudare.compare(sudare.datasets.toy(2000), recipes, measures, seed=1)


def test_every_recipe_is_measured_by_every_measure(comparison: Comparison) -> None:
    assert [row["recipe"] for row in comparison.table()] == [
        *("as it is", "coarse"),
        *("coarser", "coarse and random"),
    ]
    assert all(len(row) == 5 for row in comparison.table())
    assert comparison["as it is"].results["TotalVariation"].value == 0


def test_nothing_on_the_frontier_is_beaten_and_all_else_is(comparison: Comparison) -> None:
    best = comparison.frontier("Uniques", "DirectComparison")
    points = {
        row["recipe"]: (row["Uniques"], row["DirectComparison"]) for row in comparison.table()
    }
    for name, (risk, loss) in points.items():
        beaten = any(
            r <= risk and l <= loss and (r, l) != (risk, loss)  # type: ignore[operator]
            for r, l in points.values()  # noqa: E741
        )
        assert (name in best) is not beaten


def test_a_measure_where_more_is_better_turns_the_frontier(comparison: Comparison) -> None:
    best = comparison.frontier("KAnonymity", "TotalVariation")
    values = [comparison[name].results["KAnonymity"].value for name in best]
    assert values == sorted(values, reverse=True)


def test_the_map_has_a_point_per_recipe(comparison: Comparison) -> None:
    figure = comparison.figure()
    assert len(figure["data"]["values"]) == 4


def test_nearer_the_origin_of_the_map_is_better(comparison: Comparison) -> None:
    axes = [comparison.figure(risk)["layer"][0]["encoding"] for risk in ("KAnonymity", "Uniques")]
    assert [axis["y"]["scale"]["reverse"] for axis in axes] == [True, False]
    assert not any(axis["x"]["scale"]["reverse"] for axis in axes)


def test_what_a_limit_forbids_is_shaded_and_its_measure_is_the_axis() -> None:
    recipes: dict[str, Masker | list[Masker]] = {"as it is": [], "drawn": Pram(retain=0.5)}
    limits = ["uniques.upper <= 0.1"]
    data = sudare.datasets.toy(200)
    figure = sudare.compare(data, recipes, limits=limits, seed=1).figure()
    area = figure["layer"][0]
    assert area["mark"]["type"] == "rect"
    assert area["data"]["values"][0]["from"] == 0.1
    assert "Sample uniques" in area["encoding"]["y"]["title"]


def test_a_measure_on_which_all_recipes_tie_is_no_axis() -> None:
    recipes: dict[str, Masker | list[Masker]] = {"as it is": [], "drawn": Pram(retain=0.5)}
    measures = [KAnonymity(columns=("sex",)), Uniques(), TotalVariation()]
    figure = sudare.compare(sudare.datasets.toy(200), recipes, measures, seed=1).figure()
    tied = [len({point["risk"] for point in figure["data"]["values"]}) for _ in (0,)]
    assert tied == [2]


def test_pram_is_no_worse_than_nothing_by_the_usual_measures() -> None:
    data = sudare.datasets.toy(400)
    recipes: dict[str, Masker | list[Masker]] = {"as it is": [], "drawn": Pram(retain=0.7)}
    comparison = sudare.compare(data, recipes, seed=1)
    nothing, drawn = (comparison[name].results for name in recipes)
    assert drawn["Reidentification"].value < nothing["Reidentification"].value
    assert drawn["DistanceLoss"].value > nothing["DistanceLoss"].value == 0
    assert set(comparison.frontier()) == set(recipes)


def test_names_cover_neither_points_nor_one_another() -> None:
    data = sudare.datasets.toy(200)
    recipes: dict[str, Masker | list[Masker]] = {
        f"a rather long name, number {n}": Pram(retain=0.9 + n / 100) for n in range(8)
    }
    figure = sudare.compare(data, recipes, seed=1).figure()
    labels = [
        label
        for layer in figure["layer"]
        if layer["encoding"].get("text", {}).get("field") == "recipe"
        for label in layer["data"]["values"]
    ]
    before = {"left": 0.0, "center": 0.5, "right": 1.0}
    boxes = [
        (label["at"] - before[label["align"]] * 6.2 * len(label["recipe"]), label["middle"])
        for label in labels
    ]
    assert len(boxes) >= 4
    for number, (left, top) in enumerate(boxes):
        for other_left, other_top in boxes[:number]:
            assert abs(top - other_top) >= 12.9 or abs(left - other_left) >= 150


def test_a_recipe_that_misses_any_limit_is_a_cross() -> None:
    recipes: dict[str, Masker | list[Masker]] = {"as it is": [], "groups": Mondrian(k=5)}
    limits = ["reidentification <= 1", "k-anonymity >= 5", "uniques.max <= 1"]
    comparison = sudare.compare(sudare.datasets.toy(200), recipes, limits=limits, seed=1)
    assert comparison.within_limits().frontier() == ("groups",)
    figure = comparison.figure()
    looks = {point["recipe"]: point["limits"] for point in figure["data"]["values"]}
    assert looks == {"as it is": "misses a limit", "groups": "keeps the limits"}
    shapes = figure["layer"][-1]["encoding"]["shape"]["scale"]
    assert dict(zip(shapes["domain"], shapes["range"], strict=True))["misses a limit"] == "cross"


def test_a_measure_with_a_limit_is_shown_as_the_limit_judges_it(comparison: Comparison) -> None:
    name = "KAnonymity"
    first = comparison.candidates[0]
    informed = replace(first.results[name], value=9, informed=4)
    candidate = replace(first, results={**first.results, name: informed})
    shown = replace(comparison, candidates=(candidate,))
    assert shown.table()[0][name] == 9
    judged = replace(shown, limits=Limit.all_of(["k-anonymity >= 8"]))
    assert judged.table()[0][name] == 4
    assert judged.figure(risk=name)["data"]["values"][0]["risk"] == 4
    assert not judged.within_limits().candidates


def test_the_map_says_where_the_risk_is_of_another_kind() -> None:
    recipes: dict[str, Masker | list[Masker]] = {"as it is": [], "made": SequentialSynthesis()}
    with retellable():
        comparison = sudare.compare(sudare.datasets.toy(200), recipes, seed=1)
    subtitle = " ".join(comparison.figure()["title"]["subtitle"])
    assert subtitle.startswith("made: ")
    assert "attribute inference" in subtitle
    result = pickle.loads(pickle.dumps(comparison))  # noqa: S301 - as a job of the workbench gives it
    with speaking("ja"):
        assert "属性推論" in "".join(result.figure()["title"]["subtitle"])


def test_of_many_points_only_those_of_the_frontier_are_named() -> None:
    for count, named in ((12, {"0", "5"}), (13, {"0"})):
        points = [
            MapPoint(str(n), Result("R", n / 20, 0, 1), Result("L", n / 20, 0, 1), n == 0)
            for n in range(count)
        ]
        axes = [MapAxis.of("", [p.risk for p in points], ()) for _ in range(2)]
        labels = {
            label["recipe"]
            for layer in map_figure(points, *axes)["layer"]
            if layer["encoding"].get("text")
            for label in layer["data"]["values"]
        }
        assert labels & {"0", "5"} == named


def test_the_same_seed_gives_the_same_comparison() -> None:
    data = sudare.datasets.toy()
    tables = [
        sudare.compare(data, {"p": Pram(retain=0.5)}, [TotalVariation()], seed=s).table()
        for s in (1, 1, 2)
    ]
    assert tables[0] == tables[1] != tables[2]


def test_the_same_measure_twice_is_told_apart_by_its_settings() -> None:
    data = sudare.datasets.toy()
    measures = [Uniques(columns=("sex",)), Uniques(columns=("sex", "age"))]
    comparison = sudare.compare(data, {"as it is": []}, measures)
    assert list(comparison.measures) == [
        "Uniques(columns=('sex',))",
        "Uniques(columns=('sex', 'age'))",
    ]
    with pytest.raises(SettingError, match="given twice"):
        sudare.compare(data, {"as it is": []}, [Uniques(), Uniques()])


def test_it_prints_as_a_table(comparison: Comparison) -> None:
    lines = str(comparison).splitlines()
    assert lines[0].split() == ["recipe", *comparison.measures]
    assert len(lines) == 5


def test_what_cannot_be_compared_is_refused(comparison: Comparison) -> None:
    data = sudare.datasets.toy()
    with pytest.raises(SettingError, match="at least one recipe"):
        sudare.compare(data, {}, [Uniques()])
    with pytest.raises(SettingError, match="needs a risk and a loss"):
        sudare.compare(data, {"a": []}, [Uniques()]).figure()
    with pytest.raises(SettingError, match="no recipe 'coarsest'; did you mean 'coarse"):
        _ = comparison["coarsest"]


RANDOM: dict[str, Masker | list[Masker]] = {
    "as it is": [],
    "random": Pram(retain=0.5),
    "coarse": GlobalRecode(min_share=0.2),
}


def test_recipes_that_draw_are_repeated_and_get_an_interval() -> None:
    measures = [Uniques(), TotalVariation()]
    comparison = sudare.compare(sudare.datasets.toy(), RANDOM, measures, seed=3, repeats=5)
    assert [len(c.runs["TotalVariation"]) for c in comparison.candidates] == [1, 5, 1]
    result, runs = comparison["random"].results["TotalVariation"], comparison["random"].runs
    assert result.interval is not None
    assert result.interval[0] < result.value < result.interval[1]
    assert result.value == pytest.approx(sum(runs["TotalVariation"]) / 5)
    assert len(set(runs["TotalVariation"])) > 1
    once = sudare.compare(sudare.datasets.toy(), RANDOM, measures, seed=3)
    assert once["random"].results["TotalVariation"].value == runs["TotalVariation"][0]
    point = next(p for p in comparison.figure()["data"]["values"] if p["recipe"] == "random")
    assert point["loss_low"] < point["loss"] < point["loss_high"]


def test_the_number_of_workers_does_not_matter() -> None:
    data, measures = sudare.datasets.toy(), [Uniques(), TotalVariation()]
    tables = [
        sudare.compare(data, RANDOM, measures, seed=3, repeats=3, workers=workers).table()
        for workers in (1, 3)
    ]
    assert tables[0] == tables[1]


class Counting(TotalVariation):
    """Counts how often it is called."""

    calls: ClassVar[list[int]] = []

    def _measure(self, *arguments: Any) -> Result:
        self.calls.append(1)
        return super()._measure(*arguments)


def test_what_a_folder_keeps_is_not_measured_again(tmp_path: Path) -> None:
    data, measures = sudare.datasets.toy(), [Uniques(), Counting()]
    first = sudare.compare(data, RANDOM, measures, seed=3, folder=tmp_path)
    earlier = len(Counting.calls)
    again = sudare.compare(data, RANDOM, measures, seed=3, folder=tmp_path)
    assert again.table() == first.table()
    assert [c.steps[0].method for c in again.candidates if c.steps] == ["Pram", "GlobalRecode"]
    assert len(Counting.calls) == earlier
    more = {**RANDOM, "coarser": GlobalRecode(min_share=0.4)}
    sudare.compare(data, more, measures, seed=3, folder=tmp_path)
    assert len(Counting.calls) == earlier + 1
    sudare.compare(data.take(np.arange(300)), RANDOM, measures, seed=3, folder=tmp_path)
    assert len(Counting.calls) == earlier + 4


class CountedRecipe(Recipe):
    """A recipe that knows how often it was prepared and written out."""

    calls: ClassVar[list[str]] = []

    def prepare(self, data: Any) -> Any:
        self.calls.append("prepare")
        return super().prepare(data)

    def to_toml(self) -> str:
        self.calls.append("to_toml")
        return super().to_toml()


def test_a_recipe_is_prepared_once_and_hashed_once_for_all_its_runs(tmp_path: Path) -> None:
    recipe = CountedRecipe("random", [Pram(retain=0.5)], roles={"sex": "key"})
    measures = [Uniques(), TotalVariation()]
    for folder, calls in ((None, ["prepare"]), (tmp_path, ["prepare", "to_toml"])):
        CountedRecipe.calls.clear()
        sudare.compare(
            sudare.datasets.toy(), [recipe], measures, seed=3, repeats=3, workers=1, folder=folder
        )
        assert sorted(CountedRecipe.calls) == calls


def test_a_comparison_is_taken_up_where_it_was_interrupted(tmp_path: Path) -> None:
    data, done = sudare.datasets.toy(), []

    def stop(number: int, total: int, name: str) -> None:
        done.append(name)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sudare.compare(
            data, RANDOM, [Counting()], seed=3, workers=1, folder=tmp_path, on_progress=stop
        )
    assert len(done) == 1
    earlier = len(Counting.calls)
    comparison = sudare.compare(data, RANDOM, [Counting()], seed=3, folder=tmp_path)
    assert len(comparison.candidates) == 3
    assert len(Counting.calls) < earlier + 3


def test_values_by_column_show_where_a_recipe_loses(comparison: Comparison) -> None:
    rows = comparison.by_column("TotalVariation")
    assert {row["recipe"] for row in rows} == {row["recipe"] for row in comparison.table()}
    assert all(len(row) > 2 for row in rows)


def test_zero_repeats_are_refused() -> None:
    with pytest.raises(SettingError, match="repeats must be at least 1"):
        sudare.compare(sudare.datasets.toy(), RANDOM, [Uniques()], repeats=0)
