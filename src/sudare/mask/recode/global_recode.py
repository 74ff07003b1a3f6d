"""Global recoding: rare categories are merged until none is rare (Sano and Hattori, fig. 1)."""

import heapq
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count
from typing import Annotated

import numpy as np

from sudare.core import (
    Between,
    Categorical,
    Codes,
    Column,
    ColumnError,
    ColumnPlan,
    Draws,
    Floats,
    Label,
    Masker,
    Microdata,
    Plan,
    SettingError,
    label_codes,
)
from sudare.engine.counting import label_counts

_LONGEST = 32_767  # characters of a label

Parts = tuple[int, ...]  # the codes of the categories that were merged into one


def merge_rare(counts: Floats, labels: Sequence[str], min_share: float) -> list[Parts]:
    """Merge the rarest categories until each has more than ``min_share`` of the records (fig. 1).

    If several categories share the smallest count, all of them are merged into one; otherwise the
    smallest is merged with the second smallest. Ties for second smallest go by label, so that the
    result never depends on record order. Categories that do not occur are merged first.

    Examples
    --------
    >>> merge_rare(np.array([5, 2, 30, 13, 50]), list("abcde"), 0.03)
    [(0, 1), (2,), (3,), (4,)]
    """
    threshold = counts.sum() * min_share
    heap: list[tuple[float, str, list[int]]] = [
        (float(count), label, [code])
        for code, (count, label) in enumerate(zip(counts, labels, strict=True))
    ]
    heapq.heapify(heap)
    while len(heap) > 1 and heap[0][0] <= threshold:
        merged = [heapq.heappop(heap)]
        while heap and (heap[0][0] == merged[0][0] or len(merged) == 1):
            second = heapq.heappop(heap)
            merged.append(second)
            if second[0] != merged[0][0]:
                break
        largest, *others = sorted((codes for _, _, codes in merged), key=len, reverse=True)
        largest.extend(chain.from_iterable(others))  # few to many: each is moved seldom
        heapq.heappush(heap, (sum(m[0] for m in merged), min(m[1] for m in merged), largest))
    return sorted(tuple(sorted(codes)) for _, _, codes in heap)


def merge_neighbors(counts: Floats, min_share: float) -> list[Parts]:
    """Merge rare categories of an ordinal variable with the smaller neighbor.

    The rarest category (the lowest of them) joins the neighbor with fewer records (the lower one
    when they are equal), until each has more than ``min_share`` of the records.

    Examples
    --------
    >>> merge_neighbors(np.array([2, 30, 50, 1, 17]), 0.03)
    [(0, 1), (2,), (3, 4)]
    """
    threshold = counts.sum() * min_share
    sizes: dict[int, float] = dict(enumerate(counts.tolist()))  # of runs, by their first code
    ends = {code: code + 1 for code in sizes}
    starts = {end: code for code, end in ends.items()}
    heap = [(size, code) for code, size in sizes.items()]
    heapq.heapify(heap)
    while len(sizes) > 1:
        size, rarest = heapq.heappop(heap)
        if sizes.get(rarest) != size:  # merged meanwhile
            continue
        if size > threshold:
            break
        near = [code for code in (starts.get(rarest), ends[rarest]) if code in sizes]
        lower, upper = sorted((rarest, min(near, key=lambda code: (sizes[code], code))))
        sizes[lower] += sizes.pop(upper)
        ends[lower] = ends.pop(upper)
        starts[ends[lower]] = lower
        heapq.heappush(heap, (sizes[lower], lower))
    return [tuple(range(code, ends[code])) for code in sorted(sizes)]


@dataclass(frozen=True, repr=False)
class Recoding:
    """How one column is recoded: labels before, the new code of each, labels after."""

    before: tuple[Label, ...]
    new_codes: Codes
    after: tuple[Label, ...]

    def apply(self, column: Categorical) -> Categorical:
        """Return the column recoded; absent values stay."""
        codes = column.codes_in(self.before)
        recoded = np.where(codes >= 0, self.new_codes[codes], codes)
        return replace(column, codes=recoded, labels=self.after)


def recoding(
    column: Categorical, merged: Sequence[Parts], label: Callable[[Categorical, Parts], str]
) -> Recoding:
    """Return the recoding that merges the given codes, and labels what was merged."""
    new_codes = np.empty(len(column.labels), np.int32)
    for code, parts in enumerate(merged):
        new_codes[list(parts)] = code
    after = tuple(
        column.labels[parts[0]] if len(parts) == 1 else label(column, parts) for parts in merged
    )
    return Recoding(column.labels, new_codes, after)


def in_range(column: Categorical, parts: Parts) -> str:
    """Return the label of merged neighbors: lowest–highest."""
    return f"{column.labels[parts[0]]}–{column.labels[parts[-1]]}"


def mapped(column: Categorical, labels: Mapping[str, str]) -> Recoding:
    """Return the recoding that a map from old to new labels says; labels it lacks stay.

    New labels take the position of the first of their old ones, so that an order is kept.
    """
    texts = [str(label) for label in column.labels]
    unknown = [old for old in labels if old not in texts]
    if unknown:
        raise SettingError(
            "GlobalRecode: the map of column '{column}' has {count} {count:label that "
            "does|labels that do} not occur in the column.",
            column=column.name,
            count=len(unknown),
        )
    renamed = [labels.get(text, label) for text, label in zip(texts, column.labels, strict=True)]
    after = tuple(dict.fromkeys(renamed))
    return Recoding(column.labels, label_codes(renamed, after)[:-2], after)


@dataclass(frozen=True, repr=False)
class RecodePlan(ColumnPlan):
    """The recoding of each column. Secret: it says what was merged, and so what was rare."""

    recodings: Mapping[str, Recoding]

    def _mask(self, column: Column, draws: Draws) -> Column:
        return self.recodings[column.name].apply(column.coded)


class GlobalRecode(Masker):
    """Merge rare categories until each has more than a minimum share of the records.

    Only values that are there count towards the shares; missing and not-applicable stay what they
    are. The merged label joins its parts, the most frequent first, and so names what was rare; with
    ``merged_label`` it does not, and a second one has a number behind it. A column with a map is
    recoded by it and not by share. Ordinal variables merge neighbors only, and join them in their
    order, unless ``neighbors`` is off.

    References
    ----------
    Sano and Hattori. Utility evaluation of global recoding by classification performance of
    discrimination model, fig. 1 and table 2.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> plan = GlobalRecode(min_share=0.1, columns=("region",)).fit(data)
    >>> len(data["region"].labels), len(plan.transform(data)["region"].labels)
    (8, 5)
    """

    works_on = "rows"
    relation = "covers"
    takes = "categories"

    min_share: Annotated[
        float | Mapping[str, float],
        Between(0, 1, above=True, below=True),
        "share of the records that every category must exceed; one number, or one per column",
    ] = 0.01
    separator: Annotated[str, "what joins the labels of merged categories"] = "・"
    merged_label: Annotated[
        str | None, "what merged categories are called, in place of their labels joined"
    ] = None
    neighbors: Annotated[bool, "whether ordinal variables merge neighbors only"] = True
    ranges: Annotated[bool, "whether merged neighbors are called lowest–highest"] = False
    maps: Annotated[
        Mapping[str, Mapping[str, str]] | None,
        "by column, the new label of each old one, in place of merging by share",
    ] = None
    weighted: Annotated[bool, "whether sampling weights count"] = False

    def chosen(self, data: Microdata) -> tuple[str, ...]:
        """Return the columns named, those with a share of their own, or those whose role fits."""
        own = {
            **(self.maps or {}),
            **(self.min_share if isinstance(self.min_share, Mapping) else {}),
        }
        if self.columns is None and own:
            return replace(self, columns=tuple(own)).chosen(data)
        return super().chosen(data)

    def names_labels_of(self, data: Microdata) -> tuple[str, ...]:
        """Return the columns without a map: labels that are merged are joined."""
        return tuple(name for name in self.chosen(data) if name not in (self.maps or {}))

    def _fit(self, data: Microdata, columns: tuple[str, ...]) -> Plan:
        recodings = {
            name: self._recoding(
                data[name].coded, data.weights_for(name) if self.weighted else None
            )
            for name in columns
        }
        public = {name: {"categories": len(made.after)} for name, made in recodings.items()}
        return RecodePlan(self.step(columns, public), recodings)

    def _recoding(self, column: Categorical, weights: Floats | None) -> Recoding:
        if self.maps is not None and column.name in self.maps:
            return mapped(column, self.maps[column.name])
        counts = label_counts(column, weights)
        share = self._share(column.name)
        label = self._joined if self.merged_label is None else self._numbered(column)
        if self.neighbors and column.scale == "ordinal":
            label = in_range if self.ranges else label
            return recoding(column, merge_neighbors(counts, share), label)
        texts = [str(label) for label in column.labels]
        merged = merge_rare(counts, texts, share)
        frequent_first = [
            tuple(sorted(parts, key=lambda code: (-counts[code], texts[code]))) for parts in merged
        ]
        return recoding(column, frequent_first, label)

    def _numbered(self, column: Categorical) -> Callable[[Categorical, Parts], str]:
        """Return what calls merged categories by the stated label, each by one of its own."""
        taken = set(map(str, column.labels))
        spelled = (
            f"{self.merged_label} {n}" if n > 1 else f"{self.merged_label}" for n in count(1)
        )
        free = (label for label in spelled if label not in taken)
        return lambda _column, _parts: next(free)

    def _joined(self, column: Categorical, parts: Parts) -> str:
        """Return the label of merged categories: theirs, joined."""
        texts = [str(column.labels[code]) for code in parts]
        length = sum(map(len, texts)) + len(self.separator) * (len(texts) - 1)
        if length > _LONGEST:
            raise ColumnError(
                "GlobalRecode: column '{column}' has {count} rare categories, whose joined label "
                "would have {length} characters (at most {limit}, as in a cell of a spreadsheet); "
                "give a map, or generalize by a hierarchy.",
                column=column.name,
                count=len(parts),
                length=length,
                limit=_LONGEST,
            )
        return self.separator.join(texts)

    def _share(self, column: str) -> float:
        if not isinstance(self.min_share, Mapping):
            return self.min_share
        if column not in self.min_share:
            raise SettingError(
                "GlobalRecode: min_share has no number for column '{column}'.", column=column
            )
        return self.min_share[column]
