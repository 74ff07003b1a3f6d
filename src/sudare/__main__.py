"""``python -m sudare``, and the program ``sudare``."""

import signal


def start() -> None:
    """Run the command line; an interrupt while it is imported ends the process silently."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from sudare.cli import main

    main()


if __name__ == "__main__":
    start()
