"""The command line on a Spark cluster."""

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import sudare
from sudare.release.publishing import draws_for
from tests.cli.test_cli import leave
from tests.engines.cluster import free_port
from tests.engines.people import people

pytestmark = pytest.mark.xdist_group("spark")

ABOUT = ("-k", "region", "-k", "sex", "--identifier", "name", "--engine", "spark")
PRAM = ("--step", "pram: retain = 0.8", "--seed", "7", "--internal")


@pytest.fixture
def survey(tmp_path: Path) -> Path:
    path = tmp_path / "survey.parquet"
    pq.write_table(people(), path)
    return path


@pytest.mark.usefixtures("spark")
def test_a_cluster_masks_and_measures(
    survey: Path, cluster: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    on = (*ABOUT, "--master", cluster.address)
    masked = survey.with_name("masked.parquet")
    assert leave("mask", survey, "-o", masked, *on, *PRAM) == 0
    data = sudare.read(people(), roles={"region": "key", "sex": "key", "name": "identifier"})
    recipe = sudare.Recipe("pram", [sudare.mask.Pram(retain=0.8)])
    seed = draws_for(data, recipe, 7).seed
    wanted: Any = recipe.apply(data, seed=seed).data.to_frame("pyarrow")
    assert pq.read_table(masked).equals(wanted.drop_columns(["name"]))
    capsys.readouterr()
    assert leave("measure", survey, masked, *on, "-m", "k-anonymity", "--json") == 0
    shown = json.loads(capsys.readouterr().out)["results"][0]
    assert (
        shown["value"]
        == sudare.risk.KAnonymity()(
            data, sudare.read(wanted, roles={"region": "key", "sex": "key"})
        ).value
    )
    assert leave("mask", survey, "-o", masked, *on, *PRAM) == 2


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--engine", "flink"), "--engine can be spark"),
        (("--master", "local[1]"), "--master needs --engine spark"),
        (("--engine", "spark", "--master", "here"), "'here' is not a Spark master"),
        (("--engine", "spark", "--master", f"spark://127.0.0.1:{free_port()}"), "no Spark master"),
    ],
)
def test_what_is_wrong_is_a_sentence(
    survey: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], sentence: str
) -> None:
    assert leave("mask", survey, "-o", survey.with_name("m.parquet"), *PRAM, *words) == 2
    assert sentence in capsys.readouterr().err


@pytest.mark.usefixtures("spark")
def test_spark_reads_parquet_only(
    survey: Path, cluster: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    text = survey.with_suffix(".csv")
    text.write_text("region,sex\na,b\n")
    on = (*ABOUT, "--master", cluster.address)
    assert leave("mask", text, "-o", survey.with_name("m.parquet"), *on, *PRAM) == 2
    assert "Spark cannot read" in capsys.readouterr().err
