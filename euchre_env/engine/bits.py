"""Sets as integers: one bit, the lowest member, the count; bytes of a word. Compiled and plain alike.

>>> lowest(0b1000), count(0b1011), int(bit(5))
(3, 3, 32)
"""

from typing import Any

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from euchre_env.engine._jit import kernel


@kernel
def bit(index: Any) -> Any:
    """Return the set that holds `index` alone, as int64 (a shift of a small int would overflow)."""
    return np.int64(1) << np.int64(index)


def lowest(members: int) -> int:
    """Return the smallest member of a non-empty set."""
    return (int(members) & -int(members)).bit_length() - 1


def count(members: int) -> int:
    """Return how many members a set has."""
    return int(members).bit_count()


@intrinsic
def _count_trailing_zeros(typingctx, members):  # type: ignore[no-untyped-def]
    def codegen(context, builder, signature, args):  # type: ignore[no-untyped-def]
        return builder.cttz(args[0], cgutils.true_bit)

    return types.int64(types.int64), codegen


@intrinsic
def _population_count(typingctx, members):  # type: ignore[no-untyped-def]
    def codegen(context, builder, signature, args):  # type: ignore[no-untyped-def]
        return builder.ctpop(args[0])

    return types.int64(types.int64), codegen


@overload(lowest, inline="always")
def _lowest(members):  # type: ignore[no-untyped-def]
    return lambda members: _count_trailing_zeros(np.int64(members))


@overload(count, inline="always")
def _count(members):  # type: ignore[no-untyped-def]
    return lambda members: _population_count(np.int64(members))


def put_bytes(out: Any, at: int, word: Any) -> None:
    """Store the eight bytes of a uint64, lowest first, at `at` in a contiguous int8 array, which must have room."""
    out[at : at + 8] = np.array([word], dtype="<u8").view(np.int8)


@intrinsic
def _store_word(typingctx, out, at, word):  # type: ignore[no-untyped-def]
    def codegen(context, builder, signature, args):  # type: ignore[no-untyped-def]
        array = context.make_array(signature.args[0])(context, builder, args[0])
        place = builder.gep(array.data, [args[1]])
        pointer = builder.bitcast(place, context.get_value_type(types.uint64).as_pointer())
        builder.store(args[2], pointer, align=1)
        return context.get_dummy_value()

    return types.void(out, types.int64, types.uint64), codegen


@overload(put_bytes, inline="always")
def _put_bytes(out, at, word):  # type: ignore[no-untyped-def]
    return lambda out, at, word: _store_word(out, np.int64(at), np.uint64(word))
