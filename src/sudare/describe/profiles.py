"""A profile of a table: the contents of each column as counts, never as values."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from sudare.core import Microdata, Role, Scale
from sudare.describe.scale_guesses import guess
from sudare.engine.counting import group_sizes


@dataclass(frozen=True)
class ColumnProfile:
    """Counts of one column.

    Attributes
    ----------
    distinct
        Number of different values.
    rarest
        Number of records that have the rarest value; 0 when the column has no values.
    guess, reason
        The scale the data suggest, and why.
    """

    name: str
    role: Role
    scale: Scale
    guess: Scale
    reason: str
    distinct: int
    rarest: int
    missing: int
    not_applicable: int


@dataclass(frozen=True)
class Profile:
    """Counts of a table and of each of its columns."""

    rows: int
    columns: tuple[ColumnProfile, ...]
    notes: tuple[str, ...] = ()

    def as_dict(self) -> Mapping[str, object]:
        """Return the profile for JSON."""
        return asdict(self)


def profile(data: Microdata) -> Profile:
    """Return the profile of a table.

    Examples
    --------
    >>> import sudare
    >>> table = profile(sudare.datasets.toy())
    >>> table.rows, [column.name for column in table.columns if column.missing]
    (400, ['occupation', 'income'])
    """
    columns = []
    for column in data.columns:
        known = column.take(column.known)
        guessed = guess(column)
        columns.append(
            ColumnProfile(
                name=column.name,
                role=column.role,
                scale=column.scale,
                guess=guessed.scale,
                reason=guessed.reason,
                distinct=len(group_sizes([known])) if known.rows else 0,
                rarest=int(group_sizes([known]).min()) if known.rows else 0,
                missing=int(column.missing.sum()),
                not_applicable=int(column.not_applicable.sum()),
            )
        )
    return Profile(data.rows, tuple(columns), data.notes)
