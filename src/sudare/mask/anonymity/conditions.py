"""What methods of k-anonymity share: the conditions on a class, and hierarchies as declared."""

from collections.abc import Mapping, Sequence
from typing import Annotated, ClassVar

import numpy as np

from sudare.core import (
    AtLeast,
    Between,
    Codes,
    Column,
    Integers,
    Masker,
    Microdata,
    Relation,
    SettingError,
)
from sudare.describe import (
    Closeness,
    Diversity,
    Hierarchy,
    Recursion,
    Sensitive,
    automatic,
    histogram_codes,
    is_ordered,
    sensitive_columns,
    value_groups,
)
from sudare.describe.hierarchies import Declarations, declared
from sudare.engine.counting import MissingKeys
from sudare.mask.anonymity import class_conditions as kinds
from sudare.mask.anonymity.class_conditions import ClassConditions, histogram, rejected

_DIVERSITIES = {"distinct": kinds.DISTINCT, "entropy": kinds.ENTROPY, "recursive": kinds.RECURSIVE}


class Anonymity(Masker):
    """The settings that every method of k-anonymity has.

    A class is a set of records whose published keys are equal, blanks among them. It needs k
    records; where ``l`` or ``t`` is given, it must also be l-diverse or t-close in every sensitive
    column. This is the strictest way to count missing keys: records that match by another rule are
    unions of classes. So "suppressed" and "category" give the same table, and "wildcard", by which
    classes would overlap, is refused unless a method can offer it.
    """

    works_on = "groups"
    relation: ClassVar[Relation] = "covers"
    promises: ClassVar[Mapping[str, str]] = {
        "KAnonymity": "k",
        "LDiversity": "l",
        "TCloseness": "t",
    }
    by_values = True

    k: Annotated[int, AtLeast(1), "records that must share their keys"] = 3
    l: Annotated[  # noqa: E741 - the letter of the paper
        float | None, AtLeast(1), "how diverse sensitive values must be in each class"
    ] = None
    diversity: Diversity = "distinct"
    c: Recursion = 1.0
    t: Annotated[
        float | None, Between(0, 1), "how far sensitive values of a class may be from all"
    ] = None
    distance: Closeness = None
    sensitive: Sensitive = None
    hierarchies: Declarations = None
    missing: MissingKeys = "suppressed"

    def hierarchy(self, column: Column) -> Hierarchy:
        """Return the hierarchy of a column as it was declared, or an automatic one."""
        return declared(column, (self.hierarchies or {}).get(column.name))

    def looks_at(self, data: Microdata) -> tuple[str, ...]:
        """Return the keys, and the sensitive columns if classes must be diverse or close."""
        columns = self.chosen(data)
        return (*columns, *self._sensitive(data, columns))

    def _sensitive(self, data: Microdata, columns: Sequence[str]) -> tuple[str, ...]:
        if self.l is None and self.t is None:
            return ()
        return tuple(sensitive_columns(type(self).__name__, data, self.sensitive, columns))

    def class_conditions(
        self, data: Microdata, columns: Sequence[str]
    ) -> tuple[ClassConditions, Codes]:
        """Return what a class must meet, and the sensitive values of each record, shape (n, q)."""
        self._check_rule()
        named = self._sensitive(data, columns)
        for name in self.hierarchies or {}:
            if name not in columns and name not in named:
                raise SettingError(
                    "{method}: there is a hierarchy for column '{column}', which is not masked.",
                    method=type(self).__name__,
                    column=name,
                )
        sensitive = [data[name] for name in named]
        codes, starts = histogram_codes(sensitive)
        copies = None if data.copies is None else np.repeat(data.copies, codes.shape[1])
        counts = np.bincount(codes.ravel(), weights=copies, minlength=starts[-1]).astype(np.int32)
        distances, groups, heights = self._distances(sensitive, starts)
        conditions = ClassConditions(
            k=self.k,
            diversity=0 if self.l is None else _DIVERSITIES[self.diversity],
            l=float(self.l or 1),
            c=float(self.c),
            t=1.0 if self.t is None else float(self.t),
            starts=starts,
            shares=counts / data.records,
            distances=distances,
            groups=groups,
            heights=heights,
        )
        self._check_whole(data, conditions, counts)
        return conditions, codes if sensitive else np.zeros((data.rows, 0), np.int32)

    def _check_rule(self) -> None:
        """Refuse a rule for missing keys by which records do not fall into classes."""
        if self.missing == "wildcard":
            raise SettingError(
                "{method}: its classes do not overlap, so a missing key cannot match every value "
                "(missing = 'wildcard'); use 'suppressed' or 'category', which are stricter, or "
                "LocalSuppression.",
                method=type(self).__name__,
            )

    def _distances(
        self, sensitive: Sequence[Column], starts: Integers
    ) -> tuple[Integers, Codes, Integers]:
        """Return the kind of distance of each column, and the groups of its values by level."""
        distances = list[int]()
        tables = list[Integers]()
        for column, first, last in zip(sensitive, starts, starts[1:], strict=False):
            kind = self.distance or ("ordered" if is_ordered(column) else "equal")
            distances.append(0 if self.t is None else getattr(kinds, kind.upper()))
            table = np.arange(last - first)[None]
            if kind == "hierarchical":
                declaration = (self.hierarchies or {}).get(column.name)
                table = value_groups(
                    column, declared(column, declaration) if declaration else automatic(column)
                )
            tables.append(table)
        heights = np.array([len(table) for table in tables], np.int64)
        groups = np.zeros((int(heights.max(initial=1)), int(starts[-1])), np.int32)
        for table, first in zip(tables, starts, strict=False):
            groups[: len(table), first : first + table.shape[1]] = table
        return np.array(distances, np.int64), groups, heights

    def _check_whole(self, data: Microdata, conditions: ClassConditions, counts: Codes) -> None:
        """Refuse what not even the whole table in one class would meet."""
        if data.records < self.k:
            raise SettingError(
                "{method}: {rows} records are fewer than k = {k}; lower k.",
                method=type(self).__name__,
                rows=data.records,
                k=self.k,
            )
        if rejected(histogram(counts), np.array([data.records]), conditions)[0]:
            raise SettingError(
                "{method}: not even all records together are l-diverse with l = {l}; lower l, or "
                "raise c.",
                method=type(self).__name__,
                l=self.l,
            )
