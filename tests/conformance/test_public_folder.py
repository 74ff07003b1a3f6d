"""The attacks on a release, from the folder that is handed out: every method of the catalog."""

import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sudare
from sudare import catalog
from sudare.core import Categorical, Masker, Microdata, Numeric, Result, same_values
from sudare.core.draws import stretched
from sudare.release import Recipe, plain
from sudare.release.publishing import EPSILON
from sudare.release.publishing.table_publication import TablePublication

pytestmark = pytest.mark.usefixtures("quick_stretching")
SEED = 20240401  # a date, as people choose
TRIED = (SEED - 1, SEED)
SECRET = bytes(range(16)).hex()
TABLES = [
    entry.name for entry in catalog.METHODS if (entry.family, entry.subject) == ("mask", "table")
]
HISTORIES = [
    entry.name for entry in catalog.METHODS if (entry.family, entry.subject) == ("mask", "history")
]
LONG = re.compile(r"(?<![\w.:/#-])\d[\d,]*\.\d+(?:e-?\d+)?(?![\w.:/-])")
TOLD = ("age", "income", "region")
KINDS = {"report.html", "report.docx", "ledger.json", "recipe.toml", "codebook.xml"}


@pytest.fixture(scope="module")
def data() -> Microdata:
    toy = sudare.datasets.toy(120, seed=3)
    known = np.logical_and.reduce([column.known for column in toy.columns])
    return toy.take(np.flatnonzero(known)[:60]).without(["education", "occupation"])


@pytest.fixture(scope="module")
def secret(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("custodian") / "survey.sudare.secret"
    path.write_text(SECRET, encoding="utf-8")
    path.chmod(0o600)
    return path


def recipe_of(name: str) -> Recipe:
    """Return the method after a rounding, because some alone are no masking."""
    rounding = sudare.mask.Rounding(columns=("age",))
    return Recipe("drawn", [rounding, catalog.masker(name, {})])


def released(
    data: Any, recipe: Recipe, seed: int, secret: Path | None
) -> TablePublication[Microdata]:
    """Return a release, whatever the gate says of it; a trial where there is no secret."""
    first = sudare.publish(data, recipe, measures=(), seed=seed, secret=secret)
    stops = [finding.name for finding in first.findings if finding.severity == "stop"]
    accepted = [name for name in stops if name != "guessable-seed"]
    made: TablePublication[Microdata] = sudare.publish(
        data, recipe, seed=seed, secret=secret, confirmations=accepted
    )
    return made


def texts(folder: Path) -> dict[str, str]:
    """Return everything that a folder says, by file; of pages what is read, not the programs."""
    said = {}
    for path in folder.iterdir():
        if path.suffix == ".docx":
            with zipfile.ZipFile(path) as parts:
                said[path.name] = parts.read("word/document.xml").decode()
        else:
            said[path.name] = path.read_text(encoding="utf-8")
    return said


def read_by_people(page: str) -> str:
    """Return the words of a page or document."""
    return re.sub(r"<[^>]+>", " ", re.sub(r"(?s)<(script|style|svg).*?</\1>", " ", page))


def digits(number: str) -> int:
    """Return how many digits of a number tell something."""
    return len(re.sub(r"e.*|[^\d]", "", number).lstrip("0"))


def candidates(column: Categorical | Numeric) -> Iterator[Categorical | Numeric]:
    """Yield the column with the values that its last record may have."""
    if isinstance(column, Categorical):
        for code in range(len(column.labels)):
            codes = column.codes.copy()
            codes[-1] = code
            yield Categorical(column.name, codes, column.labels, role=column.role)
        return
    for value in np.linspace(np.nanmin(column.values), np.nanmax(column.values), 9):
        values = column.values.copy()
        values[-1] = value
        yield Numeric(column.name, values, role=column.role, absent=column.absent)


def fits(data: Microdata, column: str, release: TablePublication[Microdata]) -> bool:
    """Return whether the file itself, without what is said of it, fits another original."""
    maskers = recipe_of(release.steps[1].method).maskers
    if any(masker.random for masker in maskers):
        return True
    masked = sudare.apply(data, maskers, seed=0).data
    if masked.rows != release.masked.rows:
        return False
    last = np.array([masked.rows - 1])
    return same_values(masked[column].take(last), release.masked[column].take(last))


def step_if(data: Microdata, release: TablePublication[Microdata]) -> str:
    """Return what the ledger would say of the step if this were the original."""
    rounding, masker = recipe_of(release.steps[1].method).maskers
    assert isinstance(masker, Masker)
    step = masker.fit(sudare.apply(data, rounding, seed=0).data).step
    return repr(plain([step.settings, step.public]))


def likelihood_if(data: Microdata, release: TablePublication[Microdata]) -> float:
    """Return the log-likelihood of all numbers that were drawn if this were the original."""
    attack, figures = sudare.risk.Reidentification(), release.figures
    told: list[tuple[float, Result]] = []
    if attack in figures.results:
        result = attack(data, release.masked, steps=release.steps)
        told.append((float(figures.results[attack].value), result))
    if attack in figures.before:
        told.append((figures.before[attack], attack(data)))
    assert all(result.influence == pytest.approx(1 / 60) for _, result in told)
    chances = [log_chance(shown, float(r.value), EPSILON / len(told)) for shown, r in told]
    return sum(chances)


def log_chance(shown: float, share: float, epsilon: float, unit: float = 0.02) -> float:
    """Return the log-probability of a number by the discrete Laplace law between 0 and 1."""
    away, ratio = round(shown / unit) - np.floor(share / unit + 0.5), np.exp(-epsilon)
    at_end = (shown == 0 and away <= 0) or (shown == 1 and away >= 0)
    chance = ratio ** abs(away) / (1 + ratio) * (1 if at_end else 1 - ratio)
    if (shown == 0 and away > 0) or (shown == 1 and away < 0):
        chance = 1 - ratio ** (abs(away) + 1) / (1 + ratio)
    return float(np.log(chance))


def originals(data: Microdata, name: str, release: TablePublication[Microdata]) -> list[Microdata]:
    """Return the originals that fit the released file, with other values of the last record."""
    column = data[name]
    assert isinstance(column, Categorical | Numeric)
    others = (data.replacing([other]) for other in candidates(column))
    return [other for other in others if fits(other, name, release)]


@pytest.mark.parametrize("name", TABLES)
def test_the_folder_of_a_table_tells_neither_seed_nor_last_record(
    name: str, data: Microdata, secret: Path, tmp_path: Path
) -> None:
    release = released(data, recipe_of(name), SEED, secret)
    folder = release.write(tmp_path / "release", word=True)
    said = texts(folder)
    assert KINDS | {"masked.csv"} == said.keys()

    # The seed: neither written anywhere, nor found by replaying the recipe with those tried.
    key = stretched(SEED, bytes.fromhex(SECRET))
    for text in said.values():
        assert not any(word in text for word in (str(SEED), SECRET, str(key), f"{key:x}"))
    if any(masker.random for masker in release.recipe.maskers):
        recipe = Recipe.read(folder / "recipe.toml")
        for seed in TRIED:
            tried = sudare.publish(data, recipe, measures=(), seed=seed).released
            assert not tried.equals(release.released)

    # The last record: what is said of the step fits many values of it, and by what was measured
    # none of them becomes much more likely. All other numbers are those of the file itself.
    drawn = {"Reidentification"}
    assert {m["measure"] for m in json.loads(said["ledger.json"])["measures"]} <= {
        *drawn,
        "KAnonymity",
    }
    for column in dict.fromkeys(name for name in release.steps[1].columns if name in TOLD):
        possible = originals(data, column, release)
        steps = [step_if(other, release) for other in possible]
        assert steps.count(step_if(data, release)) >= len(steps) / 4
        likelihoods = [likelihood_if(other, release) for other in possible]
        assert max(likelihoods) - min(likelihoods) <= EPSILON + 1e-9

    # Nor is there a number of many digits that the release does not have itself.
    for kind in ("report.html", "report.docx"):
        long = {n for n in LONG.findall(read_by_people(said[kind])) if digits(n) > 4}
        assert long == set(), kind
    assert '"version": "before"' not in said["report.html"]


@pytest.mark.parametrize("name", HISTORIES)
def test_the_folder_of_a_history_tells_neither_seed_nor_digits(
    name: str, secret: Path, tmp_path: Path
) -> None:
    history = sudare.datasets.purchases_like(6, seed=1)
    recipe = Recipe("one step", [catalog.masker(name, {})])
    weak = ["nothing-masked", "exact-numbers:date,item,price,quantity"]  # one step is little
    release = sudare.publish(history, recipe, seed=SEED, secret=secret, confirmations=weak)
    said = texts(release.write(tmp_path / "release", word=True))
    key = stretched(SEED, bytes.fromhex(SECRET))
    for text in said.values():
        assert not any(word in text for word in (str(SEED), SECRET, str(key), f"{key:x}"))
    ledger = json.loads(said["ledger.json"])
    assert ledger["measures"] == []
    assert ledger["original"].keys() == {"customers", "columns"}
    assert all(step["public"] == {} for step in ledger["steps"])  # settings alone
    assert '"title": "Mean error of the cells (U)"' not in said["report.html"]
