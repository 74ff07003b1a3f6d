"""Measuring: a Measure compares a table before and after masking and returns a Result."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal

import numpy as np

from sudare.core.errors import ColumnError, InputError, MismatchError, TooLargeError
from sudare.core.figure import Figure
from sudare.core.messages import paragraph, retold, say
from sudare.core.methods.masker import Step
from sudare.core.methods.method import Method, check_table
from sudare.core.methods.record_order import in_same_order
from sudare.core.methods.table_pair import LargeTablePair, TablePair
from sudare.core.notebook import html_table
from sudare.core.settings import Declared
from sudare.core.table import LargeTable, Microdata, Numeric
from sudare.core.types import Array, Role

Needs = Literal["counts", "moments", "records"]
Kind = Literal["risk", "loss"]


@dataclass(frozen=True)
class Result:
    """A measured value with what stands behind it.

    Attributes
    ----------
    measure
        Name of the measure.
    value
        The number.
    best, worst
        The best and the worst value possible; which of them is larger says what to aim for.
    parts
        The value by column, where the measure has one.
    interval
        Lower and upper bound, where the measure estimates.
    baseline
        What an attacker reaches without the release, where the measure has that: the risk that
        nobody can avoid.
    informed
        The value for an attacker who knows what masking suppressed, where that is another one.
    informed_parts, informed_by_record
        The same of the parts and of the record detail. For limits alone: never shown.
    influence
        The most by which one record of the original moves the value, where such a bound is known:
        with it the public can be told the value, with noise.
    by_record
        One number per record. Confidential: never printed, never in a release.
    notes
        What must be known to read the value, in sentences.
    """

    measure: str
    value: float
    best: float
    worst: float
    parts: Mapping[str, float] = field(default_factory=dict)
    interval: tuple[float, float] | None = None
    baseline: float | None = None
    informed: float | None = field(default=None, kw_only=True)
    informed_parts: Mapping[str, float] = field(
        default_factory=dict, kw_only=True, repr=False, compare=False
    )
    informed_by_record: Array | None = field(default=None, kw_only=True, repr=False, compare=False)
    influence: float | None = field(default=None, kw_only=True, repr=False, compare=False)
    by_record: Array | None = field(default=None, repr=False, compare=False)
    notes: tuple[str, ...] = field(default=(), repr=False, compare=False)

    @property
    def lower_is_better(self) -> bool:
        """Whether a smaller value is a better one."""
        return self.best < self.worst

    @property
    def judged(self) -> float:
        """The value by which a limit is judged: the worse one, where attackers know more."""
        if self.informed is None:
            return self.value
        return self._worse(self.value, self.informed)

    def _worse(self, *numbers: float) -> float:
        return max(numbers) if self.lower_is_better else min(numbers)

    def judged_note(self, shown: Callable[[float], str] = "{:.4g}".format) -> str | None:
        """Return the sentence on the number that counts where another one is shown."""
        if self.judged == self.value:
            return None
        return say(
            "{value} if suppressed keys match every value, {informed} for an attacker who knows "
            "them; limits are judged by the latter.",
            value=shown(float(self.value)),
            informed=shown(float(self.judged)),
        )

    def as_judged(self) -> "Result":
        """Return the result as limits read it: all its numbers for an attacker who knows more."""
        if self.informed is None:
            return self
        detail, known = self.by_record, self.informed_by_record
        if detail is not None and known is not None:
            detail = (np.fmax if self.lower_is_better else np.fmin)(detail, known)
        parts = {n: self._worse(p, self.informed_parts.get(n, p)) for n, p in self.parts.items()}
        return replace(
            self,
            value=self.judged,
            parts=parts,
            interval=self.interval and (self.judged, self.judged),
            by_record=detail,
        )

    def better_than(self, other: "Result") -> bool:
        """Return whether this value is strictly better than another of the same measure."""
        return self.value < other.value if self.lower_is_better else self.value > other.value

    def as_dict(self) -> dict[str, object]:
        """Return what may be shown, for JSON (no bound is null): never the record detail."""
        shown: dict[str, object] = {
            "measure": self.measure,
            "value": self.value,
            "best": self.best,
            "worst": self.worst if np.isfinite(self.worst) else None,
        }
        if self.parts:
            shown["parts"] = dict(self.parts)
        if self.interval:
            shown["interval"] = list(self.interval)
        if self.baseline is not None:
            shown["baseline"] = self.baseline
        if self.informed is not None:
            shown["informed"] = self.informed
        if self.notes:
            shown["notes"] = [retold(note) for note in self.notes]
        return shown

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the value, its parts, and never the record detail."""
        shown = {say("value"): self.value, **self.parts}
        rows = [{say("part"): name, say("value"): value} for name, value in shown.items()]
        return html_table(rows, caption=paragraph(self.measure, *map(retold, self.notes)))

    def figure(self) -> Figure:
        """Return the parts as a bar chart (Vega-Lite data)."""
        bars = self.parts or {say("value"): self.value}
        return Figure(
            {
                "title": self.measure,
                "data": {"values": [{"part": name, "value": v} for name, v in bars.items()]},
                "mark": {"type": "bar", "tooltip": True},
                "encoding": {
                    "y": {"field": "part", "type": "nominal", "sort": "-x", "title": None},
                    "x": {"field": "value", "type": "quantitative", "title": say("value")},
                },
            }
        )


class Assessment(Declared, ABC):
    """Anything that compares data before and after masking: a table, or a purchase history.

    Class facts
    -----------
    kind
        "risk" or "loss".
    confidential
        Whether the number is for the custodian alone, because anyone who repeats the attack would
        learn from it how right he was. A release says only whether its limits are kept.
    of_release
        Whether the number is one of the released data alone, so that anybody can compute it.
    formula
        How the number is computed, in a line; pages show it beside the number, in the language of
        the reader.
    counted
        Which records the number counts.
    improved_by
        What would make the number better.
    """

    kind: ClassVar[Kind]
    confidential: ClassVar[bool] = False
    of_release: ClassVar[bool] = False
    formula: ClassVar[str] = ""
    counted: ClassVar[str] = "All records, before and after masking."
    improved_by: ClassVar[str] = ""

    @abstractmethod
    def __call__(self, before: Any, after: Any = None, *, steps: Sequence[Step] = ()) -> Result:
        """Measure masked data against the original."""

    @property
    def by_blocks(self) -> bool:
        """Whether its mean over blocks of records, each from 0 to 1, is much the same number."""
        return False

    def result(
        self, value: float | np.floating[Any], *, best: float = 0, worst: float = 1, **more: Any
    ) -> Result:
        """Return a result under this measure's name; most are shares, from 0 (best) to 1."""
        return Result(type(self).__name__, float(value), best, worst, **more)


class Measure(Method, Assessment, ABC):
    """A risk or loss measure with its settings; call it with a table before and after masking.

    Class facts
    -----------
    kind
        "risk" or "loss".
    needs
        What it asks of an engine: "counts", "moments" or the "records" themselves.
    pairs
        Whether the records before and after must correspond. Of a table from which masking left
        records out, such a measure compares those that were kept, and says so.
    """

    needs: ClassVar[Needs]
    pairs: ClassVar[bool] = False
    roles: ClassVar[tuple[Role, ...]] = ("key", "sensitive", "other")

    def __call__(
        self,
        before: Microdata | LargeTable,
        after: Microdata | LargeTable | None = None,
        *,
        steps: Sequence[Step] = (),
    ) -> Result:
        """Measure a masked table against the original.

        Parameters
        ----------
        before
            The original table, in memory or not.
        after
            The masked table; without it the original is measured as if it were released.
        steps
            What was done, for the measures that allow for it.
        """
        pair = self._pair(before, before if after is None else after, steps)
        result = self._measure(pair)
        if not self.pairs or isinstance(before, LargeTable) or pair.before.rows == before.rows:
            return result
        note = say(
            "Measured on the {count} {count:record|records} that {count:was|were} kept.",
            count=pair.before.rows,
        )
        return replace(result, notes=(*result.notes, note))

    def _pair(
        self,
        before: Microdata | LargeTable,
        after: Microdata | LargeTable,
        steps: Sequence[Step],
    ) -> TablePair:
        """Return the pair of tables to be measured; refuse what cannot be."""
        if isinstance(before, LargeTable) or isinstance(after, LargeTable):
            return self._large_pair(before, after, steps)
        for data in (before, after):
            check_table(type(self).__name__, data)
            if data.rows and data.weights is not None and not data.weights.any():
                raise ColumnError(
                    "all weights in column '{column}' are 0.",
                    column=data.with_role("weight")[0],
                )
        detail = before.copies is None and after.copies is None
        if self.needs == "records" and not detail:
            raise InputError(
                "{method} needs the records themselves, but only their counts are available.",
                method=type(self).__name__,
            )
        columns = self._columns(before, after)
        if self.pairs:
            before = before.still_in(after)
            same_records(type(self).__name__, before, after)
            same_order(type(self).__name__, before, after)
        return TablePair(before, after, columns, tuple(steps), detail)

    def _large_pair(self, before: object, after: object, steps: Sequence[Step]) -> TablePair:
        """Return the pair of tables that are not in memory; refuse what would need them there."""
        if not isinstance(before, LargeTable) or not isinstance(after, LargeTable):
            raise InputError(
                "{method}: one of the tables is in memory and the other is not; open or read both "
                "in the same way.",
                method=type(self).__name__,
            )
        if self.needs == "records":
            raise TooLargeError(
                "{method} compares the records themselves, and these are not in memory; use a "
                "measure that counts, or a sample of the records: table.sample(rows, seed=seed).",
                method=type(self).__name__,
            )
        columns = self._columns(before.head, after.head)
        if self.pairs:
            same_records(type(self).__name__, before, after)
            same_order(type(self).__name__, before, after)
        return LargeTablePair(
            before.head, after.head, columns, tuple(steps), detail=False, tables=(before, after)
        )

    def _columns(self, before: Microdata, after: Microdata) -> tuple[str, ...]:
        columns = self.chosen(before)
        self.require(after, columns)
        return columns

    def require(self, after: Microdata, columns: Iterable[str]) -> None:
        """Refuse a masked table that lacks a column."""
        for name in columns:
            if name not in after:
                raise MismatchError(
                    "{method}: column '{column}' is not in the table after masking; if it was left "
                    "out on purpose, give it the role identifier in the original, or name the "
                    "columns to compare.",
                    method=type(self).__name__,
                    column=name,
                )

    def numeric(self, data: Microdata, name: str) -> Numeric:
        """Return a column of numbers; refuse one that became categories."""
        column = data[name]
        if not isinstance(column, Numeric):
            raise MismatchError(
                "{method}: column '{column}' holds numbers before masking and categories after it; "
                "mask it into numbers, or leave it out.",
                method=type(self).__name__,
                column=name,
            )
        return column

    @abstractmethod
    def _measure(self, pair: TablePair) -> Result: ...


def same_records(
    method: str, before: Microdata | LargeTable, after: Microdata | LargeTable
) -> None:
    """Refuse tables whose records cannot correspond one to one."""
    if (len(before), before.records) != (len(after), after.records):
        raise MismatchError(
            "{method}: the table before has {before} rows and the one after has {after}; "
            "their records must correspond.",
            method=method,
            before=before.records,
            after=after.records,
        )


def same_order(method: str, before: Microdata | LargeTable, after: Microdata | LargeTable) -> None:
    """Refuse a release whose records are in another order than those of the original.

    A masked table comes from the file of its original; of tables that were read from two files, it
    is looked at whether any column agrees.
    """
    if after.is_shuffled and not before.is_shuffled:
        raise MismatchError(
            "{method} compares records one by one, and those of a release are in another order "
            "than those of its original; measure it while it is made (sudare report, "
            "sudare.publish), or a file made with sudare mask --internal.",
            method=method,
        )
    if isinstance(before, LargeTable) or isinstance(after, LargeTable):
        return
    files = {data.origin.path for data in (before, after) if data.origin is not None}
    if len(files - {None}) == 2 and not in_same_order(before, after):
        raise MismatchError(
            "{method} compares records one by one, and no column of the two tables agrees in more "
            "records than by chance: they are in another order, as those of a release are. Measure "
            "it while it is made (sudare report, sudare.publish), or a file made with sudare mask "
            "--internal.",
            method=method,
        )
