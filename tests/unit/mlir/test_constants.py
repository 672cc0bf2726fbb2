"""Constants of every element type are read without printing."""

from __future__ import annotations

import gc
import io

import numpy as np
import numpy.typing as npt
import pytest

import hlokit
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.provider.context import make_context
from hlokit.values.element_types import ELEMENT_TYPES, ElementType, Kind

Array = npt.NDArray[np.generic]
ALL = [row for row in ELEMENT_TYPES.values() if row.name != "index"]


def constant(literal: str, type_: str) -> Array:
    return hlokit.load(
        f"func.func @main() -> {type_} {{\n%0 = stablehlo.constant {literal} : {type_}\nreturn %0 : {type_}\n}}"
    )()


def literals(element_type: ElementType) -> tuple[list[str], list[complex]]:
    """Spellings, and the values that they stand for, of four elements that every type of the kind has."""
    match element_type.kind:
        case Kind.BOOL:
            return ["true", "false", "true", "true"], [1, 0, 1, 1]
        case Kind.SIGNED:
            return ["-2", "1", "0", "-1"], [-2, 1, 0, -1]
        case Kind.UNSIGNED:
            return ["3", "1", "0", "2"], [3, 1, 0, 2]
        case Kind.COMPLEX:
            return ["(1.0, -2.0)", "(0.5, 0.0)", "(0.0, 4.0)", "(2.0, 2.0)"], [1 - 2j, 0.5, 4j, 2 + 2j]
        case _:
            return ["1.0", "0.5", "2.0", "4.0"], [1, 0.5, 2, 4]


@pytest.mark.parametrize("element_type", ALL, ids=str)
def test_array(element_type: ElementType) -> None:
    texts, values = literals(element_type)
    array = constant(
        f"dense<[[{texts[0]}, {texts[1]}], [{texts[2]}, {texts[3]}]]>", f"tensor<2x2x{element_type}>"
    )
    assert array.dtype == element_type.dtype
    assert array.astype(np.complex128).ravel().tolist() == values


@pytest.mark.parametrize("element_type", ALL, ids=str)
def test_splat(element_type: ElementType) -> None:
    for text, value in zip(*literals(element_type), strict=True):
        for shape in ((), (1,), (7,), (8,), (9,), (3, 5)):
            type_ = f"tensor<{''.join(f'{size}x' for size in shape)}{element_type}>"
            array = constant(f"dense<{text}>", type_)
            assert array.shape == shape
            assert (array.astype(np.complex128) == value).all(), (text, type_)


@pytest.mark.parametrize("element_type", ALL, ids=str)
def test_constant_that_is_used_more_than_once(element_type: ElementType) -> None:
    (text, *_), (value, *_) = literals(element_type)
    type_ = f"tensor<3x{element_type}>"
    program = hlokit.load(
        f"func.func @main() -> ({type_}, {type_}) {{\n%0 = stablehlo.constant dense<{text}> : {type_}\n"
        f"%1 = stablehlo.reshape %0 : ({type_}) -> {type_}\nreturn %0, %1 : {type_}, {type_}\n}}"
    )
    assert all((array.astype(np.complex128) == value).all() for array in program())


@pytest.mark.parametrize("element_type", ALL, ids=str)
def test_no_elements(element_type: ElementType) -> None:
    array = constant("dense<>", f"tensor<2x0x{element_type}>")
    assert (array.shape, array.dtype) == ((2, 0), element_type.dtype)


@pytest.mark.parametrize("count", [1, 7, 8, 9, 64, 65])
def test_packed_bits(count: int) -> None:
    values = np.random.default_rng(count).integers(0, 2, count).astype(np.bool_)
    array = constant(f"dense<{str(values.tolist()).lower()}>", f"tensor<{count}xi1>")
    assert array.tolist() == values.tolist()


def test_resource() -> None:
    program = hlokit.load(
        "func.func @main() -> tensor<2xf32> {\n%0 = stablehlo.constant dense_resource<weights> : tensor<2xf32>\n"
        "return %0 : tensor<2xf32>\n}\n"
        '{-# dialect_resources: { builtin: { weights: "0x040000000000803F00000040" } } #-}'
    )
    assert program().tolist() == [1.0, 2.0]


def test_elided_resource_is_an_error_when_it_is_reached() -> None:
    with pytest.raises(hlokit.UnsupportedError, match="does not hold the data of dense_resource<__elided__>"):
        constant("dense_resource<__elided__>", "tensor<2xf32>")


def test_every_bf16_bit_pattern_survives() -> None:
    patterns = np.arange(1 << 16, dtype=np.uint16)
    with make_context(), ir.Location.unknown():
        text = "func.func @main() -> tensor<65536xbf16> {\n%0 = stablehlo.constant dense<0.0> : tensor<65536xbf16>\n"
        module = ir.Module.parse(text + "return %0 : tensor<65536xbf16>\n}")
        operation = module.body.operations[0].regions[0].blocks[0].operations[0].operation
        type_ = operation.results[0].type
        operation.attributes["value"] = ir.DenseElementsAttr.get(patterns, type=type_)
        buffer = io.BytesIO()
        module.operation.write_bytecode(buffer)
    assert (hlokit.load(buffer.getvalue())().view(np.uint16) == patterns).all()


@pytest.mark.parametrize("name", ["i8", "ui32", "i64", "f32", "f64"])
@pytest.mark.sample("i8", "f64")
def test_large_constants_outlive_their_program(name: str) -> None:
    data = np.random.default_rng(1).integers(0, 256, 1 << 20, np.uint8).tobytes()
    dtype = ELEMENT_TYPES[name].dtype
    literal, type_ = f'dense<"0x{data.hex()}">', f"tensor<{len(data) // dtype.itemsize}x{name}>"
    arrays = [constant(literal, type_) for _ in range(2)]
    gc.collect()
    for array in arrays:
        assert array.dtype == dtype
        assert array.tobytes() == data
