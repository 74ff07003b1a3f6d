"""``python -m sudare``."""

from sudare.faces.cli import main

main()
