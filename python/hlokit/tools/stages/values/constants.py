"""Float constants that a stage changed: numbers that no operation can have made of other constants."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

import numpy as np

from hlokit.operations.lookup import mnemonics
from hlokit.tools.stages.values.hlo_protos import Module, element_type, elements_of
from hlokit.values.element_types import BF16, F16, F32, F64, ElementType

# The types of float elements by their numbers in ShapeProto.
_FLOATS: dict[int, ElementType] = {10: F16, 11: F32, 12: F64, 16: BF16}
# Instructions that compute no number: their results have elements of operands, or what instructions in their
# computations return.
_MOVES = mnemonics(
    lambda traits: traits.moves is not None or traits.view or traits.constant or traits.control
)
_COMPUTES_NOTHING = frozenset([name.replace("_", "-") for name in _MOVES]) | frozenset(
    ("parameter", "get-tuple-element", "conditional", "fusion", "copy", "bitcast", "opt-barrier", "domain")
)
# Constants of at most this many elements are looked at.
_MOST = 1 << 12


def another_constant(before: Module, after: Module) -> str | None:
    """The name of a float constant of one module whose number the module before does not have; None if there
    is none, or operations on floats changed as well, whose results may be constants now.

    Numbers that change nothing are no such constants: passes fill arrays with 0, 1, infinities and NaN.
    """
    if _operations(before) != _operations(after):
        return None
    numbers = set(_constants(before))
    for number, name in _constants(after).items():
        if number not in numbers:
            return name
    return None


def _operations(module: Module) -> Counter[tuple[str, int]]:
    """The instructions that compute floats, counted by opcode and type."""
    operations: Counter[tuple[str, int]] = Counter()
    for computation in module.computations.values():
        for instruction in computation.instructions.values():
            type_ = element_type(instruction.shape)
            if type_ in _FLOATS and instruction.opcode not in _COMPUTES_NOTHING:
                operations[instruction.opcode, type_] += 1
    return operations


def _constants(module: Module) -> dict[tuple[int, bytes], str]:
    """Numbers of float constants, with the name of an instruction that has each."""
    constants: dict[tuple[int, bytes], str] = {}
    for computation in module.computations.values():
        for instruction in computation.instructions.values():
            type_ = element_type(instruction.shape)
            if instruction.opcode == "constant" and type_ in _FLOATS:
                for element in _numbers(type_, elements_of(instruction.content)):
                    constants.setdefault((type_, element), instruction.name.decode(errors="replace"))
    return constants


@lru_cache(maxsize=1 << 12)  # the same constants stand in many stages
def _numbers(type_: int, data: bytes) -> frozenset[bytes]:
    """The elements of a constant that are finite and neither 0 nor 1."""
    dtype = _FLOATS[type_].dtype
    if len(data) > _MOST * dtype.itemsize or len(data) % dtype.itemsize:
        return frozenset()
    elements = np.frombuffer(data, dtype)
    plain = elements.astype(np.float64)
    kept = elements[np.isfinite(plain) & (plain != 0) & (plain != 1)]
    return frozenset([element.tobytes() for element in kept])
