"""Folded programs have the same results, and constants keep their bits."""

from __future__ import annotations

import time
from pathlib import Path
from random import Random

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

import hlokit
from hlokit.engine.contract.registry import registered_operations
from hlokit.errors import HlokitError
from hlokit.mlir.conversion.elements import elements_attribute
from hlokit.mlir.parse import parse_text, verify_module
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.provider.context import make_context
from hlokit.mlir.queries.module import functions, walk
from hlokit.mlir.text.split import split_input
from hlokit.passes import folding, target_independent
from hlokit.passes.folding.constants import constant_of, make_constant
from hlokit.passes.folding.operations import NOT_FOLDED, foldable_operations
from hlokit.passes.framework.registry import Options, Pass
from hlokit.programs.program import Program
from hlokit.values.bits import is_splat, significant_bits
from hlokit.values.element_types import ELEMENT_TYPES, I32, ElementType
from hlokit.values.types import TensorType
from tests.generate import Program as RandomProgram
from tests.generate import generate

INTERPRET = Path(__file__).parents[2] / "interpret"
PASSES = (folding.PASS, target_independent.PASS)
CONTEXT = make_context()
I32_VECTOR = str(TensorType((3,), I32))

random_programs = st.integers(0, 2**32).map(lambda seed: generate(seed, "oracles"))


def run_pass(module: ir.Module, entry: Pass, **given: str) -> None:
    values = {option.name: option.default for option in entry.options}
    values |= {name.replace("_", "-"): value for name, value in given.items()}
    for function in functions(module).values():
        entry.run(function, Options(values))
    assert verify_module(module) == []


def names(module: ir.Module) -> list[str]:
    found: list[str] = []
    walk(module.operation, lambda operation: found.append(operation.name))
    return found


@pytest.mark.parametrize("entry", PASSES, ids=lambda entry: entry.name)
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(random_programs)
def test_random_programs(entry: Pass, program: RandomProgram) -> None:
    before, folded = hlokit.load(program.text), hlokit.load(program.text)
    run_pass(folded.module, entry)
    for expected, actual in zip(_arrays(before), _arrays(folded), strict=True):
        assert expected.dtype == actual.dtype
        assert expected.shape == actual.shape
        assert np.array_equal(np.atleast_1d(expected).view(np.uint8), np.atleast_1d(actual).view(np.uint8)), (
            program.text
        )


def _arrays(program: Program) -> list[np.ndarray[tuple[int, ...], np.dtype[np.generic]]]:
    results = program()
    return [np.asarray(value) for value in (results if isinstance(results, tuple) else (results,))]


@pytest.mark.parametrize("part", range(4))
def test_programs_of_the_interpreter_tests(part: int) -> None:
    """The programs are self-checking; folding must not change their results."""
    sources = [
        source for path in sorted(INTERPRET.glob("*.mlir")) for source in split_input(path.read_text())
    ]
    checked = folded = 0
    # A fifth of the programs, in four parts.
    for source in sources[part::20]:
        before, after = _parsed(source), _parsed(source)
        if before is None or after is None:
            continue
        run_pass(after, folding.PASS)
        for name in functions(before):
            if Program(before).signature(name).inputs:
                continue
            assert _outcome(after, name) == _outcome(before, name), source
            checked += 1
        folded += len(names(after)) < len(names(before))
    assert checked > 40
    assert folded > 20


def _parsed(text: str) -> ir.Module | None:
    try:
        return parse_text(CONTEXT, text)
    except HlokitError:  # an operation that only newer bindings know
        return None


def _outcome(module: ir.Module, function: str) -> str:
    try:
        Program(module).runs.evaluate((), function)
    except HlokitError as error:
        return f"{type(error).__name__}: {error}"
    return "passed"


@pytest.mark.parametrize("element_type", ELEMENT_TYPES.values(), ids=str)
def test_constants_keep_their_bits(element_type: ElementType) -> None:
    dtype, most = element_type.dtype, 2 if element_type.name == "i1" else 256
    for shape in ((), (7,), (2, 5), (0, 3)):
        count = int(np.prod(shape))
        raw = np.random.default_rng(3).integers(0, most, count * dtype.itemsize, np.uint8)
        array = raw.view(dtype).reshape(shape)
        type_ = TensorType(shape, element_type)
        with CONTEXT, ir.Location.unknown():
            constant = make_constant(array, type_, ir.Type.parse(str(type_)))
        back = constant_of(constant)
        assert back is not None and back.dtype == dtype, shape
        assert np.array_equal(significant_bits(back, element_type), significant_bits(array, element_type)), (
            shape
        )


@pytest.mark.parametrize("element_type", ELEMENT_TYPES.values(), ids=str)
def test_splats_are_stored_once(element_type: ElementType) -> None:
    one = np.ones(1, np.uint8).repeat(element_type.dtype.itemsize).view(element_type.dtype).reshape(())
    type_ = TensorType((1 << 20, 1 << 20), element_type)
    with CONTEXT, ir.Location.unknown():
        constant = make_constant(np.broadcast_to(one, type_.dims), type_, ir.Type.parse(str(type_)))
    back = constant_of(constant)
    assert back is not None
    assert back.shape == type_.dims
    assert is_splat(back)
    assert back[5, 6].tobytes() == one.tobytes()


def test_equal_constants_are_one_attribute() -> None:
    """For any unused bits, and any memory layout of the array."""
    type_ = TensorType((2, 3), ELEMENT_TYPES["i4"])
    low = np.array([[1, 15, 2], [8, 0, 7]], np.uint8)
    dirty = (low | 0xF0).view(type_.element_type.dtype)
    with CONTEXT:
        mlir_type = ir.Type.parse(str(type_))
        plain = elements_attribute(low.view(type_.element_type.dtype), type_, mlir_type)
        assert elements_attribute(dirty, type_, mlir_type) == plain
        assert elements_attribute(np.asfortranarray(dirty), type_, mlir_type) == plain


def test_every_operation_is_folded_or_has_a_reason() -> None:
    registered = {name for name in registered_operations() if name.startswith("stablehlo.")}
    not_folded = {name for name in NOT_FOLDED if name.startswith("stablehlo.")}
    assert not_folded < registered
    assert all(NOT_FOLDED.values())
    assert registered - set(foldable_operations()) == not_folded


@pytest.mark.parametrize("entry", PASSES, ids=lambda entry: entry.name)
@pytest.mark.deep
def test_large_programs_take_seconds(entry: Pass) -> None:
    random = Random(5)
    count = 5000
    steps = [
        f"%{i + 1} = stablehlo.{random.choice(['add', 'multiply', 'xor', 'maximum'])} %{i}, %c : tensor<8xi32>"
        for i in range(count)
    ]
    text = "\n".join(
        [
            "func.func @main() -> tensor<8xi32> {",
            "%c = stablehlo.constant dense<[1, 2, 3, 4, 5, 6, 7, 8]> : tensor<8xi32>",
            "%0 = stablehlo.constant dense<3> : tensor<8xi32>",
            *steps,
            f"return %{count} : tensor<8xi32>",
            "}",
        ]
    )
    module = parse_text(CONTEXT, text)
    start = time.process_time()
    run_pass(module, entry)
    assert time.process_time() - start < 10
    assert names(module).count("stablehlo.constant") == 1
    assert len(names(module)) == 4


def test_a_constant_without_its_data_is_none() -> None:
    text = """
func.func @main() -> tensor<2xi32> {
  %a = stablehlo.constant dense_resource<elided> : tensor<2xi32>
  %b = stablehlo.add %a, %a : tensor<2xi32>
  %c = stablehlo.constant sparse<[[1]], [4]> : tensor<2xi32>
  %d = stablehlo.add %b, %c : tensor<2xi32>
  %e = stablehlo.add %c, %c : tensor<2xi32>
  %f = stablehlo.add %d, %e : tensor<2xi32>
  return %f : tensor<2xi32>
}"""
    module = parse_text(CONTEXT, text)
    run_pass(module, folding.PASS)
    assert names(module).count("stablehlo.add") == 4


def test_types_with_an_encoding_have_no_constants() -> None:
    text = """
func.func @main() -> tensor<2xi32, "mine"> {
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %b = stablehlo.convert %a : (tensor<2xi32>) -> tensor<2xi32, "mine">
  return %b : tensor<2xi32, "mine">
}"""
    module = parse_text(CONTEXT, text)
    run_pass(module, folding.PASS)
    assert "stablehlo.convert" in names(module)


def test_limit_counts_all_results() -> None:
    text = f"""
func.func @main() -> ({I32_VECTOR}, {I32_VECTOR}) {{
  %a = stablehlo.constant dense<[3, 1, 2]> : {I32_VECTOR}
  %0:2 = "stablehlo.sort"(%a, %a) <{{dimension = 0 : i64}}> ({{
  ^bb0(%x: tensor<i32>, %y: tensor<i32>, %u: tensor<i32>, %v: tensor<i32>):
    %less = stablehlo.compare LT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }}) : ({I32_VECTOR}, {I32_VECTOR}) -> ({I32_VECTOR}, {I32_VECTOR})
  return %0#0, %0#1 : {I32_VECTOR}, {I32_VECTOR}
}}"""
    for limit, is_left in ((5, True), (6, False)):
        module = parse_text(CONTEXT, text)
        run_pass(module, folding.PASS, fold_op_element_limit=str(limit))
        assert ("stablehlo.sort" in names(module)) is is_left
