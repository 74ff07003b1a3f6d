"""The routes of these screens."""

from sudare.workbench.screens.variants import (
    compare,
    hierarchy,
    lattice,
    protect,
    recode,
    variant_map,
)

VARIANT_ROUTES = (
    recode.routes,
    hierarchy.routes,
    protect.routes,
    lattice.routes,
    variant_map.routes,
    compare.routes,
)
