"""Distances that need no structure: p-norms of numbers, equality, edits of text, any function."""

import math
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np

from sudare.core import Array, Floats, Label, SettingError, say, unknown_name
from sudare.describe.distances.trees import Block, Distance
from sudare.describe.hierarchies import Hierarchy

_EDITS = {
    "levenshtein": "Levenshtein.distance",
    "levenshtein-share": "Levenshtein.normalized_distance",
    "damerau-levenshtein": "DamerauLevenshtein.distance",
    "indel": "Indel.distance",
    "jaro": "Jaro.distance",
    "jaro-winkler": "JaroWinkler.distance",
}


class PNorm(Distance):
    """The p-norm of the difference of two points, 1 ≤ p ≤ ∞; p = 2 is the Euclidean distance.

    Examples
    --------
    >>> PNorm(math.inf).matrix(np.array([[0.0, 0.0], [3.0, 4.0]]))[0, 1].item()
    4.0
    """

    def __init__(self, p: float) -> None:
        if not p >= 1:
            raise SettingError("PNorm: p must be at least 1, got {given}.", given=p)
        self.p = float(p)

    def between(self, labels: Sequence[Any] | Array) -> Block:
        """Return the norms of differences of points, shape (u,) or (u, p), block by block."""
        from scipy.spatial.distance import cdist

        points = np.asarray(labels, np.float64)
        points = points.reshape(len(points), -1)
        name = {1.0: "cityblock", 2.0: "euclidean", math.inf: "chebyshev"}.get(self.p, "minkowski")
        more = {"p": self.p} if name == "minkowski" else {}

        def block(rows: slice, columns: slice) -> Floats:
            return cdist(points[rows], points[columns], name, **more)

        return block

    def __repr__(self) -> str:
        return f"PNorm({self.p:g})"


class Discrete(Distance):
    """Distance 0 between equal labels and 1 between different ones."""

    nothing: Label = ""

    def between(self, labels: Sequence[Any] | Array) -> Block:
        """Return 1 for different labels, block by block."""
        code_of: dict[Label, int] = {}
        codes = np.array([code_of.setdefault(label, len(code_of)) for label in labels], np.int64)

        def block(rows: slice, columns: slice) -> Floats:
            return (codes[rows, None] != codes[columns]).astype(np.float64)

        return block

    def __repr__(self) -> str:
        return "discrete"


class Edits(Distance):
    """Number or share of edits that turn one text into another, by rapidfuzz.

    Jaro and Jaro–Winkler are 1 - similarity and break the triangle inequality; the capacity is a
    sum over pairs and does not need it. No value is the empty text.

    Examples
    --------
    >>> Edits("levenshtein").matrix(["佐藤", "佐々木", "加藤"])[0].tolist()
    [0.0, 2.0, 1.0]
    """

    nothing: Label = ""

    def __init__(self, word: str) -> None:
        if word not in _EDITS:
            raise unknown_name(say("distance"), word, _EDITS)
        self.word = word

    def between(self, labels: Sequence[Any] | Array) -> Block:
        """Return edits between labels as text, block by block."""
        from rapidfuzz import distance, process

        family, name = _EDITS[self.word].split(".")
        scorer = getattr(getattr(distance, family), name)
        texts = [str(label) for label in labels]

        def block(rows: slice, columns: slice) -> Floats:
            edits = process.cdist(texts[rows], texts[columns], scorer=scorer, dtype=np.float64)
            return np.asarray(edits, np.float64)

        return block

    def __repr__(self) -> str:
        return self.word


class Function(Distance):
    """A distance given as a Python function of two labels; symmetric, and 0 for equal labels.

    It is called for each pair of different labels, always in one order.

    Examples
    --------
    >>> Function(lambda a, b: abs(len(a) - len(b))).matrix(["a", "abc"]).tolist()
    [[0.0, 2.0], [2.0, 0.0]]
    """

    cells: ClassVar[int] = 1 << 16  # calls of Python are slow: progress is reported often

    def __init__(self, function: Callable[[Any, Any], float]) -> None:
        self.function = function

    def between(self, labels: Sequence[Any] | Array) -> Block:
        """Return what the function says of each pair, block by block."""
        labels = list(labels)
        size = len(labels)

        def block(rows: slice, columns: slice) -> Floats:
            here, there = range(size)[rows], range(size)[columns]
            both = np.array([[self._one(labels, i, j) for j in there] for i in here], np.float64)
            wrong = int((~(both >= 0) | np.isinf(both)).sum())
            if wrong:
                raise SettingError(
                    "the distance function returned {count} {count:value|values} that are "
                    "negative, infinite or not a number.",
                    count=wrong,
                )
            return both.reshape(len(here), len(there))

        return block

    def _one(self, labels: list[Label], i: int, j: int) -> float:
        return 0.0 if i == j else float(self.function(labels[min(i, j)], labels[max(i, j)]))

    def __repr__(self) -> str:
        return getattr(self.function, "__name__", type(self.function).__name__)


Given = str | Distance | Callable[[Any, Any], float]
WORDS: dict[str, Distance] = {
    "euclidean": PNorm(2),
    "manhattan": PNorm(1),
    "maximum": PNorm(math.inf),
    "discrete": Discrete(),
    **{word: Edits(word) for word in _EDITS},
}


def as_distance(given: Given) -> Distance:
    """Return the distance that a word, an object or a function means.

    Examples
    --------
    >>> as_distance("euclidean")
    PNorm(2)
    >>> as_distance("euclidian")
    Traceback (most recent call last):
    sudare.core.errors.SettingError: there is no distance 'euclidian'; did you mean 'euclidean'?
    """
    if isinstance(given, Distance):
        return given
    if isinstance(given, str):
        if given not in WORDS:
            raise unknown_name(say("distance"), given, WORDS)
        return WORDS[given]
    if isinstance(given, Hierarchy):
        raise SettingError("a Hierarchy is not a distance; use its tree().")
    if isinstance(given, type) or not callable(given):
        raise SettingError(
            "a distance must be a word, a Tree, Graph or PNorm, or a function of two labels; got "
            "{given}.",
            given=getattr(given, "__name__", type(given).__name__),
        )
    return Function(given)
