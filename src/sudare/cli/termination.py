"""Commands that are told to end do so in order: what they wrote for themselves goes with them."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

# Those that end a process unless it listens, as far as the machine has them.
_NAMES = ("SIGHUP", "SIGQUIT", "SIGTERM", "SIGUSR1", "SIGUSR2", "SIGALRM", "SIGXCPU")


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
