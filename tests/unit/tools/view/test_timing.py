"""Times of unobserved runs: steps with their members, which add up to the run."""

from __future__ import annotations

import numpy as np

import hlokit
from hlokit.tools.view.timing import Times, times_of
from unit.tools.view.test_page import data_of

SIZE = 1 << 17
FUSED = f"""
func.func @main(%x: tensor<{SIZE}xf32>) -> tensor<{SIZE}xf32> {{
  %a = stablehlo.add %x, %x : tensor<{SIZE}xf32>
  %b = stablehlo.multiply %a, %x : tensor<{SIZE}xf32>
  %c = stablehlo.exponential %b : tensor<{SIZE}xf32>
  return %c : tensor<{SIZE}xf32>
}}
"""
LOOP = """
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %many = stablehlo.constant dense<500> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<f32>
    cond { %1 = stablehlo.compare LT, %i, %many : (tensor<i32>, tensor<i32>) -> tensor<i1>
           stablehlo.return %1 : tensor<i1> }
    do { %1 = stablehlo.add %i, %one : tensor<i32>
         %2 = stablehlo.cosine %y : tensor<f32>
         stablehlo.return %1, %2 : tensor<i32>, tensor<f32> }
  return %0#1 : tensor<f32>
}
"""


def timed(text: str, *arguments: np.ndarray) -> tuple[hlokit.Program, Times]:
    program = hlokit.load(text)
    signature, values = program.bound(arguments, {})
    return program, times_of(program.listing, program.runs, signature.name, values)


def test_a_fused_step_has_members() -> None:
    program, times = timed(FUSED, np.ones(SIZE, np.float32))
    (step,) = times.steps
    names = [program.listing.ops[number].name for number in step.members]
    assert names == ["stablehlo.add", "stablehlo.multiply", "stablehlo.exponential"]
    assert program.listing.ops[step.number].name == "stablehlo.exponential"
    assert step.evaluations == 1 and times.runs > 3


def test_a_native_loop_is_one_step() -> None:
    program, times = timed(LOOP, np.float32(1))
    (step,) = [step for step in times.steps if program.listing.ops[step.number].name == "stablehlo.while"]
    assert step.is_native
    times_of_page = data_of(program.view(np.float32(1)).html)["times"]
    own = {program.listing.ops[int(number)].name for number in times_of_page["own"]}
    assert "stablehlo.cosine" in own  # the loop's time is divided among its operations


def test_times_add_up_to_the_run() -> None:
    for text, x in ((FUSED, np.ones(SIZE, np.float32)), (LOOP, np.float32(1))):
        times = data_of(hlokit.load(text).view(x).html)["times"]
        steps = sum(step[1] for step in times["steps"])
        np.testing.assert_allclose(sum(times["own"].values()), steps, rtol=1e-9)
        np.testing.assert_allclose(steps + times["between"], times["wall"], rtol=1e-9)
        cpu = sum(step[2] for step in times["steps"])
        np.testing.assert_allclose(cpu + times["betweenCpu"], max(times["cpu"], cpu), rtol=1e-9)


def test_a_called_function_counts_in_its_call() -> None:
    text = """
    func.func @main(%x: tensor<200x200xf32>) -> tensor<200x200xf32> {
      %0 = call @square(%x) : (tensor<200x200xf32>) -> tensor<200x200xf32>
      return %0 : tensor<200x200xf32>
    }
    func.func private @square(%x: tensor<200x200xf32>) -> tensor<200x200xf32> {
      %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<200x200xf32>, tensor<200x200xf32>) -> tensor<200x200xf32>
      return %0 : tensor<200x200xf32>
    }"""
    program = hlokit.load(text)
    times = data_of(program.view(np.ones((200, 200), np.float32)).html)["times"]
    number = {op.name: str(number) for number, op in enumerate(program.listing.ops)}
    product, call = number["stablehlo.dot_general"], number["func.call"]
    assert times["calls"][call] >= times["own"][product] > 0
    assert times["own"][call] < times["own"][product]


def test_callbacks_of_jax_run_in_no_timed_run() -> None:
    import jax
    import jax.numpy as jnp

    calls: list[float] = []

    def note(x: np.ndarray) -> np.ndarray:
        calls.append(float(x))
        return x

    def function(x: jax.Array) -> jax.Array:
        return jax.pure_callback(note, jax.ShapeDtypeStruct((), jnp.float32), x) + 1

    program = hlokit.from_jax(function, np.float32(2))
    calls.clear()
    data = data_of(program.view(np.float32(2)).html)
    assert calls == [2.0] and data["times"]["runs"] == 0 and data["times"]["wall"] > 0
