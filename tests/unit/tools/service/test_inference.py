"""Type inference: every operation, every form of an attribute, and errors in requests."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import hlokit
from hlokit.errors import ArgumentError, HlokitError, ParseError, VerificationError
from hlokit.mlir.parse import parse_text
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.provider.context import make_context
from hlokit.tools.service.attributes import KINDS, attribute
from hlokit.tools.service.inference import CONTRACTIONS
from hlokit.tools.service.operations import find_operation, operations
from hlokit.tools.service.regions import region_texts
from hlokit.values.element_types import F32
from hlokit.values.types import TensorType
from tests.unit.tools.service.inference_cases import CASES, Case

KNOWN = [case for case in CASES if case.op in operations()]
CONTEXT = make_context()


def as_text(case: Case, results: tuple[str, ...]) -> str:
    """The operation in generic form, in a function."""
    info = find_operation(case.op)
    parameters = ", ".join(f"%p{i}: {type_}" for i, type_ in enumerate(case.types))
    operands = ", ".join(f"%p{i}" for i in range(len(case.types)))
    attributes = {
        name: str(attribute(CONTEXT, info.name, name, value)) for name, value in case.attributes.items()
    }
    if case.op == "chlo.scan":
        attributes |= dict.fromkeys(("operandSegmentSizes", "resultSegmentSizes"), "array<i32: 1, 1>")
    written = ", ".join(f"{name} = {value}" for name, value in attributes.items())
    regions = ", ".join(f"{{\n{text}\n}}" for text in region_texts(info, case.types, case.regions))
    types = f"({', '.join(case.types)}) -> ({', '.join(results)})"
    operation = f'"{case.op}"({operands}) ({regions}) {{{written}}} : {types}'.replace("() {", "{", 0)
    if not case.regions:
        operation = f'"{case.op}"({operands}) {{{written}}} : {types}'
    if case.op == "stablehlo.return":
        return f'func.func @f({parameters}) -> ({", ".join(case.types)}) {{\n"func.return"({operands}) : ({", ".join(case.types)}) -> ()\n}}'
    if results:
        operation = f"%r:{len(results)} = {operation}"
    callee = (
        f"func.func private @f({case.types[0]}) -> {results[0]}\n" if "decomposition" in attributes else ""
    )
    return f"{callee}func.func @g({parameters}) {{\n{operation}\nreturn\n}}"


@pytest.mark.parametrize("case", KNOWN, ids=lambda case: case.op)
def test_result_types(case: Case) -> None:
    found = hlokit.infer(case.op, case.types, case.attributes, case.regions, result_types=case.given)
    assert tuple(map(str, found)) == case.expected
    # The parser and the verifiers know nothing of how these came about.
    parse_text(CONTEXT, as_text(case, case.expected))


def accepts(case: Case, results: tuple[str, ...]) -> bool:
    """Whether the parser or `infer` accepts result types."""
    with suppress(ParseError, VerificationError):
        parse_text(CONTEXT, as_text(case, results))
        return True
    with suppress(ArgumentError, VerificationError):
        hlokit.infer(case.op, case.types, case.attributes, case.regions, result_types=results)
        return True
    return False


def test_other_result_types_are_wrong() -> None:
    """An operation with inference accepts no other result types than those of `infer`."""
    cases = [case for case in KNOWN if case.given is None and case.expected]
    wrong = [(case, ("tensor<3x1x4x1x5x9xi2>", *case.expected[1:])) for case in cases]
    assert len(cases) > 150 and accepts(cases[0], cases[0].expected)
    assert [case.op for case, results in wrong if accepts(case, results)] == []


def test_every_operation_has_a_case() -> None:
    assert set(operations()) <= {case.op for case in CASES}
    assert len(operations()) > 160


def test_every_attribute_has_a_kind() -> None:
    """Attributes without a kind accept any MLIR text, or a natural value."""
    without = {name for info in operations().values() for name in info.attributes} - set(KINDS)
    assert without <= {
        "backend_config",
        "composite_attributes",
        "layout",
        "operand_layouts",
        "output_operand_aliases",
        "result_layouts",
        "result_tilings",
        "value",
    }


def test_operations_without_inference_are_an_error() -> None:
    names = {name for name, info in operations().items() if not info.infers}
    for name in sorted(names - set(CONTRACTIONS) - {"stablehlo.return"}):
        case = next(case for case in CASES if case.op == name)
        with pytest.raises(ArgumentError, match=f"^{name} infers nothing: its result types must be given"):
            hlokit.infer(name, case.types, case.attributes, case.regions)


@dataclass
class Shaped:
    shape: tuple[Any, ...]
    dtype: Any


def test_operand_types_may_be_many_things() -> None:
    for operand in (
        "tensor<2x3xf32>",
        TensorType((2, 3), F32),
        np.zeros((2, 3), np.float32),
        Shaped((2, 3), "float32"),
        hlokit.Tensor(TensorType((2, 3), F32), np.zeros((2, 3), np.float32)),
        ir.Type.parse("tensor<2x3xf32>", CONTEXT),
    ):
        assert hlokit.infer("negate", [operand]) == (TensorType((2, 3), F32),)
    (symbolic,) = hlokit.infer("negate", [Shaped(("n", 3), ml_dtypes.bfloat16)])
    assert str(symbolic) == "tensor<?x3xbf16>"
    with pytest.raises(ArgumentError, match="operand 0 must be a type or have a shape and a dtype, got 3"):
        hlokit.infer("negate", [3])
    with pytest.raises(ArgumentError, match="operand 0: dtype must be one that stores"):
        hlokit.infer("negate", [Shaped((), "datetime64[s]")])


@pytest.mark.parametrize(
    ("op", "types", "ways"),
    [
        ("transpose", ["tensor<2x3xf32>"], [{"permutation": [1, 0]}, {"permutation": np.array([1, 0])}, {"permutation": "array<i64: 1, 0>"}, {"permutation": (1, 0)}]),
        ("compare", ["tensor<2xf32>"] * 2, [{"comparison_direction": "LT"}, {"comparison_direction": "#stablehlo<comparison_direction LT>"}]),
        ("concatenate", ["tensor<2xf32>"] * 2, [{"dimension": 0}, {"dimension": "0 : i64"}, {"dimension": "0"}, {"dimension": np.int32(0)}]),
        (
            "convolution",
            ["tensor<1x8x8x3xf32>", "tensor<3x3x3x5xf32>"],
            [
                {"dimension_numbers": text, "feature_group_count": 1, "batch_group_count": "1", "padding": padding}
                for text in ("[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]", "#stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>")
                for padding in ([[1, 1], [1, 1]], np.ones((2, 2), np.int64), "dense<1> : tensor<2x2xi64>")
            ],
        ),
        (
            "tan",
            ["tensor<2xf32>"],
            [{"result_accuracy": {"ulps": 3}}, {"result_accuracy": {"atol": 0.5, "mode": "TOLERANCE"}}, {"result_accuracy": {"mode": "HIGHEST"}}],
        ),
        ("batch_norm_inference", ["tensor<2x3xf32>", *["tensor<3xf32>"] * 4], [{"epsilon": value, "feature_index": 1} for value in (0.1, 1, np.float32(0.5), "0.1 : f32")]),
        ("all_reduce", ["tensor<2xf32>"], [{"replica_groups": value, "use_global_device_ids": False} for value in ([[0, 1]], [[0], [1]], "dense<0> : tensor<1x1xi64>")]),
        ("constant", [], [{"value": value} for value in (np.arange(3, dtype=np.int8), hlokit.Tensor.from_numpy(np.arange(3, dtype=np.int8)), "dense<1> : tensor<3xi8>")]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_ways_to_say_an_attribute(op: str, types: list[str], ways: list[dict[str, Any]]) -> None:
    regions = ["add"] if op == "all_reduce" else []
    found = {hlokit.infer(op, types, way, regions) for way in ways}
    assert len(found) == 1


@pytest.mark.parametrize(
    ("op", "types", "attributes", "regions", "message"),
    [
        ("add", ["tensor<2xf32>"], {}, [], r"expected 2 operands, but found 1; usage: stablehlo.add\(lhs, rhs\)"),
        ("add", ["tensor<2xf32>", "!stablehlo.token"], {}, [], "operand #1 must be ranked tensor of"),
        ("add", ["tensor<2xf32"] * 2, {}, [], "operand 0 must be a type, got 'tensor<2xf32'"),
        ("add", [" // nothing", "tensor<2xf32>"], {}, [], "operand 0 must be a type, got nothing"),
        ("add", ["tensor<2xf32>", "tensor<" * 2000], {}, [], "nested more than 256 levels deep"),
        ("ad", ["tensor<2xf32>"] * 2, {}, [], "must be one of StableHLO or CHLO, got 'ad'; did you mean"),
        ("arith.addf", ["f32"] * 2, {}, [], "must be one of StableHLO or CHLO, got 'arith.addf'"),
        ("transpose", ["tensor<2xf32>"], {}, [], r"requires attribute 'permutation'; usage: .*\{permutation\}"),
        ("transpose", ["tensor<2xf32>"], {"permutations": [0]}, [], "has no attribute 'permutations'; usage: "),
        ("transpose", ["tensor<2xf32>"], {"permutation": 0}, [], "permutation must be a list of integers, got 0"),
        ("transpose", ["tensor<2xf32>"], {"permutation": [0.5]}, [], r"must be a list of integers, got \[0.5\]"),
        ("transpose", ["tensor<2xf32>"], {"permutation": "0 : i32"}, [], "must be a list of integers, got 0 : i32"),
        ("transpose", ["tensor<2xf32>"], {"permutation": ""}, [], "permutation must be a list of integers, got "),
        ("transpose", ["tensor<2xf32>"], {"permutation": "[" * 2000}, [], "nested more than 256 levels deep"),
        ("transpose", ["tensor<2xf32>"], {"permutation": [3]}, [], r"must be a permutation of \[0\] but got 3"),
        ("concatenate", ["tensor<2xf32>"], {"dimension": True}, [], "must be an integer of 64 bits, got true"),
        ("concatenate", ["tensor<2xf32>"], {"dimension": 1 << 63}, [], "must be an integer of 64 bits, got 9223"),
        ("constant", [], {"value": [1, 2]}, [], r'value must be a number, or MLIR text such as "dense<\[1, 2\]>'),
        ("compare", ["tensor<2xf32>"] * 2, {"comparison_direction": "LESS"}, [], "must be EQ, NE, GE, GT, LE or LT"),
        ("reduce", ["tensor<2xf32>", "tensor<f32>"], {"dimensions": [0]}, [], r"requires one region; usage: .*body"),
        ("reduce", ["tensor<2xf32>", "tensor<f32>"], {"dimensions": [0]}, ["ad"], "got 'ad'; did you mean"),
        ("reduce", ["tensor<2xf32>", "tensor<f32>"], {"dimensions": [0]}, ["^bb0:"], "must end with stablehlo.return, got nothing"),
        ("reduce", ["tensor<2xf32>", "tensor<f32>"], {"dimensions": [0]}, ['}) : () -> ()\n"x.y"() ({'], "must be one block of operations"),
        ("reduce", ["tensor<2xf32>", "tensor<f32>"], {"dimensions": [0]}, ["%0 = no.such"], "region 0:1:6: error: "),
        ("reduce", ["tensor<2xf32>", "tensor<f32>"], {"dimensions": [0]}, ['"no.such"() : () -> ()\nstablehlo.return'], "operation 'no.such' is unknown"),
        ("reduce", ["tensor<2xf32>"], {"dimensions": [0]}, ["add"], "operands must be inputs and as many init_values, got 1"),
        ("while", ["tensor<f32>"], {}, ["add", "add"], "region 0 must be MLIR text, got the name 'add'"),
        ("dot_general", ["tensor<2xf32>"] * 2, {"dot_dimension_numbers": {"lhs_contracting_dimensions": [4], "rhs_contracting_dimensions": [0]}}, [], "4 is out of range"),
        ("convolution", ["tensor<1x1x1xf32>"] * 2, {"dimension_numbers": "raw input_batch_dimension = 9, input_feature_dimension = -1, input_spatial_dimensions = [7], kernel_input_feature_dimension = 0, kernel_output_feature_dimension = 1, kernel_spatial_dimensions = [2], output_batch_dimension = 0, output_feature_dimension = 1, output_spatial_dimensions = [2]"}, [], "must name each dimension once, got 9, -1, 7"),
        ("pad", ["tensor<2xf32>", "tensor<f32>"], {"edge_padding_low": [0], "edge_padding_high": [], "interior_padding": [0]}, [], "must have the same length"),
        ("slice", ["tensor<2xf32>"], {"start_indices": [0], "limit_indices": [], "strides": [1]}, [], "must have the same length"),
        ("all_to_all", ["tensor<2xf32>"], {"split_dimension": 0, "concat_dimension": 0, "split_count": 1, "replica_groups": "dense<> : tensor<0x0xi64>"}, [], "replica_groups must not be empty"),
        ("chlo.broadcast_add", ["tensor<4xf32>", "tensor<4x5xf32>"], {"broadcast_dimensions": [-1]}, [], "broadcast_dimensions must be dimensions of an operand"),
        ("collective_broadcast", [], {"replica_groups": [[0]]}, [], "at least one operand must be given|expected 1 or more operands"),
        ("chlo.ragged_dot", ["tensor<*xf32>"] * 3, {}, [], "operands must be tensors with a rank"),
    ],
)  # fmt: skip
def test_wrong_requests(
    op: str, types: list[str], attributes: dict[str, Any], regions: list[str], message: str
) -> None:
    with pytest.raises(HlokitError, match=message):
        hlokit.infer(op, types, attributes, regions)


def test_wrong_result_types() -> None:
    with pytest.raises(VerificationError, match="number of output elements"):
        hlokit.infer("reshape", ["tensor<6xf32>"], result_types=["tensor<5xf32>"])
    with pytest.raises(ArgumentError, match="a quantized result must come from a quantized operand"):
        hlokit.infer(
            "dynamic_broadcast_in_dim",
            ["tensor<f32>", "tensor<1xi32>"],
            {"broadcast_dimensions": []},
            result_types=["tensor<2x!quant.uniform<i8:f32:0, {0.1, 0.2}>>"],
        )
    with pytest.raises(ArgumentError, match="the result type of quantized operands must be given"):
        quantized = "tensor<2x2x!quant.uniform<i8:f32, 0.5>>"
        hlokit.infer("dot", [quantized, quantized])


def test_diagnostics_are_the_bindings() -> None:
    with pytest.raises(VerificationError) as caught:
        hlokit.infer("fft", ["tensor<3xf32>"], {"fft_type": "FFT", "fft_length": [3]})
    assert "take a complex tensor" in caught.value.diagnostics[0].message
    assert not any(item.notes for item in caught.value.diagnostics)


def test_strings_are_escaped() -> None:
    text = 'a"b\\c\n\u00e9'
    case = {"call_target_name": text, "backend_config": json.dumps({"k": text})}
    (type_,) = hlokit.infer("custom_call", [], case, result_types=["tensor<f32>"])
    assert str(type_) == "tensor<f32>"
    assert attribute(CONTEXT, "stablehlo.custom_call", "call_target_name", text) == ir.StringAttr.get(
        text, CONTEXT
    )
