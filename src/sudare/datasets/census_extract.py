"""Data shaped like the census extract in which Sano and Hattori study global recoding.

The extract itself (128,280 records of the 2010 census, five nominal variables) is confidential.
`census_like` makes data with its numbers of categories before and after recoding (table 4) and
its associations (table 5, within 0.02). The design was tuned until the paper's findings on
model-based loss (tables 6 to 8) appear, so the data illustrate them and are not evidence for them.
"""

import numpy as np
from numpy.typing import NDArray

from sudare.core import Categorical, Codes, Floats, Microdata, SettingError
from sudare.datasets.census_margins import (
    CHILDREN,
    DESIGN_SIZE,
    FAMILY,
    INDUSTRY,
    NATIONALITY,
    OCCUPATION,
    TYPICAL_CHILDREN,
    TYPICAL_NATIONALITIES,
    TYPICAL_OCCUPATIONS,
    Table,
    Typical,
)
from sudare.engine.frames import FrameOrigin

Counts = NDArray[np.int64]


def census_like(n: int = DESIGN_SIZE, seed: int = 2010) -> Microdata:
    """Generate five nominal variables like those of the paper's census extract.

    Parameters
    ----------
    n
        Number of records.
    seed
        Arranges the records. How often each category occurs depends on `n` alone.

    Notes
    -----
    The columns are ``industry``, ``occupation``, ``family``, ``nationality`` and ``children``, with
    22, 13, 27, 52 and 97 Japanese labels; all are keys.

    Three steps. *Deal*: with every industry an occupation, with every family type children
    and a nationality; the typical pairs of the design first, the rest at random. *Pair*: the
    work side and the home side, each in an order drawn with the weights of the design (small
    ``uniform / weight`` first), are laid side by side. *Shuffle* the records.

    Counts are the design's shares of `n`, rounded up or down. Every category occurs from
    n = 18,326 on (the rarest has 7 of 128,280); smaller files lack rare ones, but codes and
    labels stay the same. Recoding by minimum share reproduces table 4 exactly at n = 128,280.

    References
    ----------
    Sano, N. and Hattori, Y.: Utility evaluation of global recoding by classification performance
    of discrimination model. Tables 4 and 5.

    Examples
    --------
    >>> data = census_like(1_000, seed=1)
    >>> data
    <Microdata 1000 rows × 5 columns: 5 key>
    >>> data["nationality"].labels[0]
    '日本'
    """
    if n < 1:
        raise SettingError("census_like: n must be at least 1, got {n}.", n=n)
    rng = np.random.default_rng(seed)
    industry, family = repeated(INDUSTRY, n), repeated(FAMILY, n)
    occupation = dealt(OCCUPATION, INDUSTRY, TYPICAL_OCCUPATIONS, n, rng)
    children = dealt(CHILDREN, FAMILY, TYPICAL_CHILDREN, n, rng)
    nationality = dealt(NATIONALITY, FAMILY, TYPICAL_NATIONALITIES, n, rng)

    at_work = weights(INDUSTRY)[industry]
    at_home = (
        weights(FAMILY)[family] * weights(CHILDREN)[children] * weights(NATIONALITY)[nationality]
    )
    work, home = weighted_order(at_work, rng), weighted_order(at_home, rng)
    shuffle = rng.permutation(n)
    work, home = work[shuffle], home[shuffle]
    columns = (
        ("industry", industry[work], INDUSTRY),
        ("occupation", occupation[work], OCCUPATION),
        ("family", family[home], FAMILY),
        ("nationality", nationality[home], NATIONALITY),
        ("children", children[home], CHILDREN),
    )
    return Microdata(
        tuple(
            Categorical(name, codes, labels(table), role="key") for name, codes, table in columns
        ),
        FrameOrigin("polars"),
    )


def margin(table: Table, n: int) -> Counts:
    """Share `n` records out over the categories: rounded differences of the running total.

    Every count is its exact share rounded up or down, and variables whose blocks have equal
    totals in the design have equal block totals for every `n`, as `dealt` needs.
    """
    running = np.cumsum([row.records for row in table])
    return np.diff((2 * n * running + DESIGN_SIZE) // (2 * DESIGN_SIZE), prepend=0)


def repeated(table: Table, n: int) -> Codes:
    """Every code as often as it occurs, in order, shape (n,)."""
    return np.repeat(np.arange(len(table), dtype=np.int32), margin(table, n))


def dealt(columns: Table, rows: Table, typical: Typical, n: int, rng: np.random.Generator) -> Codes:
    """Deal the categories of `columns` to the records of ``repeated(rows, n)``, shape (n,).

    Both margins are exact. The typical pairs get their share, the rest is random within blocks.
    """
    planned = planned_pairs(columns, rows, typical, n)
    open_rows = np.repeat(np.arange(len(rows)), margin(rows, n) - planned.sum(axis=1))
    left = np.repeat(np.arange(len(columns)), margin(columns, n) - planned.sum(axis=0))
    left = rng.permutation(left)
    if columns[-1].block:  # rows come block by block, so the cards must too
        block = np.array([row.block for row in columns], dtype=np.uint8)
        left = left[np.argsort(block[left], kind="stable")]
    planned_rows, planned_columns = np.divmod(
        np.repeat(np.arange(planned.size), planned.ravel()), len(columns)
    )
    row = np.concatenate([planned_rows, open_rows]).astype(np.uint8)
    column = np.concatenate([planned_columns, left]).astype(np.int32)
    shuffle = rng.permutation(n)  # a family's children must say nothing about its nationalities
    dealt_order = shuffle[np.argsort(row[shuffle], kind="stable")]
    return column[dealt_order]


def planned_pairs(columns: Table, rows: Table, typical: Typical, n: int) -> Counts:
    """Count the records reserved for each typical pair, rounded down, shape (rows, columns)."""
    planned = np.zeros((len(rows), len(columns)), dtype=np.int64)
    row_at = {row.label: at for at, row in enumerate(rows)}
    column_at = {row.label: at for at, row in enumerate(columns)}
    for row, column, percent in typical:
        at = row_at[row]
        planned[at, column_at[column]] = n * rows[at].records * percent // (100 * DESIGN_SIZE)
    return planned


def weighted_order(weight: Floats, rng: np.random.Generator) -> Counts:
    """Draw an order of the records in which heavy ones tend to come early, shape (n,)."""
    return np.argsort(rng.random(weight.size) / weight, kind="stable")


def weights(table: Table) -> Floats:
    """Weight of every category."""
    return np.array([row.weight for row in table])


def labels(table: Table) -> tuple[str, ...]:
    """Label of every category."""
    return tuple(row.label for row in table)
