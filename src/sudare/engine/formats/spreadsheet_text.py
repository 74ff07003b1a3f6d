"""Text that spreadsheets take for formulas, written so that they do not, and read back.

A text that begins with ``=``, ``+``, ``-``, ``@``, a tab or an end of a line is run by programs
that open a CSV file. It is written with an apostrophe in front; one that begins with apostrophes
and such a sign gets one more, so that reading takes away exactly what writing has put there. Plain
numbers, and a sign by itself, stay as they are.
"""

import re

import pyarrow as pa
import pyarrow.compute as pc

from sudare.engine.frames import is_text

_SIGN = r"^'*[=+\-@\t\r\n＝＋－＠]"
_PLAIN = r"^[+-]([0-9][0-9,]*\.?[0-9]*([eE][+-]?[0-9]+)?%?)?$"
_ESCAPED = r"^'+[=+\-@\t\r\n＝＋－＠]"


def is_formula(label: object) -> bool:
    """Return whether a spreadsheet may take a text for a formula.

    Examples
    --------
    >>> [is_formula(text) for text in ("=1+1", "-5", "-", "@user", 7, "+81-3-1234", chr(10))]
    [True, False, False, True, False, True, True]
    """
    if not isinstance(label, str):
        return False
    return re.match(_SIGN, label) is not None and re.fullmatch(_PLAIN, label) is None


def escaped(table: pa.Table) -> pa.Table:
    """Return a table whose texts no spreadsheet takes for formulas; headings are texts too."""
    columns = [_escaped(column) for column in table.columns]
    names = [f"'{name}" if is_formula(name) else name for name in table.column_names]
    return pa.table(columns, names=names)


def restored(table: pa.Table) -> pa.Table:
    """Return a table with its texts as they were before they were escaped."""
    columns = [_restored(column) for column in table.columns]
    names = [re.sub(_ESCAPED, lambda sign: sign[0][1:], name) for name in table.column_names]
    return pa.table(columns, names=names)


def _escaped(column: pa.ChunkedArray) -> pa.ChunkedArray:
    if not _is_text(column.type):
        return column
    texts = _texts(column)
    signed = pc.match_substring_regex(texts, _SIGN)
    runs = pc.and_(signed, pc.invert(pc.match_substring_regex(texts, _PLAIN)))
    if not pc.any(runs).as_py():
        return column
    mark, nothing = pa.scalar("'", texts.type), pa.scalar("", texts.type)
    return pc.if_else(runs, pc.binary_join_element_wise(mark, texts, nothing), texts)


def _restored(column: pa.ChunkedArray) -> pa.ChunkedArray:
    if not _is_text(column.type):
        return column
    texts = _texts(column)
    marked = pc.match_substring_regex(texts, _ESCAPED)
    if not pc.any(marked).as_py():
        return column
    return pc.if_else(marked, pc.utf8_slice_codeunits(texts, 1), texts)


def _is_text(kind: pa.DataType) -> bool:
    return is_text(kind) or (pa.types.is_dictionary(kind) and is_text(kind.value_type))


def _texts(column: pa.ChunkedArray) -> pa.ChunkedArray:
    if not pa.types.is_dictionary(column.type):
        return column
    return pa.chunked_array(
        [chunk.dictionary_decode() for chunk in column.chunks], type=column.type.value_type
    )
