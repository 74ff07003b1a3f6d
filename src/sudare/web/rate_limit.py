"""How often a caller may do something: a bucket of tokens that fills again with time."""

import time
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock

from starlette.exceptions import HTTPException

from sudare.core import say

MOST_CALLERS = 10_000  # that are remembered; beyond, those longest away are forgotten


class RateLimit:
    """At most ``burst`` requests at once, and ``per_minute`` in the long run, for each caller.

    Examples
    --------
    >>> limit = RateLimit(per_minute=60, burst=2, clock=lambda: 0.0)
    >>> limit.take("team"), limit.take("team"), limit.take("team")
    (0.0, 0.0, 1.0)
    """

    def __init__(
        self, *, per_minute: float, burst: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.per_second = per_minute / 60
        self.burst = burst
        self.clock = clock
        self._tokens: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = Lock()  # two requests at once must not both find a full bucket

    def take(self, caller: str) -> float:
        """Take a token and return 0, or return the seconds to wait for one."""
        with self._lock:
            now = self.clock()
            tokens, then = self._tokens.pop(caller, (float(self.burst), now))
            tokens = min(self.burst, tokens + (now - then) * self.per_second)
            seconds = max(0.0, (1 - tokens) / self.per_second)
            self._tokens[caller] = (tokens if seconds else tokens - 1, now)
            if len(self._tokens) > MOST_CALLERS:
                self._tokens.popitem(last=False)
            return seconds

    def check(self, caller: str) -> None:
        """Refuse a caller who asks too often, and say when to come back."""
        seconds = self.take(caller)
        if seconds:
            rounded = int(seconds) + 1
            raise HTTPException(
                429,
                say(
                    "too many requests; try again in {seconds} {seconds:second|seconds}.",
                    seconds=rounded,
                ),
                headers={"Retry-After": str(rounded)},
            )
