"""Made-up names and numbers of persons, of the forms that real ones have.

None belongs to anybody: phone numbers begin with digits that are not assigned, mail goes to a
reserved domain, and the numbers are drawn, with the check digit of the public rule.
"""

from collections.abc import Iterator

import numpy as np

from sudare.core import Array, Categorical, Codes
from sudare.datasets.surveys import survey_labels as say_as

_WEIGHTS = np.array([2, 3, 4, 5, 6, 7, 2, 3, 4, 5, 6])  # Q_1 … Q_11


def check_digits(digits: Array) -> Array:
    """Return the check digits of Japanese individual numbers, shape (n,).

    Parameters
    ----------
    digits
        The first eleven digits of each, shape (n, 11).

    Notes
    -----
    Ministry of Internal Affairs and Communications ordinance No. 85 of 2014, article 5: 11 minus
    (Σ P_n Q_n mod 11), with P_n the n-th digit from the last and Q_n = n + 1 up to n = 6, n - 5
    from there; 0 where the remainder is 0 or 1.

    Examples
    --------
    >>> check_digits(np.array([[1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1]])).tolist()
    [8]
    """
    remainder = (digits[:, ::-1] @ _WEIGHTS) % 11
    return np.where(remainder <= 1, 0, 11 - remainder)


def person_columns(
    rng: np.random.Generator, sex: Codes, prefecture: Array
) -> Iterator[Categorical]:
    """Yield seven columns that name persons."""
    n = len(sex)
    surname, given = rng.integers(0, len(say_as.SURNAMES), n), rng.integers(0, 10, n)
    names = np.array([[f"{s}　{g}" for s in say_as.SURNAMES for g in row] for row in say_as.GIVEN])
    yield _coded("氏名", names[sex, surname * 10 + given])
    low = rng.permutation(n)
    yield _coded("電話番号", [f"070-0{t[:3]}-{t[3:]}" for t in _filled(low % 10**7, 7)])
    yield _coded("メールアドレス", [f"p{number}@example.jp" for number in low.tolist()])
    digits = rng.integers(0, 10, (n, 11))
    numbers = np.column_stack([digits, check_digits(digits)])
    yield _coded("個人番号", _filled(numbers @ 10 ** np.arange(11, -1, -1), 12))
    blocks, doors = rng.integers(1, 30, (2, n)).tolist()
    prefectures = np.array(say_as.PREFECTURES)[prefecture].tolist()
    yield _coded(
        "住所",
        [f"{p}架空市{b}丁目{d}番地" for p, b, d in zip(prefectures, blocks, doors, strict=True)],
    )
    yield _coded("口座番号", _filled(rng.integers(0, 10**7, n), 7))
    yield _coded("被保険者番号", _filled(rng.integers(0, 10**8, n), 8))


def _filled(numbers: Array, width: int) -> list[str]:
    """Return whole numbers with leading zeros."""
    return [f"{number:0{width}d}" for number in numbers.tolist()]


def _coded(name: str, texts: Array | list[str]) -> Categorical:
    labels, codes = np.unique(np.asarray(texts), return_inverse=True)
    return Categorical(name, codes, tuple(labels.tolist()))
