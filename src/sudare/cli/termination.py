"""How commands end: errors and signals become exit codes, and one line says why."""

import atexit
import inspect
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import wraps
from traceback import walk_tb
from types import FrameType
from typing import Any, ClassVar, NoReturn

import typer

from sudare.core import say

BAD_INPUT = 2
INTERRUPTED = 130
_SOON = 0.05  # seconds

# Those that end a process unless it listens, as far as the machine has them.
_NAMES = (
    *("SIGINT", "SIGHUP", "SIGQUIT", "SIGTERM"),
    *("SIGUSR1", "SIGUSR2", "SIGALRM", "SIGXCPU"),
)


class Terminated(KeyboardInterrupt):
    """A signal that ends a command."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


class Ending:
    """What listens to the signals: the first one ends the command, later ones disturb nothing.

    Attributes
    ----------
    number
        Of the signal that ends the command, once it came.
    """

    current: ClassVar["Ending | None"] = None

    def __init__(self) -> None:
        self.number: int | None = None
        self._before: dict[int, Any] = {}
        self._usual_hook = sys.unraisablehook

    @property
    def exit_code(self) -> int:
        """What a command that was interrupted ends with."""
        return INTERRUPTED if self.number is None else 128 + self.number

    def listen(self) -> None:
        """Begin to listen; what was ignored before, as by ``nohup``, still is."""
        for name in _NAMES:
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) in _USUAL:
                self._before[number] = signal.signal(number, self._end)
        sys.unraisablehook = self._say_again

    def ignore(self) -> None:
        """Let no signal disturb what is left to do."""
        for number in self._before:
            signal.signal(number, signal.SIG_IGN)

    def restore(self) -> None:
        """Stop listening."""
        sys.unraisablehook = self._usual_hook
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _end(self, number: int, _frame: FrameType | None) -> None:
        if self.number is None:
            self.number = number
            raise Terminated(number)

    def _say_again(self, unraisable: "sys.UnraisableHookArgs") -> None:
        """Repeat a signal that came where nothing can be raised, as while an object is freed."""
        if isinstance(unraisable.exc_value, Terminated):
            self.number, number = None, unraisable.exc_value.number
            threading.Timer(_SOON, os.kill, (os.getpid(), number)).start()  # not inside this hook
        else:
            self._usual_hook(unraisable)


_USUAL = (signal.SIG_DFL, signal.default_int_handler)


@contextmanager
def ending_in_order() -> Iterator[Ending]:
    """Turn the first signal that would end the process into :class:`Terminated`."""
    if Ending.current is not None or threading.current_thread() is not threading.main_thread():
        yield Ending.current or Ending()
        return
    Ending.current = Ending()
    try:
        Ending.current.listen()
        yield Ending.current
    finally:
        Ending.current.restore()
        Ending.current = None


def run_program(command: Callable[[], None]) -> NoReturn:
    """Run a command that exits, and end the process with its code.

    It ends at once: threads that libraries have left running would end with the interpreter
    otherwise, and some then abort the process.
    """
    try:
        with ending_in_order() as ending:
            try:
                code = _exit_code(command)
                ending.ignore()
            except KeyboardInterrupt:
                code = ending.exit_code
            ending.ignore()
            interrupted = code != 0 and ending.number is not None
            _leave(ending.exit_code if interrupted else code)
    except Terminated as early:  # it came while listening began
        os._exit(128 + early.number)


def _exit_code(command: Callable[[], None]) -> int:
    try:
        command()
    except SystemExit as left:
        return left.code if isinstance(left.code, int) else int(left.code is not None)
    return 0


def _leave(code: int) -> NoReturn:
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError, AttributeError):  # a full disk, or closed
            code = code or BAD_INPUT
    os._exit(code)


def guarded(command: Callable[..., int | None], *, serves: bool = False) -> Callable[..., None]:
    """Return a command that exits with its code, and with 2 on bad input.

    It begins by removing what killed commands left behind, and writes over nothing that it reads,
    unless it ``serves``: a server reads again what it wrote. One with a ``table`` has its options.
    """
    signature = inspect.signature(command)
    about_table: list[str] = []
    if "table" in signature.parameters:
        # Commands without a table need not wait for this.
        from sudare.cli.tables import TableOptions, with_table_options

        signature, about_table = with_table_options(signature)

    @wraps(command)
    def run(**arguments: Any) -> None:
        from sudare.cli.output import complain
        from sudare.engine.formats import protecting_inputs, remove_leftovers

        with ending_in_order() as ending:
            try:
                with nullcontext() if serves else protecting_inputs():
                    remove_leftovers()
                    if about_table:
                        options = {name: arguments.pop(name) for name in about_table}
                        arguments["table"] = TableOptions(**options)
                    code = command(**arguments)
            except (Exception, KeyboardInterrupt) as error:
                # A library may have made an error of its own of the interruption.
                if ending.number is None and isinstance(error, Exception):
                    raise
                complain(say("interrupted; no file was left half-written."))
                raise typer.Exit(ending.exit_code) from None
        raise typer.Exit(code or 0)

    run.__signature__ = signature  # type: ignore[attr-defined]
    run.__annotations__ = {p.name: p.annotation for p in signature.parameters.values()}
    return run


def leaving(error: Exception) -> SystemExit:
    """Say in one line what went wrong; return what to leave by.

    An error that nobody thought of gets a number, as its words may hold a value. What the machine
    refuses (a full disk, a file system that is read-only) is said by its name.
    """
    from sudare.cli.output import complain
    from sudare.core import SudareError

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
    import hashlib  # most commands do without

    location = ""
    for frame, line in walk_tb(error.__traceback__):
        module = frame.f_globals.get("__name__", "")
        if module.partition(".")[0] == "sudare" and not module.startswith("sudare.cli"):
            code = frame.f_code
            location = f"{module}.{code.co_qualname}+{line - code.co_firstlineno}"
    kind = f"{type(error).__module__}.{type(error).__qualname__}"
    return hashlib.sha256(f"{kind} {location}".encode()).hexdigest()[:8]
