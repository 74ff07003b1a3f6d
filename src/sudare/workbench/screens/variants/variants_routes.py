"""The routes of these screens."""

from sudare.workbench.screens.variants import (
    compare,
    hierarchy,
    protect,
    recode,
    variant_map,
)

VARIANT_ROUTES = (
    recode.routes,
    hierarchy.routes,
    protect.routes,
    variant_map.routes,
    compare.routes,
)
