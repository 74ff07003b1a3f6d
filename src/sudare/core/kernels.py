"""Kernels: loops that NumPy cannot express, compiled by Numba. Only ``_kernels`` files ask for it.

Numba is imported with this module, so that code without kernels does not wait for it.
"""

from collections.abc import Callable
from typing import Any, TypeVar, overload

from numba import njit

Function = TypeVar("Function", bound=Callable[..., Any])


@overload
def kernel(function: Function) -> Function: ...


@overload
def kernel(**options: Any) -> Callable[[Function], Function]: ...


def kernel(function: Any = None, **options: Any) -> Any:
    """Compile a function with Numba; it runs without Python's lock and is cached on disk.

    Parameters
    ----------
    function
        Plain arrays and numbers in and out.
    options
        Of Numba, such as ``fastmath`` and ``error_model``, which can change the last digits.
    """
    compiled = njit(cache=True, nogil=True, **options)
    return compiled if function is None else compiled(function)
