"""Threads over blocks of records, each with matrix products of its own."""

import os
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import ExitStack
from contextvars import copy_context
from threading import Lock
from typing import Any, TypeVar

from threadpoolctl import ThreadpoolController

Part = TypeVar("Part")
PartResult = TypeVar("PartResult")


class Threads(ThreadPoolExecutor):
    """Threads whose messages are in the language of the work that started them."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run a function in the context of the caller."""
        return super().submit(copy_context().run, fn, *args, **kwargs)


class _ThreadLimit:
    """One limit of the whole process: the first user sets it, the last one lifts it."""

    def __init__(self) -> None:
        self.lock, self.held, self.users = Lock(), ExitStack(), 0
        self.controller, self.modules = ThreadpoolController(), len(sys.modules)

    def __enter__(self) -> None:
        with self.lock:
            if not self.users:
                if self.modules != len(sys.modules):  # with other libraries, perhaps
                    self.controller, self.modules = ThreadpoolController(), len(sys.modules)
                self.held.enter_context(self.controller.limit(limits=1, user_api="blas"))
            self.users += 1

    def __exit__(self, *_: object) -> None:
        with self.lock:
            self.users -= 1
            if not self.users:
                self.held.close()


# While it is entered, every matrix product keeps to one thread.
products_on_one_thread = _ThreadLimit()


def in_turn(
    work: Callable[[Part], PartResult], parts: Iterable[Part]
) -> Generator[PartResult, None, None]:
    """Yield what the work finds in each part, in their order; a few parts run ahead.

    Examples
    --------
    >>> list(in_turn(len, ["a", "bcd"]))
    [1, 3]
    """
    ahead = (os.cpu_count() or 1) + 1
    waiting: deque[Future[PartResult]] = deque()
    with products_on_one_thread, Threads(os.cpu_count()) as threads:
        try:
            for part in parts:
                waiting.append(threads.submit(work, part))
                if len(waiting) > ahead:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


def as_they_end(
    work: Callable[[Part], PartResult], parts: Iterable[Part], workers: int | None = None
) -> Generator[PartResult, None, None]:
    """Yield what the work finds in each part, as parts end; those not begun can be given up.

    Examples
    --------
    >>> sorted(as_they_end(len, ["a", "bcd"]))
    [1, 3]
    """
    with Threads(workers or os.cpu_count()) as threads:
        waiting = [threads.submit(work, part) for part in parts]
        try:
            for future in as_completed(waiting):
                yield future.result()
        finally:
            for future in waiting:
                future.cancel()


def side_by_side(work: Callable[[Part], PartResult], parts: Iterable[Part]) -> list[PartResult]:
    """Return what the work finds in each part, in their order; parts run in parallel.

    Matrix products keep to one thread meanwhile: threads over blocks are faster than threads
    inside a product, and both at once are slower than either.

    Examples
    --------
    >>> side_by_side(len, ["a", "bcd"])
    [1, 3]
    """
    with products_on_one_thread, Threads(os.cpu_count()) as threads:
        return list(threads.map(work, parts))
