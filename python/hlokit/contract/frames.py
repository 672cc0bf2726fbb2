"""Memory for the frames of functions that a function calls repeatedly.

CPython keeps the frames of Python functions in chunks of 16 KiB. A call that does not fit maps a new chunk of
memory and unmaps the chunk when the call returns, which takes longer than most kernels: calls at the end of a
chunk are three times slower. A function with a deep evaluation stack gets its own chunk, in some 3 us, and
half of this chunk remains for the frames of its callees.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import TypeVar, cast

_Function = TypeVar("_Function", bound=Callable[..., object])

# Words of an evaluation stack: more than 32 KiB, so that the chunk has 64 KiB. Unused pages take no memory.
_DEPTH = 4200


def with_room(function: _Function) -> _Function:
    """Decorator: the function reserves memory for the frames of its callees. This pays off from some 50 calls
    on."""
    python_function = cast(FunctionType, function)
    python_function.__code__ = python_function.__code__.replace(co_stacksize=_DEPTH)
    return function
