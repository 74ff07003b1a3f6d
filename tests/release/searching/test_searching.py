"""The search: what it recommends keeps the limits, on fresh seeds too."""

from pathlib import Path

import pytest
from hypothesis import given, strategies as st

import sudare
from sudare.core.errors import SettingError
from sudare.release.limits import Limit
from sudare.release.report.comparison_pages import search_report
from sudare.release.searching import SearchResult
from sudare.release.searching.space import Numbers, Words, moves, suited
from sudare.risk import KAnonymity

LIMITS = ["k-anonymity >= 3", "uniques < 0.01"]


@pytest.fixture(scope="module")
def data() -> sudare.Microdata:
    return sudare.datasets.toy(1500)


@pytest.fixture(scope="module")
def result(data: sudare.Microdata) -> SearchResult:
    return sudare.search(data, LIMITS, lose="direct-comparison", trials=24, seed=5)


def test_what_is_recommended_keeps_the_limits_on_seeds_nobody_has_tried(
    data: sudare.Microdata, result: SearchResult
) -> None:
    assert result.recommended is not None
    for seed in range(100, 105):
        masked = result.recommended.apply(data, seed=seed)
        for limit in result.limits:
            assert limit.met_by(limit.measure(data, masked.data, steps=masked.steps))


def test_it_loses_least_among_those_that_keep_the_limits(result: SearchResult) -> None:
    losses = [c.results["DirectComparison"].value for c in result.feasible()]
    assert losses == sorted(losses)
    assert result.recommended in [c.recipe for c in result.feasible()[:5]]
    names = {c.recipe.name for c in result.comparison.candidates}
    assert len(names) == len(result.comparison.candidates)
    assert "the limits" in str(result)
    assert set(result.frontier()) <= names


def test_the_same_seed_searches_alike() -> None:
    data = sudare.datasets.toy(400)
    tables = [
        sudare.search(
            data,
            LIMITS,
            lose="total-variation",
            methods=["global-recode", "local-suppression", "pram"],
            trials=8,
            seed=s,
        ).comparison.table()
        for s in (1, 1, 2)
    ]
    assert tables[0] == tables[1] != tables[2]


def test_limits_that_cannot_be_kept_end_without_a_recipe(data: sudare.Microdata) -> None:
    result = sudare.search(
        data, ["k-anonymity >= 1400"], lose="total-variation", methods=["noise"], trials=5, seed=1
    )
    assert result.recommended is None
    assert result.feasible() == ()
    least = [result.comparison[c.recipe.name].results["KAnonymity"].value for c in result.nearest()]
    assert least == sorted(least, reverse=True)
    assert len(least) == len(result.comparison.candidates)


def test_what_cannot_be_measured_is_told(data: sudare.Microdata) -> None:
    limits = ["record-linkage <= 1", "k-anonymity >= 2"]
    result = sudare.search(
        data,
        limits,
        lose="direct-comparison",
        methods=[sudare.mask.Mondrian(k=2)],
        trials=8,
        seed=1,
    )
    (reason,) = result.refused
    assert "holds numbers before masking and categories after it" in reason
    assert result.refused[reason] >= 1
    assert result.recommended is None
    assert "mask it into numbers" in search_report(result).html()


def test_ranges_and_fixed_maskers_are_kept_to(data: sudare.Microdata) -> None:
    result = sudare.search(
        *(data, ["uniques <= 1"]),
        lose="total-variation",
        methods=["pram", sudare.mask.Noise(sd_ratio=0.3)],
        ranges={"pram.retain": [0.6, 0.7], "pram.invariant": [True]},
        trials=12,
        seed=1,
    )
    for candidate in result.comparison.candidates:
        for masker in candidate.recipe.maskers:
            if isinstance(masker, sudare.mask.Pram):
                assert 0.6 <= masker.retain <= 0.7
                assert masker.invariant
            else:
                assert isinstance(masker, sudare.mask.Noise)
                assert masker.sd_ratio == 0.3


def test_a_search_goes_on_from_its_folder(data: sudare.Microdata, tmp_path: Path) -> None:
    tables = [
        sudare.search(
            data, LIMITS, lose="total-variation", trials=10, seed=1, folder=tmp_path
        ).comparison.table()
        for _ in range(2)
    ]
    assert tables[0] == tables[1]
    assert (tmp_path / "comparison.jsonl").stat().st_size > 0


def test_histories_are_searched_too() -> None:
    history = sudare.datasets.purchases_like(8, seed=1)
    limits = ["cell-error >= 0.05"]
    result = sudare.search(history, limits, lose="cell-error", trials=12, seed=1)
    assert result.recommended is not None


def test_what_a_search_may_choose_comes_from_the_settings(data: sudare.Microdata) -> None:
    recode, suppress = moves(data, ["global-recode", "local-suppression"], {})
    assert recode.columns == ("sex", "region", "education", "occupation")
    assert suppress.columns == ()
    share, k = recode.ranges["min_share"], suppress.ranges["k"]
    assert isinstance(share, Numbers)
    assert share.by_ratio
    assert k == Numbers(1, 60, whole=True)
    (invariant,) = moves(data, ["pram"], {"pram.invariant": [True, False]})
    assert invariant.ranges["invariant"] == Words((True, False))
    assert "noise" in suited(data)


def test_what_is_not_understood_is_refused(data: sudare.Microdata) -> None:
    with pytest.raises(SettingError, match="write a limit as"):
        Limit.parse("k-anonymity about 5")
    with pytest.raises(SettingError, match=r"a range is given for 'pram\.retained'"):
        sudare.search(*(data, LIMITS), lose="total-variation", ranges={"pram.retained": [0, 1]})
    with pytest.raises(SettingError, match="needs a limit, a loss"):
        sudare.search(data, [], lose="total-variation")


@pytest.mark.parametrize(
    ("setting", "ends"),
    [("pram.retain", [0.9, 0.1]), ("pram.retain", []), ("pram.retain", [-1, 5])],
)
def test_ranges_that_make_no_sense_are_refused(
    data: sudare.Microdata, setting: str, ends: list[float]
) -> None:
    with pytest.raises(SettingError, match=f"the range of '{setting}'"):
        moves(data, ["pram"], {setting: ends})


def test_each_method_is_tried_alone_and_on_all_columns_first(data: sudare.Microdata) -> None:
    for trials in (2, 4, 8):
        result = sudare.search(
            data, ["uniques <= 1"], lose="total-variation", methods=["pram"], trials=trials, seed=1
        )
        nothing, pram, *others = result.comparison.candidates
        assert nothing.recipe.maskers == []
        assert pram.steps[0].columns == moves(data, ["pram"], {})[0].columns
        assert pram.steps[0].settings["retain"] == sudare.mask.Pram().retain
        assert len(others) == trials - 2
    assert str(result).endswith("recommended: nothing is masked")


@pytest.mark.parametrize(
    ("limit", "k"), [(">= 7", 7), ("> 7", 8), (">= 6.5", 7), ("<= 7", 3), (">= 1e400", 3)]
)
def test_methods_with_a_k_start_with_the_one_that_a_limit_states(
    data: sudare.Microdata, limit: str, k: int
) -> None:
    limits, methods = [f"k-anonymity {limit}"], ["mondrian"]
    result = sudare.search(
        data, limits, lose="direct-comparison", methods=methods, trials=2, seed=1
    )
    (step,) = [step for candidate in result.comparison.candidates for step in candidate.steps]
    assert step.settings["k"] == k


@given(value=st.floats(-10, 10), number=st.floats(-10, 10))
def test_an_excess_is_above_nothing_exactly_where_a_limit_is_missed(
    value: float, number: float
) -> None:
    for comparison in ("<=", ">=", "<", ">"):
        limit = Limit(KAnonymity(), comparison, number)
        assert (limit.excess(value) > 0) is not limit.met_at(value)


def test_limits_carry_settings() -> None:
    limit = Limit.parse("record-linkage: k = 3 <= 0.05")
    assert str(limit) == "record-linkage: k = 3 <= 0.05"
    assert (limit.comparison, limit.number) == ("<=", 0.05)
