"""A made-up register of residents, as a file in the form in which a city hall exports it."""

import csv
import os
from collections.abc import Iterator
from datetime import date, timedelta

import numpy as np

from sudare.core import SettingError
from sudare.engine.formats import writing

HEADER = (
    *("宛名番号", "世帯番号", "氏名", "生年月日", "性別", "続柄"),
    *("町字コード", "町字", "番地", "国籍", "住民となった日"),
)
TOWNS = ("本町", "旭町", "緑が丘", "港町", "桜台", "川原", "山手", "新田", "大字奥沢", "離島地区")
TOWN_SHARES = (0.24, 0.18, 0.15, 0.12, 0.1, 0.08, 0.06, 0.04, 0.02, 0.01)
FAMILY_NAMES = ("佐藤", "鈴木", "高橋", "田中", "渡辺", "伊藤", "山本", "中村", "小林", "加藤")
GIVEN_NAMES = {
    "男": ("誠", "健一", "大輔", "翔太", "蓮"),
    "女": ("和子", "恵子", "美咲", "陽菜", "葵"),
}
NATIONALITIES = ("日本", "ベトナム", "中国", "ブラジル", "フィリピン", "ネパール")
NATIONALITY_SHARES = (0.965, 0.012, 0.01, 0.006, 0.004, 0.003)
TODAY = date(2025, 4, 1)


def write_residents_like(
    path: str | os.PathLike[str], n: int = 5_000, seed: int = 2025, *, overwrite: bool = False
) -> None:
    """Write a register of about n residents: CP932, one line for each, whole households.

    Names, numbers and addresses point at persons; the code of a town stands beside its name; a few
    people live in the smallest district or have a nationality that few others have. All of it is
    made up.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "residents.csv")
    >>> write_residents_like(path, 100, seed=1)
    >>> len(path.read_text(encoding="cp932").splitlines()) > 100
    True
    """
    if n < 1:
        raise SettingError("write_residents_like: n must be at least 1, got {n}.", n=n)
    rng = np.random.default_rng(seed)
    rows: list[tuple[str, ...]] = []
    while len(rows) < n:
        rows += _household(rng, len(rows))
    with (
        writing(path, overwrite=overwrite) as draft,
        draft.open("w", encoding="cp932", newline="") as file,
    ):
        csv.writer(file).writerows([HEADER, *rows])


def _household(rng: np.random.Generator, before: int) -> Iterator[tuple[str, ...]]:
    """Yield the lines of one household: the head, perhaps a spouse, perhaps children."""
    town = int(rng.choice(len(TOWNS), p=TOWN_SHARES))
    address = f"{rng.integers(1, 6)}丁目{rng.integers(1, 30)}-{rng.integers(1, 40)}"
    family = str(rng.choice(FAMILY_NAMES))
    nationality = str(rng.choice(NATIONALITIES, p=NATIONALITY_SHARES))
    age = int(np.clip(rng.normal(56, 19), 18, 103))
    sex = "男" if rng.random() < 0.7 else "女"
    members = [("世帯主", age, sex)]
    if rng.random() < 0.55:
        spouse = int(np.clip(age + rng.normal(-1, 4), 18, 103))
        members.append(("妻" if sex == "男" else "夫", spouse, "女" if sex == "男" else "男"))
        children = rng.integers(0, 4) if 28 <= age <= 60 else 0
        ages = rng.integers(0, max(1, min(age - 25, 25)), children)
        members += [("子", int(years), "男" if rng.random() < 0.51 else "女") for years in ages]
    for member, (relation, years, gender) in enumerate(members):
        born = TODAY - timedelta(days=int(years * 365.25 + rng.integers(0, 365)))
        since = max(born, TODAY - timedelta(days=int(rng.integers(1, 20_000))))
        name = f"{family}　{rng.choice(GIVEN_NAMES[gender])}"
        yield (
            *(f"{7_000_000 + 13 * (before + member)}", f"{40_000 + before}", name),
            *(f"{born:%Y/%m/%d}", gender, relation, f"{101 + town}", TOWNS[town], address),
            *(nationality, f"{since:%Y/%m/%d}"),
        )
