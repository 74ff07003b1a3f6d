"""Screens of a table as it is: how it is opened and read, its columns, their roles, its risk."""

from sudare.workbench.screens.table import columns, reading, risk_before, roles, start

TABLE_ROUTES = (start.routes, columns.routes, reading.routes, roles.routes, risk_before.routes)
