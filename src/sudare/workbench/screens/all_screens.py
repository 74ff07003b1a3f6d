"""The routes of all screens."""

from sudare.workbench.screens import (
    columns,
    hierarchy,
    job_pages,
    protect,
    reading,
    recode,
    risk_before,
    roles,
    session_pages,
    start,
    steps,
    variant_map,
    vega_files,
)

ROUTES = tuple(
    module.routes
    for module in (
        session_pages,
        start,
        columns,
        reading,
        roles,
        risk_before,
        recode,
        hierarchy,
        protect,
        variant_map,
        steps,
        job_pages,
        vega_files,
    )
)
