"""The pipelines by name: their output, and their errors."""

from __future__ import annotations

import pytest

from hlokit.errors import PassError
from hlokit.mlir.parse import parse_text
from hlokit.mlir.provider.context import make_context
from hlokit.mlir.queries.module import functions
from hlokit.passes import pipelines, unrealized_casts
from hlokit.passes.framework.registry import Options
from hlokit.passes.pipeline import run_pipeline, stage_of
from hlokit.passes.table import PASSES

CONTEXT = make_context()
NO_OPTIONS = Options({})
UNKNOWN_SIZES = """func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = chlo.broadcast_add %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}"""
OLD = """"vhlo.func_v1"() ({
^bb0(%arg0: !vhlo.tensor_v1<2x!vhlo.f32_v1>):
  "vhlo.return_v1"(%arg0) : (!vhlo.tensor_v1<2x!vhlo.f32_v1>) -> ()
}) {
  arg_attrs = #vhlo.array_v1<[]>, res_attrs = #vhlo.array_v1<[]>, sym_visibility = #vhlo.string_v1<"">,
  function_type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.tensor_v1<2x!vhlo.f32_v1>) -> !vhlo.tensor_v1<2x!vhlo.f32_v1>>>,
  sym_name = #vhlo.string_v1<"old">
} : () -> ()
"""


def test_both_are_passes_by_name() -> None:
    assert PASSES["stablehlo-deserialize"] is pipelines.DESERIALIZE
    assert PASSES["chlo-pre-serialization-pipeline"] is pipelines.PRE_SERIALIZATION
    assert PASSES["reconcile-unrealized-casts"] is unrealized_casts.PASS


def test_deserialize() -> None:
    module = parse_text(CONTEXT, OLD)
    pipelines.DESERIALIZE.run(module.operation, NO_OPTIONS)
    assert list(functions(module)) == ["old"]
    assert "vhlo" not in str(module)


def test_deserialize_leaves_stablehlo_as_it_is() -> None:
    module = parse_text(
        CONTEXT, "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> { return %a : tensor<2xf32> }"
    )
    before = str(module)
    pipelines.DESERIALIZE.run(module.operation, NO_OPTIONS)
    assert str(module) == before


@pytest.mark.parametrize("run", ["alone", "as a stage"])
def test_a_failure_names_the_error_and_its_location(run: str) -> None:
    module = parse_text(CONTEXT, UNKNOWN_SIZES, "sizes.mlir")
    with pytest.raises(PassError) as caught:
        if run == "alone":
            pipelines.PRE_SERIALIZATION.run(module.operation, NO_OPTIONS)
        else:
            run_pipeline(module, [stage_of("chlo-pre-serialization-pipeline", "")], "sizes.mlir")
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.message.startswith("failed to legalize operation 'shape.cstr_broadcastable'")
    assert (diagnostic.line, diagnostic.column) == (2, 8)


def test_a_failure_names_the_file_of_a_program_that_has_no_name() -> None:
    module = parse_text(CONTEXT, UNKNOWN_SIZES)
    with pytest.raises(PassError) as caught:
        run_pipeline(module, [stage_of("chlo-pre-serialization-pipeline", "")], "sizes.mlir")
    assert [(each.file, each.line) for each in caught.value.diagnostics] == [("sizes.mlir", 2)]


def test_casts_are_reconciled_within_one_operation_only() -> None:
    text = """func.func @cast(%a: index) -> index {
  %0 = builtin.unrealized_conversion_cast %a : index to i32
  %1 = builtin.unrealized_conversion_cast %0 : i32 to index
  return %1 : index
}"""
    module = parse_text(CONTEXT, f"{text}\n{text.replace('@cast', '@other')}")
    unrealized_casts.reconcile(functions(module)["cast"])
    assert str(module).count("unrealized_conversion_cast") == 2
    unrealized_casts.reconcile(module.operation)
    assert "unrealized_conversion_cast" not in str(module)


def test_complex_elements_in_attributes_do_not_end_inlining() -> None:
    # The bindings have no class for these.
    complex_ = "mhlo.c = dense<(1.0, 2.0)> : tensor<complex<f32>>"
    module = parse_text(
        CONTEXT,
        f"""
        func.func @main(%x: tensor<f32>) -> tensor<f32> {{
          %0 = stablehlo.add %x, %x {{{complex_}, mhlo.d = {{{complex_}}}}} : tensor<f32>
          %1 = func.call @f(%0) : (tensor<f32>) -> tensor<f32>
          return %1 : tensor<f32>
        }}
        func.func private @f(%x: tensor<f32>) -> tensor<f32> {{ return %x : tensor<f32> }}""",
    )
    inline = PASSES["inline"]
    with CONTEXT:
        inline.run(module.operation, Options({option.name: option.default for option in inline.options}))
    text = str(module)
    assert "call" not in text
    assert "@f" not in text
    assert text.count("dense<(1.000000e+00,2.000000e+00)>") == 2
