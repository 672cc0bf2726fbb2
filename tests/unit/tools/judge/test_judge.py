"""Tricks are named, legitimate variants are accepted."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import hlokit
from hlokit.cli.main import main
from hlokit.errors import ArgumentError
from hlokit.tools.judge.distances import shares, wrong_elements
from unit.tools.judge import library_kernels, other_kernels, serving_kernels
from unit.tools.judge.definitions import DEFINITIONS, WRONG, right
from unit.tools.judge.other_kernels import Row

# NumPy warns where inputs hurt.
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")
RIGHT = list(right())
# For the short suite.
FEW = ("blocks of 5", "flash, blocks of 3", "compensated", "skips what is hidden", "matrix")
FEW_WRONG = (
    "zeros",
    "cached",
    "row",
    "operands bf16",
    "buffer",
    "in place",
    "f64 result",
    "error",
    "no tail",
)
FEW_OTHERS = (
    "pytree",
    "cholesky near singularity",
    "bf16 softmax in f32",
    "triangular solution by an inverse",
)
FEW_OTHERS_WRONG = (
    "bf16 sums in pairs",
    "row that nothing writes",
    "drops small factors",
    "solution without NaN",
)
TRICKS = {**library_kernels.WRONG, **serving_kernels.WRONG}
SUMS = """func.func @main(%x: tensor<?x5xf32>) -> tensor<?xf32> {
  %0 = stablehlo.constant dense<0.0> : tensor<f32>
  %1 = stablehlo.reduce(%x init: %0) applies stablehlo.add across dimensions = [1] : (tensor<?x5xf32>, tensor<f32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
"""


def judged(definition: str, candidate: object) -> hlokit.Judgement:
    function, arguments = DEFINITIONS[definition]
    return hlokit.judge(function, candidate, *arguments)


def refused(names: tuple[str, ...]) -> list[str]:
    chosen = [row for row in RIGHT if not names or row[1] in names]
    judgements = [(name, judged(definition, function)) for definition, name, function in chosen]
    assert len(chosen) >= len(names)
    return [f"{name}: {judgement}" for name, judgement in judgements if judgement.outcome != "right"]


def test_legitimate_variants_are_right() -> None:
    assert refused(FEW) == []


@pytest.mark.deep
def test_all_legitimate_variants_are_right() -> None:
    assert len(RIGHT) >= 60
    assert refused(()) == []


@pytest.mark.parametrize(
    "names", [FEW_WRONG, pytest.param(tuple(WRONG), marks=pytest.mark.deep)], ids=["few", "all"]
)
def test_tricks_are_named(names: tuple[str, ...]) -> None:
    missed: list[str] = []
    for name in names:
        definition, function, words = WRONG[name]
        fresh = function() if isinstance(function, type) else function
        judgement = judged(definition, fresh)
        if judgement.outcome not in ("wrong", "suspicious") or words not in str(judgement):
            missed.append(f"{name}: {words} is not in\n{judgement}")
    assert missed == []


@pytest.mark.parametrize(
    "names",
    [FEW_OTHERS, pytest.param(tuple(other_kernels.RIGHT), marks=pytest.mark.deep)],
    ids=["few", "all"],
)
def test_kernels_of_other_kinds(names: tuple[str, ...]) -> None:
    rows = [(name, other_kernels.RIGHT[name]) for name in names]
    judgements = [hlokit.judge(definition, kernel, *arguments) for _, (definition, arguments, kernel) in rows]
    assert [str(judgement) for judgement in judgements if judgement.outcome != "right"] == []
    near = judgements[names.index("cholesky near singularity")]
    assert "elements are decided by roundings of the arguments" in str(near)


@pytest.mark.parametrize(
    "names",
    [FEW_OTHERS_WRONG, pytest.param(tuple(other_kernels.WRONG), marks=pytest.mark.deep)],
    ids=["few", "all"],
)
def test_tricks_of_other_kinds(names: tuple[str, ...]) -> None:
    missed: list[str] = []
    for name in names:
        (definition, arguments, kernel), words = other_kernels.WRONG[name]
        judgement = hlokit.judge(definition, kernel() if name in other_kernels.MAKERS else kernel, *arguments)
        is_named = judgement.outcome in ("wrong", "suspicious") and words in str(judgement)
        is_row = any("leaves out rows" in finding for finding in judgement.findings)
        if not is_named or is_row != ("rows" in words):
            missed.append(f"{name}: {words}\n{judgement}")
    assert missed == []


@pytest.mark.deep
@pytest.mark.parametrize(
    "kernels", [library_kernels.RIGHT, serving_kernels.RIGHT], ids=["libraries", "serving"]
)
def test_kernels_of_libraries(kernels: dict[str, Row]) -> None:
    rows = kernels.values()
    judgements = [hlokit.judge(definition, kernel, *arguments) for definition, arguments, kernel in rows]
    assert [str(judgement) for judgement in judgements if judgement.outcome != "right"] == []


@pytest.mark.parametrize(
    "names",
    [
        ("bf16x3", "Strassen", "weights in bytes", "pairs that saturate", "shifted sums that saturate"),
        pytest.param(tuple(TRICKS), marks=pytest.mark.deep),
    ],
    ids=["few", "all"],
)
def test_tricks_of_libraries(names: tuple[str, ...]) -> None:
    missed: list[str] = []
    for name in names:
        (definition, arguments, kernel), words = TRICKS[name]
        fresh = kernel() if name in library_kernels.MAKERS else kernel
        judgement = hlokit.judge(definition, fresh, *arguments)
        if judgement.outcome not in ("wrong", "suspicious") or words not in str(judgement):
            missed.append(f"{name}: {words}\n{judgement}")
    assert missed == []


def test_a_long_way_to_a_product() -> None:
    """Regression: it was followed by recursion."""
    lines = [f"%{n + 1} = stablehlo.reverse %{n}, dims = [0] : tensor<4xi8>" for n in range(1100)]
    program = hlokit.load(f"""func.func @main(%0: tensor<4xi8>, %w: tensor<4xi8>) -> tensor<i32> {{
      {chr(10).join(lines)}
      %r = stablehlo.dot_general %1100, %w, contracting_dims = [0] x [0] : (tensor<4xi8>, tensor<4xi8>) -> tensor<i32>
      return %r : tensor<i32>
    }}""")
    assert hlokit.judge(program, program).outcome == "right"


def test_many_ways_to_no_product() -> None:
    """Regression: each of 2**40 was followed."""
    lines = [f"%{n + 1} = stablehlo.select %p, %{n}, %{n} : tensor<4xi1>, tensor<4xi8>" for n in range(40)]
    program = hlokit.load(f"""func.func @main(%p: tensor<4xi1>, %0: tensor<4xi8>) -> tensor<4xi8> {{
      {chr(10).join(lines)}
      return %40 : tensor<4xi8>
    }}""")
    assert hlokit.judge(program, program).outcome == "right"


def test_candidates_are_called_with_the_keywords_of_the_definition() -> None:
    x = np.arange(3, dtype=np.float32)

    def scaled(x: np.ndarray, *, factor: np.ndarray) -> np.ndarray:
        return x * factor

    for kernel in (scaled, lambda x, y: x * y):  # the second one does not know the keyword
        assert hlokit.judge(scaled, kernel, x, factor=np.float32(3)).outcome == "right"


def test_numbers_that_become_infinite_are_wrong() -> None:
    def overflowing(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        product = a @ b
        return np.where(np.abs(product) > 3e4, np.float32(np.inf), product)

    judgement = judged("matmul", overflowing)
    assert "result 0 has NaN or infinity where numbers are right" in str(judgement)


def test_a_wrong_formula_is_no_lower_precision() -> None:
    judgement = judged("layer_norm", WRONG["unbiased"][1])
    assert not [finding for finding in judgement.findings if "the errors are those of" in finding]


def test_products_of_parts_are_within_what_is_narrower() -> None:
    definition, arguments, kernel = library_kernels.WRONG["bf16x3"][0]
    assert hlokit.judge(definition, kernel, *arguments, allow=["tf32"]).outcome == "right"


def test_what_the_caller_or_the_program_allows() -> None:
    function, arguments = DEFINITIONS["matmul"]
    narrow = WRONG["operands tf32"][1]
    assert hlokit.judge(function, narrow, *arguments, allow=["tf32"]).outcome == "right"
    assert hlokit.judge(function, WRONG["operands bf16"][1], *arguments, allow=["tf32"]).outcome != "right"
    assert hlokit.judge(function, WRONG["last term"][1], *arguments, allow=["tf32"]).outcome != "right"
    with pytest.raises(ArgumentError, match="allow must be among"):
        hlokit.judge(function, narrow, *arguments, allow=["tf16"])


def test_open_dimensions_get_uneven_sizes() -> None:
    sizes: list[int] = []

    def sums(x: np.ndarray) -> np.ndarray:
        sizes.append(len(x))
        return x.sum(-1) if len(x) != 129 else np.zeros(129, np.float32)

    judgement = hlokit.judge(hlokit.load(SUMS), sums)
    assert {1, 3, 127, 129} <= set(sizes)
    assert [call.trial for call in judgement.calls if call.verdict == "wrong"] == [
        "open dimensions of size 129"
    ]


def test_programs_and_functions_of_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    definition, other = tmp_path / "a.mlir", tmp_path / "b.mlir"
    text = "func.func @main(%x: tensor<3xi8>) -> tensor<3xi8> {\n  %0 = stablehlo.add %x, %x : tensor<3xi8>\n  return %0 : tensor<3xi8>\n}\n"
    more = "func.func @none() {\n  return\n}\nfunc.func @token(%t: !stablehlo.token) -> !stablehlo.token {\n  return %t : !stablehlo.token\n}\n"
    definition.write_text(text + more)
    other.write_text(text.replace("add", "multiply"))
    assert main(["judge", str(definition), str(definition)]) == 0
    assert f"{definition} against {definition}: right" in capsys.readouterr().out
    assert main(["judge", str(definition), str(other), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["outcome"] == "wrong"
    for words, message in (
        (["nothing"], "a candidate must be a program, MODULE:FUNCTION, or one of xla"),
        (["xla", "--function=none"], "must be tensors, got no results"),
        (["xla", "--function=token"], "must be tensors, got !stablehlo.token"),
        ([str(other), "--allow=f7"], "allow must be among"),
    ):
        assert main(["judge", str(definition), *words]) == 2
        assert message in capsys.readouterr().err


@pytest.mark.deep
def test_functions_of_modules_run_in_their_own_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "kernels.py").write_text("import os\ndef right(x): return x + x\ndef dies(x): os._exit(3)\n")
    program = hlokit.load(SUMS.replace("?x5", "4").replace("?x", "").replace("[1]", "[0]"))
    assert hlokit.judge(program, "kernels:dies").outcome == "wrong"
    with pytest.raises(hlokit.ArgumentError, match="cannot import kernels:nothing: AttributeError"):
        hlokit.judge(program, "kernels:nothing")


def test_distances() -> None:
    one = np.array([1, np.inf, np.nan, 0, 1e-40, 3e38], np.float32)
    same = shares(one, one.copy(), np.zeros(6))
    assert same.tolist() == [0] * 6
    other = np.array([1.5, 1, 1, 0, 0, np.inf], np.float32)
    assert shares(one, other, np.array([1, 1, 1, 0, 0, 1e38])).tolist() == [0.5, np.inf, np.inf, 0, 0, 0]
    assert wrong_elements(one, other.astype(np.float64), np.zeros(6)) is None
