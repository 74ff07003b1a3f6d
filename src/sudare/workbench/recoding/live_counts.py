"""Who still stands alone once columns are recoded: counts of keys, recoded and counted again."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sudare.catalog import masker
from sudare.core import AnyMasker, Masker, Microdata, SettingError, apply


def recoded_entries(entries: Microdata, steps: Sequence[Mapping[str, Any]]) -> Microdata:
    """Return combinations of keys with the steps that recode columns, one by one, made on them.

    Steps for other columns, and steps that draw or need more than a column, are left out: what
    they do cannot be told from counts.


    Examples
    --------
    >>> import sudare
    >>> steps = [{"method": "intervals", "breaks": {"age": [30, 60]}, "columns": ["age"]}]
    >>> recoded_entries(sudare.datasets.toy(), steps)["age"].labels
    ('<30', '[30, 60)', '≥60')
    """
    for step in steps:
        made = _on(entries, _built(step))
        if made is not None:
            masked = apply(entries, made, seed=0).data
            entries = replace(
                masked,
                columns=tuple(replace(c, copies=entries.copies) for c in masked.columns),
            )
    return entries


def _built(step: Mapping[str, Any]) -> AnyMasker:
    settings = {name: value for name, value in step.items() if name != "method"}
    return masker(str(step["method"]), settings)


def _on(entries: Microdata, made: AnyMasker) -> Masker | None:
    """Return a masker for the columns that are there; None where it cannot work on counts."""
    if not isinstance(made, Masker) or made.works_on != "rows" or made.random:
        return None
    if made.columns is None:
        return None
    names = tuple(name for name in made.columns if name in entries)
    if not names:
        return None
    held: dict[str, Any] = {"columns": names}
    for setting in ("maps", "breaks", "top", "bottom"):
        told = getattr(made, setting, None)
        if isinstance(told, Mapping):
            held[setting] = {n: v for n, v in told.items() if n in names} or None
    try:
        return replace(made, **held)
    except SettingError:
        return None
