"""What is measured: programs and the arguments they are run on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import ml_dtypes
import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.generic]
MODELS = Path(__file__).parent.parent / "examples" / "models"


@dataclass(frozen=True)
class Case:
    """A program (MLIR text, or a portable artifact) and its arguments.

    `has_reference` is false where `eval_module` is known to abort or to take hours.
    """

    name: str
    group: str
    program: Callable[[], str | bytes]
    arguments: Callable[[], Sequence[Array]]
    has_reference: bool = True


def _values(shape: Sequence[int], dtype: object = np.float32) -> Array:
    kind: np.dtype[np.generic] = np.dtype(dtype)  # pyright: ignore[reportArgumentType, reportCallIssue] # dtype-like
    generator = np.random.default_rng(0)
    if kind.kind in "iu":
        return generator.integers(0, 100, shape).astype(kind)
    return generator.uniform(0.1, 2.0, shape).astype(kind)


_SPELLINGS = {"float32": "f32", "bfloat16": "bf16", "int32": "i32", "complex64": "complex<f32>", "int8": "i8"}


def _type(array: Array) -> str:
    return f"tensor<{''.join(f'{size}x' for size in array.shape)}{_SPELLINGS[array.dtype.name]}>"


def _op(
    name: str, body: str, result: str, arrays: Callable[[], Sequence[Array]], *, has_reference: bool = True
) -> Case:
    """One operation on `%0`, `%1`, ... giving `%r`; `{0}`, `{1}` in the body stand for the argument types."""

    def program() -> str:
        types = [_type(array) for array in arrays()]
        parameters = ", ".join(f"%{index}: {type_}" for index, type_ in enumerate(types))
        operation = body.replace("RESULT", result)
        for index, type_ in enumerate(types):
            operation = operation.replace(f"T{index}", type_)
        return f"func.func @main({parameters}) -> {result} {{\n{operation}\nreturn %r : {result}\n}}"

    return Case(name, "single operation", program, arrays, has_reference)


def _unary(mnemonic: str, array: Callable[[], Array], label: str) -> Case:
    text = _type(array())
    return _op(f"{mnemonic} {label}", f"%r = stablehlo.{mnemonic} %0 : T0", text, lambda: [array()])


def _binary(mnemonic: str, array: Callable[[], Array], label: str) -> Case:
    text = _type(array())
    return _op(
        f"{mnemonic} {label}", f"%r = stablehlo.{mnemonic} %0, %1 : T0", text, lambda: [array(), array()]
    )


def _million(dtype: object = np.float32) -> Callable[[], Array]:
    return lambda: _values((1000, 1000), dtype)


def _matmul(size: int, *, has_reference: bool = True) -> Case:
    return _op(
        f"dot_general {size}x{size} f32",
        "%r = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0] : (T0, T1) -> RESULT",
        f"tensor<{size}x{size}xf32>",
        lambda: [_values((size, size)), _values((size, size))],
        has_reference=has_reference,
    )


_SORT = """
%r = "stablehlo.sort"(%0) <{dimension = 0 : i64, is_stable = true}> ({
^bb0(%a: tensor<f32>, %b: tensor<f32>):
  %c = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  stablehlo.return %c : tensor<i1>
}) : (T0) -> RESULT"""

_SCATTER = """
%r = "stablehlo.scatter"(%0, %1, %2) <{
  scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
    scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
^bb0(%a: tensor<f32>, %b: tensor<f32>):
  %c = stablehlo.add %a, %b : tensor<f32>
  stablehlo.return %c : tensor<f32>
}) : (T0, T1, T2) -> RESULT"""

_GATHER = """
%r = "stablehlo.gather"(%0, %1) <{
  dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0],
    start_index_map = [0], index_vector_dim = 1>,
  slice_sizes = array<i64: 1, 64>}> : (T0, T1) -> RESULT"""

_POOL = """
%i = stablehlo.constant dense<0xFF800000> : tensor<f32>
%r = "stablehlo.reduce_window"(%0, %i) <{window_dimensions = array<i64: 1, 2, 2, 1>,
  window_strides = array<i64: 1, 2, 2, 1>}> ({
^bb0(%a: tensor<f32>, %b: tensor<f32>):
  %c = stablehlo.maximum %a, %b : tensor<f32>
  stablehlo.return %c : tensor<f32>
}) : (T0, tensor<f32>) -> RESULT"""

_CONVOLUTION = """
%r = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
  window = {stride = [1, 1], pad = [[1, 1], [1, 1]]}
  {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (T0, T1) -> RESULT"""

_LOOP = """
func.func @main(%n: tensor<i32>, %x: tensor<f32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %half = stablehlo.constant dense<0.5> : tensor<f32>
  %r:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<f32> cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %a = stablehlo.multiply %v, %half : tensor<f32>
    %b = stablehlo.add %a, %half : tensor<f32>
    stablehlo.return %j, %b : tensor<i32>, tensor<f32>
  }
  return %r#1 : tensor<f32>
}"""


def _straight_line(count: int) -> str:
    """A program of `count` additions of scalars."""
    lines = [f"%{i + 1} = stablehlo.add %{i}, %0 : tensor<f32>" for i in range(count)]
    body = "\n".join(lines)
    return f"func.func @main(%0: tensor<f32>) -> tensor<f32> {{\n{body}\nreturn %{count} : tensor<f32>\n}}"


def _reduce(mnemonic: str, initial: str, dimension: int) -> Case:
    return _op(
        f"reduce {mnemonic} 1000x1000 f32, dimension {dimension}",
        f"%i = stablehlo.constant dense<{initial}> : tensor<f32>\n"
        f"%r = stablehlo.reduce(%0 init: %i) applies stablehlo.{mnemonic} across dimensions = [{dimension}]"
        " : (T0, tensor<f32>) -> RESULT",
        "tensor<1000xf32>",
        lambda: [_values((1000, 1000))],
    )


def _indices(count: int, high: int) -> Array:
    return np.random.default_rng(1).integers(0, high, (count, 1)).astype(np.int32)


def _stored(name: str) -> dict[str, Array]:
    with np.load(MODELS / f"{name}.npz") as file:
        return dict(file)


def _digits() -> Sequence[Array]:
    return [_stored("digits")["images"]]


def _gpt() -> Sequence[Array]:
    calls = _stored("gpt_expected")
    return [calls[name][0] for name in ("prompt", "length", "key", "temperature", "count")]


def _train_step() -> Sequence[Array]:
    data = _stored("train_step")
    images, labels = data.pop("images"), data.pop("labels")
    return [*(data[name] for name in sorted(data)), images[:64], labels[:64]]


def _example(name: str, arguments: Callable[[], Sequence[Array]], label: str) -> Case:
    artifact = MODELS / f"{name}.mlirbc"
    return Case(f"{name}: {label}", "example model", artifact.read_bytes, arguments)


SINGLE_OPERATIONS = (
    _matmul(256),
    _matmul(1024, has_reference=False),
    _binary("add", _million(), "1e6 f32"),
    _binary("multiply", _million(np.int32), "1e6 i32"),
    _binary("divide", _million(), "1e6 f32"),
    _binary("add", _million(ml_dtypes.bfloat16), "1e6 bf16"),
    _binary("maximum", _million(), "1e6 f32"),
    _unary("exponential", _million(), "1e6 f32"),
    _unary("tanh", _million(), "1e6 f32"),
    _unary("logistic", _million(), "1e6 f32"),
    _unary("rsqrt", _million(), "1e6 f32"),
    _op(
        "convert 1e6 f32 to bf16",
        "%r = stablehlo.convert %0 : (T0) -> RESULT",
        "tensor<1000x1000xbf16>",
        lambda: [_values((1000, 1000))],
    ),
    _op(
        "transpose 1000x1000 f32",
        "%r = stablehlo.transpose %0, dims = [1, 0] : (T0) -> RESULT",
        "tensor<1000x1000xf32>",
        lambda: [_values((1000, 1000))],
    ),
    _reduce("add", "0.0", 0),
    _reduce("add", "0.0", 1),
    _reduce("maximum", "0xFF800000", 1),
    _op(
        "reduce_window max 2x2 of 8x64x64x32 f32",
        _POOL,
        "tensor<8x32x32x32xf32>",
        lambda: [_values((8, 64, 64, 32))],
    ),
    _op(
        "convolution 3x3 of 4x32x32x32 f32 to 64 features",
        _CONVOLUTION,
        "tensor<4x32x32x64xf32>",
        lambda: [_values((4, 32, 32, 32)), _values((3, 3, 32, 64))],
        has_reference=False,
    ),
    _op(
        "gather 10000 rows of 1000x64 f32",
        _GATHER,
        "tensor<10000x64xf32>",
        lambda: [_values((1000, 64)), _indices(10_000, 1000)],
    ),
    _op(
        "scatter add 100000 into 1000 f32",
        _SCATTER,
        "tensor<1000xf32>",
        lambda: [_values((1000,)), _indices(100_000, 1000), _values((100_000,))],
    ),
    _op("sort 100000 f32", _SORT, "tensor<100000xf32>", lambda: [_values((100_000,))]),
    Case(
        "while, 10000 iterations of 4 scalar operations",
        "scalar code",
        lambda: _LOOP,
        lambda: [np.array(10_000, np.int32), np.array(3.0, np.float32)],
    ),
    Case(
        "7000 scalar additions",
        "scalar code",
        lambda: _straight_line(7000),
        lambda: [np.array(1.0, np.float32)],
    ),
)

EXAMPLE_MODELS = (
    _example("digits", _digits, "360 images"),
    _example("gpt", _gpt, "one call"),
    _example("train_step", _train_step, "one step of 64 images"),
)

CASES = SINGLE_OPERATIONS + EXAMPLE_MODELS
