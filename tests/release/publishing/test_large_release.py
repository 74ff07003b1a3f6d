"""A release of a table that is not in memory is the release of the same table in memory."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow.parquet as pq
import pytest

import sudare
from sudare.core.errors import TooLargeError
from sudare.core.types import Role
from sudare.release.report.document import Chart

ROLES: dict[str, Role] = {
    "id": "identifier",
    "sex": "key",
    "region": "key",
    "age": "key",
    "income": "sensitive",
    "household": "household",
    "weight": "weight",
}
ACCEPTED = ["twin:household,region", "undeclared-key:education,occupation"]
SEED = 210306068529402873165736369884012333109  # one that nobody guesses


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return sudare.write(sudare.datasets.toy(), tmp_path / "toy.parquet")


def test_the_release_of_a_large_table_is_the_one_in_memory(path: Path, tmp_path: Path) -> None:
    recipe = sudare.Recipe("gentle", [sudare.mask.Pram(retain=0.9), sudare.mask.Noise()])
    large = sudare.open(path, roles=ROLES)
    large = replace(large, source=replace(large.source, block_rows=50))
    for data, name in ((sudare.read(path, roles=ROLES), "memory"), (large, "blocks")):
        publication = sudare.publish(data, recipe, measures=[], seed=SEED, confirmations=ACCEPTED)
        publication.write(tmp_path / name, kind="parquet")
    in_memory, in_blocks = (
        pq.read_table(tmp_path / n / "masked.parquet") for n in ("memory", "blocks")
    )
    assert in_memory.equals(in_blocks)
    ledgers = [json.loads((tmp_path / n / "ledger.json").read_text()) for n in ("memory", "blocks")]
    assert ledgers[0]["original"] == ledgers[1]["original"]
    assert ledgers[0]["steps"] == ledgers[1]["steps"]
    reports = [(tmp_path / n / "report.html").read_text("utf-8") for n in ("memory", "blocks")]
    assert "group size" in reports[1]
    assert len(reports[0]) == pytest.approx(len(reports[1]), rel=0.01)


def test_pictures_of_a_large_table_show_records_that_nobody_can_name(tmp_path: Path) -> None:
    """By a known choice among the places of the original, the rest would tell who is who."""
    towns = np.random.default_rng(1).integers(0, 9, 100_040).astype(str)
    path = sudare.write(sudare.read(pl.DataFrame({"town": towns})), tmp_path / "towns.parquet")
    recipe = sudare.Recipe("r", [sudare.mask.Pram(columns=("town",))])
    release = sudare.publish(
        sudare.open(path, roles={"town": "key"}), recipe, measures=[], seed=SEED
    )
    charts = [block for block in release.loss_pictures("public") if isinstance(block, Chart)]
    shown = {row["label"]: row["share"] for row in charts[0].figure.spec["data"]["values"]}
    known = release.masked.sample(100_000, seed=0)["town"].coded
    counts = dict(zip(known.labels, np.bincount(known.codes).tolist(), strict=True))
    assert sum(shown.values()) == pytest.approx(1)
    assert any(abs(share * 100_000 - counts[town]) > 0.5 for town, share in shown.items())


def test_recipes_compared_on_a_large_table_are_those_compared_in_memory(path: Path) -> None:
    recipes = {"coarse": sudare.mask.GlobalRecode(min_share=0.2), "random": sudare.mask.Pram()}
    measures = [sudare.risk.Uniques(), sudare.loss.TotalVariation()]
    tables = (sudare.read(path, roles=ROLES), sudare.open(path, roles=ROLES))
    in_memory, in_blocks = (sudare.compare(t, recipes, measures, seed=1, repeats=2) for t in tables)
    assert in_memory.frontier() == in_blocks.frontier()
    for row, large in zip(in_memory.table(), in_blocks.table(), strict=True):
        assert row.pop("recipe") == large.pop("recipe")
        assert row == pytest.approx(large)
    recipe = sudare.Recipe("coarse", [recipes["coarse"]])
    publication = sudare.publish(tables[1], recipe, measures=[], comparison=in_blocks, seed=1)
    assert publication.comparison is in_blocks


def test_what_cannot_be_counted_offers_a_sample(path: Path, tmp_path: Path) -> None:
    large, recipes = sudare.open(path, roles=ROLES), [sudare.Recipe("nothing", [])]
    with pytest.raises(TooLargeError, match="sample"):
        sudare.compare(large, recipes, [sudare.risk.RecordLinkage()])
    with pytest.raises(TooLargeError, match="folder"):
        sudare.compare(large, recipes, [sudare.risk.Uniques()], folder=tmp_path)


@pytest.mark.parametrize("position", [0, 1])
def test_a_search_that_a_clock_ends_replays_from_the_released_recipe(position: int) -> None:
    data = sudare.datasets.toy()
    keys = ("sex", "age", "region")
    steps: list[sudare.core.AnyMasker] = [sudare.mask.Pram(columns=("region",))]
    search = sudare.mask.FullDomain(k=3, columns=keys, seconds=0.0, suppression_limit=0.9)
    steps.insert(position, search)
    first = sudare.publish(data, sudare.Recipe("cut short", steps), measures=(), seed=SEED)
    levels = {name: told["level"] for name, told in first.steps[position].public.items()}
    assert first.recipe.maskers[position].all_settings()["levels"] == levels
    again = sudare.publish(data, first.recipe, measures=(), seed=SEED)
    assert again.released.equals(first.released)
    assert again.recipe.maskers == first.recipe.maskers
