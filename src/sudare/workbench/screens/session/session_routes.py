"""The routes of these screens."""

from sudare.workbench.screens.session import (
    job_pages,
    session_pages,
    steps,
    vega_files,
)

SESSION_ROUTES = (
    session_pages.routes,
    job_pages.routes,
    vega_files.routes,
    steps.routes,
)
