"""What proposals look at: the distinct values of a column and how often they occur."""

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sudare.core import Array, Codes, Column, Floats, Integers, Label, Microdata, Numeric
from sudare.describe.proposing.headings import Concept, concept_of, concepts

_LOOKED_AT = 400  # labels of a column whose text is looked at
_BODY = "body_weight"
_WEIGHTS = {"weight", "wt", "wgt"}  # headings that may speak of a body or of a sample
SAMPLE = 2_000  # records on which pairs of columns are tried first


@dataclass(frozen=True, eq=False)
class Facts:
    """Counts of one column.

    Attributes
    ----------
    codes, labels
        The column as codes; below 0 for records without a value.
    counts
        Number of records of each label, shape (labels,).
    beside_bodies
        Whether another column holds measures of the body: a weight is then that of a person.
    """

    column: Column
    codes: Codes
    labels: tuple[Label, ...]
    counts: Integers
    sample: Array
    beside_bodies: bool = False

    @property
    def name(self) -> str:
        """The heading."""
        return self.column.name

    @cached_property
    def concept(self) -> Concept | None:
        """What the heading speaks of."""
        if self.beside_bodies and plain_text(self.name) in _WEIGHTS:
            return concepts()[_BODY]
        return concept_of(self.name)

    @cached_property
    def distinct(self) -> int:
        """Number of different values."""
        return int(np.count_nonzero(self.counts))

    @cached_property
    def known(self) -> int:
        """Number of records that have a value."""
        return int(self.counts.sum())

    @cached_property
    def blank(self) -> int:
        """Number of records without a value."""
        return len(self.codes) - self.known

    @property
    def is_unique(self) -> bool:
        """Whether no two records share a value, in a table of some length."""
        return self.known >= 20 and self.distinct == self.known

    @cached_property
    def sampled(self) -> Codes:
        """The codes of the sampled records."""
        return self.codes[self.sample]

    @property
    def is_number(self) -> bool:
        """Whether the column holds numbers (dates count as numbers)."""
        return isinstance(self.column, Numeric)

    @property
    def is_date(self) -> bool:
        """Whether the column was read as dates or times."""
        return self.is_number and self.column.scale == "interval"

    @cached_property
    def levels(self) -> Floats:
        """The distinct numbers in ascending order; empty for text."""
        return np.array(self.labels if self.is_number else (), np.float64)

    @cached_property
    def is_whole(self) -> bool:
        """Whether all values are whole numbers."""
        return self.is_number and bool((self.levels == np.rint(self.levels)).all())

    @cached_property
    def places(self) -> Array:
        """The labels that are looked at: all of a few, or some of many, evenly spread."""
        occurring = np.flatnonzero(self.counts)
        return occurring[:: max(len(occurring) // _LOOKED_AT, 1)]

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The labels looked at as text: half width, lower case; of numbers, whole ones."""
        labels = (self.labels[code] for code in self.places.tolist())
        return tuple(plain_text(label) for label in labels)


def plain_text(label: Label) -> str:
    """Return a label in lower case and half width.

    Examples
    --------
    >>> plain_text(" １５～１９歳 ")
    '15~19歳'
    """
    text = unicodedata.normalize("NFKC", str(label)).replace("〜", "~")
    return " ".join(text.lower().split())


def count_passing(test: Callable[[str], object], texts: Sequence[str], least: float) -> int:
    """Return how many texts pass a test; 0 if these are too few, as soon as that is certain.

    Examples
    --------
    >>> count_passing(str.isdigit, ("1", "2", "x"), 2), count_passing(str.isdigit, ("1", "x"), 2)
    (2, 0)
    """
    passed = 0
    for left, text in zip(range(len(texts), 0, -1), texts, strict=True):
        if passed + left < least:
            return 0
        passed += bool(test(text))
    return passed if passed >= least else 0


def facts_of(data: Microdata) -> list[Facts]:
    """Return the counts of every column; pairs of columns are tried on the same sample."""
    sample = np.unique(np.linspace(0, max(data.rows - 1, 0), SAMPLE).astype(np.int64))
    sample = sample[: data.rows]
    named = (concept_of(column.name) for column in data.columns)
    beside_bodies = any(concept is not None and concept.name == _BODY for concept in named)
    return [_facts(column, sample, beside_bodies=beside_bodies) for column in data.columns]


def _facts(column: Column, sample: Array, *, beside_bodies: bool) -> Facts:
    coded = column.coded
    counts = np.bincount(coded.codes + 2, minlength=len(coded.labels) + 2)[2:]  # -1, -2: no value
    return Facts(column, coded.codes, coded.labels, counts, sample, beside_bodies)
