"""From the fields of a form to settings: each read as its kind of field writes it."""

import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from sudare.core import Checked, Setting, SettingError, settings_of
from sudare.workbench.methods.form_fields import widget_of


def settings_from(method: type[Checked], fields: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Return the settings that a form states; a field that is left empty states none.

    What the values may be is checked where the method is built.


    Examples
    --------
    >>> import sudare
    >>> settings_from(sudare.risk.KAnonymity, {"columns": ["sex", "age"], "missing": ["category"]})
    {'columns': ['sex', 'age'], 'missing': 'category'}
    """
    stated: dict[str, Any] = {}
    for setting in settings_of(method):
        value = _value(method.__name__, setting, fields.get(setting.name, ()))
        if value is not None and (setting.required or value != setting.default):
            stated[setting.name] = value
    return stated


def _value(method: str, setting: Setting, texts: Sequence[str]) -> Any:
    widget = widget_of(setting)
    if widget == "columns":
        return [text for text in texts if text] or None
    if widget == "switch":
        return "yes" in texts
    text = texts[0].strip() if texts else ""
    if not text:
        return None
    if widget in {"text", "choice"}:
        return text
    try:
        return tomllib.loads(f"v = {text}")["v"]
    except (ValueError, RecursionError):  # also numbers of too many digits
        raise SettingError(
            "{method}: {setting} must be {kind}, as a project file writes it.",
            method=method,
            setting=setting.name,
            kind=setting.kind_words(),
        ) from None
