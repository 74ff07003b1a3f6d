"""Screens of the variants of a release: how they are made, and how they compare."""

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
