"""Linear algebra on one thread, so that no figure depends on how many cores a machine has.

A library that splits a sum over threads adds in another order on another machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

from threadpoolctl import ThreadpoolController


@lru_cache(maxsize=1)
def _controller() -> ThreadpoolController:
    return ThreadpoolController()


@contextmanager
def reproducible_blas() -> Iterator[None]:
    """Keep numpy's and scipy's linear algebra to one thread within the block."""
    with _controller().limit(limits=1, user_api="blas"):
        yield
