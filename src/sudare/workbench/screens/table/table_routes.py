"""The routes of these screens."""

from sudare.workbench.screens.table import (
    columns,
    reading,
    risk_before,
    roles,
    start,
)

TABLE_ROUTES = (
    start.routes,
    columns.routes,
    reading.routes,
    roles.routes,
    risk_before.routes,
)
