"""Screens of a purchase history: opened, checked, attacked, released."""

from sudare.workbench.screens.histories import (
    attackers,
    history_check,
    history_release,
    open_history,
)

HISTORY_ROUTES = (
    open_history.routes,
    history_check.routes,
    attackers.routes,
    history_release.routes,
)
