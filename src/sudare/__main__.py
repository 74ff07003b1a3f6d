"""``python -m sudare``."""

from sudare.cli import main

main()
