"""What was released: randomized records, and the published channel of each column."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sudare.core import (
    Column,
    ColumnError,
    Floats,
    Integers,
    Microdata,
    Numeric,
    Published,
    Step,
    in_turn,
    published_channel,
)
from sudare.engine.counting import joint_keys, quantile_codes, quantile_edges, renumbered


@dataclass(frozen=True, eq=False)
class Released:
    """Randomized records and what is public about them.

    Attributes
    ----------
    data
        The randomized table.
    channels
        The channel of each randomized column that is looked at.
    given
        The columns looked at that were not randomized.
    """

    method: str
    data: Microdata
    channels: Mapping[str, Published]
    given: tuple[str, ...]

    @classmethod
    def of(
        cls,
        method: str,
        data: Microdata,
        steps: Sequence[Step],
        columns: Sequence[str] | None,
    ) -> "Released":
        """Return what the steps publish about some columns, by default those worth estimating."""
        touched = {name for step in steps for name in step.columns if name in data}
        by_column = {
            name: channel_of(method, name, steps) for name in data.names if name in touched
        }
        channels = {name: channel for name, channel in by_column.items() if channel is not None}
        if columns is None:
            sensitive = [n for n in data.sensitive if not isinstance(data[n], Numeric)]
            columns = [*channels, *(n for n in sensitive if n not in channels)]
        if not any(name in channels for name in columns):
            raise ColumnError(
                "{method}: the steps randomize no column of this table by known probabilities.",
                method=method,
            )
        return cls(
            method,
            data,
            {name: channels[name] for name in columns if name in channels},
            tuple(name for name in columns if name not in channels),
        )

    @property
    def names(self) -> list[str]:
        """Names of all columns looked at."""
        return [*self.channels, *self.given]

    def strata(self) -> Iterator["Stratum"]:
        """Yield the records that can have come from one another.

        What was not randomized is known, and so is what is absent: records that differ there are
        estimated apart.
        """
        for name in self.given:
            if isinstance(self.data[name], Numeric):
                raise ColumnError(
                    "{method}: column '{column}' holds numbers that were not randomized; leave it "
                    "out, or make categories of it.",
                    method=self.method,
                    column=name,
                )
        columns = [self.data[name] for name in self.channels]
        coded = [self.data[name].coded for name in self.given]
        parts = [(c.codes + 2, len(c.labels) + 2) for c in coded]
        parts += [(c.missing + 2 * c.not_applicable, 3) for c in columns]
        index, number = renumbered(*joint_keys(parts))
        order = np.argsort(index, kind="stable")
        for rows in np.split(order, np.cumsum(np.bincount(index, minlength=number))[:-1]):
            known = [c.name for c in columns if c.known[rows[0]]]
            yield Stratum(
                rows,
                tuple(self.data[name].take(rows) for name in known),
                tuple(self.channels[name] for name in known),
            )


@dataclass(frozen=True, eq=False)
class Stratum:
    """Some records, with the randomized columns that all of them have.

    Attributes
    ----------
    rows
        Their places in the table, shape (m,).
    columns
        The columns of these records.
    channels
        The channel of each.
    """

    rows: Integers
    columns: tuple[Column, ...]
    channels: tuple[Published, ...]

    def take(self, rows: Integers) -> "Stratum":
        """Return some of the records."""
        return Stratum(self.rows[rows], tuple(c.take(rows) for c in self.columns), self.channels)


def channel_of(method: str, column: str, steps: Sequence[Step]) -> Published | None:
    """Return the channel that the steps in turn make of a column, or none if none randomized it.

    What was done before the first randomization only says of which table the statistics are.
    """
    channel: Published | None = None
    for step in steps:
        if column not in step.columns:
            continue
        published = published_channel(step.public.get(column, {}))
        if channel is None:
            channel = published
            continue
        both = in_turn(channel, published) if published is not None else None
        if both is None:
            raise ColumnError(
                "{method}: column '{column}' was masked again by {step} after it was randomized, "
                "and that cannot be allowed for; leave the column out.",
                method=method,
                column=column,
                step=step.method,
            )
        channel = both
    return channel


def disagreement(columns: Sequence[Column], first: Floats, second: Floats) -> float:
    """Return half the largest difference of a category's share under two weightings.

    Numbers are cut at their tenths. Absent values do not count.

    Parameters
    ----------
    columns
        Of n records.
    first, second
        Weights, shape (n,).
    """
    worst = 0.0
    for column in columns:
        if isinstance(column, Numeric):
            codes = quantile_codes(column, quantile_edges(column, 10))[column.known]
        else:
            codes = column.coded.codes[column.known]
        shares = [np.bincount(codes, weights=w[column.known]) for w in (first, second)]
        shares_first, shares_second = (share / max(share.sum(), 1e-300) for share in shares)
        worst = max(worst, float(np.abs(shares_first - shares_second).max()) / 2)
    return worst
