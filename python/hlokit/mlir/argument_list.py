"""Lists of constants on a command line: `[dense<1> : tensor<2xi32>, ...]`."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hlokit.errors import ArgumentError, HlokitError
from hlokit.mlir.conversion.constants import read_elements
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.types import value_type
from hlokit.mlir.text.lexer import tokens
from hlokit.mlir.text.nesting import excess_of
from hlokit.values.types import TensorType

_USAGE = "i.e. --args=[dense<1> : tensor<2xi32>, ...]"
_HINT = "\n  an argument is a constant with its type, dense<[1, 2]> : tensor<2xi32>, or an .npy or .npz file"
_NO_LIST = f"expectected array attribute string for args, {_USAGE}"
_NOT_DENSE = f"expected dense elements attribute for args elements, {_USAGE}"
# The number of characters of an argument that messages show.
_LONGEST_SHOWN = 100


def read_argument_list(context: ir.Context, text: str) -> list[npt.NDArray[np.generic]]:
    """The constants of a list, as arrays of their types' shapes and dtypes.

    Raises:
      ArgumentError: the text is not a list of dense constants.
    """
    return _read_list(context, text, _NO_LIST, _NOT_DENSE)


def read_argument(context: ir.Context, text: str) -> list[npt.NDArray[np.generic]]:
    """The constants of an argument of a subcommand, separated by commas, as arrays.

    Raises:
      ArgumentError: the text is not a dense constant.
    """
    shown = text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}..."
    message = f"'{shown}' is no argument"
    return _read_list(context, f"[{text}]", message, message)


def _read_list(context: ir.Context, text: str, no_list: str, not_dense: str) -> list[npt.NDArray[np.generic]]:
    excess = excess_of(text)
    if excess is not None:
        raise ArgumentError(f"{no_list}\n  column {excess[1]}: {excess[2]}")
    try:
        array = ir.Attribute.parse(text, context)
    except ir.MLIRError as error:
        reason = "; ".join(raw.message for raw in error.error_diagnostics)
        raise ArgumentError(f"{no_list}\n  {reason}{_HINT}") from None
    if not isinstance(array, ir.ArrayAttr):
        raise ArgumentError(no_list)
    return [_read(context, element, type_, not_dense) for element, type_ in _elements(text)]


def _elements(text: str) -> list[tuple[str, str]]:
    """The elements of a well-formed list, each with the text of its type ('' if there is none)."""
    elements: list[tuple[str, str]] = []
    depth = 0
    start, colon = 0, None
    for token in tokens(text):
        if token.text in ("[", "<", "(", "{"):
            depth += 1
            if depth == 1:
                start = token.end
        elif token.text in ("]", ">", ")", "}"):
            depth -= 1
        elif token.text == ":" and depth == 1:
            colon = token.end
        if (token.text == "," and depth == 1) or depth == 0:
            element = text[start : token.start].strip()
            if element:
                elements.append((element, "" if colon is None else text[colon : token.start]))
            start, colon = token.end, None
    return elements


def _require_array(spelled: str, context: ir.Context) -> None:
    type_ = value_type(ir.Type.parse(spelled.strip(), context))
    if isinstance(type_, TensorType) and type_.is_static and type_.is_beyond_arrays:
        raise ArgumentError(f"args elements must be tensors that NumPy can represent, got {type_}")


def _read(context: ir.Context, element: str, type_: str, not_dense: str) -> npt.NDArray[np.generic]:
    try:
        is_dense = isinstance(ir.Attribute.parse(element, context), ir.DenseElementsAttr)
    except TypeError:  # The bindings have no class for dense complex attributes.
        is_dense = True
    if not is_dense:
        raise ArgumentError(f"{not_dense}{_HINT}")
    _require_array(type_, context)
    module = ir.Module.parse(f'"hlokit.argument"() {{value = {element}}} : () -> ({type_})', context)
    try:
        return read_elements(module.body.operations[0].operation, "value")
    except HlokitError as error:
        raise ArgumentError(f"args elements must be tensors: {error}") from None
