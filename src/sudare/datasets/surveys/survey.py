"""A made-up survey laid out like official Japanese microdata, with the traps of such files."""

from collections.abc import Iterator
from datetime import date, timedelta

import numpy as np
from numpy.typing import NDArray

from sudare.core import (
    MISSING,
    Array,
    Categorical,
    Codes,
    Column,
    Flags,
    Microdata,
    Numeric,
    SettingError,
)
from sudare.datasets.surveys import survey_labels as say_as
from sudare.datasets.surveys.survey_persons import person_columns
from sudare.engine.frames import FrameOrigin

_YEAR = 2024
_ERAS = ((2019, 5, 1, "令和"), (1989, 1, 8, "平成"), (1926, 12, 25, "昭和"), (1912, 7, 30, "大正"))
_SLIPS = 0.0002  # records whose industry label does not belong to its code

_Integers = NDArray[np.int64]


def survey_like(n: int = 20_000, seed: int = 2024, *, persons: bool = False) -> Microdata:
    """Generate a household survey laid out like a file of official microdata, 29 columns.

    Parameters
    ----------
    n
        Number of records; each is a person in a household.
    seed
        Of the draws.
    persons
        Whether to add made-up names, phone numbers, e-mail and postal addresses, numbers with the
        check digit of Japan's My Number, and account and insurance numbers: seven columns.

    Notes
    -----
    What makes such files hard is all there: code and label columns side by side, one pair of
    which disagrees in a few records; a code 1–47 that looks like a number; labels with an order
    (15～19歳, 100万円未満, ２人); dates in Japanese eras; questions asked only of some people and
    blank for all others; a word for "no answer"; a constant; a sum of two other columns;
    households; weights. `write_survey_like` writes the file itself: CP932, notes above the header,
    and weights as people type them. All roles are "other", since finding them is the exercise.

    Examples
    --------
    >>> survey_like(1_000, seed=1)
    <Microdata 1000 rows × 29 columns: 29 other>
    >>> survey_like(1_000, seed=1, persons=True)
    <Microdata 1000 rows × 36 columns: 36 other>
    """
    if n < 1:
        raise SettingError("survey_like: n must be at least 1, got {n}.", n=n)
    rng = np.random.default_rng(seed)
    household, member = _households(rng, n)
    age, relation, sex = _members(rng, household, member)
    prefecture = rng.integers(0, 47, int(household[-1]) + 1)[household]
    columns = [
        *_identification(household, prefecture),
        *_person(rng, relation, sex, age),
        *_work(rng, age),
        *_household(rng, household),
    ]
    if persons:
        columns[1:1] = person_columns(rng, sex, prefecture)
    return Microdata(tuple(columns), FrameOrigin("polars"))


def _households(rng: np.random.Generator, n: int) -> tuple[_Integers, _Integers]:
    """Return the household of each person and the position in it, shapes (n,)."""
    sizes = rng.choice(np.arange(1, 8), n, p=(0.34, 0.28, 0.18, 0.13, 0.05, 0.015, 0.005))
    household = np.repeat(np.arange(n), sizes)[:n]
    starts = np.r_[0, np.cumsum(sizes)]
    return household, np.arange(n) - starts[household]


def _members(
    rng: np.random.Generator, household: _Integers, member: _Integers
) -> tuple[_Integers, Codes, Codes]:
    """Return age, relationship and sex: a head, a spouse, children, and older relatives."""
    n = len(household)
    head = np.clip(rng.normal(54, 17, int(household[-1]) + 1), 18, 95)[household]
    relation = np.minimum(member, 2).astype(np.int32)
    relation[(member == 1) & (rng.random(n) < 0.2)] = 2
    relation[(member >= 3) & (rng.random(n) < 0.25)] = 3
    relation[(member >= 2) & (rng.random(n) < 0.04)] = 4
    gap = np.array([0, 2, -30, 27, 0])[relation] + rng.normal(0, 4, n) * (relation > 0)
    age = np.clip(np.rint(head + gap), 0, 99).astype(np.int64)
    sex = rng.integers(0, 2, n).astype(np.int32)
    sex[relation == 0] = rng.random(int((relation == 0).sum())) < 0.3
    sex[relation == 1] = 1
    return age, relation, sex


def _identification(household: _Integers, prefecture: _Integers) -> Iterator[Column]:
    n = len(household)
    yield Numeric("調査年", np.full(n, _YEAR))
    yield Numeric("一連番号", np.arange(1, n + 1))
    yield Numeric("世帯番号", household + 100_001)
    yield Numeric("都道府県コード", prefecture + 1)
    yield _labels("都道府県", prefecture, say_as.PREFECTURES)
    blocks = [block for block, row in enumerate(say_as.REGIONS.values()) for _ in row.split()]
    yield _labels("地域ブロック", np.array(blocks)[prefecture], tuple(say_as.REGIONS))
    size = np.minimum(np.bincount(household)[household], 6) - 1
    yield _labels("世帯人員", size, say_as.SIZES)


def _person(
    rng: np.random.Generator, relation: Codes, sex: Codes, age: _Integers
) -> Iterator[Column]:
    grown = age >= 15
    yield Numeric("続柄コード", relation + 1)
    yield _labels("続柄", relation, say_as.RELATIONS)
    yield Numeric("性別コード", sex + 1)
    yield _labels("性別", sex, say_as.SEXES)
    yield _labels("年齢５歳階級", np.minimum(age // 5, 17), say_as.AGES)
    yield _birth(rng, age)
    married = np.where(relation <= 1, 1, 0)
    married[(relation == 0) & (rng.random(len(age)) < 0.4)] = 0
    married[(age >= 60) & (rng.random(len(age)) < 0.25)] = 2
    married[(age >= 30) & (rng.random(len(age)) < 0.06)] = 3
    yield _labels("配偶関係", married, say_as.MARITAL, grown)
    school = np.clip(np.rint(rng.normal(2.6 - 0.02 * (age - 40), 1.6)), 0, 5).astype(np.int64)
    yield _labels("最終学歴", np.where(age < 18, 0, school), say_as.SCHOOLS, grown)


def _work(rng: np.random.Generator, age: _Integers) -> Iterator[Column]:
    n = len(age)
    grown = age >= 15
    works = grown & (rng.random(n) < np.where(age < 65, 0.78, 0.25))
    status = rng.choice(len(say_as.STATUS), n, p=(0.55, 0.17, 0.09, 0.03, 0.1, 0.06))
    industry = rng.integers(0, len(say_as.INDUSTRIES), n)
    slips = np.where(rng.random(n) < _SLIPS, (industry + 1) % len(say_as.INDUSTRIES), industry)
    occupation = (industry * 3 + rng.integers(0, 4, n)) % len(say_as.OCCUPATIONS)
    hours = np.clip(np.rint(rng.normal(2.6 - (status == 1) * 1.6, 1.1)), 0, 5).astype(np.int64)
    yield _labels("就業状態", np.where(works, 0, 1), say_as.WORKING, grown)
    yield _labels("従業上の地位", status, say_as.STATUS, works)
    yield _labels("産業大分類コード", industry, tuple(say_as.INDUSTRIES), works)
    yield _labels("産業大分類", slips, tuple(say_as.INDUSTRIES.values()), works)
    yield _labels("職業大分類", occupation, say_as.OCCUPATIONS, works)
    yield _labels("週間就業時間", hours, say_as.HOURS, works)
    wish = (rng.random(n) < 0.02 + 0.012 * np.clip(age - 20, 0, 60)).astype(np.int64)
    yield _labels("就業希望の有無", wish, say_as.WISHES, grown & ~works)


def _household(rng: np.random.Generator, household: _Integers) -> Iterator[Column]:
    count = int(household[-1]) + 1
    wages = np.rint(rng.lognormal(5.6, 0.7, count)) * (rng.random(count) < 0.8)
    others = np.rint(rng.lognormal(4.2, 0.9, count)) * (rng.random(count) < 0.6)
    total = (wages + others) * 12 / 10
    edges = (100, 200, 300, 400, 500, 700, 1000, 1500)
    yield _labels(
        "世帯の年間収入", np.searchsorted(edges, total, "right")[household], say_as.INCOMES
    )
    yield Numeric("勤め先収入（千円）", wages[household])
    yield Numeric("その他の収入（千円）", others[household])
    yield Numeric("実収入（千円）", (wages + others)[household])
    home = rng.choice(len(say_as.HOMES), count, p=(0.61, 0.3, 0.06, 0.03))
    yield _labels("住居の所有関係", home[household], say_as.HOMES)
    health = rng.choice(len(say_as.HEALTH), len(household), p=(0.24, 0.22, 0.36, 0.12, 0.03, 0.03))
    yield _labels("健康状態", health, say_as.HEALTH)
    yield Numeric("集計用乗率", np.round(rng.lognormal(6.3, 0.5, count), 2)[household])


def _labels(
    name: str, codes: Array, labels: tuple[str, ...], asked: Flags | None = None
) -> Categorical:
    """Return labels as a reader has them: sorted by their text, blank where nobody was asked."""
    order = sorted(range(len(labels)), key=labels.__getitem__)
    new_code = np.argsort(order)
    sorted_codes = new_code[codes] if asked is None else np.where(asked, new_code[codes], MISSING)
    return Categorical(name, sorted_codes, tuple(labels[code] for code in order))


def _birth(rng: np.random.Generator, age: _Integers) -> Categorical:
    days = (_YEAR - age - 1970) * 365.2425 - rng.integers(92, 457, len(age))
    distinct, codes = np.unique(np.rint(days).astype(np.int64), return_inverse=True)
    return _labels("生年月日", codes, tuple(_in_era(day) for day in distinct.tolist()))


def _in_era(day: int) -> str:
    born = date(1970, 1, 1) + timedelta(day)
    start, era = next((y, e) for y, m, d, e in _ERAS if born >= date(y, m, d))
    year = born.year - start + 1
    return f"{era}{'元' if year == 1 else year}年{born.month}月{born.day}日"
