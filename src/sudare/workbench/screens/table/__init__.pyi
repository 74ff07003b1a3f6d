from .table_routes import TABLE_ROUTES as TABLE_ROUTES
