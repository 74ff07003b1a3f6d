"""The distance along the edges of a weighted graph."""

import os
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from sudare.core import Array, Floats, InputError, Label
from sudare.describe.distances.trees import Block, Distance, codes_on, lacking_from
from sudare.engine.formats import read_rows


class Graph(Distance):
    """Distance = weight of the edge between two nodes, or length of the shortest path.

    Parameters
    ----------
    edges
        Triples (a, b, weight above 0); edges have no direction.
    shortest_path
        Whether the distance is the length of the shortest path. Otherwise two labels without an
        edge between them are refused.

    Examples
    --------
    >>> roads = [("Nara", "Osaka", 1), ("Osaka", "Tokyo", 4)]
    >>> Graph(roads, shortest_path=True).matrix(["Nara", "Tokyo"]).tolist()
    [[0.0, 5.0], [5.0, 0.0]]
    """

    def __init__(self, edges: Iterable[tuple[Any, Any, float]], *, shortest_path: bool = False):
        code_of: dict[Label, int] = {}
        weights: dict[tuple[int, int], float] = {}
        total = bad = 0
        for total, edge in enumerate(edges, 1):  # noqa: B007 - their number
            try:
                a, b, weight = edge[0], edge[1], float(edge[2])
                first, second = (code_of.setdefault(node, len(code_of)) for node in (a, b))
            except (IndexError, TypeError, ValueError):  # no triple with a number
                bad += 1
                continue
            known = weights.setdefault((min(first, second), max(first, second)), weight)
            bad += first == second or known != weight or not 0 < weight < np.inf
        if bad or not weights:
            raise InputError(
                "{count} of {total} edges of the graph are not usable: weights must be above 0, "
                "ends different, and no pair may have two weights.",
                count=bad,
                total=total,
            )
        self.nodes: tuple[Label, ...] = tuple(code_of)
        self.shortest_path = shortest_path
        self._codes = code_of
        self._weights = weights

    @classmethod
    def read(
        cls,
        path: str | os.PathLike[str],
        *,
        shortest_path: bool = False,
        encoding: str | None = None,
        separator: str | None = None,
    ) -> "Graph":
        """Read a graph from a file of ``a,b,weight``.

        A first row is taken for a header if it has a word in place of the weight and shares no end
        with any other.
        """
        rows = read_rows(path, encoding=encoding, separator=separator)
        if _is_header(rows[0]) and not {*rows[0][:2]} & {end for r in rows[1:] for end in r[:2]}:
            del rows[0]
        if not rows:
            raise InputError(
                "'{path}' has no edges; its rows must be of the form a,b,weight.", path=str(path)
            )
        numbers = [_number(row[2]) if len(row) == 3 else None for row in rows]
        wrong = sum(number is None for number in numbers)
        if wrong:
            raise InputError(
                "{count} {count:row|rows} of '{path}' {count:is|are} not of the form a,b,weight.",
                count=wrong,
                path=str(path),
            )
        edges = ((row[0], row[1], n) for row, n in zip(rows, numbers, strict=True) if n is not None)
        return cls(edges, shortest_path=shortest_path)

    def lacking(self, labels: Iterable[Label]) -> tuple[Label, ...]:
        """Return the labels that are not nodes. Labels may be confidential: do not publish them."""
        return lacking_from(self._codes, labels)

    def between(self, labels: Sequence[Any] | Array) -> Block:
        """Return weights or lengths of shortest paths, block by block."""
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import dijkstra

        codes = codes_on(self._codes, labels)
        ends = np.array(list(self._weights), np.int64).T
        near = csr_array(
            (list(self._weights.values()), (ends[0], ends[1])), shape=(len(self.nodes),) * 2
        )
        near = (near + near.T).tocsr()

        def block(rows: slice, columns: slice) -> Floats:
            here, there = codes[rows], codes[columns]
            if self.shortest_path:
                far: Floats = dijkstra(near, directed=False, indices=here)[:, there]
            else:
                far = near[here][:, there].toarray().astype(np.float64)
                far[(far == 0) & (here[:, None] != there)] = np.inf
            gaps = np.argwhere(np.isinf(far))
            if len(gaps):
                pairs = np.sort(np.stack([here[gaps[:, 0]], there[gaps[:, 1]]], axis=1))
                _refuse_gaps(len(np.unique(pairs, axis=0)), shortest_path=self.shortest_path)
            return far

        return block

    def __repr__(self) -> str:
        return f"<Graph {len(self.nodes)} nodes, {len(self._weights)} edges>"


def _is_header(row: list[str]) -> bool:
    return len(row) == 3 and bool(row[2]) and _number(row[2]) is None


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _refuse_gaps(pairs: int, *, shortest_path: bool) -> None:
    if shortest_path:
        raise InputError(
            "the graph has no path between {count} {count:pair|pairs} of labels; add edges.",
            count=pairs,
        )
    raise InputError(
        "the graph has no edge between {count} {count:pair|pairs} of labels; add edges, or set "
        "shortest_path.",
        count=pairs,
    )
