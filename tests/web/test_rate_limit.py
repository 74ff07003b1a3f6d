"""How often a caller may do something."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.exceptions import HTTPException

from sudare.web import RateLimit
from sudare.web.rate_limit import MOST_CALLERS


def test_a_burst_then_so_many_in_a_minute() -> None:
    now = [0.0]
    limit = RateLimit(per_minute=30, burst=2, clock=lambda: now[0])
    assert [limit.take("a") for _ in range(3)] == [0, 0, 2]
    assert limit.take("b") == 0
    now[0] = 2.0
    assert [limit.take("a") for _ in range(2)] == [0, 2]
    now[0] = 1000.0
    assert [limit.take("a") for _ in range(3)] == [0, 0, 2]


def test_whoever_asks_too_often_learns_when_to_come_back() -> None:
    limit = RateLimit(per_minute=6, burst=1, clock=lambda: 0.0)
    limit.check("a")
    with pytest.raises(HTTPException) as caught:
        limit.check("a")
    assert caught.value.status_code == 429
    assert caught.value.headers == {"Retry-After": "11"}


def test_many_threads_get_no_more_than_the_burst() -> None:
    limit = RateLimit(per_minute=1e-6, burst=100)
    with ThreadPoolExecutor(16) as pool:
        waits = list(pool.map(lambda _: limit.take("a"), range(5000)))
    assert waits.count(0.0) == 100


def test_callers_longest_away_are_forgotten() -> None:
    limit = RateLimit(per_minute=1e-6, burst=1)
    for caller in range(MOST_CALLERS + 1):
        assert limit.take(str(caller)) == 0
    assert limit.take("0") == 0
    assert limit.take(str(MOST_CALLERS)) > 0
