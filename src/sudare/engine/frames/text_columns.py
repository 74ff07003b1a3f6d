"""Columns of text as numbers or dates, decided on distinct texts only.

Found types are cautious: a column is converted where every cell fits. Stated types read what a
person would, and refuse the column where cells remain that are not numbers or dates.
"""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sudare.core import (
    MISSING,
    NOT_APPLICABLE,
    Array,
    Categorical,
    Codes,
    Column,
    ColumnError,
    Flags,
    Floats,
    Integers,
    Numeric,
    Scale,
    Written,
    WrittenLabels,
    say,
)
from sudare.engine.frames.arrow_types import as_counts, comes_back, has_words_only, kind_of, read_as
from sudare.engine.frames.read_options import ColumnType
from sudare.engine.frames.written_dates import has_era, read_dates
from sudare.engine.frames.written_numbers import ReadNumbers, are_numbers, read_numbers

_EXACT = 2**53
_FEW = 1000  # texts that show whether all are labels, before all are checked
_MOSTLY = 0.5  # share of these
_SHOWN = 5  # records named in a message
_NUMBERS: tuple[ColumnType | None, ...] = (None, "number", "integer")


@dataclass(frozen=True, eq=False, repr=False)
class TextColumn:
    """Distinct texts of a column, and which each entry has.

    Attributes
    ----------
    missing, not_applicable
        Words for absent values.
    stated
        The type that the column must have.
    numbered
        Whether entries are records, so that their numbers can be named.
    typed
        Whether the source has types of its own, and text for this column.
    commas
        Whether all texts are available, so that commas can be told to be decimal marks.
    """

    name: str
    labels: pa.Array
    codes: Codes
    missing: tuple[str, ...] = ()
    not_applicable: tuple[str, ...] = ()
    stated: ColumnType | None = None
    numbered: bool = True
    typed: bool = False
    commas: bool = True

    def read(self) -> tuple[Column | None, tuple[str, ...]]:
        """Return the column as numbers or dates, or ``None`` if it is labels, and what to note."""
        absent = _is_one_of(self.labels, self.not_applicable)
        plain = ~(absent | _is_one_of(self.labels, self.missing))
        texts = self.labels.filter(pa.array(plain))
        kind = kind_of(texts)
        if kind is not None and _is_as_stated(kind, self.stated):
            return self._plain(texts, kind, plain, absent), ()
        if not len(texts):
            empty = self._column(np.full(len(plain), np.nan), absent, _storage(self.stated))
            return (None if self.stated in {None, "text"} else empty), ()
        if self.stated is None and has_words_only(texts):
            return None, ()
        for read in (self._as_numbers, self._as_dates):
            numbers, storage, note = read(texts, plain)
            if storage is not None:
                values = np.full(len(plain), np.nan)
                values[plain] = numbers
                if "" in self.not_applicable:
                    absent = absent | (plain & np.isnan(values))
                written = Written(self.labels, values, absent, self.codes, typed=self.typed)
                return self._column(values, absent, storage, written), (note,)
            if note:
                return None, (note,)
        return None, ()

    def _plain(
        self, texts: pa.Array, kind: pa.DataType, plain: Flags, absent: Flags
    ) -> Categorical | Numeric:
        """Return texts of one plain type; whole numbers too long to be exact stay labels."""
        parsed = read_as(texts, kind)
        if kind == pa.int64() and (np.abs(parsed.to_numpy()) > _EXACT).any():
            return self._long_wholes(parsed.to_numpy(), plain, absent)
        values = np.full(len(plain), np.nan)
        values[plain] = as_counts(parsed).cast(pa.float64(), safe=False).to_numpy()
        if plain.all() and comes_back(texts, kind):
            return self._column(values, absent, kind)
        written = Written(self.labels, values, absent, self.codes, typed=self.typed, plain=True)
        return self._column(values, absent, kind, written)

    def _long_wholes(self, wholes: Array, plain: Flags, absent: Flags) -> Categorical:
        special = np.where(absent, NOT_APPLICABLE, np.where(plain, 0, MISSING)).astype(np.int32)
        label_codes = special.copy()
        label_codes[plain] = np.argsort(np.argsort(wholes))
        texts = np.array(self.labels.to_pylist(), np.object_)
        texts[plain] = wholes.tolist()
        return Categorical(
            self.name,
            np.append(label_codes, MISSING)[self.codes],
            tuple(np.sort(wholes).tolist()),
            storage=pa.int64(),
            absent_label=self._word(absent),
            written=None if plain.all() else WrittenLabels(tuple(texts), special, self.codes),
        )

    def _column(
        self, values: Floats, absent: Flags, storage: pa.DataType, written: Written | None = None
    ) -> Numeric:
        scale: Scale = "interval" if pa.types.is_temporal(storage) else "ratio"
        return Numeric(
            self.name,
            np.append(values, np.nan)[self.codes],
            scale=scale,
            storage=storage,
            absent=np.append(absent, False)[self.codes] if absent.any() else None,
            absent_label=self._word(absent),
            written=written,
        )

    def _word(self, absent: Flags) -> str | None:
        return self.labels[int(absent.argmax())].as_py() if absent.any() else None

    def _as_numbers(
        self, texts: pa.Array, plain: Flags
    ) -> tuple[Floats | None, pa.DataType | None, str]:
        if self.stated not in _NUMBERS:
            return None, None, ""
        if self.stated is None and not are_numbers(texts[:_FEW], _MOSTLY):
            return None, None, self._comma_hint(texts)
        numbers = read_numbers(texts)
        unclear = _either_way(texts, numbers) if self.commas else None
        if unclear is not None:
            error = self._unclear_marks(*unclear, plain)
            if self.stated is None:
                return None, None, str(error)
            raise error
        is_sure = numbers.complete and numbers.certain and not _is_code(numbers)
        if self.stated is None and not is_sure:
            return None, None, self._hint(texts, numbers, plain)
        if not numbers.complete:
            numbers = self._with_commas(texts, numbers, plain)
        self._check_units(numbers, plain)
        storage = pa.int64() if numbers.whole[numbers.readable].all() else pa.float64()
        if self.stated == "integer":
            broken = numbers.readable & (numbers.numbers != np.rint(numbers.numbers))
            if broken.any():
                raise self._unread(broken, plain, say("whole numbers"))
            storage = pa.int64()
        return numbers.numbers, storage, self._converted(say("numbers"), numbers.rules)

    def _with_commas(self, texts: pa.Array, points: ReadNumbers, plain: Flags) -> ReadNumbers:
        """Return the numbers of a column with decimal commas; refuse one that has both marks."""
        commas = read_numbers(texts, ",")
        with_points, with_commas = _by_mark(texts, points, commas)
        if with_points.any() and with_commas.any():
            raise self._both_marks(with_points, with_commas, plain)
        if commas.complete and self.commas:
            return commas
        raise self._unread(~(points.readable | points.blank), plain, say("numbers"))

    def _check_units(self, numbers: ReadNumbers, plain: Flags) -> None:
        """Refuse numbers of different units, and shares beside percentages."""
        if numbers.mixed.any():
            named = numbers.readable & (numbers.units != "")
            raise ColumnError(
                "column '{column}': {count} of {all} cells with a unit have a different one from "
                "the first (records {records}); write all of them in one unit, or state that it is "
                "text (types).",
                column=self.name,
                count=len(self._cells(numbers.mixed, plain)),
                all=len(self._cells(named, plain)),
                records=self._records(numbers.mixed, plain),
            )
        if numbers.unclear.any():
            raise ColumnError(
                "column '{column}': {count} {count:cell has|cells have} no unit while others are "
                "in percent, thousands or the like, so their unit is unclear (records "
                "{records}); write all of them in one way, or state that it is text (types).",
                column=self.name,
                count=len(self._cells(numbers.unclear, plain)),
                records=self._records(numbers.unclear, plain),
            )

    def _hint(self, texts: pa.Array, points: ReadNumbers, plain: Flags) -> str:
        """Return how a column of text could be read as numbers; nothing if it holds codes."""
        if points.complete or points.lossy.any() or points.readable.mean() < 0.5:
            return ""
        commas = read_numbers(texts, ",")
        with_points, with_commas = _by_mark(texts, points, commas)
        if with_points.any() and with_commas.any():
            return str(self._both_marks(with_points, with_commas, plain))
        if commas.complete:
            return self._comma_hint(texts)
        stray = ~(points.readable | points.blank)
        if points.readable.sum() < 3 or not stray.any() or _are_classes(texts, points, stray):
            return ""
        return str(self._unread(stray, plain, say("numbers")))

    def _comma_hint(self, texts: pa.Array) -> str:
        """Return how text could be read as numbers with decimal commas; nothing if it cannot be."""
        if not pc.any(pc.match_substring(texts, ",")).as_py():
            return ""
        commas = read_numbers(texts, ",")
        if not (commas.complete and commas.certain) or commas.lossy.any():
            return ""
        return say(
            "column '{column}' stays text; if its commas are decimal marks, state its type "
            "(types): number.",
            column=self.name,
        )

    def _as_dates(
        self, texts: pa.Array, plain: Flags
    ) -> tuple[Floats | None, pa.DataType | None, str]:
        if self.stated not in {None, "date"} or (self.stated is None and not has_era(texts[:_FEW])):
            return None, None, ""
        days = read_dates(texts)
        stray = np.isnan(days) & ~read_numbers(texts).blank
        if stray.any() and self.stated is not None:
            raise self._unread(stray, plain, _days())
        if stray.any():
            return None, None, str(self._unread(stray, plain, _days()))
        return days, pa.date32(), self._converted(say("dates"), (say("Japanese notation"),))

    def _converted(self, what: str, rules: tuple[str, ...]) -> str:
        return say(
            "column '{column}' read as {what}: {rules}.",
            column=self.name,
            what=what,
            rules=say(", ").join(rules) or say("zeros in front removed"),
        )

    def _unread(self, stray: Flags, plain: Flags, what: str) -> ColumnError:
        """Return how many cells are not what they should be, which records, and what to do."""
        cells = self._cells(stray, plain)
        if not self.numbered:
            return ColumnError(
                "column '{column}': {count} different {count:text|texts} cannot be read as {what}; "
                "name the words for absent values (missing, not_applicable; --missing "
                "'{column}=…'), or state that it is text (types; --type '{column}=text').",
                column=self.name,
                count=int(stray.sum()),
                what=what,
            )
        return ColumnError(
            "column '{column}': {count} of {all} cells cannot be read as {what} (records "
            "{records}); name the words for absent values (missing, not_applicable; --missing "
            "'{column}=…'), or state that it is text (types; --type '{column}=text').",
            column=self.name,
            count=len(cells),
            all=int((self.codes != MISSING).sum()),
            what=what,
            records=self._records(stray, plain),
        )

    def _both_marks(self, points: Flags, commas: Flags, plain: Flags) -> ColumnError:
        return ColumnError(
            "column '{column}': {points} {points:cell has|cells have} a decimal point and {commas} "
            "a decimal comma; write all of them in one way, or state that it is text (types).",
            column=self.name,
            points=len(self._cells(points, plain)),
            commas=len(self._cells(commas, plain)),
        )

    def _unclear_marks(self, points: Flags, commas: Flags, plain: Flags) -> ColumnError:
        return ColumnError(
            "column '{column}': {points} {points:cell has|cells have} a point before three "
            "digits and {commas} a comma, so the decimal mark cannot be told from the thousands "
            "separator; write all of them in one way, or state that it is text (types).",
            column=self.name,
            points=len(self._cells(points, plain)),
            commas=len(self._cells(commas, plain)),
        )

    def _records(self, some: Flags, plain: Flags) -> str:
        """Return the numbers of the first records that have some of the plain texts."""
        cells = self._cells(some, plain)
        if not self.numbered:
            return "…"
        shown = ", ".join(str(cell + 1) for cell in cells[:_SHOWN])
        return f"{shown}, …" if len(cells) > _SHOWN else shown

    def _cells(self, some: Flags, plain: Flags) -> Integers:
        """Return the entries that have some of the plain texts."""
        flags = np.zeros(len(plain) + 1, np.bool_)
        flags[np.flatnonzero(plain)] = some
        return np.flatnonzero(flags[self.codes])


def _days() -> str:
    return say("dates, which must exist and lie in their era (令和 begins on 1 May 2019)")


def _are_classes(texts: pa.Array, numbers: ReadNumbers, stray: Flags) -> bool:
    """Return whether texts are labels such as 2人 beside 10人以上, rather than numbers."""
    if numbers.sure[numbers.readable].all():
        return False
    others = texts.filter(pa.array(stray))
    return bool(pc.all(pc.match_substring_regex(others, "[0-9０-９]")).as_py())


def _by_mark(texts: pa.Array, points: ReadNumbers, commas: ReadNumbers) -> tuple[Flags, Flags]:
    """Return which numbers have a decimal point, and which a decimal comma.

    Where some, such as 1.234,5, use the point to group digits, one such as 1,234 counts as written
    the other way: it would be read as another number.
    """
    with_points = points.readable & ~commas.readable
    with_commas = commas.readable & ~points.readable
    grouping = with_commas & pc.match_substring(texts, ".").to_numpy(zero_copy_only=False)
    if grouping.any():
        either = points.readable & commas.readable
        with_points = with_points | (either & (points.numbers != commas.numbers))
    return with_points, with_commas


def _either_way(texts: pa.Array, points: ReadNumbers) -> tuple[Flags, Flags] | None:
    """Return which numbers have a point and which a comma, if both may mean either.

    That is where some are written as 1,234 and others as 1.234, and no number tells which is the
    decimal mark, as 1,234.5 and 0.123 do.
    """
    held = [pc.match_substring(texts, mark).to_numpy(zero_copy_only=False) for mark in ".,"]
    if not (held[0].any() and held[1].any()) or not points.complete:
        return None
    commas = read_numbers(texts, ",")
    told = pc.match_substring_regex(texts, r"(^|[^0-9.,])0[.,]|[.,].*[.,]")
    if (points.readable & ~commas.readable).any() or pc.any(told).as_py():
        return None
    return held[0], held[1]


def _is_code(numbers: ReadNumbers) -> bool:
    """Return whether texts are rather codes: 0123, or (1), (2), (3)."""
    return bool(numbers.lossy.any() or numbers.enclosed.sum() == numbers.readable.sum())


def _is_as_stated(kind: pa.DataType, stated: ColumnType | None) -> bool:
    if stated in {None, "date"}:
        return stated is None or pa.types.is_temporal(kind)
    if stated == "integer":
        return bool(kind == pa.int64())
    return stated == "number" and not pa.types.is_temporal(kind)


def _storage(stated: ColumnType | None) -> pa.DataType:
    return pa.date32() if stated == "date" else pa.float64()


def _is_one_of(labels: pa.Array, words: tuple[str, ...]) -> Flags:
    return pc.is_in(labels, pa.array(words, labels.type)).to_numpy(zero_copy_only=False)
