"""Data like UCI Adult, for the randomization study where the file is not available."""

import numpy as np

from sudare.core import Categorical, Codes, Flags, Floats, Microdata, Numeric, SettingError
from sudare.engine.frames import FrameOrigin

PEOPLE = 48_842
_WORK = {
    "Federal-gov": 0.03,
    "Local-gov": 0.07,
    "Private": 0.74,
    "Self-emp-inc": 0.04,
    "Self-emp-not-inc": 0.08,
    "State-gov": 0.04,
}
_MARITAL = ("Divorced", "Married-civ-spouse", "Never-married", "Separated", "Widowed")
_RELATIONSHIP = ("Husband", "Not-in-family", "Other-relative", "Own-child", "Unmarried", "Wife")
# Share, pull of schooling, pull of being male, effect on the log-odds of a high income.
_OCCUPATIONS = {
    "Adm-clerical": (0.12, 0.0, -1.3, 0.0),
    "Craft-repair": (0.13, -0.8, 2.0, 0.1),
    "Exec-managerial": (0.13, 0.9, 0.2, 0.8),
    "Farming-fishing": (0.03, -1.0, 1.5, -0.9),
    "Handlers-cleaners": (0.05, -1.2, 1.2, -0.7),
    "Machine-op-inspct": (0.07, -1.2, 0.3, -0.3),
    "Other-service": (0.11, -0.9, -0.8, -0.8),
    "Prof-specialty": (0.13, 1.4, 0.0, 0.5),
    "Sales": (0.12, 0.2, 0.2, 0.3),
    "Tech-support": (0.03, 0.6, -0.2, 0.6),
    "Transport-moving": (0.05, -0.9, 2.2, -0.1),
}
_SCHOOLING = (1, 4, 8, 13, 10, 20, 25, 9, 215, 148, 28, 22, 110, 36, 12, 8)  # of 1 … 16
_NO_ANSWER = 0.05


def adult_like(n: int = PEOPLE, seed: int = 1994) -> Microdata:
    """Generate people like those of UCI Adult: ten keys, and whether income exceeds 50K.

    Parameters
    ----------
    n
        Number of people.
    seed
        Draws the people; the design stays the same.

    Notes
    -----
    Names, labels and rough shares are those of Adult; dependencies are a design of few effects:
    age and marital status, schooling and occupation, capital gains of a few, and a logistic model
    of income. A quarter earns more than 50K, and a logistic regression on all keys finds them with
    an area under the curve of about 0.9, as on Adult. Work class and occupation are missing for
    some. For figures to compare with the paper's, take Adult itself (:func:`adult`).

    Examples
    --------
    >>> adult_like(1_000, seed=1)
    <Microdata 1000 rows × 11 columns: 10 key, 1 sensitive>
    """
    if n < 1:
        raise SettingError("adult_like: n must be at least 1, got {n}.", n=n)
    rng = np.random.default_rng(seed)
    age = np.minimum(np.floor(17 + rng.gamma(2.4, 9.0, n)), 90)
    male = rng.random(n) < 0.67
    marital = _marital(rng, age, male)
    married = marital == 1
    relationship = _relationship(rng, age, male, married)
    schooling = rng.choice(np.arange(1.0, 17.0), n, p=np.array(_SCHOOLING) / sum(_SCHOOLING))
    work = rng.choice(len(_WORK), n, p=np.array(list(_WORK.values())) / sum(_WORK.values()))
    occupation, pay = _occupation(rng, schooling, male)
    hours = np.where(rng.random(n) < 0.47, 40, np.rint(rng.normal(38 + 5 * male, 16)))
    hours = np.clip(hours, 1, 99)
    score = 2.7 * married + 0.36 * (schooling - 10) + pay + 0.05 * (hours - 40)
    score += 0.3 * male - 0.003 * np.minimum(age - 52, 0) ** 2
    gain, loss = _capital(rng, score)
    high = rng.random(n) < 1 / (1 + np.exp(2.8 - score - 5.0 * (gain > 6000) - 0.9 * (loss > 0)))
    silent = rng.random(n) < _NO_ANSWER
    columns = (
        Numeric("age", age, role="key"),
        Categorical("workclass", np.where(silent, -1, work), tuple(_WORK), role="key"),
        Numeric("education-num", schooling, role="key", scale="interval"),
        Categorical("marital-status", marital, _MARITAL, role="key"),
        Categorical(
            "occupation", np.where(silent, -1, occupation), tuple(_OCCUPATIONS), role="key"
        ),
        Categorical("relationship", relationship, _RELATIONSHIP, role="key"),
        Categorical("sex", male, ("Female", "Male"), role="key"),
        Numeric("capital-gain", gain, role="key"),
        Numeric("capital-loss", loss, role="key"),
        Numeric("hours-per-week", hours, role="key"),
        Categorical("income", high, ("<=50K", ">50K"), role="sensitive"),
    )
    return Microdata(columns, FrameOrigin("polars"))


def _marital(rng: np.random.Generator, age: Floats, male: Flags) -> Codes:
    """Return marital status: most marry in their twenties; later some part or are widowed."""
    ever = rng.random(len(age)) < 0.9 / (1 + np.exp(-(age - 27) / 4))
    parted = rng.random(len(age)) < np.where(male, 0.2, 0.7)
    widowed = rng.random(len(age)) < np.clip((age - 45) / 80, 0.01, 0.6)
    separated = rng.random(len(age)) < 0.17
    after = np.where(widowed, 4, np.where(separated, 3, 0))
    return np.where(ever, np.where(parted, after, 1), 2).astype(np.int32)


def _relationship(rng: np.random.Generator, age: Floats, male: Flags, married: Flags) -> Codes:
    """Return the place in the household: spouses, children at home, people on their own."""
    at_home = rng.random(len(age)) < 0.9 / (1 + np.exp((age - 25) / 4))
    draw = rng.random(len(age))
    alone = np.where(draw < 0.06, 2, np.where(draw < np.where(male, 0.2, 0.45), 4, 1))
    single = np.where(at_home, 3, alone)
    return np.where(married, np.where(male, 0, 5), single).astype(np.int32)


def _occupation(rng: np.random.Generator, schooling: Floats, male: Flags) -> tuple[Codes, Floats]:
    """Return occupations, drawn by schooling and sex, and what each adds to the log-odds."""
    share, learned, manly, pay = np.array(list(_OCCUPATIONS.values())).T
    pull = learned * (schooling[:, None] - 10) / 2.5 + manly * (male[:, None] - 0.67)
    chances = share * np.exp(pull)
    ladder = np.cumsum(chances / chances.sum(axis=1, keepdims=True), axis=1)
    drawn = (rng.random((len(male), 1)) > ladder[:, :-1]).sum(axis=1)
    return drawn.astype(np.int32), pay[drawn]


def _capital(rng: np.random.Generator, score: Floats) -> tuple[Floats, Floats]:
    """Return capital gains and losses of a few; large gains go with what makes high incomes."""
    large = rng.random(len(score)) < 0.18 / (1 + np.exp(2.6 - score))
    small = rng.random(len(score)) < 0.035
    gains = np.where(
        large, rng.lognormal(9.3, 0.6, len(score)), rng.lognormal(7.9, 0.3, len(score))
    )
    gain = np.where(large | small, np.clip(np.rint(gains), 100, 99_999), 0)
    loses = ~(large | small) & (rng.random(len(score)) < 0.09 / (1 + np.exp(2 - score)) + 0.01)
    loss = np.where(loses, np.clip(np.rint(rng.normal(1900, 300, len(score))), 150, 4356), 0)
    return gain, loss
