"""Room for the frames of the functions that a function calls again and again.

CPython keeps the frames of Python functions in chunks of 16 KiB. A call that does not fit maps a new chunk of
memory and unmaps it when it returns, which takes longer than most kernels: calls at the end of a chunk are
three times slower. A function with a deep evaluation stack gets a chunk of its own, in some 3 us, and half of
this chunk is left for the frames of its callees.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import TypeVar, cast

_Function = TypeVar("_Function", bound=Callable[..., object])

# Words of an evaluation stack: more than 32 KiB, so that the chunk has 64 KiB. Unused pages take no memory.
_DEPTH = 4200


def with_room(function: _Function) -> _Function:
    """Decorator: the function has room for the frames of its callees. Pays off from some 50 calls on."""
    python_function = cast(FunctionType, function)
    python_function.__code__ = python_function.__code__.replace(co_stacksize=_DEPTH)
    return function
