"""A word to the processor that Numba lacks: what will be needed from memory soon."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

_TO_READ, _NEAR, _DATA = 0, 1, 1  # as LLVM numbers them; near, but not in the first cache


def _prefetch(_: Any, array: Any, row: Any, byte: Any) -> Any:
    """Ask for the line of memory that holds a byte of a row of an array, soon to be read."""

    def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        table = context.make_array(signature.args[0])(context, builder, given[0])
        tools: Any = cgutils
        offset = builder.mul(given[1], tools.unpack_tuple(builder, table.strides)[0])
        address, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        at = builder.gep(builder.bitcast(table.data, address), [builder.add(offset, given[2])])
        kind = ir.FunctionType(ir.VoidType(), [address, number, number, number])
        fetch = tools.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        builder.call(fetch, [at, number(_TO_READ), number(_NEAR), number(_DATA)])
        return context.get_dummy_value()

    return types.void(array, types.intp, types.intp), code


prefetch: Any = intrinsic(_prefetch)
