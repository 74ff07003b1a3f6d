from .glossary_page import routes as routes
