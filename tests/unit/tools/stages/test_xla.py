"""The stages of XLA:CPU: the programs of docs/findings are attributed to the stage that is known to be at fault.

Which stage that is was found without hlokit: a pass is at fault if `--xla_disable_hlo_passes` cures the program.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import hlokit
from hlokit.tools.stages.report import StagesReport
from hlokit.tools.stages.run import certify
from hlokit.tools.stages.settings import Settings

FINDINGS = Path(__file__).parents[4] / "docs" / "findings"
GUILTY = {
    "window_reversal": "algsimp",
    "sort_iota": "topk-rewriter",
    "reduce_promoted": "conversion",
    "reduce_constant_body": "conversion",
    "rng_bit_generator_type": "conversion",
    "sign_subnormal": "code generation",
    "remainder": "code generation",
    "reduce_precision_nan": "code generation",
    "cbrt_subnormal": "code generation",
    "power_integer": "code generation",
    "add_i4": "float-normalization-s4",
}
CRASHES = ("bitcast_convert_complex", "compare_f6", "scatter_same_operands")


def certified(name: str) -> StagesReport:
    return certify(hlokit.load(FINDINGS / f"xla_{name}.mlir"), settings=Settings(flush="none"))


@pytest.mark.sample("window_reversal", "remainder")
@pytest.mark.parametrize("name", GUILTY)
def test_findings_are_attributed(name: str) -> None:
    report = certified(name)
    assert report.status == 1
    assert report.first is not None
    assert report.first.name == GUILTY[name]
    others = [stage for stage in report.stages if stage is not report.first]
    assert all(stage.verdict in ("equal", "same", "within") for stage in others)


@pytest.mark.deep
@pytest.mark.parametrize("name", CRASHES)
def test_crashes_end_with_the_last_stage(name: str) -> None:
    report = certified(name)
    assert report.status == 2
    assert [stage.verdict for stage in report.stages].index("unknown") == len(report.stages) - 1
    assert "its process died of SIG" in report.stages[-1].note


def test_a_right_compilation_accuses_no_stage() -> None:
    program = hlokit.load(
        """
        func.func @other(%x: tensor<8x16xf32>, %n: tensor<i32>) -> (tensor<8x8xf32>, tensor<i32>) {
          %d = stablehlo.dot_general %x, %x, contracting_dims = [1] x [1] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x8xf32>
          %e = stablehlo.exponential %d : tensor<8x8xf32>
          %m = stablehlo.multiply %n, %n : tensor<i32>
          return %e, %m : tensor<8x8xf32>, tensor<i32>
        }
        """
    )
    report = certify(program, *program.example_inputs(), settings=Settings("other"))
    assert report.status == 0
    assert report.stages[-1].name == "code generation"
    assert report.stages[-1].verdict in ("same", "within")
    assert {stage.verdict for stage in report.stages} <= {"equal", "same", "within"}
