"""Loops on exact numbers: all iterations, or the first ones."""

from __future__ import annotations

from typing import Any

from hlokit.engine.contract.registry import Kernel
from hlokit.tools.equal.rules.meanings import Binding, Exactly


def _while(binding: Binding) -> Kernel:
    most = binding.context.assumptions.iterations
    if most is None:
        return binding.bind(lambda type_: type_)
    condition, body = binding.operation.regions
    count = len(binding.operation.operand_types)

    def kernel(*operands: Any) -> Any:
        state, captured = operands[:count], operands[count:]
        for _ in range(most):
            if not condition(*state, *captured):
                break
            results = body(*state, *captured)
            state = (results,) if count == 1 else results
        return state[0] if count == 1 else state

    return Kernel(kernel, regions=binding.operation.regions)


WHILE = Exactly(_while)
