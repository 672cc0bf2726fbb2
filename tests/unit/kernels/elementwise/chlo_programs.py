"""Programs of one CHLO operation."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hlokit.values.element_types import ElementType
from hlokit.values.types import TensorType
from tests.unit.kernels.elementwise import elementwise_programs


def text(
    name: str, operands: Sequence[TensorType], results: Sequence[TensorType], attributes: str = ""
) -> str:
    """A module whose @main applies a CHLO operation to its arguments."""
    names = [f"%arg{index}" for index in range(len(operands))]
    parameters = ", ".join(f"{name}: {type_}" for name, type_ in zip(names, operands, strict=True))
    inputs, outputs = (", ".join(map(str, types)) for types in (operands, results))
    values = ", ".join(f"%result#{index}" for index in range(len(results)))
    return f"""
      func.func @main({parameters}) -> ({outputs}) {{
        %result:{len(results)} = "chlo.{name}"({", ".join(names)}) {{{attributes}}} : ({inputs}) -> ({outputs})
        return {values} : {outputs}
      }}"""


def evaluate(
    name: str,
    *operands: np.ndarray,
    result: ElementType | None = None,
    shape: tuple[int, ...] | None = None,
    attributes: str = "",
) -> np.ndarray:
    """`elementwise_programs.evaluate` of a CHLO operation."""
    return elementwise_programs.evaluate(
        f"chlo.{name}", *operands, result=result, shape=shape, attributes=attributes
    )
