"""`hlokit.Trace` and `hlokit.StopOnNan`: their reports on runs with values of every type."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import hlokit
from hlokit.cli import main
from hlokit.cli.upstream import translate
from hlokit.engine.observe.observers import Observers
from hlokit.engine.plan.locations import source_position, source_text
from hlokit.values.element_types import ELEMENT_TYPES, ElementType, Kind

PROGRAM = """
func.func @main(%n: tensor<i32>, %x: tensor<3xf32>) -> (tensor<i32>, tensor<3xf32>) {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<3xf32> cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %w = stablehlo.multiply %v, %x : tensor<3xf32> loc("model.py":7:1)
    stablehlo.return %j, %w : tensor<i32>, tensor<3xf32>
  }
  return %r#0, %r#1 : tensor<i32>, tensor<3xf32>
}
"""
X = np.array([2.0, np.nan, np.inf], np.float32)

LOGARITHMS = """
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = func.call @twice(%x) : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
func.func private @twice(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.log %x : tensor<3xf32>
  %1 = stablehlo.log %0 : tensor<3xf32> loc("loss"("model.py":12:5))
  %2 = stablehlo.negate %1 : tensor<3xf32>
  return %2 : tensor<3xf32>
}
"""


def records_of(text: str, *arguments: object) -> list[hlokit.Record]:
    records: list[hlokit.Record] = []
    hlokit.load(text)(*arguments, observer=hlokit.Trace(records.append))
    return records


# Trace ---------------------------------------------------------------------------------------------------


def test_trace_records_every_operation_in_order_of_completion() -> None:
    records = records_of(PROGRAM, 2, X)
    iteration = ["stablehlo.compare", "stablehlo.add", "stablehlo.multiply"]
    assert [record.op for record in records] == [
        *iteration,
        *iteration,
        "stablehlo.compare",
        "stablehlo.while",
    ]
    assert [record.depth for record in records] == [1] * 7 + [0]
    assert all(record.seconds >= 0 for record in records)
    assert records[-1].seconds >= sum(record.seconds for record in records[:-1])
    assert records[-1].region_runs == 5


def test_trace_summarizes_values_and_names_source_lines() -> None:
    (multiply,) = (record for record in records_of(PROGRAM, 1, X) if record.op == "stablehlo.multiply")
    assert "tensor<3xf32> in [4, 4], mean 4, 1 NaN, 1 inf" in str(multiply)
    assert str(multiply).endswith("  model.py:7:1")
    (summary,) = multiply.results
    assert (summary.minimum, summary.mean, summary.nan, summary.infinite) == (4, 4, 1, 1)


def test_results_are_the_same_with_and_without() -> None:
    program = hlokit.load(PROGRAM)
    plain = program(3, X)
    traced = program(3, X, observer=[hlokit.Trace(lambda record: None), hlokit.Trace(lambda record: None)])
    np.testing.assert_array_equal(plain[1], traced[1])
    np.testing.assert_array_equal(plain[1], program(3, X)[1])


def test_observing_leaves_the_other_runs_as_they_are() -> None:
    program = hlokit.load(PROGRAM)
    program(1, X, observer=hlokit.Trace(lambda record: None))
    block = program.runs.block("main")
    for _ in range(2):
        program(1, X)
        assert not block.is_observed
    assert block.compiled().__code__.co_filename == "<hlokit: block of @main>"


def reduction(body: str) -> str:
    return f"""
      func.func @main(%x: tensor<2x5xf32>, %i: tensor<f32>) -> tensor<2xf32> {{
        %0 = stablehlo.reduce(%x init: %i) across dimensions = [1]
          : (tensor<2x5xf32>, tensor<f32>) -> tensor<2xf32>
          reducer(%a: tensor<f32>, %b: tensor<f32>) {{ {body} stablehlo.return %r : tensor<f32> }}
        return %0 : tensor<2xf32>
      }}"""


KNOWN = "%r = stablehlo.add %a, %b : tensor<f32>"
POINTWISE = "%s = stablehlo.sine %b : tensor<f32> %r = stablehlo.add %a, %s : tensor<f32>"
NEITHER = """
  %s = stablehlo.reshape %b : (tensor<f32>) -> tensor<1xf32>
  %t = stablehlo.reshape %s : (tensor<1xf32>) -> tensor<f32>
  %r = stablehlo.add %a, %t : tensor<f32>"""


@pytest.mark.parametrize(
    ("body", "runs", "by_element"), [(KNOWN, 0, False), (POINTWISE, 4, False), (NEITHER, 10, True)]
)
def test_trace_says_how_a_region_was_evaluated(body: str, runs: int, by_element: bool) -> None:
    records = records_of(reduction(body), np.ones((2, 5), np.float32), 0.0)
    reduce = records[-1]
    assert (reduce.region_runs, reduce.by_element) == (runs, by_element)
    assert ("element by element" in str(reduce)) == by_element
    if by_element:
        assert len(records) == 4, "one element only, and the reduction"


def test_trial_runs_of_the_planner_are_not_traced() -> None:
    text = """
      func.func @main(%x: tensor<9xf32>, %n: tensor<9xi32>, %a: tensor<f32>, %b: tensor<i32>) -> tensor<i32> {
        %0:2 = stablehlo.reduce(%x init: %a), (%n init: %b) across dimensions = [0]
          : (tensor<9xf32>, tensor<9xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
          reducer(%l: tensor<f32>, %r: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>) {
            %gt = stablehlo.compare GT, %l, %r : (tensor<f32>, tensor<f32>) -> tensor<i1>
            %v = stablehlo.select %gt, %l, %r : tensor<i1>, tensor<f32>
            %k = stablehlo.select %gt, %i, %j : tensor<i1>, tensor<i32>
            stablehlo.return %v, %k : tensor<f32>, tensor<i32>
          }
        return %0#1 : tensor<i32>
      }"""
    records = records_of(text, X.repeat(3), np.arange(9, dtype=np.int32), 0.0, 0)
    assert records[-1].op == "stablehlo.reduce"
    assert len(records) == 1 + 3 * records[-1].region_runs


def test_trace_of_a_grid_names_processes() -> None:
    text = """
      func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
        %0 = "stablehlo.all_reduce"(%x) ({
          ^bb0(%a: tensor<f32>, %b: tensor<f32>):
            %r = stablehlo.add %a, %b : tensor<f32>
            stablehlo.return %r : tensor<f32>
        }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>
        return %0 : tensor<2xf32>
      }"""
    records: list[hlokit.Record] = []
    x = np.ones(2, np.float32)
    hlokit.load(text).run_parallel([(x,), (x,)], observer=hlokit.Trace(records.append))
    assert sorted((record.process, record.op) for record in records if record.depth == 0) == [
        ((0, 0), "stablehlo.all_reduce"),
        ((1, 0), "stablehlo.all_reduce"),
    ]
    assert "(1, 0)" in "".join(map(str, records))
    assert all(record.process is None for record in records_of(PROGRAM, 1, X))


@pytest.mark.parametrize("type_", ELEMENT_TYPES.values(), ids=str)
def test_every_element_type_is_summarized(type_: ElementType) -> None:
    text = f"""
      func.func @main(%x: tensor<2x{type_}>) -> tensor<4x{type_}> {{
        %0 = stablehlo.concatenate %x, %x, dim = 0 : (tensor<2x{type_}>, tensor<2x{type_}>) -> tensor<4x{type_}>
        return %0 : tensor<4x{type_}>
      }}"""
    if type_.name == "index":
        pytest.skip("no type of StableHLO's operations")
    (record,) = records_of(text, np.array([0, 1]).astype(type_.dtype))
    (summary,) = record.results
    low = 2.0**-127 if type_.name == "f8E8M0FNU" else 0  # it has no zero
    if type_.name == "f8E8M0FNU":
        assert summary.nan + (summary.minimum == low) * 2 == 2
    elif type_.kind is Kind.SIGNED or type_.kind is Kind.UNSIGNED:
        assert (summary.type, summary.minimum, summary.maximum) == (f"tensor<4x{type_}>", 0, 1)
    else:
        assert (summary.minimum, summary.maximum, summary.mean) == (0, 1, 0.5)


def test_quantized_values_tuples_and_tokens_are_summarized() -> None:
    q = "!quant.uniform<i8:f32, 0.5:1>"
    text = f"""
      func.func @main(%x: tensor<2x{q}>, %t: !stablehlo.token) -> !stablehlo.token {{
        %0 = stablehlo.negate %x : tensor<2x{q}>
        %1 = stablehlo.tuple %x, %t : tuple<tensor<2x{q}>, !stablehlo.token>
        %2 = stablehlo.after_all %t : !stablehlo.token
        return %2 : !stablehlo.token
      }}"""
    records = records_of(text, np.array([3, 1], np.int8), hlokit.Token())
    assert "in [-1, 1], mean 0" in str(records[0])
    assert [str(summary) for summary in records[2].results] == ["!stablehlo.token"]
    assert (
        "tuple<tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>> in [1, 3], mean 2, !stablehlo.token>"
        in str(records[1]).replace("0.5:1", "5.000000e-01:1")
    )


def test_complex_values_are_summarized_by_their_magnitude() -> None:
    text = """
      func.func @main(%x: tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>> {
        %0 = stablehlo.transpose %x, dims = [0] : (tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
        return %0 : tensor<4xcomplex<f64>>
      }"""
    (record,) = records_of(text, np.array([3 + 4j, 1j, complex(np.inf, np.nan), complex(-np.inf, 0)]))
    assert str(record.results[0]) == "tensor<4xcomplex<f64>> |x| in [1, 5], mean 3, 1 NaN, 1 inf"


def test_a_failed_operation_is_listed_and_the_next_run_begins_anew() -> None:
    records: list[hlokit.Record] = []
    trace = hlokit.Trace(records.append)
    program = hlokit.load(LOGARITHMS)
    for _ in range(2):
        with pytest.raises(hlokit.EvaluationError):
            program(np.array([2, 3, 0.5], np.float32), observer=[hlokit.StopOnNan(), trace])
    found = [(record.op, record.depth, record.failed) for record in records]
    one = [("stablehlo.log", 1, False), ("stablehlo.log", 1, False), ("func.call", 0, True)]
    assert found == one * 2
    assert "func.call failed" in str(records[2])


def test_observers_without_failed_need_none() -> None:
    class Counter:
        count = 0

        def before(self, plan: object, step: object, operands: object) -> None:
            self.count += 1

        def after(self, plan: object, step: object, operands: object, results: object) -> None:
            pass

    counter = Counter()
    with pytest.raises(hlokit.EvaluationError):
        hlokit.load(LOGARITHMS)(
            np.zeros(3, np.float32) + 0.5, observer=Observers(counter, hlokit.StopOnNan())
        )
    assert counter.count == 3


# Locations -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("location", "position", "text"),
    [
        ('loc("m.py":7:1)', ("m.py", 7, 1), "m.py:7:1"),
        ("loc(unknown)", None, ""),
        ('loc("jit(f)/sin")', None, "jit(f)/sin"),
        (
            'loc("jit(f)/sin"(callsite("f"("a b.py":4:5 to :9) at callsite("g"("c.py":1:2) at "h"("d.py":3:3)))))',
            ("a b.py", 4, 5),
            "a b.py:4:5 (jit(f)/sin)",
        ),
        ('loc(fused<"tag">["one.py":2:3, "two.py":4:5])', ("one.py", 2, 3), "one.py:2:3 (tag)"),
    ],
)
def test_source_of_a_location(location: str, position: object, text: str) -> None:
    assert source_position(location) == position
    assert source_text(location) == text


def test_trace_of_a_jax_program_names_its_source_line() -> None:
    jax = pytest.importorskip("jax")

    def loss(x: object) -> object:
        return jax.numpy.log(x)

    x = np.ones(3, np.float32)
    records: list[hlokit.Record] = []
    hlokit.from_jax(loss, x)(x, observer=hlokit.Trace(records.append))
    line = loss.__code__.co_firstlineno + 1
    assert f"{Path(__file__).name}:{line}:" in records[0].source
    assert records[0].source.endswith("log)")


# StopOnNan -----------------------------------------------------------------------------------------------


def test_stops_at_the_operation_that_makes_a_nan() -> None:
    with pytest.raises(hlokit.EvaluationError) as caught:
        hlokit.load(LOGARITHMS)(np.array([2, 3, 0.5], np.float32), observer=hlokit.StopOnNan())
    assert [frame.op for frame in caught.value.frames] == ["func.call", "stablehlo.log"]
    assert caught.value.frames[-1].location == 'loc("loss"("model.py":12:5))'
    assert caught.value.message == (
        "computed 1 NaN from operands without NaN, at model.py:12:5 (loss)\n"
        "  operand 0: tensor<3xf32> in [-0.6931, 1.099], mean 0.3662\n"
        "  result 0: tensor<3xf32> in [-0.3665, 0.09405], mean -0.1362, 1 NaN, 0 inf"
    )


@pytest.mark.parametrize("x", [[np.nan, 3, 3], [np.inf, 3, 3], [1, 3, 3]])
def test_nan_of_an_operand_and_infinities_pass(x: list[float]) -> None:
    argument = np.array(x, np.float32)
    want = hlokit.load(LOGARITHMS)(argument)
    np.testing.assert_array_equal(hlokit.load(LOGARITHMS)(argument, observer=hlokit.StopOnNan()), want)


@pytest.mark.parametrize("type_", ["bf16", "f8E4M3FN", "f16", "f64", "complex<f32>"])
def test_stops_in_regions_and_for_every_type_with_nan(type_: str) -> None:
    text = f"""
      func.func @main(%x: tensor<4x{type_}>, %i: tensor<{type_}>) -> tensor<{type_}> {{
        %0 = stablehlo.reduce(%x init: %i) across dimensions = [0]
          : (tensor<4x{type_}>, tensor<{type_}>) -> tensor<{type_}>
          reducer(%a: tensor<{type_}>, %b: tensor<{type_}>) {{
            %q = stablehlo.divide %b, %b : tensor<{type_}>
            %r = stablehlo.add %a, %q : tensor<{type_}>
            stablehlo.return %r : tensor<{type_}>
          }}
        return %0 : tensor<{type_}>
      }}"""
    program = hlokit.load(text)
    dtype = program.signature().inputs[0].element_type.dtype
    with pytest.raises(hlokit.EvaluationError, match=r"computed \d NaN from operands") as caught:
        program(np.zeros(4, dtype), np.zeros((), dtype), observer=hlokit.StopOnNan())
    assert [frame.op for frame in caught.value.frames] == ["stablehlo.reduce", "stablehlo.divide"]
    assert program(np.ones(4, dtype), np.zeros((), dtype), observer=hlokit.StopOnNan()) == 1  # a tree


def test_a_nan_that_another_process_sends_passes() -> None:
    text = """
      func.func @main(%x: tensor<1xf32>) -> tensor<2xf32> {
        %0 = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
          : (tensor<1xf32>) -> tensor<2xf32>
        return %0 : tensor<2xf32>
      }"""
    arguments = [(np.array([value], np.float32),) for value in (1, np.nan)]
    first, _ = hlokit.load(text).run_parallel(arguments, observer=hlokit.StopOnNan())
    np.testing.assert_array_equal(first, np.array([1, np.nan], np.float32))


# Commands ------------------------------------------------------------------------------------------------


def test_commands_trace(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, output = tmp_path / "logs.mlir", tmp_path / "trace.jsonl"
    path.write_text(LOGARITHMS)
    constant = "dense<[2.0, 3.0, 0.5]> : tensor<3xf32>"
    assert main.main(["run", str(path), constant, "--trace"]) == 0
    printed = capsys.readouterr()
    assert "NaN" in printed.err
    assert len(printed.err.splitlines()) == 4
    assert "us" not in printed.out
    assert main.main(["run", str(path), constant, f"--trace-output={output}", "--stop-on-nan"]) == 1
    error = capsys.readouterr().err
    assert error.startswith("model.py:12:5: error: stablehlo.log: computed 1 NaN from operands without NaN")
    lines = [json.loads(line) for line in output.read_text().splitlines()]
    assert [line["op"] for line in lines] == ["stablehlo.log", "stablehlo.log", "func.call"]
    assert lines[1]["source"] == "model.py:12:5 (loss)"
    assert lines[1]["results"][0]["nan"] == 1


def test_trace_file_of_several_programs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, output = tmp_path / "two.mlir", tmp_path / "trace.txt"
    one = "func.func @main() -> tensor<f32> {\n%0 = stablehlo.iota dim = 0 : tensor<1xf32>\n%1 = stablehlo.reshape %0 : (tensor<1xf32>) -> tensor<f32>\nreturn %1 : tensor<f32>\n}\n"
    path.write_text(f"{one}// -----\n{one}")
    flags = ["--interpret", "--split-input-file", f"--trace-output={output}", str(path)]
    for _ in range(2):
        assert translate.main(flags) == 0
        assert output.read_text().count("stablehlo.reshape") == 2
    assert translate.main(["--interpret", f"--trace-output={tmp_path}/none/x", str(path)]) == 1
    assert "cannot open trace file" in capsys.readouterr().err


def test_objects_that_are_no_observers_are_rejected() -> None:
    program = hlokit.load("func.func @main(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }")
    for observer in (3, [hlokit.StopOnNan(), print]):
        with pytest.raises(hlokit.ArgumentError, match="an observer must have methods before and after, got"):
            program(1.0, observer=observer)  # pyright: ignore[reportArgumentType] # that is what is tested
