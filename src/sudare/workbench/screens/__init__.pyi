from .all_screens import ROUTES as ROUTES
