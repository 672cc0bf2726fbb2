"""All tiers give the NaNs of the reference, byte for byte: `reference.numbers.rules.canonical_nan`.

Random programs have NaNs of both signs and with payloads among constants and arguments.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pytest

import hlokit
from hlokit.engine.contract.canonical_nan import canonical_of, is_canonical
from hlokit.engine.contract.thresholds import Thresholds
from hlokit.values.element import Element
from hlokit.values.element_types import ELEMENT_TYPES, ElementType, Kind
from hlokit.values.float_format import float_format
from tests.generate import generate
from tests.generate.same import listed, same

# The number of compared programs of each profile.
PROGRAMS = {"anything": 15, "loops": 25, "scalar-loops": 25, "straight-line": 40, "fusion": 4}
# The tiers of large arrays and long loops, on small ones, because the reference is slow.
SMALL = Thresholds()._replace(
    fusion_elements=4, fusion_work=0, fusion_row_elements=2, loop_first_iterations=2
)


def results(call: Any, *arguments: Any) -> list[Any] | str:
    """The results of a call, or the kind of its error."""
    try:
        return listed(call(*arguments))
    except hlokit.HlokitError as error:
        return type(error).__name__


def only_nans_differ(ours: Sequence[Any], expected: Sequence[Any]) -> bool:
    return all(same(one, two) for one, two in zip(ours, expected, strict=True))


def bits(values: Sequence[Any]) -> list[bytes]:
    return [np.ascontiguousarray(value).tobytes() for value in values]


@pytest.mark.parametrize("profile", PROGRAMS)
def test_tiers_have_the_nans_of_the_reference(profile: str) -> None:
    compared = 0
    for seed in range(PROGRAMS[profile]):
        made = generate(seed, profile)
        if max([np.size(argument) for argument in made.arguments], default=0) > 2000:
            continue  # the reference would take its time
        program = hlokit.load(made.text).with_thresholds(SMALL)
        expected = results(partial(program, tier="reference"), *made.arguments)
        if isinstance(expected, str):
            continue
        observed = partial(program, observer=hlokit.Trace(lambda record: None))
        for call in (program, program, program, observed):
            ours = results(call, *made.arguments)
            if isinstance(ours, str) or not only_nans_differ(ours, expected):
                continue  # other tests compare numbers
            assert bits(ours) == bits(expected), f"profile {profile}, seed {seed}\n{made.text}"
            compared += 1
    assert compared > 2 * PROGRAMS[profile]


FLOATS = [row for row in ELEMENT_TYPES.values() if row.kind is Kind.FLOAT]


@pytest.mark.parametrize("row", FLOATS, ids=str)
def test_canonical_nans_of_every_type(row: ElementType) -> None:
    layout = float_format(row)
    special = [0, 1, layout.sign_bit, layout.largest, layout.sign_bit | layout.largest, layout.nan]
    codes = (
        [*range(1 << row.width)]
        if row.width <= 8
        else [*special, *(layout.nan ^ (1 << k) for k in range(row.width))]
    )
    expected = [layout.nan if layout.is_nan(code) else code for code in codes]
    array = np.array(codes, row.bits_dtype).view(row.dtype)
    two = np.stack([array, array[::-1]])
    for given in (array, two, two.T, two[:, ::2], two[::-1], np.broadcast_to(array, (3, len(codes)))):
        given.flags.writeable = False
        wanted = [expected[codes.index(int(code))] for code in given.ravel().view(row.bits_dtype)]
        found = canonical_of(given)
        assert found.shape == given.shape and found.dtype == given.dtype
        assert found.ravel().view(row.bits_dtype).tolist() == wanted
        assert is_canonical(found)
    for code, wanted in zip(codes, expected, strict=True):
        scalar = np.array(code, row.bits_dtype).view(row.dtype)[()]
        assert canonical_of(scalar).tobytes() == np.array(wanted, row.bits_dtype).tobytes()
        assert is_canonical(scalar) == (code == wanted)
    clean = np.ones((3, 5), row.dtype)[:, ::2]
    assert canonical_of(clean) is clean


@pytest.mark.parametrize("dtype, bits_dtype", [(np.complex64, np.uint32), (np.complex128, np.uint64)])
def test_canonical_nans_of_complex_numbers(dtype: Any, bits_dtype: Any) -> None:
    part = np.finfo(dtype).dtype
    nan = np.array([np.nan], part).view(bits_dtype)[0]
    odd = np.array([nan | bits_dtype(5)]).view(part)[0]
    values = np.array([1, odd, -odd, 2, np.nan, -0.0], part).view(dtype)
    expected = np.array([1, np.nan, np.nan, 2, np.nan, -0.0], part).tobytes()
    assert canonical_of(values).tobytes() == expected
    assert b"".join(canonical_of(value).tobytes() for value in values) == expected
    assert canonical_of(values[:, None].T).tobytes() == expected


@pytest.mark.parametrize("size", [1, 1000, 40_000, 1_000_000])
def test_large_arrays(size: int) -> None:
    """On all threads, with the only NaN anywhere."""
    for place in {0, size // 2, size - 1}:
        array = np.arange(size, dtype=np.float32)
        assert canonical_of(array) is array
        array[place] = -np.float32(np.nan)
        found = canonical_of(array)
        assert not np.signbit(found[place]) and np.isnan(found[place]) and np.signbit(array[place])


LOOP = """
func.func @main(%x: tensor<4xf32>, %n: tensor<i32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %f = stablehlo.constant dense<0xFFC12345> : tensor<f32>
  %r:4 = stablehlo.while(%i = %zero, %y = %x, %z = %x, %w = %f) : tensor<i32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>
  cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %a = stablehlo.multiply %y, %y : tensor<4xf32>
    %b = stablehlo.slice %a [0:1] : (tensor<4xf32>) -> tensor<1xf32>
    %c = stablehlo.dynamic_update_slice %z, %b, %one : (tensor<4xf32>, tensor<1xf32>, tensor<i32>) -> tensor<4xf32>
    %v = stablehlo.negate %w : tensor<f32>
    stablehlo.return %j, %a, %c, %v : tensor<i32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>
  }
  return %r#1, %r#2, %r#3 : tensor<4xf32>, tensor<4xf32>, tensor<f32>
}"""


@pytest.mark.parametrize("turns", [0, 1, 2, 9, 30])
@pytest.mark.parametrize("first", [0x3F800000, 0xFFC00001, 0x7FC00000])
def test_a_loop_keeps_the_bits_that_no_turn_computes(turns: int, first: int) -> None:
    program = hlokit.load(LOOP)
    x = np.array([first, 0x7FC00777, 0xFF812345, 0x40000000], np.uint32).view(np.float32)
    expected = bits(listed(program(x, turns, tier="reference")))
    for _ in range(3):
        assert bits(listed(program(x, turns))) == expected


SCATTER = """
func.func @main(%x: tensor<6xTYPE>, %i: tensor<3x1xi32>, %u: tensor<3xTYPE>) -> tensor<6xTYPE> {
  %0 = "stablehlo.scatter"(%x, %i, %u) ({
    ^bb0(%a: tensor<TYPE>, %b: tensor<TYPE>):
      %r = stablehlo.OP %a, %b : tensor<TYPE>
      stablehlo.return %r : tensor<TYPE>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}
    : (tensor<6xTYPE>, tensor<3x1xi32>, tensor<3xTYPE>) -> tensor<6xTYPE>
  return %0 : tensor<6xTYPE>
}"""


@pytest.mark.parametrize("operation", ["add", "maximum", "multiply"])
@pytest.mark.parametrize("name", ["f8E5M2", "f16", "bf16", "f32", "f64", "complex<f32>"])
def test_a_scatter_keeps_elements_without_updates(name: str, operation: str) -> None:
    row = ELEMENT_TYPES[name]
    if row.kind is Kind.COMPLEX and operation == "maximum":
        pytest.skip("complex numbers have no maximum")
    nan = float_format(row.part).nan | 1 | 1 << (row.part.width - 1)
    one = Element(row.part, 1.0).bits
    parts = 2 if row.kind is Kind.COMPLEX else 1
    x = np.array([[code] * parts for code in (nan, nan, one, one, nan, one)], row.bits_dtype).view(row.dtype)
    u = np.array([[code] * parts for code in (one, nan, one)], row.bits_dtype).view(row.dtype)
    arguments = x.reshape(6), np.array([[1], [2], [3]], np.int32), u.reshape(3)
    program = hlokit.load(SCATTER.replace("TYPE", name).replace("OP", operation))
    expected = bits(listed(program(*arguments, tier="reference")))
    for _ in range(3):
        assert bits(listed(program(*arguments))) == expected
