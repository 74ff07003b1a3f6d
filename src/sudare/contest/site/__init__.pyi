from .app import create_app as create_app
from .several_contests import contest_names as contest_names, create_server as create_server
