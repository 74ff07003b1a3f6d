import pytest

import sudare
from sudare.core.errors import SettingError
from sudare.core.masker import Masker
from sudare.loss import DirectComparison, TotalVariation
from sudare.mask import GlobalRecode, Pram
from sudare.release.compare import Comparison
from sudare.risk import KAnonymity, Uniques


@pytest.fixture(scope="module")
def found() -> Comparison:
    recipes: dict[str, Masker | list[Masker]] = {
        "as it is": [],
        "coarse": GlobalRecode(min_share=0.2),
        "coarser": GlobalRecode(min_share=0.4),
        "coarse and random": [GlobalRecode(min_share=0.2), Pram(retain=0.5)],
    }
    measures = [Uniques(), KAnonymity(), TotalVariation(), DirectComparison()]
    return sudare.compare(sudare.datasets.toy(2000), recipes, measures, seed=1)


def test_every_recipe_is_measured_by_every_measure(found: Comparison) -> None:
    assert [row["recipe"] for row in found.table()] == [
        *("as it is", "coarse"),
        *("coarser", "coarse and random"),
    ]
    assert all(len(row) == 5 for row in found.table())
    assert found["as it is"].results["TotalVariation"].value == 0


def test_nothing_on_the_frontier_is_beaten_and_all_else_is(found: Comparison) -> None:
    best = found.frontier("Uniques", "DirectComparison")
    points = {row["recipe"]: (row["Uniques"], row["DirectComparison"]) for row in found.table()}
    for name, (risk, loss) in points.items():
        beaten = any(
            r <= risk and l <= loss and (r, l) != (risk, loss)  # type: ignore[operator]
            for r, l in points.values()  # noqa: E741
        )
        assert (name in best) is not beaten


def test_a_measure_where_more_is_better_turns_the_frontier(found: Comparison) -> None:
    best = found.frontier("KAnonymity", "TotalVariation")
    values = [found[name].results["KAnonymity"].value for name in best]
    assert values == sorted(values, reverse=True)


def test_the_map_has_a_point_per_recipe(found: Comparison) -> None:
    figure = found.figure()
    assert len(figure["data"]["values"]) == 4


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
    found = sudare.compare(data, {"as it is": []}, measures)
    assert list(found.measures) == ["Uniques(columns=('sex',))", "Uniques(columns=('sex', 'age'))"]
    with pytest.raises(SettingError, match="given twice"):
        sudare.compare(data, {"as it is": []}, [Uniques(), Uniques()])


def test_it_prints_as_a_table(found: Comparison) -> None:
    lines = str(found).splitlines()
    assert lines[0].split() == ["recipe", *found.measures]
    assert len(lines) == 5


def test_what_cannot_be_compared_is_refused(found: Comparison) -> None:
    data = sudare.datasets.toy()
    with pytest.raises(SettingError, match="at least one recipe"):
        sudare.compare(data, {}, [Uniques()])
    with pytest.raises(SettingError, match="needs a risk and a loss"):
        sudare.compare(data, {"a": []}, [Uniques()]).figure()
    with pytest.raises(SettingError, match="no recipe 'coarsest'; did you mean 'coarse"):
        _ = found["coarsest"]
