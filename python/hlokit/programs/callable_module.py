"""`CallableModule`: what the functions of a program take, and how arguments become values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from hlokit.errors import ArgumentError, for_callers
from hlokit.mlir.provider.bindings import ir
from hlokit.programs.calls.arguments import Signature, by_position
from hlokit.programs.calls.runs import Runs
from hlokit.programs.verified import VerifiedModule

if TYPE_CHECKING:
    from hlokit.engine.contract.registry import Value
    from hlokit.programs.calls.arguments import Calling, Names


class CallableModule(VerifiedModule):
    """A verified module whose functions take users' arguments.

    Args:
      calling: the calling convention of the program's framework; None for other programs.
      runs: evaluates the functions.
    """

    def __init__(
        self, module: ir.Module, filename: str, source: str, calling: Calling | None, runs: Runs
    ) -> None:
        super().__init__(module, filename, source)
        self._calling = calling
        self._runs = runs
        self._signatures: dict[str | None, Signature | None] = {}

    @property
    def calling(self) -> Calling | None:
        """The conversion of JAX's pytrees to flat arguments; None for programs that take flat arguments."""
        return self._calling

    @for_callers
    def signature(self, function: str | None = None) -> Signature:
        """Types of a function, the entry function by default.

        Raises:
          ArgumentError: there is no such function.
        """
        signature = self._signatures.get(function)
        if signature is None:
            signature = self._runs.signature("main" if function is None else function)
            signature = self._signatures[function] = signature or self._runs.signature(self.entry(function))
            assert signature is not None, "the entry is a function of the module"
        return signature

    def bound(
        self, arguments: Sequence[Any], keywords: Mapping[str, Any], function: str | None = None
    ) -> tuple[Signature, list[Value]]:
        """What a call with these arguments evaluates: the function's signature, and a value per parameter.

        Raises:
          ArgumentError: the arguments do not fit, or there is no such function.
        """
        names: Names = tuple
        if self._calling is not None and function is None:
            names = self.parameter_names  # users do not number the arguments as the program does
            arguments = self._calling.flatten(arguments, keywords, names)
        elif keywords:
            names = partial(self.parameter_names, function)
            arguments, _ = by_position(arguments, keywords, names())
        signature = self._signatures.get(function) or self.signature(function)
        return signature, signature.values(arguments, names)

    @for_callers
    def example_inputs(
        self,
        seed: int = 0,
        *,
        function: str | None = None,
        fill: Literal["random", "zeros", "ones"] = "random",
        size: int | Mapping[str, int] = 4,
    ) -> tuple[Any, ...]:
        """Arguments to try a function with, the same bytes on every machine.

            program(*program.example_inputs())

        Random floats are between -1 and 1, or positive where operations ask for that (logarithms, divisors);
        integers are below 8, or valid indices where they become indices; matrices that are factorised are
        positive definite.

        Args:
          seed: other seeds draw other numbers.
          function: name of the function; the entry function by default.
          fill: what the arrays hold.
          size: the size of dimensions that the types leave open; `{"n": 8}` for those that have names
            (`jax.export.symbolic_shape`).

        Raises:
          ArgumentError: there is no such function, or a parameter has no examples.
        """
        from hlokit.programs.examples.arrays import Filling
        from hlokit.programs.examples.inputs import Wish, examples

        if fill not in [item.value for item in Filling]:
            raise ArgumentError(f"fill must be random, zeros or ones, got {fill}")
        wish = Wish(Filling(fill), seed)
        wish = wish._replace(sizes=size) if isinstance(size, Mapping) else wish._replace(size=size)
        signature = self.signature(function)
        try:
            flat = examples(self._module, signature, wish)
        except AssertionError:  # the bindings' accessors assume valid operations
            from hlokit.constraints.strict import require_valid  # slow to import

            require_valid(self._module, self._filename)
            raise
        return tuple(flat) if self._calling is None or function is not None else self._calling.pack(flat)
