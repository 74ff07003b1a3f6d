from .session_routes import SESSION_ROUTES as SESSION_ROUTES
