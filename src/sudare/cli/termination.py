"""Signals end a command in order, and the program ends at once when its command is over."""

import atexit
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, ClassVar, NoReturn

INTERRUPTED = 130
_FAILED = 2
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
            code = code or _FAILED
    os._exit(code)
