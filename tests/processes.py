"""Processes that tests start: none outlives the run, however that ends."""

import ctypes
import signal
import sys

_PR_SET_PDEATHSIG = 1


def end_with_parent(by: int = signal.SIGKILL) -> None:
    """Have the system end this process when its parent is gone; to be called before it runs."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, by)
