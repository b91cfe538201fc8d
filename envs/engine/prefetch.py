"""Asking for a record before it is needed.

A batch of large records does not fit into the memory nearest to a core. While one game is played the next
one's record can be on its way; without being asked a processor fetches only as far ahead as it can guess.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.extending import intrinsic, overload

LINE = 64
"""Bytes that come at once."""


def prefetch(records: Any, index: int | np.integer[Any], size: int) -> None:
    """Have the first ``size`` bytes (a constant) of ``records[index]`` fetched.

    ``index`` may be one too high. Nothing else happens, and as ordinary Python nothing at all.
    """


@intrinsic(prefer_literal=True)
def _prefetch(typing_context: Any, records: Any, index: Any, size: Any) -> tuple[Any, Callable[..., Any]]:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        byte, number = ir.IntType(8), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [byte.as_pointer(), number, number, number])
        ask = builder.module.declare_intrinsic("llvm.prefetch", [byte.as_pointer()], kind)
        stride = builder.extract_value(array.strides, 0)
        first = builder.bitcast(array.data, byte.as_pointer())
        record = builder.gep(first, [builder.mul(stride, arguments[1])])
        for offset in range(0, signature.args[2].literal_value, LINE):
            line = builder.gep(record, [ir.Constant(ir.IntType(64), offset)])
            # To be read and written, kept near, data.
            builder.call(ask, [line, number(0), number(3), number(1)])
        return context.get_dummy_value()

    return types.void(records, types.int64, size), generate


@overload(prefetch, prefer_literal=True)
def _compile_prefetch(records, index, size):  # type: ignore[no-untyped-def]
    return lambda records, index, size: _prefetch(records, index, size)  # type: ignore[call-arg]
