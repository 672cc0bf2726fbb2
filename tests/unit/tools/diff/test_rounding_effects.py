"""How far results may differ: integers only where roundings decide them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hlokit
from hlokit.tools.diff.flow.disturbances import Disturbance
from hlokit.tools.diff.flow.disturbed import Disturbed
from hlokit.tools.diff.flow.time_limits import RanOutOfTime
from hlokit.tools.diff.flow.trip_counts import TripCounts
from hlokit.values.element_types import ELEMENT_TYPES
from unit.tools.diff.sides import Here

PACKED = """func.func @main(%x: tensor<4xf32>) -> tensor<4xi32> {
  %c = stablehlo.constant dense<0.1> : tensor<4xf32>
  %s = stablehlo.constant dense<4> : tensor<4xi32>
  %0 = stablehlo.multiply %x, %c : tensor<4xf32>
  %1 = stablehlo.round_nearest_even %0 : tensor<4xf32>
  %2 = stablehlo.convert %1 : (tensor<4xf32>) -> tensor<4xi32>
  %3 = stablehlo.shift_left %2, %s : tensor<4xi32>
  %4 = stablehlo.or %3, %2 : tensor<4xi32>
  return %4 : tensor<4xi32>
}"""
# A tenth of the first element is between two integers, of the others not.
X = np.array([5, 32, 79, 11], np.float32)


def test_an_integer_that_no_rounding_decides_may_not_differ() -> None:
    program = hlokit.load(PACKED)
    report = hlokit.diff(program, X, against=hlokit.load(PACKED.replace("return %4", "return %3")))
    assert report.status == 1, report
    assert report.first is not None
    assert report.first.op == "func.return"
    report = hlokit.diff(program, X, against=hlokit.load(PACKED.replace("dense<4>", "dense<3>")))
    assert report.first is not None
    assert report.first.op == "stablehlo.constant"


def test_an_integer_that_a_rounding_decides_may_differ() -> None:
    def rounded_up(text: str, results: list[np.ndarray]) -> list[np.ndarray]:
        del text
        return [np.array([17, *value[1:]], np.int32) for value in results]

    report = hlokit.diff(hlokit.load(PACKED), X, against=Here(change=rounded_up), mode="whole")
    assert report.outcome == "within", report


def test_a_call_rounds_nothing() -> None:
    """Regression: the integers that `jnp.round`, a function of its own, returns were disturbed, and cut off."""
    function = "func.func private @round(%x: tensor<4xf32>) -> tensor<4xf32>"
    rounding = "stablehlo.round_nearest_even %0 : tensor<4xf32>"
    text = PACKED.replace(rounding, "call @round(%0) : (tensor<4xf32>) -> tensor<4xf32>")
    text += f"{function} {{ %0 = {rounding.replace('%0', '%x')} return %0 : tensor<4xf32> }}"

    def next_ones(_: str, results: list[Any]) -> list[Any]:
        return [result - np.int32(17) for result in results]

    assert hlokit.diff(text, X + 10, against=Here(change=next_ones), mode="whole").outcome == "differs"


def test_an_element_that_magnifies_roundings_hides_no_others() -> None:
    """Regression: the largest effect of all elements was allowed of each."""
    text = """func.func @main(%x: tensor<300xf32>) -> tensor<300xf32> {
      %half = stablehlo.constant dense<0.5> : tensor<300xf32>
      %y = stablehlo.multiply %x, %half : tensor<300xf32>
      %0 = stablehlo.sine %y : tensor<300xf32>
      %1 = stablehlo.cosine %y : tensor<300xf32>
      %2 = stablehlo.divide %0, %1 : tensor<300xf32>
      return %2 : tensor<300xf32>
    }"""
    x = np.linspace(0.1, 1.2, 300, dtype=np.float32)
    x[[5, 200]] = np.pi
    for share, outcome in ((1e-6, "within"), (0.1, "differs")):

        def larger(_: str, results: list[Any], share: float = share) -> list[Any]:
            return [result * np.float32(1 + share) for result in results]

        assert hlokit.diff(text, x, against=Here(change=larger), mode="whole").outcome == outcome


def test_tuples_are_not_disturbed() -> None:
    """Regression: a tuple of arrays of different shapes was taken for an array."""
    program = hlokit.load("""func.func @main(%x: tensor<3xf32>, %y: tensor<2x2xf32>) -> tensor<3xf32> {
      %0 = stablehlo.exponential %x : tensor<3xf32>
      %1 = stablehlo.tuple %0, %y : tuple<tensor<3xf32>, tensor<2x2xf32>>
      %2 = stablehlo.get_tuple_element %1[0] : (tuple<tensor<3xf32>, tensor<2x2xf32>>) -> tensor<3xf32>
      return %2 : tensor<3xf32>
    }""")
    values = np.ones(3, np.float32), np.ones((2, 2), np.float32)
    trip_counts = TripCounts(program, values, "main")
    (result,) = trip_counts.follow(Disturbed(Disturbance(trip_counts.operations, 0)))
    np.testing.assert_allclose(result, np.e, rtol=1e-6)
    assert not np.array_equal(result, program(*values))


# A loop that ends when two numbers are equal, in a loop; a function that a reduction applies, too; narrow and
# complex numbers; NaNs and infinities; unknown sizes.
DISTURBED = {
    "loops": """
      func.func private @grow(%v: tensor<3xf32>) -> tensor<3xf32> {
        %0 = stablehlo.sine %v : tensor<3xf32>
        return %0 : tensor<3xf32>
      }
      func.func @main(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<i32>) {
        %zero = stablehlo.constant dense<0> : tensor<i32>
        %r:2 = stablehlo.while(%v = %x, %i = %zero) : tensor<3xf32>, tensor<i32> cond {
          %most = stablehlo.constant dense<30> : tensor<i32>
          %p = stablehlo.compare LT, %i, %most : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %p : tensor<i1>
        } do {
          %t = stablehlo.constant dense<0.0> : tensor<f32>
          %s:2 = stablehlo.while(%w = %v, %u = %t) : tensor<3xf32>, tensor<f32> cond {
            %end = stablehlo.constant dense<2.0> : tensor<f32>
            %q = stablehlo.compare NE, %u, %end : (tensor<f32>, tensor<f32>) -> tensor<i1>
            stablehlo.return %q : tensor<i1>
          } do {
            %step = stablehlo.constant dense<0.25> : tensor<f32>
            %u2 = stablehlo.add %u, %step : tensor<f32>
            %w2 = func.call @grow(%w) : (tensor<3xf32>) -> tensor<3xf32>
            stablehlo.return %w2, %u2 : tensor<3xf32>, tensor<f32>
          }
          %one = stablehlo.constant dense<1> : tensor<i32>
          %j = stablehlo.add %i, %one : tensor<i32>
          %y = stablehlo.add %s#0, %x : tensor<3xf32>
          stablehlo.return %y, %j : tensor<3xf32>, tensor<i32>
        }
        return %r#0, %r#1 : tensor<3xf32>, tensor<i32>
      }""",
    "types": """
      func.func private @sum(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
        %0 = stablehlo.add %a, %b : tensor<f32>
        return %0 : tensor<f32>
      }
      func.func @main(%x: tensor<3xf32>) -> (tensor<f32>, tensor<3xbf16>, tensor<3xcomplex<f64>>, tensor<3xf8E5M2>) {
        %zero = stablehlo.constant dense<0.0> : tensor<f32>
        %log = stablehlo.log %x : tensor<3xf32>
        %r = stablehlo.reduce(%log init: %zero) across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
          reducer(%a: tensor<f32>, %b: tensor<f32>) {
            %s = func.call @sum(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
            stablehlo.return %s : tensor<f32>
          }
        %n = stablehlo.convert %log : (tensor<3xf32>) -> tensor<3xbf16>
        %wide = stablehlo.convert %log : (tensor<3xf32>) -> tensor<3xf64>
        %z = stablehlo.complex %wide, %wide : tensor<3xcomplex<f64>>
        %e = stablehlo.exponential %z : tensor<3xcomplex<f64>>
        %8 = stablehlo.convert %log : (tensor<3xf32>) -> tensor<3xf8E5M2>
        return %r, %n, %e, %8 : tensor<f32>, tensor<3xbf16>, tensor<3xcomplex<f64>>, tensor<3xf8E5M2>
      }""",
    "sizes": """
      func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
        %0 = stablehlo.sine %x : tensor<?xf32>
        %1 = stablehlo.multiply %0, %0 : tensor<?xf32>
        return %1 : tensor<?xf32>
      }""",
}


def test_disturbed_runs_at_full_speed_have_the_bytes_of_followed_ones() -> None:
    for name, text in DISTURBED.items():
        program = hlokit.load(text)
        for x in ([0.5, 1.25, 3.0], [-1.0, 0.0, np.inf]):
            values = [np.array(x, np.float32)]
            trip_counts = TripCounts(program, values, "main")
            for seed, units in ((0, 1.0), (5, 32.0)):
                disturbance = Disturbance(trip_counts.operations, seed, units)
                fast = trip_counts.disturbed(seed, units)
                followed = trip_counts.follow(Disturbed(disturbance))
                bytes_of = [[np.asarray(value).tobytes() for value in run] for run in (fast, followed)]
                assert bytes_of[0] == bytes_of[1], (name, x, seed)
                plain = [np.asarray(value).tobytes() for value in program.runs.evaluate(values, "main")]
                assert bytes_of[0] != plain or not np.isfinite(x).all(), (name, x, seed)


def test_a_run_that_takes_too_long_counts_no_iterations(monkeypatch: pytest.MonkeyPatch) -> None:
    """Regression: the iterations until then counted as all, also of the runs that bound what may differ."""
    program = hlokit.load(DISTURBED["loops"])
    trip_counts = TripCounts(program, [X[:3]], "main")

    def late(*_: object) -> None:
        raise RanOutOfTime(1)

    with monkeypatch.context() as patch, pytest.raises(RanOutOfTime):
        patch.setattr("hlokit.tools.diff.flow.trip_counts.limited", late)
        trip_counts.most_iterations()
    assert sorted(trip_counts.most_iterations().values()) == [8, 30]
    assert trip_counts.evaluations() < 30 * 8 * 20


def test_disturbed_runs_call_the_programs_functions_of_python() -> None:
    """Regression: only the program's own runs knew them, so a comparison ended with an UnsupportedError."""
    import jax

    shape = jax.ShapeDtypeStruct((2,), np.float32)
    program = hlokit.from_jax(lambda x: jax.pure_callback(np.sin, shape, x) * 3, X[:2])
    trip_counts = TripCounts(program, [X[:2]], "main")
    (result,) = trip_counts.disturbed(0)
    np.testing.assert_allclose(result, 3 * np.sin(X[:2]), rtol=1e-5)
    (followed,) = trip_counts.follow(Disturbed(Disturbance(trip_counts.operations, 0)))
    assert np.asarray(result).tobytes() == np.asarray(followed).tobytes()


@pytest.mark.parametrize(("name", "outcome"), [("tanh", "within"), ("ceil", "differs")])
def test_disturbances_that_cancel_show_no_exact_result(
    monkeypatch: pytest.MonkeyPatch, name: str, outcome: str
) -> None:
    """Regression: where both runs gave the bits of the real one, an ULP of a rounded value was too much."""
    program = hlokit.load(
        f"""func.func @main(%x: tensor<f32>) -> tensor<f32> {{
          %0 = stablehlo.{name} %x : tensor<f32>
          return %0 : tensor<f32>
        }}"""
    )
    x = np.array(0.3, np.float32)
    disturbed = TripCounts.disturbed

    def cancelled(trip_counts: TripCounts, seed: int, units: float = 1.0) -> tuple[Any, ...]:
        return program.runs.evaluate([x], "main") if seed < 3 else disturbed(trip_counts, seed, units)

    monkeypatch.setattr(TripCounts, "disturbed", cancelled)
    other = Here(change=lambda _, results: [np.nextafter(result, np.float32(2)) for result in results])
    assert hlokit.diff(program, x, against=other, mode="whole").outcome == outcome


# Cancellation: roundings decide whether the logarithm of the first half is a number, and say nothing of the rest.
DECIDED = """func.func @main(%x: tensor<8xf32>) -> tensor<16xf32> {
  %one = stablehlo.constant dense<1.0> : tensor<8xf32>
  %0 = stablehlo.sine %x : tensor<8xf32>
  %1 = stablehlo.cosine %x : tensor<8xf32>
  %2 = stablehlo.multiply %0, %0 : tensor<8xf32>
  %3 = stablehlo.multiply %1, %1 : tensor<8xf32>
  %4 = stablehlo.add %2, %3 : tensor<8xf32>
  %5 = stablehlo.subtract %4, %one : tensor<8xf32>
  %6 = stablehlo.sqrt %5 : tensor<8xf32>
  %7 = stablehlo.tanh %x : tensor<8xf32>
  %8 = stablehlo.concatenate %6, %7, dim = 0 : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
  return %8 : tensor<16xf32>
}"""


def test_nans_that_roundings_decide_hide_no_other_element() -> None:
    """Regression: one NaN that a disturbance made allowed any difference of the whole result, as `inf ULP`."""
    x = np.linspace(0.3, 2, 8, dtype=np.float32)
    nan_elsewhere, wrong_number = np.array(np.nan, np.float32), np.float32(1.5)

    def with_nans(_: str, results: list[Any]) -> list[Any]:
        return [np.where(np.arange(result.size) < 8, nan_elsewhere, result) for result in results]

    def wrong(_: str, results: list[Any]) -> list[Any]:
        return [np.where(np.arange(result.size) < 8, result, wrong_number * result) for result in results]

    report = hlokit.diff(DECIDED, x, against=Here(change=with_nans), mode="whole")
    assert report.outcome == "within"
    told = "within what is allowed, a NaN or an infinity differs (roundings decide which elements are finite)"
    assert str(report.results[0]) == told
    assert hlokit.diff(DECIDED, x, against=Here(change=wrong), mode="whole").outcome == "differs"


def test_a_maximum_is_not_disturbed() -> None:
    """Regression: it equals none of its operands, as gradients ask, and faults were allowed."""
    text = """func.func @main(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
      %zero = stablehlo.constant dense<0.0> : tensor<8xf32>
      %0 = stablehlo.tanh %x : tensor<8xf32>
      %1 = stablehlo.maximum %0, %y : tensor<8xf32>
      %2 = stablehlo.compare EQ, %1, %0 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
      %3 = stablehlo.select %2, %0, %zero : tensor<8xi1>, tensor<8xf32>
      %4 = stablehlo.add %3, %y : tensor<8xf32>
      return %4 : tensor<8xf32>
    }"""
    x, y = np.linspace(0.3, 2, 8, dtype=np.float32), np.linspace(-0.5, 0.1, 8, dtype=np.float32)
    wrong = hlokit.load(text.replace("stablehlo.add %3", "stablehlo.subtract %3"))
    report = hlokit.diff(hlokit.load(text), x, y, against=wrong)
    assert report.first is not None, report
    assert (report.outcome, report.first.op) == ("differs", "stablehlo.add"), report


# The number of positive elements of a row, and whether three divides it; the mask of the first such rows.
COUNTED = """func.func @main(%x: tensor<6x12xTYPE>) -> tensor<6xTYPE> {
  %zero = stablehlo.constant dense<0.0> : tensor<TYPE>
  %zeros = stablehlo.constant dense<0.0> : tensor<6x12xTYPE>
  %ones = stablehlo.constant dense<1.0> : tensor<12xTYPE>
  %one = stablehlo.constant dense<1.0> : tensor<6xTYPE>
  %three = stablehlo.constant dense<3.0> : tensor<6xTYPE>
  %p = stablehlo.compare GT, %x, %zeros : (tensor<6x12xTYPE>, tensor<6x12xTYPE>) -> tensor<6x12xi1>
  %mask = stablehlo.convert %p : (tensor<6x12xi1>) -> tensor<6x12xTYPE>
  SUM
  %n = stablehlo.divide %count, %one : tensor<6xTYPE>
  %q = stablehlo.divide %n, %three : tensor<6xTYPE>
  %f = stablehlo.floor %q : tensor<6xTYPE>
  %m = stablehlo.multiply %f, %three : tensor<6xTYPE>
  %d = stablehlo.subtract %n, %m : tensor<6xTYPE>
  %e = stablehlo.compare EQ, %d, %zero6 : (tensor<6xTYPE>, tensor<6xTYPE>) -> tensor<6xi1>
  %s = stablehlo.negate %n : tensor<6xTYPE>
  %r = stablehlo.select %e, %n, %s : tensor<6xi1>, tensor<6xTYPE>
  return %r : tensor<6xTYPE>
}""".replace("SUM", "%zero6 = stablehlo.constant dense<0.0> : tensor<6xTYPE>\n  SUM")
SUMS = {
    "reduce": "%count = stablehlo.reduce(%mask init: %zero) applies stablehlo.add across dimensions = [1] "
    ": (tensor<6x12xTYPE>, tensor<TYPE>) -> tensor<6xTYPE>",
    "dot_general": "%count = stablehlo.dot_general %mask, %ones, contracting_dims = [1] x [0] "
    ": (tensor<6x12xTYPE>, tensor<12xTYPE>) -> tensor<6xTYPE>",
}


@pytest.mark.parametrize("type_", ["f32", "f64", "bf16", "f16"])
@pytest.mark.parametrize("sum_", SUMS)
def test_what_is_exact_is_not_disturbed(sum_: str, type_: str) -> None:
    """Regression: counts in floats changed, so masks flipped, and the results of a wrong mask were allowed."""
    text = COUNTED.replace("SUM", SUMS[sum_]).replace("TYPE", type_)
    positive = np.arange(12) < 2 * np.arange(6)[:, None]
    x = np.where(positive, 1, -1).astype(ELEMENT_TYPES[type_].dtype)
    program = hlokit.load(text)
    trip_counts = TripCounts(program, [x], "main")
    for run in (
        trip_counts.disturbed(0),
        trip_counts.follow(Disturbed(Disturbance(trip_counts.operations, 0))),
    ):
        assert np.asarray(run[0]).tobytes() == np.asarray(program(x)).tobytes()
    wrong = hlokit.load(text.replace("dense<3.0>", "dense<4.0>"))
    assert hlokit.diff(program, x, against=wrong).outcome == "differs"


def test_the_gradient_of_a_pooling_is_disturbed() -> None:
    """Regression: an internal error, since the first of its two regions selects."""
    program = hlokit.load("""
      func.func @main(%x: tensor<6xf32>, %y: tensor<3xf32>) -> tensor<6xf32> {
        %zero = stablehlo.constant dense<0.0> : tensor<f32>
        %r = "stablehlo.select_and_scatter"(%x, %y, %zero) ({
        ^bb0(%a: tensor<f32>, %b: tensor<f32>):
          %ge = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
          stablehlo.return %ge : tensor<i1>
        }, {
        ^bb0(%a: tensor<f32>, %b: tensor<f32>):
          %sum = stablehlo.add %a, %b : tensor<f32>
          stablehlo.return %sum : tensor<f32>
        }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}
          : (tensor<6xf32>, tensor<3xf32>, tensor<f32>) -> tensor<6xf32>
        return %r : tensor<6xf32>
      }""")
    x, whole = np.float32([3, 1, 2, 5, 4, 6]), np.float32([1, 2, 3])
    trip_counts = TripCounts(program, [x, whole / 3], "main")
    runs = [np.asarray(trip_counts.disturbed(n)[0]) for n in range(4)]
    expected = np.float32([1 / 3, 0, 0, 2 / 3, 0, 1])
    for run in runs:
        np.testing.assert_allclose(run, expected, rtol=1e-6)
    assert len({run.tobytes() for run in runs}) > 1
    exact = TripCounts(program, [x, whole], "main").disturbed(0)
    np.testing.assert_array_equal(exact[0], np.float32([1, 0, 0, 2, 0, 3]))
