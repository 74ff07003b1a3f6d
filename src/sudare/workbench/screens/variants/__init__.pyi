from .variants_routes import VARIANT_ROUTES as VARIANT_ROUTES
