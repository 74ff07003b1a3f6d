"""How commands end: errors and signals become exit codes, and one line says why."""

import hashlib
import inspect
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import wraps
from traceback import walk_tb
from types import FrameType
from typing import Any

import typer

from sudare.cli.output import complain
from sudare.core import SudareError, say
from sudare.engine.formats import protecting_inputs, remove_leftovers

BAD_INPUT = 2
INTERRUPTED = 130

# Those that end a process unless it listens, as far as the machine has them.
_NAMES = ("SIGHUP", "SIGQUIT", "SIGTERM", "SIGUSR1", "SIGUSR2", "SIGALRM", "SIGXCPU")


def guarded(command: Callable[..., int | None], *, serves: bool = False) -> Callable[..., None]:
    """Return a command that exits with its code, and with 2 on bad input.

    It begins by removing what killed commands left behind, and writes over nothing that it reads,
    unless it ``serves``: a server reads again what it wrote.
    """

    @wraps(command)
    def run(**arguments: Any) -> None:
        try:
            with ending_in_order(), nullcontext() if serves else protecting_inputs():
                remove_leftovers()
                code = command(**arguments)
        except KeyboardInterrupt as ended:
            complain(say("interrupted; no file was left half-written."))
            code = ended.exit_code if isinstance(ended, Terminated) else INTERRUPTED
            raise typer.Exit(code) from None
        raise typer.Exit(code or 0)

    run.__signature__ = inspect.signature(command)  # type: ignore[attr-defined]
    return run


def leaving(error: Exception) -> SystemExit:
    """Say in one line what went wrong; return what to leave by.

    An error that nobody thought of gets a number, as its words may hold a value. What the machine
    refuses (a full disk, a file system that is read-only) is said by its name.
    """
    if isinstance(error, SudareError):
        complain(str(error))
    elif isinstance(error, MemoryError):
        complain(say("not enough memory; use a smaller --memory or a sample of the table."))
    elif isinstance(error, OSError) and error.strerror:
        if isinstance(error.filename, str):
            complain(say("'{path}': {reason}.", path=error.filename, reason=error.strerror))
        else:
            complain(say("the system says: {reason}.", reason=error.strerror))
    else:
        complain(
            say(
                "unexpected error {number}; no file was left half-written. Please report this "
                "number. --debug shows details, which may include values of the data.",
                number=error_number(error),
            )
        )
    return SystemExit(BAD_INPUT)


def error_number(error: BaseException) -> str:
    """Return eight digits for the type of an error and where in sudare it arose.

    They hold nothing of the data, and stay the same while the function it arose in does.
    """
    location = ""
    for frame, line in walk_tb(error.__traceback__):
        module = frame.f_globals.get("__name__", "")
        if module.partition(".")[0] == "sudare" and not module.startswith("sudare.cli"):
            code = frame.f_code
            location = f"{module}.{code.co_qualname}+{line - code.co_firstlineno}"
    kind = f"{type(error).__module__}.{type(error).__qualname__}"
    return hashlib.sha256(f"{kind} {location}".encode()).hexdigest()[:8]


class Terminated(KeyboardInterrupt):
    """A signal that ends a command."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.exit_code = 128 + number


@contextmanager
def ending_in_order() -> Iterator[None]:
    """Turn the first signal that would end the process into :class:`Terminated`.

    Later ones do not disturb the cleaning up. What was ignored before, as by ``nohup``, still is.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = [getattr(signal, name) for name in _NAMES if hasattr(signal, name)]
    taken = [number for number in numbers if signal.getsignal(number) is signal.SIG_DFL]
    told = False

    def end(number: int, _frame: FrameType | None) -> None:
        nonlocal told
        if not told:
            told = True
            raise Terminated(number)

    for number in taken:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number in taken:
            signal.signal(number, signal.SIG_IGN if told else signal.SIG_DFL)
