"""A release tells neither its seed nor a single record: the attacks, over the whole catalog."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest

import sudare
from sudare import catalog
from sudare.core import AnyMasker, Categorical, Masker, Microdata, Numeric
from sudare.mask import SHARES_EPSILON
from sudare.release import plain
from sudare.release.publishing import draws_for
from sudare.release.publishing.table_publication import TablePublication
from sudare.transactions import MaskedHistory

pytestmark = pytest.mark.usefixtures("quick_stretching")
SEED = 41  # a person's: within what the attacker tries
TRIED = range(30, 45)
SECRET = bytes(range(16)).hex()
ENTRIES = [entry for entry in catalog.METHODS if entry.family == "mask"]
TABLES = [entry.name for entry in ENTRIES if entry.subject == "table"]
HISTORIES = [entry.name for entry in ENTRIES if entry.subject == "history"]


def masker(name: str) -> AnyMasker:
    return catalog.masker(name, {})


DRAWING = [name for name in TABLES if masker(name).random]
DRAWING_HISTORIES = [name for name in HISTORIES if masker(name).random]


@pytest.fixture(scope="module")
def data() -> Microdata:
    toy = sudare.datasets.toy(120, seed=3)
    known = np.logical_and.reduce([column.known for column in toy.columns])
    return toy.take(np.flatnonzero(known)[:60])


@pytest.fixture(scope="module")
def secret(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("custodian") / "survey.sudare.secret"
    path.write_text(SECRET, encoding="utf-8")
    path.chmod(0o600)
    return path


def seeds_that_fit(released: Any, tried: Mapping[int, Any]) -> list[int]:
    """Return the seeds tried that give what was released."""
    return [seed for seed, made in tried.items() if _same(made, released)]


def _same(first: Any, other: Any) -> bool:
    if isinstance(first, Microdata):
        return first.equals(other)
    assert isinstance(first, MaskedHistory)
    assert isinstance(other, MaskedHistory)
    return first.rows == other.rows and np.array_equal(first.pseudonyms, other.pseudonyms)


@pytest.mark.parametrize("name", DRAWING)
def test_not_even_the_original_tells_the_seed_of_a_released_table(
    name: str, data: Microdata, secret: Path
) -> None:
    # Rounding, because new household numbers alone are no masking and are not released.
    rounding = sudare.mask.Rounding(columns=("age",))
    recipe = sudare.Recipe("drawn", [rounding, masker(name)])

    def published(seed: int, private: Path | None = None) -> TablePublication[Microdata]:
        return sudare.publish(data, recipe, measures=(), seed=seed, secret=private)

    trial = published(SEED)

    def replayed(seed: int) -> Microdata:
        masked: Microdata = trial.recipe.apply(data, seed=draws_for(data, recipe, seed).seed).data
        return masked.without(masked.with_role("identifier"))

    tried = {seed: replayed(seed) for seed in TRIED}
    assert seeds_that_fit(published(SEED, secret).masked, tried) == []
    assert SEED in seeds_that_fit(trial.masked, tried)  # a trial is found out


@pytest.mark.parametrize("name", DRAWING_HISTORIES)
def test_not_even_the_original_tells_the_seed_of_a_released_history(
    name: str, secret: Path
) -> None:
    history = sudare.datasets.purchases_like(6, seed=1)
    recipe = sudare.Recipe("one step", [masker(name)])

    def published(seed: int, private: Path | None = None) -> MaskedHistory:
        return sudare.publish(history, recipe, measures=(), seed=seed, secret=private).masked

    tried = {seed: published(seed) for seed in TRIED}
    assert seeds_that_fit(published(SEED, secret), tried) == []
    assert SEED in seeds_that_fit(published(SEED), tried)


@pytest.mark.parametrize("seed", [SEED, 3**50])
def test_whole_numbers_do_not_show_that_a_guessed_seed_is_right(seed: int, secret: Path) -> None:
    """The attack on additive noise: the right draws make ``released - sd · z`` whole.

    A long seed that follows from a rule is guessed too; the secret is not.
    """
    tried = (*TRIED, 3**50)
    values = np.random.default_rng(1).integers(2000, 9000, 300).astype(float)
    table = Microdata((Numeric("income", values, role="sensitive"),))
    recipe = sudare.Recipe("noise", [sudare.mask.Noise(sd_ratio=0.2)])

    def whole(private: Path | None) -> list[int]:
        release = sudare.publish(table, recipe, measures=(), seed=seed, secret=private)
        size = release.ledger().content["steps"][0]["public"]["income"]["noise_sd"]
        column = release.masked["income"].numeric.values
        # He even knows the table, which the draws depend on.
        drawn = (draws_for(table, recipe, guess).normal("income", 300) for guess in tried)
        guesses = (column - size * normal for normal in drawn)
        return [
            number
            for number, guess in zip(tried, guesses, strict=True)
            if np.abs(guess - np.rint(guess)).max() < 1e-3
        ]

    assert whole(secret) == []
    assert whole(None) == [seed]


def candidates(column: Categorical | Numeric, record: int) -> Iterator[Categorical | Numeric]:
    """Yield the column with other values of one record: those that the others have, and between."""
    if isinstance(column, Categorical):
        for code in range(len(column.labels)):
            codes = column.codes.copy()
            codes[record] = code
            yield Categorical(column.name, codes, column.labels, role=column.role)
        return
    known = column.values[column.known]
    for value in np.linspace(known.min(), known.max(), 16):
        values = column.values.copy()
        values[record] = value
        yield Numeric(column.name, values, role=column.role, absent=column.absent)


def public_step(name: str, data: Microdata) -> str:
    method = masker(name)
    assert isinstance(method, Masker)
    step = method.fit(data).step
    return repr(plain({"settings": step.settings, "public": step.public}))


@pytest.mark.parametrize("column", ["age", "income", "region"])
@pytest.mark.parametrize("name", TABLES)
def test_all_records_but_one_do_not_tell_the_last_one(
    name: str, column: str, data: Microdata
) -> None:
    """The attacker fits the method for every value the last record may have."""
    own = data[column]
    assert isinstance(own, Categorical | Numeric)
    told = [
        public_step(name, data.replacing([other]))
        for other in candidates(own, record=int(np.flatnonzero(own.known)[-1]))
    ]
    alike = max(told.count(step) for step in set(told))
    assert alike >= len(told) / 4  # what is most often published fits many values
    alone = sum(told.count(step) == 1 for step in set(told))
    assert alone <= len(told) / 2


@pytest.mark.parametrize("name", ["Microaggregation", "VariableMicroaggregation"])
def test_how_many_changed_does_not_tell_the_last_one(name: str) -> None:
    rng = np.random.default_rng(5)
    codes, jobs = rng.integers(0, 4, (2, 80))
    age = Numeric("age", rng.integers(20, 80, 80).astype(float), role="key")
    job = Categorical("job", jobs, tuple("abcd"), role="key")
    region = Categorical("region", codes, tuple("NSEW"), role="key")
    told = [
        public_step(name, Microdata((other, job, age)))
        for other in candidates(region, record=len(codes) - 1)
    ]
    assert max(told.count(step) for step in told) > 1


@pytest.mark.parametrize("loss", [0.1, 0.3, 0.5])
@pytest.mark.parametrize("basis", ["correlation", "covariance"])
def test_what_a_projection_loses_does_not_tell_the_last_one(
    loss: float, basis: Literal["correlation", "covariance"], data: Microdata
) -> None:
    method = sudare.mask.OrthogonalTransform(columns=("age", "income"), loss=loss, basis=basis)
    column = data["income"].numeric
    tables = (data.replacing([other]) for other in candidates(column, record=data.rows - 1))
    told = [repr(method.fit(table).step.public) for table in tables]
    assert max(told.count(step) for step in told) >= len(told) / 4


@pytest.mark.parametrize("records", [60, 300])
def test_an_invariant_matrix_does_not_tell_the_last_record(records: int) -> None:
    """The attacker weighs up every region of the last record by the published matrix."""
    method = sudare.mask.Pram(columns=("region",), retain=0.7, invariant=True)
    for number in range(20):
        table = sudare.datasets.toy(records, seed=1000 + number)
        published = sudare.apply(table, method, seed=2**100 + number).steps[0].public["region"]
        last_alone = np.bincount(table["region"].coded.codes[:-1], minlength=8)
        likelihoods = [log_chance(published["matrix"], last_alone + own) for own in np.eye(8)]
        assert max(likelihoods) - min(likelihoods) <= SHARES_EPSILON + 1e-6


def log_chance(matrix: np.ndarray, counts: np.ndarray) -> float:
    """Return the log-likelihood of an invariant matrix, by every total that its shares may have."""
    shares = np.array([matrix[1, 0], *matrix[0, 1:]]) / 0.3
    totals = np.arange(len(counts), 5 * int(counts.sum()))
    noisy = totals[:, None] * shares
    whole = np.rint(noisy[np.abs(noisy - np.rint(noisy)).max(axis=1) < 1e-6])
    ratio = np.exp(-SHARES_EPSILON / 2)
    chances = np.log((1 - ratio) / (1 + ratio)) + np.log(ratio) * np.abs(whole - counts)
    few = np.where(  # what is below 1 counts as 1
        counts >= 1, ratio ** (counts - 1) / (1 + ratio), 1 - ratio**2 / (1 + ratio)
    )
    return float(np.logaddexp.reduce(np.where(whole == 1, np.log(few), chances).sum(axis=1)))


@pytest.mark.parametrize("name", TABLES)
def test_an_outlier_does_not_follow_from_what_is_published(name: str, data: Microdata) -> None:
    income = data["income"].numeric
    told = []
    for factor in (1.0, 0.997, 0.999, 1.001, 1.003):
        values = income.values.copy()
        values[7] = 50_000.0 * factor
        changed = Numeric("income", values, role="sensitive", absent=income.absent)
        told.append(public_step(name, data.replacing([changed])))
    assert told.count(told[0]) > 1
