from .histories_routes import HISTORY_ROUTES as HISTORY_ROUTES
