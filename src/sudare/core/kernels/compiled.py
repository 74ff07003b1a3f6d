"""Kernels: loops that NumPy cannot express, compiled when they are first called."""

import ctypes
import inspect
import struct
from collections.abc import Callable
from functools import cached_property, update_wrapper
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar, get_type_hints, overload

from sudare.core.kernels.parameters import Leaf, Packer, flattened, leaves_of
from sudare.core.kernels.values import KernelError

if TYPE_CHECKING:
    from sudare.core.kernels.translation import Translation

Function = TypeVar("Function", bound=Callable[..., Any])


@overload
def inlined(function: Function) -> Function: ...


@overload
def inlined(*, fastmath: str) -> Callable[[Function], Function]: ...


def inlined(function: Any = None, *, fastmath: str = "") -> Any:
    """Let kernels call a function; it is compiled with each of them.

    Parameters
    ----------
    fastmath
        What LLVM may change about the arithmetic that stands in this function, such as
        ``"contract reassoc"``; it can change the last digits.
    """

    def marked(given: Any) -> Any:
        given.kernel_flags = f"{fastmath} " if fastmath else ""
        return given

    return marked if function is None else marked(function)


@overload
def kernel(function: Function) -> Function: ...


@overload
def kernel(*, fastmath: str) -> Callable[[Function], Function]: ...


def kernel(function: Any = None, *, fastmath: str = "") -> Any:
    """Compile a function when it is first called; it runs without Python's lock.

    Its parameters are whole numbers, fractions, arrays (``FloatVector`` and so on), and NamedTuples
    of these; it returns numbers or nothing. It has loops, conditions and arithmetic, reads and
    writes elements, slices the first dimension, and calls functions that are ``inlined``. Nothing
    is allocated but arrays of a size that is written there. Indices are not checked. For
    ``fastmath`` see :func:`inlined`.
    """

    def made(given: Any) -> Any:
        return Kernel(inlined(fastmath=fastmath)(given))

    return made if function is None else made(function)


class Kernel:
    """A function that is compiled when it is first called.

    Attributes
    ----------
    function
        The same in Python, slow and obvious.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self._lock = Lock()
        update_wrapper(self, function)

    @cached_property
    def _leaves(self) -> tuple[Leaf, ...]:
        return tuple(leaf for _, kind in self._parameters for leaf in leaves_of(kind))

    @cached_property
    def _parameters(self) -> tuple[tuple[str, Any], ...]:
        hints = get_type_hints(self.function, include_extras=True)
        return tuple((name, hints[name]) for name in inspect.signature(self.function).parameters)

    @cached_property
    def _layout(self) -> struct.Struct:
        return struct.Struct("=" + "".join(leaf.layout for leaf in self._leaves))

    @cached_property
    def translation(self) -> "Translation":
        """The kernel in LLVM's language."""
        from sudare.core.kernels.translation import Translation

        return Translation(self.function, self._parameters)

    @cached_property
    def _packers(self) -> tuple[Packer, ...]:
        written = self.translation.written
        return tuple(
            leaf.packer(written=number in written) for number, leaf in enumerate(self._leaves)
        )

    @cached_property
    def _results(self) -> struct.Struct | None:
        return struct.Struct("=" + self.translation.results) if self.translation.results else None

    @cached_property
    def _entry(self) -> Any:
        from sudare.core.kernels.object_code import load
        from sudare.core.kernels.translation import ENTRY

        with self._lock:
            if "_entry" in self.__dict__:  # another thread was first
                return self.__dict__["_entry"]
            address = load(self.translation.text, ENTRY)
        return ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_char_p)(address)

    def __call__(self, *values: Any) -> Any:
        """Run the kernel on arrays that are exactly as declared."""
        packers = self._packers
        flat = values if len(values) == len(packers) else tuple(flattened(values))
        words: list[Any] = []
        try:
            for pack, value in zip(packers, flat, strict=True):
                pack(value, words)
            given = self._layout.pack(*words)
        except (TypeError, ValueError, AttributeError, struct.error) as error:
            raise self._misfit(flat) from error
        if self._results is None:
            self._entry(given, None)
            return None
        results = ctypes.create_string_buffer(self._results.size)
        self._entry(given, results)
        numbers = self._results.unpack(results)
        return numbers[0] if self.translation.single else numbers

    def _misfit(self, values: tuple[Any, ...]) -> KernelError:
        given = [getattr(value, "dtype", type(value).__name__) for value in values]
        return KernelError(
            f"{self.function.__module__}.{self.function.__name__} takes {list(self._leaves)}, "
            f"contiguous and writable where it writes; got {given}."
        )
