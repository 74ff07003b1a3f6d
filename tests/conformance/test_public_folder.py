"""The attacks on a release, from the folder that is handed out: every method of the catalog."""

import re
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sudare
from sudare import catalog
from sudare.core import Categorical, Masker, Microdata, Numeric, same_values, told_of
from sudare.core.draws import stretched
from sudare.release import Recipe, plain
from sudare.release.publishing.publication import TablePublication
from sudare.release.report.history_pages import attack_row
from sudare.transactions import CellError, History, HistoryMasker, Reidentification

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


def told_if(data: Microdata, release: TablePublication[Microdata]) -> str:
    """Return what the ledger would say of a masked table if this were its original."""
    rounding, masker = recipe_of(release.steps[1].method).maskers
    assert isinstance(masker, Masker)
    step = masker.fit(sudare.apply(data, rounding, seed=0).data).step
    results = [
        measure(data, release.masked, steps=release.steps).told_of(release.persons).as_dict()
        for measure, _ in release.measured
    ]
    return repr(plain([step.settings, step.public, results]))


def tells_last(data: Microdata, release: TablePublication[Microdata]) -> list[str]:
    """Return the columns whose value in the last record few originals share that would fit."""
    own, telling = told_if(data, release), []
    for name in dict.fromkeys(name for name in release.steps[1].columns if name in TOLD):
        column = data[name]
        assert isinstance(column, Categorical | Numeric)
        others = [data.replacing([other]) for other in candidates(column)]
        told = [told_if(other, release) for other in others if fits(other, name, release)]
        telling += [name] if told.count(own) < len(told) / 4 else []
    return telling


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

    # The last record: what the folder says fits many values of it. A number near a step of its
    # rounding may tell it by chance, so a method is to blame where other draws tell it too.
    if tells_last(data, release):
        assert not tells_last(data, released(data, recipe_of(name), SEED + 1, secret))

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
    errors = [float(part) for part in re.findall(r'"part": ([\d.e-]+)', said["report.html"])]
    errors = errors[:16]  # of four columns; what follows is of the released file
    assert errors == [told_of(error, 6) for error in errors]


@pytest.mark.parametrize("name", HISTORIES)
def test_all_purchases_but_one_do_not_tell_the_last_one(name: str) -> None:
    history = sudare.datasets.purchases_like(6, seed=1)
    masker = catalog.masker(name, {})
    assert isinstance(masker, HistoryMasker)
    assert masker.public() == {}  # the account of it holds settings alone, nothing of the data
    masked = masker.mask(history, seed=SEED)

    def told(original: History) -> str:
        attacks = Reidentification().attacks(original, masked).outcomes
        rows = [attack_row(outcome, "public") for outcome in attacks]
        return repr(plain([CellError()(original, masked).told_of(6).as_dict(), rows]))

    values = {
        "date": ("dates", history.dates[0] + np.arange(0, 60, 4)),
        "price": ("prices", np.unique(history.prices)[::4]),
        "quantity": ("quantities", np.arange(1, 16)),
        "item": ("items", np.unique(history.items)[::4]),
    }
    for column in set(values) & set(masker.touches()):
        field, possible = values[column]
        array = getattr(history, field)
        others = [np.append(array[:-1], value).astype(array.dtype) for value in possible[::3]]
        changes: list[dict[str, Any]] = [{field: other} for other in others]
        accounts = [told(replace(history, **change)) for change in changes]
        assert accounts.count(told(history)) >= len(accounts) / 4, column
