from .release_routes import RELEASE_ROUTES as RELEASE_ROUTES
