"""Native programs, ready to be called with values."""

# Without `from __future__ import annotations`: named tuples would compile the text of each annotation.
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from hlokit import _kernels
from hlokit.engine.contract.registry import Value
from hlokit.engine.native.ir.target import EncodedInstruction, NotLowerable
from hlokit.engine.native.lowerings.calls import Call


class Assembled(NamedTuple):
    """A program as data: the arguments of `_kernels.Program`, which checks them, and properties.

    Attributes:
      budget: see `_kernels.Program`, like all attributes before.
      counter: the register and the dtype of the counter of a loop.
      limit: the limit of the counter.
      is_lazy, could_unroll: see `NativeProgram`.
    """

    types: Sequence[str]
    code: Sequence[EncodedInstruction]
    counts: Sequence[int]
    operands: Sequence[tuple[int, Sequence[int], bytes | tuple[int, int] | None]]
    results: Sequence[tuple[int, Sequence[int], np.dtype[Any] | None]]
    constants: Sequence[tuple[int, Value]]
    calls: Sequence[Any]
    budget: int
    counter: tuple[int, np.dtype[Any]] | None = None
    limit: int = 0
    is_lazy: bool = False
    could_unroll: bool = False


class NativeProgram:
    """Lowered steps, from operands to results.

    A lazy program takes operands whose NaNs are all canonical, and makes the NaNs of its results canonical at
    the end. For other operands `make_strict` makes another program, which makes NaNs canonical where they
    are computed.

    Args:
      calls: the kernels that the program calls.

    Attributes:
      could_unroll: a loop with a small known number of iterations is not unrolled.

    Raises:
      NotLowerable: the program exceeds a limit of the VM.
    """

    def __init__(
        self,
        assembled: Assembled,
        calls: Sequence[Call] = (),
        make_strict: "Callable[[], NativeProgram] | None" = None,
    ) -> None:
        self._make_strict, self._strict = make_strict, None
        self._calls, self._limit, self.could_unroll = calls, assembled.limit, assembled.could_unroll
        try:
            self._program = _kernels.Program(*assembled[:-3])
        except ValueError as error:  # a limit of the VM
            raise NotLowerable from error

    def fits(self, operands: tuple[Value, ...]) -> bool:
        """Whether the scalars that are constants of the program have their values."""
        return self._program.fits(operands)

    def run(self, *operands: Value) -> Any:
        """Run the program on operands that it `fits`; returns its result, or the tuple of its results."""
        results = self._program.run(operands, self._call)
        if results is not None:
            return results
        assert self._make_strict is not None
        if self._strict is None:
            self._strict = self._make_strict()
        return self._strict.run(*operands)

    def _call(self, number: int, operands: tuple[Value, ...]) -> Any:
        return self._calls[number].evaluate(operands) if number >= 0 else None

    @property
    def counter(self) -> tuple[int, int] | None:
        """The counter of the running loop, and its limit, if the condition is `counter < constant`."""
        value = self._program.counter
        return None if value is None else (int(value), self._limit)
