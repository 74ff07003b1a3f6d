"""How people meet sudare: the command line, and later the workbench."""
