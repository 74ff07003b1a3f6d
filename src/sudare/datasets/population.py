"""A small made-up population for examples and the demo."""

import numpy as np

from sudare.core import NOT_APPLICABLE, Categorical, Floats, Integers, Microdata, Numeric
from sudare.engine.frames import FrameOrigin

_REGIONS = ("北海道", "東北", "関東", "中部", "近畿", "中国", "四国", "九州")
_REGION_SHARES = (0.04, 0.07, 0.34, 0.17, 0.16, 0.06, 0.03, 0.13)
_EDUCATION = ("primary", "secondary", "college", "university", "graduate")
_OCCUPATIONS = ("clerical", "farming", "manager", "manual", "sales", "service", "specialist")
_SURNAMES = ("Abe", "Fujita", "Hara", "Ito", "Kato", "Mori", "Noda", "Sato", "Ueda", "Wada")
_GIVEN = ("Aki", "Emi", "Hiro", "Ken", "Mai", "Nao", "Rei", "Sho", "Taro", "Yui")
_OCCUPATION_SHARES = (0.24, 0.02, 0.03, 0.26, 0.14, 0.14, 0.17)


def toy(n: int = 400, *, seed: int = 1, traps: bool = False) -> Microdata:
    """Return a small population with every role and scale, for examples and the demo.

    Occupation does not apply to people under 15 and is missing for some others; so is income.

    Parameters
    ----------
    n
        Number of people.
    seed
        Of the draws.
    traps
        Whether to add what people forget to remove: names, phone numbers and a code of the
        region, as columns whose role nobody has declared.

    Examples
    --------
    >>> toy()
    <Microdata 400 rows × 10 columns: 1 identifier, 5 key, 2 sensitive, 1 weight, 1 household>
    """
    rng = np.random.default_rng(seed)
    household = np.sort(rng.integers(0, max(n * 2 // 5, 1), n))
    age = np.clip(np.rint(rng.gamma(4.2, 11.0, n)), 0, 99)
    region = rng.choice(len(_REGIONS), n, p=_REGION_SHARES)[
        np.unique(household, return_inverse=True)[1]
    ]
    schooling = rng.normal(2.0 - 0.012 * np.maximum(age - 40, 0), 1.0)
    education = np.where(age < 15, 0, np.clip(np.rint(schooling), 0, 4)).astype(int)
    occupation = rng.choice(len(_OCCUPATIONS), n, p=_OCCUPATION_SHARES)
    occupation[rng.random(n) < 0.03] = -1
    occupation[age < 15] = NOT_APPLICABLE
    income = _incomes(rng, age, education)
    health = np.where(rng.random(n) < 0.1 + 0.006 * age, 1, 0)
    origin = FrameOrigin("polars")
    columns = (
        Numeric("id", np.arange(1, n + 1), role="identifier", scale="ratio"),
        Numeric("household", household + 1, role="household"),
        Categorical("sex", rng.integers(0, 2, n), ("female", "male"), role="key"),
        Numeric("age", age, role="key"),
        Categorical("region", region, _REGIONS, role="key"),
        Categorical("education", education, _EDUCATION, role="key", scale="ordinal"),
        Categorical(
            "occupation", occupation, _OCCUPATIONS, role="key", absent_label="not applicable"
        ),
        # A word among numbers would make text of them in a file: not applicable becomes blank.
        Numeric("income", income, role="sensitive", absent=age < 15),
        Categorical("condition", health, ("none", "chronic"), role="sensitive"),
        Numeric("weight", np.round(rng.uniform(80, 120, n), 1), role="weight"),
    )
    return Microdata((*columns, *_traps(rng, region)) if traps else columns, origin)


def _traps(rng: np.random.Generator, region: Integers) -> tuple[Categorical, ...]:
    """Return columns that would give people away: names, phone numbers, codes of regions."""
    n = len(region)
    names = tuple(f"{surname} {given}" for surname in _SURNAMES for given in _GIVEN)
    numbers = [f"070-0{number // 10_000:03d}-{number % 10_000:04d}" for number in range(n)]
    codes = tuple(f"R{number:02d}" for number in range(1, len(_REGIONS) + 1))
    return (
        Categorical("name", rng.integers(0, len(names), n), names),
        Categorical("phone", rng.permutation(n), tuple(numbers)),
        Categorical("region_code", region, codes),
    )


def _incomes(rng: np.random.Generator, age: Floats, education: Floats) -> Floats:
    """Return log-normal incomes that rise with schooling and peak at fifty, in thousands."""
    level = 7.6 + 0.18 * education - 0.0006 * (age - 50) ** 2
    income = np.rint(np.exp(rng.normal(level, 0.5)))
    income[rng.random(len(age)) < 0.05] = np.nan
    income[age < 15] = np.nan
    return income
