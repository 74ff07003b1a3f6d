"""The program ``sudare``: an interrupt while it is imported ends the process without a word.

It stands beside the package, so that nothing is imported before the interrupt is taken care of.
What Python itself does before it runs a program cannot be covered.
"""

import _signal  # type: ignore[import-not-found]  # built in; signal would be imported first

if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
    _signal.signal(_signal.SIGINT, _signal.SIG_DFL)


def start() -> None:
    """Run the command line."""
    from sudare.cli import main

    main()
