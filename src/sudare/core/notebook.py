"""How results look in a notebook: small tables, never a value of a cell."""

from collections.abc import Mapping, Sequence
from html import escape


def html_table(rows: Sequence[Mapping[str, object]], caption: str = "") -> str:
    """Return rows that name their cells as an HTML table.

    Examples
    --------
    >>> html_table([{"a": 1.5, "b": "<"}])
    '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1.5</td><td>&lt;</td></tr></tbody></table>'
    """
    header = "".join(f"<th>{escape(str(name))}</th>" for name in (rows[0] if rows else {}))
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(_shown(cell))}</td>" for cell in row.values()) + "</tr>"
        for row in rows
    )
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    return f"<table>{title}<thead><tr>{header}</tr></thead><tbody>{body}</tbody></table>"


def _shown(cell: object) -> str:
    return f"{cell:.4g}" if isinstance(cell, float) else str(cell)
