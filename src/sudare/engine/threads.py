"""Threads: matrix products side by side instead of one product on all threads."""

import os
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def one_product_per_thread() -> Iterator[int]:
    """Keep matrix products to one thread each, and say how many may run side by side.

    Threads over blocks are faster than threads inside a product. Without threadpoolctl products
    cannot be kept to one thread, so that one runs at a time.
    """
    try:
        from threadpoolctl import threadpool_limits
    except ImportError:
        yield 1
        return
    with threadpool_limits(limits=1, user_api="blas"):
        yield os.cpu_count() or 1
