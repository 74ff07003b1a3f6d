"""How often somebody may do something: a bucket of tokens that fills again with time."""

import time
from collections import OrderedDict
from collections.abc import Callable

from starlette.exceptions import HTTPException

from sudare.core import say

REMEMBERED = 10_000  # callers; beyond that the ones longest away are forgotten


class Pace:
    """At most ``at_once`` in a burst, and ``per_minute`` in the long run, for each caller.

    Examples
    --------
    >>> pace = Pace(per_minute=60, at_once=2, clock=lambda: 0.0)
    >>> pace.wait("team"), pace.wait("team"), pace.wait("team")
    (0.0, 0.0, 1.0)
    """

    def __init__(
        self, *, per_minute: float, at_once: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.per_second = per_minute / 60
        self.at_once = at_once
        self.clock = clock
        self._callers: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, caller: str) -> float:
        """Return how many seconds the caller has to wait; zero takes a token."""
        now = self.clock()
        tokens, then = self._callers.pop(caller, (float(self.at_once), now))
        tokens = min(self.at_once, tokens + (now - then) * self.per_second)
        waiting = max(0.0, (1 - tokens) / self.per_second)
        self._callers[caller] = (tokens if waiting else tokens - 1, now)
        while len(self._callers) > REMEMBERED:
            self._callers.popitem(last=False)
        return waiting

    def demand(self, caller: str) -> None:
        """Refuse a caller who is too quick, and say when to come back."""
        waiting = self.wait(caller)
        if waiting:
            raise too_many(waiting)


def too_many(seconds: float) -> HTTPException:
    """Return the refusal of somebody who is too quick."""
    rounded = int(seconds) + 1
    return HTTPException(
        429,
        say("too many at once; try again in {seconds} seconds.", seconds=rounded),
        headers={"Retry-After": str(rounded)},
    )
