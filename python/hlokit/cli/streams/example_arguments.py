"""`--random`, `--zeros`, `--ones`: arguments that the command line does not give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

import numpy as np

from hlokit.cli.frame.flags import Flag, UsageError, Values, natural, positive
from hlokit.cli.streams.argument_files import Arguments, Array, array_names, array_types, in_order, places
from hlokit.errors import ArgumentError
from hlokit.mlir.queries.module import functions
from hlokit.programs.calls.arguments import Signature, wrong_number
from hlokit.programs.examples.arrays import SIZE, Filling, static_shape
from hlokit.programs.examples.inputs import Wish, examples
from hlokit.programs.examples.sizes import symbols_of
from hlokit.programs.program import Program

RANDOM = Flag("random", "draw the other arguments, by a seed (default: 0)", "SEED", default="0", type=natural)
ZEROS = Flag("zeros", "the other arguments are zeros")
ONES = Flag("ones", "the other arguments are ones")


def _size(text: str) -> tuple[str, int]:
    """`8` or `n=8`."""
    name, _, number = text.rpartition("=")
    return name.strip(), positive(number.strip())


SIZE_FLAG = Flag(
    "size",
    "the size of open dimensions of such arguments (default: 4), or of those with a name: n=8",
    "N",
    repeatable=True,
    type=_size,
)
# Types in a message.
_SHOWN = 8
FLAGS = (RANDOM, ZEROS, ONES, SIZE_FLAG)


class Examples(NamedTuple):
    """What arguments are that the command line does not give.

    Attributes:
      filling: None if all arguments must be given.
      size: the size of open dimensions.
      sizes: the sizes of those that have names.
    """

    filling: Filling | None = None
    seed: int = 0
    size: int = SIZE
    sizes: Mapping[str, int] = {}

    @classmethod
    def read(cls, values: Values) -> Examples:
        """The choice of a command line.

        Raises:
          ArgumentError: it has several of the flags.
        """
        chosen = {
            Filling.RANDOM: values.random is not None,
            Filling.ZEROS: values.zeros,
            Filling.ONES: values.ones,
        }
        fillings = [filling for filling, is_chosen in chosen.items() if is_chosen]
        if len(fillings) > 1:
            raise UsageError("only one of --random, --zeros and --ones must be given")
        sizes = dict(values.size)
        size = sizes.pop("", SIZE)
        return cls(fillings[0] if fillings else None, values.random or 0, size, sizes)

    def complete(self, arrays: Sequence[Array], program: Program, signature: Signature) -> Sequence[Array]:
        """The arguments of a function, with examples for those that the command line does not give.

        Raises:
          ArgumentError: the function takes arguments, and none is given.
        """
        types = array_types(signature.inputs)
        if not isinstance(arrays, Arguments):
            return arrays
        names = array_names(program.parameter_names(signature.name), signature.inputs)
        if self.filling is None and len(arrays) < len(types) and not any(arrays.names):
            raise ArgumentError(_offer(program, signature, len(arrays)))
        if self.filling is None and not arrays.shapes:
            return in_order(arrays, names)
        by_parameter = places(arrays, names, may_lack=self.filling is not None)
        values = {number: arrays[index] for number, index in by_parameter.items()}
        if len(values) >= len(types) and not arrays.shapes:
            return in_order(arrays, names)
        is_flat = len(types) == len(signature.inputs)  # parameters are arrays: no tuples, no tokens
        shapes = {number: value.shape for number, value in values.items() if is_flat}
        wish = Wish(self.filling or Filling.ZEROS, self.seed, self.size, shapes, self.sizes)
        drawn = _flat(examples(program.module, signature, wish))
        chosen = {n: v for n, v in values.items() if by_parameter[n] not in arrays.shapes or n >= len(drawn)}
        if self.filling is None:
            return [chosen[n] if n in chosen else drawn[n] for n in sorted(values)]
        return [*(chosen.pop(n, value) for n, value in enumerate(drawn)), *chosen.values()]


def _flat(values: Sequence[Any]) -> list[Array]:
    """One array for each item of tuples, none for a token."""
    arrays: list[Array] = []
    for value in values:
        if isinstance(value, tuple):
            arrays += _flat(cast("tuple[Any, ...]", value))
        elif isinstance(value, np.ndarray):
            arrays.append(cast("Array", value))
    return arrays


def _offer(program: Program, signature: Signature, count: int) -> str:
    """What to type where arguments are missing."""
    types = array_types(signature.inputs)
    names = array_names(program.parameter_names(signature.name), signature.inputs)
    described = [f"{name} {type_}" if name else str(type_) for name, type_ in zip(names, types, strict=True)]
    shown = ", ".join(described[:_SHOWN]) + ", ..." * (len(types) > _SHOWN)
    sizes = "x".join(map(str, (*static_shape(types[count]), types[count].element_type)))
    symbols = symbols_of(functions(program.module)[signature.name], signature.inputs).names
    open_sizes = (
        f"\n  --size {symbols[0]}={SIZE} says the size {symbols[0]} (sizes: {', '.join(symbols)})"
        if symbols
        else ""
    )
    return (
        f"{wrong_number(signature.name, len(types), count)}: {shown}\n"
        f"  --random draws them, --zeros and --ones fill them; an argument is an .npy or .npz file, a "
        f"shape such as {sizes} (zeros) or {sizes}=1, or a constant{open_sizes}"
    )
