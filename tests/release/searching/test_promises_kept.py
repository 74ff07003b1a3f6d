"""Limits handed to the methods that promise them: the search does not lose to a person."""

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sudare
from sudare.core import AnyMasker, Assessment, Masker, Microdata, Numeric, Role
from sudare.mask import (
    FullDomain,
    GlobalRecode,
    LocalSuppression,
    Microaggregation,
    Mondrian,
    Pram,
    Suppression,
)
from sudare.release import LOSS, Limit, Recipe
from sudare.release.searching.beginnings import by_hand
from sudare.release.searching.explorer import _neighbors, _wanted
from sudare.release.searching.promised import promised_settings
from sudare.release.searching.space import moves, suited

ROLES: dict[str, Role] = {"occupation": "sensitive", "children": "other"}
CENSUS = sudare.datasets.census_like(8_000, seed=2).assigning(ROLES)


def handmade(k: int, **more: Any) -> dict[str, AnyMasker | Sequence[AnyMasker]]:
    """Thirteen recipes that a person who knows the methods would write for k, and l or t."""
    return {
        "ranges": Mondrian(k=k, **more),
        "means": Mondrian(k=k, representative="mean", **more),
        "medians": Mondrian(k=k, representative="median", **more),
        "modes": Mondrian(k=k, representative="mode", **more),
        "relaxed": Mondrian(k=k, strict=False, **more),
        "relaxed means": Mondrian(k=k, strict=False, representative="mean", **more),
        "levels": FullDomain(k=k, **more),
        "levels, few lost": FullDomain(k=k, suppression_limit=0.01, **more),
        "records": Suppression(k=k, **more),
        "cells": LocalSuppression(k=k, missing="category"),
        "merged": [GlobalRecode(min_share=0.02), Mondrian(k=k, **more)],
        "grouped": [Microaggregation(k=k), Mondrian(k=k, **more)],
        "drawn": [Pram(retain=0.9), Mondrian(k=k, **more)],
    }


@pytest.mark.parametrize(
    ("limits", "promised"),
    [
        (["k-anonymity >= 5"], {"k": 5}),
        (["k-anonymity >= 5", "l-diversity >= 3"], {"k": 5, "l": 3}),
        (["k-anonymity >= 5", "t-closeness <= 0.2"], {"k": 5, "t": 0.2}),
    ],
    ids=["anonymous", "diverse", "close"],
)
def test_the_search_does_not_lose_to_a_person(limits: list[str], promised: dict[str, Any]) -> None:
    stated = Limit.all_of(limits)
    measures: list[str | Assessment] = [*(limit.measure for limit in stated), LOSS]
    compared = sudare.compare(CENSUS, handmade(**promised), measures, seed=1)
    kept = [
        candidate.results["DistanceLoss"].value
        for candidate in compared.candidates
        if all(limit.met_by(candidate.results[type(limit.measure).__name__]) for limit in stated)
    ]
    assert kept
    result = sudare.search(CENSUS, limits, trials=16, repeats=1, seed=1)
    assert result.recommended is not None
    assert result.feasible()[0].results["DistanceLoss"].value <= min(kept) + 1e-12


@pytest.mark.parametrize(
    ("rows", "seed", "limits", "promised"),
    [
        (200, 2, ["k-anonymity >= 5", "t-closeness <= 0.2"], {"k": 5, "t": 0.2}),
        (1_000, 1, ["k-anonymity >= 5"], {"k": 5}),
    ],
    ids=["close", "anonymous"],
)
def test_nor_does_it_lose_on_small_tables(
    rows: int, seed: int, limits: list[str], promised: dict[str, Any]
) -> None:
    data, stated = sudare.datasets.toy(rows, seed=seed), Limit.all_of(limits)
    compared = sudare.compare(data, handmade(**promised), [LOSS], seed=1, limits=stated)
    by_hand = min(c.results["DistanceLoss"].value for c in compared.within_limits().candidates)
    result = sudare.search(data, limits, trials=24, repeats=1, seed=1)
    assert result.feasible()[0].results["DistanceLoss"].value <= by_hand + 1e-12


@pytest.mark.parametrize(
    "promised", [{"k": 5}, {"k": 5, "l": 3}, {"k": 5, "t": 0.2}], ids=["k", "l", "t"]
)
def test_all_that_a_person_would_write_comes_first(promised: dict[str, Any]) -> None:
    """So that no seed, table or loss can make the search lose to it."""
    names = {"k": "k-anonymity >= {}", "l": "l-diversity >= {}", "t": "t-closeness <= {}"}
    limits = Limit.all_of([names[name].format(number) for name, number in promised.items()])
    first = [
        tuple(move.build(move.columns, settings) for move, settings in used)
        for used in by_hand(moves(CENSUS, suited(CENSUS, limits), {}, limits))
    ]
    assert len(first) <= 20
    tried = {Recipe("", steps).to_toml() for steps in first}
    for name, steps in handmade(**promised).items():
        written = [steps] if isinstance(steps, AnyMasker) else list(steps)
        named = [
            dataclasses.replace(step, columns=step.chosen(CENSUS))
            if isinstance(step, Masker) and step.works_on == "rows"
            else step
            for step in written
        ]
        assert Recipe("", named).to_toml() in tried, name


@pytest.mark.parametrize(
    ("limit", "k"), [("k-anonymity >= 5", 5), ("reidentification.max <= 0.1", 10)]
)
def test_records_are_grouped_by_the_same_k_before_a_promise(limit: str, k: int) -> None:
    rng = np.random.default_rng(1)
    numbers = [Numeric(name, rng.normal(size=400), role="key") for name in ("a", "b")]
    data = Microdata(tuple(numbers))
    grouped = {"grouped": [Microaggregation(k=k), Mondrian(k=k)]}
    by_hand = sudare.compare(data, grouped, [LOSS], seed=1).candidates[0]
    result = sudare.search(data, [limit], trials=12, repeats=1, seed=1)
    reached = result.feasible()[0].results["DistanceLoss"].value
    assert reached <= by_hand.results["DistanceLoss"].value + 1e-12


@pytest.mark.parametrize(
    ("limits", "settings"),
    [
        (["k-anonymity > 4"], {"k": 5}),
        (["k-anonymity >= 3", "uniques <= 0.01"], {"k": 3}),
        (["reidentification.max <= 0.2", "k-anonymity >= 3"], {"k": 5}),
        (["l-diversity: diversity = 'entropy' >= 2"], {"l": 2.0, "diversity": "entropy"}),
        (["t-closeness[income] <= 0.2", "t-closeness <= 0.3"], {"t": 0.2}),
        (
            ["t-closeness[income] <= 0.2", "k-anonymity >= 2"],
            {"t": 0.2, "k": 2, "sensitive": ("income",)},
        ),
        (["individual-risk.share_above(0.1) <= 0.01"], {"k": 10}),
        (["k-anonymity.share_below(4) <= 0.01"], {"k": 4}),
        (["k-anonymity.share_above(4) >= 0.99"], {"k": 5}),
        (["reidentification.share_below(0.5) >= 0.9"], {"k": 3}),
        (["individual-risk.share_above(0.1) >= 0.01"], {}),
        (["record-linkage <= 0.1"], {}),
        (["k-anonymity <= 4"], {}),
    ],
)
def test_limits_become_settings(limits: list[str], settings: dict[str, object]) -> None:
    assert promised_settings(Mondrian, Limit.all_of(limits)) == settings


def test_a_risk_that_follows_from_k_may_be_kept_by_a_smaller_one() -> None:
    limits = Limit.all_of(["reidentification <= 0.05"])
    (mondrian,) = moves(sudare.datasets.toy(), ["mondrian"], {}, limits)
    k = mondrian.ranges["k"]
    assert k.holds(2)
    assert k.holds(20)
    assert mondrian.usual()["k"] == 20


def test_what_promises_nothing_that_is_asked_is_not_tried() -> None:
    assert "mondrian" not in suited(CENSUS, Limit.all_of(["record-linkage <= 0.1"]))
    assert "mondrian" in suited(CENSUS, Limit.all_of(["k-anonymity >= 2"]))


def test_a_promise_is_also_tried_after_a_recoding_that_comes_before_it() -> None:
    data, limits = sudare.datasets.toy(200), ["k-anonymity >= 2"]
    tried = {
        methods: [
            [type(masker) for masker in candidate.recipe.maskers]
            for candidate in sudare.search(
                data, limits, methods=methods, trials=3, repeats=1, seed=1
            ).comparison.candidates
        ]
        for methods in (("global-recode", "mondrian"), ("mondrian", "global-recode"))
    }
    assert list(tried.values()) == [
        [[Mondrian], [], [GlobalRecode, Mondrian]],
        [[Mondrian], [], [Mondrian]],
    ]


def test_columns_that_the_loss_ignores_are_named() -> None:
    data = sudare.datasets.toy(200)
    result = sudare.search(
        data, ["k-anonymity >= 2"], lose="direct-comparison: columns = ['sex']", trials=2, seed=1
    )
    assert "age" in result.ignored
    assert sudare.search(data, ["k-anonymity >= 2"], trials=2, seed=1).ignored == ()


def test_an_interrupt_keeps_the_best_so_far() -> None:
    def stop(done: int, _total: int, _best: str) -> None:
        if done >= 4:
            raise KeyboardInterrupt

    data = sudare.datasets.toy(200)
    result = sudare.search(data, ["k-anonymity >= 2"], trials=50, seed=1, on_progress=stop)
    assert result.interrupted
    assert result.recommended is not None
    assert len(result.comparison.candidates) <= 8


def test_the_recipe_goes_into_the_project(tmp_path: Path) -> None:
    path = tmp_path / "t.sudare.toml"
    (tmp_path / "t.csv").write_text("a,b\n1,2\n3,4\n", encoding="utf-8")
    text = '# mine\nversion = 1\n[data]\nsource = "t.csv"\n'
    path.write_text(text, encoding="utf-8")
    project = sudare.Project.open(path)
    recipe = Recipe("found", [Mondrian(k=2, l=2, representative="mean")], description="by search")
    saved = project.with_recipe(recipe).save()
    assert saved.text.startswith(text)
    again = sudare.Project.open(path).with_recipe(Recipe("found", [Mondrian(k=3)])).save()
    again = again.with_recipe(Recipe("other", [Pram()])).save()
    assert [recipe.name for recipe in again.recipes] == ["found", "other"]
    assert again.recipe("found").maskers[0] == Mondrian(k=3)


def test_other_words_of_the_best_recipe_come_before_its_other_numbers() -> None:
    """What suits a promise alone may not suit it after a recoding: means lost to ranges alone."""
    limits = Limit.all_of(["k-anonymity >= 5", "l-diversity >= 3"])
    space = moves(CENSUS, ["global-recode", "mondrian"], {}, limits)
    best = _wanted(space, [(move, move.usual()) for move in space])
    first = list(_neighbors(space, best))[:3]
    assert [near["mondrian.representative"] for near in first] == ["mean", "median", "mode"]
    assert all(near["global-recode|use"] for near in first)
