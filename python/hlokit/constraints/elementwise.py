"""Strict checks of operations on elements, tuples and random numbers."""

from __future__ import annotations

from hlokit.constraints.checks import Checks
from hlokit.constraints.types import agree, element_type, operands, results, shapes_agree
from hlokit.mlir.conversion.attributes import Attributes
from hlokit.mlir.provider.bindings import ir
from hlokit.values.element_types import Kind
from hlokit.values.types import TensorType, TupleType

_COMPARISONS = {
    Kind.BOOL: ("UNSIGNED",),
    Kind.SIGNED: ("SIGNED",),
    Kind.UNSIGNED: ("UNSIGNED",),
    Kind.FLOAT: ("FLOAT", "TOTALORDER"),
    Kind.COMPLEX: ("FLOAT",),
}
_STATE_SIZES = {"THREE_FRY": (2,), "PHILOX": (2, 3)}


def compare_type(operation: ir.Operation) -> str | None:
    """The compare type must fit the element type. An absent compare type follows from the element type."""
    chosen = Attributes(operation).enum("compare_type", "NOTYPE")
    compared = element_type(operands(operation)[0])
    # The specification does not mention quantized elements.
    if chosen == "NOTYPE" or compared is None or compared.kind not in _COMPARISONS:
        return None
    allowed = _COMPARISONS[compared.kind]
    if chosen in allowed:
        return None
    return f"compare_type of {compared} must be {' or '.join(allowed)}, got {chosen}"


def bitcast_shape(operation: ir.Operation) -> str | None:
    """If the element widths are equal, the shapes must be equal."""
    (operand,), (result,) = operands(operation), results(operation)
    if not isinstance(operand, TensorType) or not isinstance(result, TensorType):
        return None
    if operand.element_type.width != result.element_type.width:
        return None
    if shapes_agree(operand.shape, result.shape):
        return None
    return f"result must have the operand's shape for elements of one width, got {operand} and {result}"


def tuple_element(operation: ir.Operation) -> str | None:
    """The result has the type of the element."""
    (operand,), (result,) = operands(operation), results(operation)
    index = Attributes(operation).int_("index")
    if not isinstance(operand, TupleType) or agree(operand.types[index], result):
        return None
    return f"result must be of type {operand.types[index]}, got {result}"


def rng_state(operation: ir.Operation) -> str | None:
    """The output state has the type of the initial state."""
    before, after = operands(operation)[0], results(operation)[0]
    if agree(before, after):
        return None
    return f"output_state must be of the type of initial_state, got {after} and {before}"


def rng_state_size(operation: ir.Operation) -> str | None:
    """The algorithm determines the size of the state."""
    algorithm = Attributes(operation).enum("rng_algorithm")
    state = operands(operation)[0]
    sizes = _STATE_SIZES.get(algorithm)
    if sizes is None or not isinstance(state, TensorType) or not state.is_static or state.size in sizes:
        return None
    allowed = " or ".join(map(str, sizes))
    return f"initial_state of {algorithm} must have {allowed} elements, got {state.size}"


CHECKS: Checks = {
    "compare": {"C3": compare_type},
    "bitcast_convert": {"C1": bitcast_shape},
    "get_tuple_element": {"C2": tuple_element},
    "rng_bit_generator": {"C1": rng_state, "C2": rng_state_size},
}
