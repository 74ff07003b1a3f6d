"""Threads over blocks: order, errors, and one thread for each matrix product meanwhile."""

import pytest
from threadpoolctl import threadpool_info

from sudare.core import say, speaking
from sudare.engine.counting.threads import in_turn, side_by_side


def product_threads() -> list[int]:
    return [lib["num_threads"] for lib in threadpool_info() if lib["user_api"] == "blas"]


def test_results_come_in_the_order_of_the_parts() -> None:
    assert side_by_side(lambda part: part**2, range(50)) == [part**2 for part in range(50)]


def test_products_keep_to_one_thread_until_the_last_is_done() -> None:
    before = product_threads()
    inside = side_by_side(lambda _: side_by_side(lambda _: product_threads(), range(2)), range(4))
    assert {count for outer in inside for inner in outer for count in inner} <= {1}
    assert product_threads() == before


def test_what_a_thread_raises_is_raised_and_the_limit_lifted() -> None:
    before = product_threads()
    with pytest.raises(ZeroDivisionError):
        side_by_side(lambda part: 1 // part, [1, 0])
    assert product_threads() == before


def test_threads_speak_the_language_of_the_work_that_started_them() -> None:
    with speaking("ja"):
        assert side_by_side(say, ["missing"] * 3) == ["欠測"] * 3
        assert list(in_turn(say, ["missing"] * 3)) == ["欠測"] * 3
