"""The routes of all screens."""

from sudare.workbench.screens.histories import HISTORY_ROUTES
from sudare.workbench.screens.release import RELEASE_ROUTES
from sudare.workbench.screens.session import SESSION_ROUTES
from sudare.workbench.screens.table import TABLE_ROUTES
from sudare.workbench.screens.variants import VARIANT_ROUTES

ROUTES = (*SESSION_ROUTES, *TABLE_ROUTES, *VARIANT_ROUTES, *RELEASE_ROUTES, *HISTORY_ROUTES)
