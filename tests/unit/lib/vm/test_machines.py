"""The native VM gives the results of the kernels, bit for bit, for all types and for special values."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlokit import _kernels
from hlokit.engine.native.ir.instructions import BROADCAST, GATHER, JUMP, JUMP_IF, REDUCE_ROWS
from hlokit.engine.native.ir.target import TYPES, encode_instruction, operation_of
from hlokit.engine.plan.plan import Plan, Step
from hlokit.values.element_types import ELEMENT_TYPES, Kind
from tests.unit.engine.plan.plans import plan_of
from tests.unit.lib.vm.scalar_programs import scalar_program

SIGNED, UNSIGNED = ("i8", "i16", "i32", "i64"), ("ui8", "ui16", "ui32", "ui64")
FLOATS = ("f32", "f64", "bf16", "f16")
UNARY = {
    "numbers": ("negate", "abs", "sign"),
    "integers": ("not", "popcnt", "count_leading_zeros"),
    "floats": ("floor", "ceil", "round_nearest_even", "round_nearest_afz", "sqrt", "is_finite"),
    "bools": ("not",),
}
BINARY = {
    "numbers": ("add", "subtract", "multiply", "divide", "remainder", "maximum", "minimum"),
    "integers": ("and", "or", "xor", "shift_left", "shift_right_logical", "shift_right_arithmetic"),
    "floats": (),
    "bools": ("add", "multiply", "maximum", "minimum", "and", "or", "xor"),
}
DIRECTIONS = ("EQ", "NE", "LT", "LE", "GT", "GE")
SIZE = 7  # the size in the program; kernels take arrays of any size


def groups(name: str) -> list[str]:
    if name == "i1":
        return ["bools"]
    return ["numbers", "floats" if name in FLOATS else "integers"]


def text_of(name: str, shape: str = f"{SIZE}x") -> str:
    """A program of every operation on a type that the VM has: on %a, %b, %c of the type and %p of i1."""
    t, p = f"tensor<{shape}{name}>", f"tensor<{shape}i1>"
    lines = [
        f"stablehlo.{op} %a : {f'({t}) -> {p}' if op == 'is_finite' else t}"
        for group in groups(name)
        for op in UNARY[group]
        if not (name in UNSIGNED and op in ("abs", "sign", "negate"))
    ]
    lines += [f"stablehlo.{op} %a, %b : {t}" for group in groups(name) for op in BINARY[group]]
    kinds = ["", ", TOTALORDER"] if name in FLOATS else [""]
    lines += [
        f"stablehlo.compare {d}, %a, %b{kind} : ({t}, {t}) -> {p}" for d in DIRECTIONS for kind in kinds
    ]
    lines += [f"stablehlo.select %p, %a, %b : {p}, {t}", f"stablehlo.clamp %a, %b, %c : {t}"]
    for other in sorted(TYPES - {name}):
        if other == "bf16" and name in ("i64", "ui64"):
            continue
        lines.append(f"stablehlo.convert %a : ({t}) -> tensor<{shape}{other}>")
    body = "\n".join(f"%{number} = {line}" for number, line in enumerate(lines))
    return f"func.func @main(%a: {t}, %b: {t}, %c: {t}, %p: {p}) {{\n{body}\nreturn\n}}"


@functools.cache
def plan(name: str, shape: str = f"{SIZE}x") -> Plan:
    return plan_of(text_of(name, shape))


def specials(name: str) -> np.ndarray[Any, Any]:
    type_ = ELEMENT_TYPES[name]
    dtype = type_.dtype
    if type_.kind is Kind.BOOL:
        return np.array([False, True])
    if type_.kind is Kind.FLOAT:
        halves = [
            0.25,
            0.49999997,
            0.5,
            0.75,
            1.0,
            1.5,
            2.5,
            3.5,
            126.5,
            127.5,
            128.0,
            255.5,
            256.0,
            32767.5,
            65535.9,
        ]
        edges = [2.0**k for k in (15, 16, 23, 24, 31, 32, 52, 53, 63, 64)]
        other = [0.0, np.inf, np.nan, 1e-45, 1e-40, 1.1754944e-38, 3.4e38, 5e-324, 1e300, np.pi]
        values = np.array([*halves, *edges, *[np.nextafter(edge, 0) for edge in edges], *other])
        with np.errstate(all="ignore"):
            return np.concatenate([values, -values]).astype(dtype)
    info = np.iinfo(dtype)
    values = {0, 1, 2, 3, 5, 7, 8, 15, 16, 31, 32, 33, 63, 64, 100, int(info.max), int(info.max) - 1}
    values |= {int(info.min), int(info.min) + 1, int(info.max) // 2}
    if info.min < 0:
        values |= {-1, -2, -3, -7, -8, -64}
    return np.array(sorted(values), dtype)


def fused_result(step: Step, operands: Sequence[Any]) -> Any:
    number = operation_of(step)
    assert number >= 0, step.name
    types = [type_.element_type.name for type_ in (*step.operand_types, *step.result_types)]  # type: ignore[union-attr] # tensors only
    count = len(operands)
    inputs = [(register, 2, (), ()) for register in range(count)]
    fused = _kernels.FusedProgram(
        types, [encode_instruction(number, count, list(range(count)))], inputs, [count]
    )
    shape = np.broadcast_shapes(*[operand.shape for operand in operands])
    result = np.full(shape, 77, step.result_types[0].element_type.dtype)  # type: ignore[union-attr] # tensors only
    bits = [each.view(np.uint16) if each.dtype.num > 23 else each for each in (*operands, result)]
    assert fused.run(bits[:-1], bits[-1:])
    return result


def loop_result(step: Step, operands: Sequence[Any]) -> Any:
    """The results of a program on scalars, called for each element."""
    types = [type_.element_type.name for type_ in (*step.operand_types, *step.result_types)]  # type: ignore[union-attr] # tensors only
    count = len(operands)
    code = [encode_instruction(operation_of(step), count, list(range(count)))]
    dtype = step.result_types[0].element_type.dtype  # type: ignore[union-attr] # tensors only
    program = scalar_program(types, code, dtype)
    return np.array([program.run(each) for each in zip(*operands, strict=True)], dtype)


def same(one: Any, two: Any) -> bool:
    """Whether two arrays have the same bits; all NaNs are equal."""
    one, two = np.asarray(one), np.asarray(two)
    if one.dtype != two.dtype or one.shape != two.shape:
        return False
    if one.dtype.kind in "fV" or one.dtype.num > 23:
        nan = np.isnan(one)
        if not np.array_equal(nan, np.isnan(two)):
            return False
        one, two = one[~nan], two[~nan]
    return one.tobytes() == two.tobytes()


def operands_of(step: Step, arrays: dict[int, Any]) -> list[Any]:
    return [arrays[slot] for slot in step.operands]


@pytest.mark.parametrize("name", sorted(TYPES))
def test_all_pairs_of_special_values(name: str) -> None:
    values = specials(name)
    a, b = (each.reshape(-1) for each in np.meshgrid(values, values))
    rng = np.random.default_rng(1)
    c = rng.permutation(a)
    p = rng.integers(0, 2, a.size).astype(bool)
    arrays = {0: a, 1: b, 2: c, 3: p}
    few = slice(0, None, max(1, a.size // 150))
    assert len(plan(name).steps) > 20

    for step in plan(name).steps:
        operands = operands_of(step, arrays)
        with np.errstate(all="ignore"):
            expected = step.kernel.function(*operands)
        where = f"{step.name} {step.kernel.native} {[str(type_) for type_ in (*step.operand_types, *step.result_types)]}"
        assert same(fused_result(step, operands), expected), where
        few_operands = [operand[few].copy() for operand in operands]
        with np.errstate(all="ignore"):
            expected_few = step.kernel.function(*few_operands)
        assert same(loop_result(step, few_operands), expected_few), where


@pytest.mark.parametrize("name", sorted(TYPES))
def test_scalars_equal_the_kernels_of_rank_0(name: str) -> None:
    values = specials(name)
    rng = np.random.default_rng(2)
    for step in plan(name, "").steps:
        for _ in range(12):
            scalars = {slot: rng.choice(values) for slot in range(3)} | {3: np.bool_(rng.integers(2))}
            operands = operands_of(step, scalars)
            with np.errstate(all="ignore"):
                expected = step.kernel.function(*operands)
            assert same(loop_result(step, [np.reshape(each, 1) for each in operands])[0], expected), (
                step,
                operands,
            )


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_random_values(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(TYPES)))
    dtype = ELEMENT_TYPES[name].dtype
    seed = data.draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    size = data.draw(st.sampled_from([1, 3, 33, 1024, 1025, 3000]))

    def values() -> Any:
        if name == "i1":
            return rng.integers(0, 2, size).astype(bool)
        if data.draw(st.booleans()):  # any bits
            return np.frombuffer(rng.bytes(size * dtype.itemsize), dtype)
        return rng.integers(0 if name in UNSIGNED else -100, 100, size).astype(dtype)

    arrays = {0: values(), 1: values(), 2: values(), 3: rng.integers(0, 2, size).astype(bool)}
    step = data.draw(st.sampled_from(plan(name).steps))
    operands = operands_of(step, arrays)
    with np.errstate(all="ignore"):
        expected = step.kernel.function(*operands)
    assert same(fused_result(step, operands), expected), (step.name, step.kernel.native)


@pytest.mark.parametrize("name", ["i8", "ui8", "i16", "ui16"])
def test_shifts_of_narrow_integers_by_one_amount(name: str) -> None:
    """As of packed weights: amounts within the width and beyond, rows of whole words and others."""
    dtype, width = ELEMENT_TYPES[name].dtype, ELEMENT_TYPES[name].width
    for op, count in itertools.product(BINARY["integers"][3:], (1, 7, 8, 101)):
        code = [(_kernels.find_operation(op, name, name), [2], [0, 1], [])]
        program = _kernels.Program(
            [name] * 3,
            code,
            (count, -1, count),
            operands=[(0, (count,), None), (1, (), None)],
            results=[(2, (count,), dtype)],
        )
        values = np.random.default_rng(count).integers(0, 1 << width, count).astype(dtype)
        for amount in (0, 1, 3, width - 1, width, width + 1, (1 << width) - 1):
            bits = values.astype(np.int64) & ((1 << width) - 1)
            if op == "shift_right_arithmetic":
                expected = values.astype(f"i{width // 8}").astype(np.int64) >> min(amount, width - 1)
            elif amount >= width:
                expected = 0 * bits
            else:
                expected = bits << amount if op == "shift_left" else bits >> amount
            computed = program.run((values, np.asarray(amount).astype(dtype)[()]))
            np.testing.assert_array_equal(computed, expected.astype(dtype))


def test_threads_change_nothing() -> None:
    """Fused code on arrays large enough to be divided, with a broadcast row and a broadcast scalar."""
    shape = (1111, 1013)
    x = np.random.default_rng(3).standard_normal(shape).astype(np.float32)
    row = np.arange(1013, dtype=np.float32)
    multiply, add = (_kernels.find_operation(name, "f32", "f32") for name in ("multiply", "add"))
    code = [(multiply, [3], [0, 2], []), (add, [4], [3, 1], [])]
    for _ in range(8):
        code.append((multiply, [len(code) + 3], [len(code) + 2, 2], []))
    inputs = [(0, 2, shape, (0, 1)), (1, 2, shape, (1,)), (2, 0, (), ())]
    fused = _kernels.FusedProgram(["f32"] * 13, code, inputs, [12], 1, x.size)
    results = [np.full(shape, threads, np.float32) for threads in (1, 2, 3)]
    for threads, result in enumerate(results, start=1):
        assert fused.run([x, row, np.float32(0.5)], [result], threads)

    assert np.array_equal(results[0], (x * np.float32(0.5) + row) * np.float32(0.5**8))
    assert np.array_equal(results[0], results[1])
    assert np.array_equal(results[0], results[2])


ADD = _kernels.find_operation("add", "f32", "f32")
MALFORMED_LOOPS: dict[str, list[Any]] = {
    "operation": [(10**6, [0], [0, 0], [])],
    "register": [(ADD, [0], [0, 9], [])],
    "result": [(ADD, [2], [0, 0], [])],
    "type": [(_kernels.find_operation("add", "f64", "f64"), [0], [0, 0], [])],
    "one operand": [(ADD, [0], [0], [])],
    "no result": [(ADD, [], [0, 0], [])],
    "numbers": [(ADD, [0], [0, 0], [0])],
    "jump": [(JUMP, [], [], [7])],
    "jump backwards": [(JUMP, [], [], [-1])],
    "jump to nowhere": [(JUMP, [], [], [])],
    "condition": [(JUMP_IF, [], [0], [0])],
    "no condition": [(JUMP_IF, [], [], [0])],
}


@pytest.mark.parametrize("code", MALFORMED_LOOPS.values(), ids=MALFORMED_LOOPS)
def test_malformed_loops(code: list[Any]) -> None:
    with pytest.raises(ValueError, match=r"register|operation|jump|target|operands"):
        _kernels.Program(["f32", "i1"], code)


def test_malformed_fused_code() -> None:
    largest, is_less = (
        _kernels.find_operation("maximum", "f32", "f32"),
        _kernels.find_operation("LT", "i1", "f32"),
    )
    x = (0, 2, (2, 3), (0, 1))
    good = [(ADD, [1], [0, 0], [])]
    for code, inputs, outputs in (
        ([(ADD, [1], [2, 0], [])], [x], [1]),
        ([(ADD, [0], [0, 0], [])], [x], [1]),
        (good * 2, [x], [1]),
        (good, [x, x], [1]),
        (good, [x], [2]),
        (good, [x], [0]),
        (good, [(0, 0, (), ())], [1]),
        (good, [(0, 2, (5,), (0,))], [1]),
        (good, [(0, 2, (2, 3), (1, 0))], [1]),
        (good, [(0, 2, (2, 3), (2,))], [1]),
        (good, [(0, 3, (2, 3), (0, 1))], [1]),
        (good, [(0, 1, (2, 3), (0, 1))], [1]),
        (good, [(0, 2, (1 << 40, 1 << 40), (0, 1))], [1]),
        ([(JUMP_IF, [], [0], [1])], [x], [1]),
        ([(-1000, [1], [0, 0], [])], [x], [1]),
        ([(REDUCE_ROWS, [1], [0, 0], [largest])], [x], [1]),
        ([(REDUCE_ROWS, [1], [0, 2], [largest])], [x, (2, 1, (2,), (0,))], [1]),
        ([(REDUCE_ROWS, [1], [0, 2], [is_less])], [x, (2, 0, (), ())], [1]),
        ([(REDUCE_ROWS, [1], [0, 2], [1 << 20])], [x, (2, 0, (), ())], [1]),
        ([(REDUCE_ROWS, [1], [0, 2], [ADD])], [x, (2, 0, (), ())], [2]),
        ([(REDUCE_ROWS, [1], [0], [ADD])], [x, (2, 0, (), ())], [1]),
        ([(BROADCAST, [1], [], [])], [x], [1]),
        ([(ADD, [1], [2, 0], [])], [x, (2, 3, (4,), (0,))], [1]),
        ([(GATHER, [1], [2, 0], [1, 4, 1])], [x, (2, 3, (4,), (0,))], [1]),
        ([(GATHER, [1], [0, 0], [1, 4, 1])], [x], [1]),
    ):
        with pytest.raises(
            ValueError, match=r"register|input|output|level|shape|reduction|elements|operation|table"
        ):
            _kernels.FusedProgram(["f32"] * 3, code, inputs, outputs, 2, 3)
    table, places = (0, 3, (4, 3), (0, 1)), (1, 2, (2, 3), (0, 1))
    for numbers in ([1, 13, 1], [1, 0, 1], [1, 4, 4], [2, 4, 3, 3, 1], [1, 4], [0], [1, 1 << 29, 0]):
        with pytest.raises(ValueError, match=r"component|axes|rows|number|extent"):
            _kernels.FusedProgram(
                ["f32", "i32", "f32"], [(GATHER, [2], [0, 1], numbers)], [table, places], [2], 2, 3
            )
    for inner, run in ((0, 1), (3, 1), (2, 0), (2, 2), (2, 128), (2048, 1)):
        with pytest.raises(ValueError, match="inner size"):
            _kernels.FusedProgram(["f32"] * 3, good, [x], [1], 2, 3, inner, run)


def test_wrong_memory() -> None:
    fused = _kernels.FusedProgram(["f32"] * 2, [(ADD, [1], [0, 0], [])], [(0, 2, (8,), (0,))], [1], 1, 8)
    x, read_only = np.zeros(8, np.float32), np.zeros(8, np.float32)
    read_only.flags.writeable = False
    for operands, results in (
        ([x], []),
        ([x[:7]], [x]),
        ([x], [x[:7]]),
        ([x.reshape(2, 4)], [x]),
        ([x.astype(float)], [x]),
        ([x], [x.astype(float)]),
    ):
        with pytest.raises(ValueError, match="must"):
            fused.run(operands, results)
    for result in (read_only, np.zeros(16, np.float32)[::2]):
        with pytest.raises((BufferError, ValueError)):
            fused.run([x], [result])
