"""What keys tell of a part of the people: a value under an age, or whether there is a value.

A question that is asked of some ages only has no answer above them; the income of children is 0.
Whoever knows the age of a person rules out the records that say otherwise. Looked at is each key by
itself: the categories, or the ranges of what has an order, whose records have one value but for few
exceptions, and far more often than by chance; and which values it rules out. Whether there is a
value may follow from several keys as well.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from sudare.core import Codes, Column, Flags, Microdata
from sudare.describe import is_ordered
from sudare.release.inspection.masked_pair import MaskedPair, class_codes
from sudare.release.inspection.release_guarantees.functional_dependencies import (
    EXCEPTIONS,
    SAMPLE,
    SURE,
    Dependencies,
)
from sudare.release.inspection.release_guarantees.ruled_out_values import is_parted, ruled_out

_SOME = 0.05  # share of the people of whom keys tell a value, and of the records that have it


@dataclass(frozen=True)
class _Content:
    """What columns hold: values, or whether there is one; several if it is the same in them."""

    columns: tuple[str, ...]
    kind: Literal["values", "known", "not_applicable"]

    def codes(self, table: Microdata) -> Codes:
        """Return codes from 1; 0 for no value where it is about values; shape (n,)."""
        column = table[self.columns[0]]
        if self.kind == "values":
            return np.maximum(class_codes(column) - 1, 0)
        flags: Flags = getattr(column, self.kind)
        return flags.astype(np.int32) + 1


@dataclass(frozen=True, eq=False, repr=False)
class Known:
    """What whoever knows the keys of a person knows of other columns.

    Attributes
    ----------
    columns, keys
        Of what, and from which.
    people
        What is known of each person, 0 for nothing, shape (n,).
    told
        What each record says, shape (n,).
    fits
        Whether a person and a record of these codes can be the same, shape (people, told).
    is_presence
        Whether it is only that there is a value.
    is_rule
        Whether it parts the values of all people.
    """

    columns: tuple[str, ...]
    keys: tuple[str, ...]
    people: Codes
    told: Codes
    fits: Flags
    is_presence: bool
    is_rule: bool = False


def known_partly(
    pair: MaskedPair, dependencies: Dependencies, values: Sequence[str], names: Sequence[str]
) -> Iterator[Known]:
    """Yield what follows from keys for some people, and for which of them there is a value.

    Parameters
    ----------
    pair
        The table before and after masking.
    dependencies
        The search for what follows from the keys for everybody.
    values
        Released columns whose values may follow from a key for some people.
    names
        Released columns in which there may be a value or none.
    """
    small = pair.sample(SAMPLE)
    present = {each: each.codes(small.after) for each in _presences(small.after, names)}
    following = dependencies.following(present)
    for content, keys in following.items():
        told = content.codes(pair.after)
        yield Known(content.columns, keys, told, told, _alike(told), is_presence=True)
    named = (_Content((name,), "values") for name in values)
    contents = {each: each.codes(small.after) for each in named} | present
    for key in sorted(dependencies.masked):
        for content, codes in contents.items():
            if content in following or _told_by(small.before[key], codes) is None:
                continue
            told_of = _told_by(pair.before[key], content.codes(pair.after))
            if told_of is not None:
                is_presence = content.kind != "values"
                yield Known(content.columns, (key,), *told_of, is_presence=is_presence)
        for name in values:
            if ruled_out(small.before[key], small.after[name]) is not None:
                out = ruled_out(pair.before[key], pair.after[name])
                if out is not None:
                    is_rule = is_parted(*out)
                    yield Known((name,), (key,), *out, is_presence=False, is_rule=is_rule)


def _presences(table: Microdata, names: Sequence[str]) -> Iterator[_Content]:
    """Yield whether there is a value, once for the columns that have one in the same records."""
    alike: dict[tuple[Literal["known", "not_applicable"], bytes], list[str]] = {}
    for name in names:
        known, absent = table[name].known, table[name].not_applicable
        if known.any() and not known.all():
            alike.setdefault(("known", known.tobytes()), []).append(name)
            if absent.any() and (known | absent).sum() < len(known):
                alike.setdefault(("not_applicable", absent.tobytes()), []).append(name)
    for (kind, _), columns in alike.items():
        yield _Content(tuple(columns), kind)


def _alike(told: Codes) -> Flags:
    """Return that only equal codes fit; 0 fits all."""
    fits = np.eye(int(told.max(initial=0)) + 1, dtype=np.bool_)
    fits[0] = True
    return fits


def _told_by(key: Column, codes: Codes) -> tuple[Codes, Codes, Flags] | None:
    """Return what a key tells of each person, 0 for nothing, what records say, and what fits.

    None where it tells nothing, or of few people. Codes 0 are not looked at.
    """
    counts = np.bincount(codes)
    common = np.flatnonzero(counts[1:] >= _SOME * len(codes)) + 1
    places = np.zeros(len(counts), np.int32)
    places[common] = np.arange(len(common)) + 1
    told: Codes = places[codes]
    groups, width = class_codes(key), len(common) + 1
    cells = np.bincount(groups * np.int64(width) + told, minlength=(groups.max() + 1) * width)
    cells = cells.reshape(-1, width)
    occurring = np.flatnonzero(cells[2:].sum(axis=1)) + 2  # without missing and not applicable
    sizes = cells[occurring].sum(axis=1)
    is_sure = np.zeros(cells.shape, np.bool_)
    for number, code in enumerate(common, 1):
        share, alike = counts[code] / len(codes), cells[occurring, number]
        is_pure = sizes - alike <= EXCEPTIONS * (1 - share) * sizes
        turns = np.diff(is_pure, prepend=False) if is_ordered(key) else np.ones_like(is_pure)
        runs = np.cumsum(turns)
        evidence = np.bincount(runs, alike * is_pure) * -np.log(share)
        is_sure[occurring, number] = is_pure & (evidence > SURE)[runs]
    people: Codes = told * is_sure[groups, told]
    return (people, told, _alike(told)) if (people > 0).sum() >= _SOME * len(codes) else None
