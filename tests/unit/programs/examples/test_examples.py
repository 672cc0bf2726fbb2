"""Example inputs: what operations ask of parameters, and what is drawn."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections import Counter
from typing import Any

import numpy as np
import pytest

import hlokit
from hlokit.mlir.queries.module import functions
from hlokit.operations.traits import Domain
from hlokit.programs.examples import uses
from hlokit.programs.examples.arrays import Bits, Filling, example_of
from hlokit.programs.examples.uses import Demands, demands_of
from hlokit.values.element_types import ELEMENT_TYPES, Kind
from hlokit.values.types import TensorType


def demands(text: str) -> list[tuple[set[Domain], int | None]]:
    module = hlokit.load(text).module
    function = next(iter(module.body.operations))
    return [(demand.domains, demand.below) for demand in demands_of(function.operation, module)]


GATHER = """
func.func @main(%table: tensor<50x8xf32>, %i: tensor<3xi32>) -> tensor<3x8xf32> {
  %zero = stablehlo.constant dense<0> : tensor<3xi32>
  %rows = stablehlo.constant dense<50> : tensor<3xi32>
  %0 = stablehlo.compare LT, %i, %zero : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
  %1 = stablehlo.add %i, %rows : tensor<3xi32>
  %2 = stablehlo.select %0, %1, %i : tensor<3xi1>, tensor<3xi32>
  %3 = stablehlo.reshape %2 : (tensor<3xi32>) -> tensor<3x1xi32>
  %4 = "stablehlo.gather"(%table, %3) {dimension_numbers = #stablehlo.gather<offset_dims = [1],
    collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}
    : (tensor<50x8xf32>, tensor<3x1xi32>) -> tensor<3x8xf32>
  return %4 : tensor<3x8xf32>
}"""


def test_a_declaration_has_examples() -> None:
    text = "func.func private @g(tensor<2xf32>) -> tensor<2xf32>\nfunc.func @main() { return }"
    program = hlokit.load(text)
    (x,) = program.example_inputs(function="g")
    assert x.shape == (2,)
    assert program.parameter_names("g") == (None,)
    call = "func.func @main(%x: tensor<2xf32>) { %0 = call @g(%x) : (tensor<2xf32>) -> tensor<2xf32> return }"
    (x,) = hlokit.load(f"{text.splitlines()[0]}\n{call}").example_inputs()
    assert x.shape == (2,)


def test_indices_of_a_gather() -> None:
    assert demands(GATHER) == [(set(), None), ({Domain.INDEX}, 50)]


def test_indices_of_slices() -> None:
    text = """
    func.func @main(%x: tensor<9x7xf32>, %u: tensor<2x3xf32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<4x7xf32> {
      %0 = stablehlo.dynamic_update_slice %x, %u, %i, %j
        : (tensor<9x7xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<9x7xf32>
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %1 = stablehlo.dynamic_slice %0, %i, %zero, sizes = [4, 7]
        : (tensor<9x7xf32>, tensor<i32>, tensor<i32>) -> tensor<4x7xf32>
      return %1 : tensor<4x7xf32>
    }"""
    assert demands(text)[2:] == [({Domain.INDEX}, 6), ({Domain.INDEX}, 5)]


def test_one_index_for_two_dimensions() -> None:
    text = """
    func.func @main(%x: tensor<9x7xf32>, %i: tensor<i32>) -> tensor<2x5xf32> {
      %0 = stablehlo.dynamic_slice %x, %i, %i, sizes = [2, 5]
        : (tensor<9x7xf32>, tensor<i32>, tensor<i32>) -> tensor<2x5xf32>
      return %0 : tensor<2x5xf32>
    }"""
    assert demands(text)[1] == ({Domain.INDEX}, 3)


def test_indices_of_a_scatter() -> None:
    text = """
    func.func @main(%x: tensor<9x7xf32>, %i: tensor<2x1xi32>, %u: tensor<2x9xf32>) -> tensor<9x7xf32> {
      %0 = "stablehlo.scatter"(%x, %i, %u) ({
        ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        stablehlo.return %b : tensor<f32>
      }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [1],
        scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}
        : (tensor<9x7xf32>, tensor<2x1xi32>, tensor<2x9xf32>) -> tensor<9x7xf32>
      return %0 : tensor<9x7xf32>
    }"""
    assert demands(text)[1] == ({Domain.INDEX}, 7)


def test_parameters_are_followed_through_calls_and_loops() -> None:
    text = """
    func.func @main(%x: tensor<4xf32>, %n: tensor<i32>, %b: tensor<i32>) -> tensor<4xf32> {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %0:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<4xf32> cond {
        %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %1 : tensor<i1>
      } do {
        %2 = func.call @logarithm(%y) : (tensor<4xf32>) -> tensor<4xf32>
        stablehlo.return %n, %2 : tensor<i32>, tensor<4xf32>
      }
      %3 = "stablehlo.case"(%b) ({
        stablehlo.return %0#1 : tensor<4xf32>
      }, {
        stablehlo.return %x : tensor<4xf32>
      }, {
        stablehlo.return %x : tensor<4xf32>
      }) : (tensor<i32>) -> tensor<4xf32>
      return %3 : tensor<4xf32>
    }
    func.func private @logarithm(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.log %x : tensor<4xf32>
      return %0 : tensor<4xf32>
    }"""
    assert demands(text) == [({Domain.POSITIVE}, None), (set(), None), ({Domain.BRANCH}, 3)]


@pytest.mark.parametrize(
    "type_", [type_ for type_ in ELEMENT_TYPES.values() if type_.name != "index"], ids=str
)
def test_every_element_type_has_examples(type_: Any) -> None:
    drawn = example_of(TensorType((5, 7), type_), Demands(), Bits(1))
    assert (drawn.dtype, drawn.shape) == (type_.dtype, (5, 7))
    wide = drawn.astype(complex)
    assert np.isfinite(wide).all()
    assert np.abs(wide).max() <= (2 if type_.kind in (Kind.FLOAT, Kind.COMPLEX) else 7)
    assert np.unique(wide).size > 1
    assert (example_of(TensorType((2,), type_), Demands(), Bits(1), Filling.ONES).astype(complex) == 1).all()


def test_demands_are_met() -> None:
    f32, i8 = ELEMENT_TYPES["f32"], ELEMENT_TYPES["i8"]
    assert example_of(TensorType((99,), f32), Demands({Domain.POSITIVE}), Bits(0)).min() >= 0.25
    assert example_of(TensorType((99,), f32), Demands({Domain.ABOVE_ONE}), Bits(0)).min() >= 1.25
    assert example_of(TensorType((99,), i8), Demands({Domain.POSITIVE}), Bits(0)).min() == 1
    amounts = example_of(TensorType((99,), i8), Demands({Domain.AMOUNT}), Bits(0))
    assert (amounts.min(), amounts.max()) == (0, 7)
    indices = example_of(TensorType((99,), i8), Demands({Domain.INDEX}, 3), Bits(0))
    assert set(indices.tolist()) == {0, 1, 2}
    definite = example_of(TensorType((3, 6, 6), f32), Demands({Domain.DEFINITE}), Bits(0))
    assert (np.linalg.eigvalsh(definite) > 0.5).all()


def test_positive_numbers_stay_positive_in_products_and_sums() -> None:
    """The second moments of Adam: decayed, corrected, and then under a root; gradients may be negative."""
    text = """
    func.func @main(%v: tensor<4xf32>, %g: tensor<4xf32>, %c: tensor<f32>) -> tensor<4xf32> {
      %decay = stablehlo.constant dense<0.9> : tensor<4xf32>
      %0 = stablehlo.multiply %decay, %v : tensor<4xf32>
      %1 = stablehlo.multiply %g, %g : tensor<4xf32>
      %2 = stablehlo.add %0, %1 : tensor<4xf32>
      %3 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<4xf32>
      %4 = stablehlo.divide %2, %3 : tensor<4xf32>
      %5 = stablehlo.sqrt %4 : tensor<4xf32>
      return %5 : tensor<4xf32>
    }"""
    assert demands(text) == [({Domain.POSITIVE}, None), (set(), None), ({Domain.POSITIVE}, None)]
    difference = text.replace("stablehlo.add", "stablehlo.subtract")
    assert demands(difference)[0] == (set(), None)


def test_matrices_that_are_factorised_are_definite() -> None:
    """JAX symmetrizes the operand of `cholesky`, which becomes a call of LAPACK."""
    jax = pytest.importorskip("jax")
    program = hlokit.from_jax(jax.numpy.linalg.cholesky, np.zeros((5, 5), np.float32))
    (matrix,) = program.example_inputs()
    assert np.isfinite(program(matrix)).all()


def test_the_same_bytes_everywhere() -> None:
    """PCG64's stream from seed 3, as hexadecimal digits that its author's program gives, and what follows."""
    program = hlokit.load(GATHER)
    table, indices = program.example_inputs(3)
    expected = ((np.random.PCG64(3).random_raw(400) >> np.uint64(11)) + np.float64(0.5)) * 2.0**-52 - 1
    assert (table.ravel() == expected.astype(np.float32)).all()
    assert indices.max() < 50
    digest = hashlib.sha256(table.tobytes() + indices.tobytes()).hexdigest()
    again = program.example_inputs(3)
    assert digest == hashlib.sha256(again[0].tobytes() + again[1].tobytes()).hexdigest()
    assert (program.example_inputs(4)[0] != table).any()


def test_open_dimensions_have_a_size() -> None:
    program = hlokit.load(
        "func.func @main(%x: tensor<?x2xf32>, %y: tensor<?xi8, #stablehlo.bounds<3>>) { return }"
    )
    assert [array.shape for array in program.example_inputs()] == [(4, 2), (3,)]
    assert [array.shape for array in program.example_inputs(size=2)] == [(2, 2), (2,)]


def test_trees_of_jax() -> None:
    jax = pytest.importorskip("jax")
    program = hlokit.from_jax(
        lambda p, x: p["w"] @ x + p["b"], {"w": jax.numpy.ones((2, 3)), "b": 1.0}, jax.numpy.ones(3)
    )
    parameters, x = program.example_inputs()
    assert (parameters["w"].shape, x.shape) == ((2, 3), (3,))
    assert program(parameters, x).shape == (2,)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"fill": "twos"}, "fill must be random, zeros or ones, got twos"),
        ({"fill": np.zeros(2)}, "fill must be one of 'random', 'zeros', 'ones', got array"),
        ({"seed": -1}, "must not be negative, got -1"),
        ({"function": "f"}, "f"),
    ],
)
def test_wrong_wishes(options: dict[str, Any], message: str) -> None:
    with pytest.raises(hlokit.ArgumentError, match=message):
        hlokit.load(GATHER).example_inputs(**options)


def test_a_fresh_process_knows_the_operands_of_operations() -> None:
    """`hlokit.load` imports no classes of operations."""
    code = f"import hlokit; print(hlokit.load({GATHER!r}).example_inputs()[1].max() < 50)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (run.stdout, run.returncode) == ("True\n", 0), run.stderr


def test_sizes_with_names() -> None:
    pytest.importorskip("jax")
    from jax import ShapeDtypeStruct, export, jit

    n, m = export.symbolic_shape("n, m", constraints=["m >= 2", "mod(n, 8) == 0"])
    types = ShapeDtypeStruct((n, m), "float32"), ShapeDtypeStruct((2 * m - 1, m), "float32")
    exported = export.export(jit(lambda x, y: x @ y.T))(*types)
    blob, bytecode = hlokit.load(bytes(exported.serialize())), hlokit.load(exported.mlir_module_serialized)
    for program in (blob, bytecode):
        x, y = program.example_inputs(size={"m": 3})
        assert (x.shape, y.shape) == ((8, 3), (5, 3))
        assert program(x, y).shape == (8, 5)
        assert program.example_inputs()[1].shape == (7, 4)
        for size, message in (
            ({"k": 3}, "size must be one of n, m, got k"),
            ({"n": 3}, "no sizes meet the program's constraints, with n=3"),
        ):
            with pytest.raises(hlokit.ArgumentError, match=message):
                program.example_inputs(size=size)
    with pytest.raises(hlokit.ArgumentError, match="a number: the program has no names, got n"):
        hlokit.load(GATHER).example_inputs(size={"n": 3})


def test_constraints_of_a_hostile_file_end() -> None:
    """Powers of powers have more digits than a machine has memory."""
    power = f"{'(' * 9}9*n){'^16)' * 8}^16"
    text = f"""
    func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {{
      %ok = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.custom_call @shape_assertion(%ok) {{error_message = "args[0].shape = (n). Obtained constraint n \
Expected '{power}' to be equal to 0", has_side_effect = true}} : (tensor<i1>) -> ()
      return %x : tensor<?xf32>
    }}"""
    (x,) = hlokit.load(text).example_inputs()
    assert x.shape == (4,)


def test_parameters_are_followed_out_of_the_calls_that_hand_them_on() -> None:
    """Regression: JAX's indices pass through a call of @_where, and drew rows that the table does not have."""
    select = "%2 = stablehlo.select %0, %1, %i : tensor<3xi1>, tensor<3xi32>"
    call = "%2 = call @_where(%0, %1, %i) : (tensor<3xi1>, tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>"
    where = """
    func.func private @_where(%c: tensor<3xi1>, %x: tensor<3xi32>, %y: tensor<3xi32>) -> tensor<3xi32> {
      %0 = stablehlo.select %c, %x, %y : tensor<3xi1>, tensor<3xi32>
      return %0 : tensor<3xi32>
    }"""
    other = """
    func.func private @other(%c: tensor<3xi1>, %n: tensor<3xi32>) -> tensor<3xi32> {
      %0 = call @_where(%c, %n, %n) : (tensor<3xi1>, tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
      return %0 : tensor<3xi32>
    }"""
    assert select in GATHER
    assert demands(GATHER.replace(select, call) + where + other) == demands(GATHER)


def test_functions_that_a_called_function_calls_take_other_arguments() -> None:
    """Regression: the argument of a call was followed into all functions that the call reaches."""
    text = """
    func.func @main(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
      %0 = call @outer(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      return %0 : tensor<f32>
    }
    func.func private @outer(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
      %0 = call @inner(%b) : (tensor<f32>) -> tensor<f32>
      %1 = stablehlo.add %a, %0 : tensor<f32>
      return %1 : tensor<f32>
    }
    func.func private @inner(%x: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.log %x : tensor<f32>
      return %0 : tensor<f32>
    }"""
    assert demands(text) == [(set(), None), ({Domain.POSITIVE}, None)]


def test_a_thousand_parameters_of_one_sum() -> None:
    count = 1000
    names = [f"%a{n}" for n in range(count)]
    parameters = ", ".join(f"{name}: tensor<f32>" for name in names)
    lines = [
        f"%r{n} = stablehlo.add %{f'r{n - 1}' if n > 1 else 'a0'}, %a{n} : tensor<f32>"
        for n in range(1, count)
    ]
    last = f"%r{count - 1}"
    text = f"""
    func.func @main({parameters}) -> tensor<f32> {{
      {chr(10).join(lines)}
      %logarithm = stablehlo.log {last} : tensor<f32>
      return %logarithm : tensor<f32>
    }}
    """
    module = hlokit.load(text).module
    followed = Counter[str]()
    real = uses.domains_of

    def counted(operation: Any) -> Any:
        followed[operation.name] += 1
        return real(operation)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(uses, "domains_of", counted)
        demands_of(functions(module)["main"], module)
    assert followed.total() <= 110_000
