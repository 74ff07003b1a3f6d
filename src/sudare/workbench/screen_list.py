"""The screens of a project, in the order in which a release is made."""

from sudare.core import Message

_TITLES = {
    "columns": Message("Columns"),
    "roles": Message("Roles"),
    "risk": Message("Risk before"),
    "recode": Message("Recode"),
    "protect": Message("Protect"),
    "map": Message("Map"),
    "compare": Message("Compare"),
    "release": Message("Release"),
    "steps": Message("Steps"),
}
SCREENS = {name: title.template for name, title in _TITLES.items()}

_HISTORY_TITLES = {
    "history": Message("History"),
    "protect": Message("Protect"),
    "map": Message("Map"),
    "attackers": Message("Attackers"),
    "publish": Message("Release"),
    "steps": Message("Steps"),
}
HISTORY_SCREENS = {name: title.template for name, title in _HISTORY_TITLES.items()}
