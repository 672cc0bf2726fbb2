"""`hlokit.reduce`: programs become small, and keep their fault."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hlokit
from hlokit.cli.main import main
from hlokit.cli.streams.outputs import save_arguments
from hlokit.tools.diff.comparing.verdicts import Comparison, Verdict
from hlokit.tools.diff.run import diff
from hlokit.tools.excerpts.build import Excerpt
from hlokit.tools.reduce import predicates
from hlokit.tools.reduce.kinds import is_same_difference, kind_of_difference, kind_of_message
from hlokit.tools.reduce.predicates import Outcome, Spec
from hlokit.tools.reduce.report import Effort, Origin, Reduction
from hlokit.tools.reduce.search import InProcess, Search, shrink
from hlokit.values.tensor import Token
from unit.tools.reduce.programs import CHAIN, LOOP, WRONG_TOGETHER, chain


def has(*words: str) -> Callable[..., bool]:
    """Keeps programs in whose text the words are found."""

    def keep(program: hlokit.Program, *arguments: Any) -> bool:
        text = program.text()
        return all(word in text for word in words)

    return keep


def names(made: hlokit.Reduction) -> list[str]:
    """The operations of a reduced program, in order."""
    words = [word for line in made.program.text().split("\n") for word in line.replace("(", " ").split()]
    skipped = ("stablehlo.constant", "stablehlo.optimization_barrier")
    return [word for word in words if word.startswith("stablehlo.") and word not in skipped]


# Predicates ---------------------------------------------------------------------------------------


@pytest.mark.deep
def test_a_divergence_of_xla_in_a_chain() -> None:
    text = chain(60, "%f = stablehlo.power %n, %big : tensor<4x8xi32>")
    made = hlokit.reduce(hlokit.load(text), *CHAIN, keep="diverges:xla")
    assert names(made) == ["stablehlo.power"]
    assert made.after == 1
    assert made.largest == 1
    assert made.arguments == ()
    assert diff(made.program, against="xla").status == 1
    expected = hlokit.load(made.text)()
    assert str(np.asarray(expected)[made.outcome.index]) == made.outcome.expected


@pytest.mark.deep
def test_nan_beside_tuples_of_different_shapes() -> None:
    type_ = "tuple<tensor<3xf32>, tensor<2x2xf32>>"
    program = hlokit.load(f"""func.func @main(%x: tensor<3xf32>, %y: tensor<2x2xf32>) -> tensor<3xf32> {{
      %t = stablehlo.tuple %x, %y : {type_}
      %0 = stablehlo.get_tuple_element %t[0] : ({type_}) -> tensor<3xf32>
      %1 = stablehlo.log %0 : tensor<3xf32>
      return %1 : tensor<3xf32>
    }}""")
    small = hlokit.reduce(program, -np.ones(3, np.float32), np.ones((2, 2), np.float32), keep="nan", jobs=1)
    assert names(small) == ["stablehlo.log"]


@pytest.mark.deep
def test_a_divergence_within_a_called_function_in_a_loop() -> None:
    made = hlokit.reduce(hlokit.load(LOOP), np.int32(3), keep="diverges:xla")
    assert names(made) == ["stablehlo.power"]
    assert made.largest == 1


def test_the_operation_that_makes_nan() -> None:
    text = chain(12, "%f = stablehlo.log %x : tensor<4x8xf32>")
    made = hlokit.reduce(hlokit.load(text), *CHAIN, keep="nan", jobs=1)
    assert names(made) == ["stablehlo.log"]
    assert np.isnan(np.asarray(hlokit.load(made.text)())).all()


def test_an_error_of_hlokit() -> None:
    text = chain(10, "%f = stablehlo.custom_call @nobody_has_it(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>")
    made = hlokit.reduce(hlokit.load(text), *CHAIN, keep="error:nobody_has_it", jobs=1)
    assert names(made) == ["stablehlo.custom_call"]
    with pytest.raises(hlokit.UnsupportedError, match="nobody_has_it"):
        hlokit.load(made.text)()


TWO_FAULTS = """func.func @main(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = stablehlo.add %x, %x : tensor<4x8xf32>
  %1 = stablehlo.log %0 : tensor<4x8xf32>
  %2 = stablehlo.sqrt %0 : tensor<4x8xf32>
  %3 = stablehlo.negate %1 : tensor<4x8xf32>
  return %2, %3 : tensor<4x8xf32>, tensor<4x8xf32>
}"""


@pytest.mark.deep
def test_the_same_operation_makes_the_first_nan() -> None:
    made = hlokit.reduce(hlokit.load(TWO_FAULTS), -np.ones((4, 8), np.float32), keep="nan", jobs=1)
    assert names(made) == ["stablehlo.log"], "the square root alone gives a NaN, too"
    assert made.outcome.what == "a result has a NaN, which stablehlo.log makes"


def test_the_error_is_the_same_and_has_the_lines_of_the_text() -> None:
    text = chain(
        4,
        """%p = stablehlo.custom_call @first(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>
        %f = stablehlo.custom_call @second(%p) : (tensor<4x8xf32>) -> tensor<4x8xf32>""",
    )
    made = hlokit.reduce(hlokit.load(text), *CHAIN, keep="error:no function is registered", jobs=1)
    assert "@first" in made.program.text()
    assert "@second" not in made.program.text()
    lines = made.text.split("\n")
    (number,) = [n for n, line in enumerate(lines, 1) if "custom_call @first" in line]
    assert f"at a.mlir:{number}:" in made.report("a.mlir")


@pytest.mark.parametrize(
    ("one", "other", "are_same"),
    [
        ("index 5 of tensor<4xf32> is beyond 4", "index 1 of tensor<1x1xf32> is beyond 0", True),
        ("Check failed: a == b (3 vs. 4)", "Check failed: a == b (1 vs. 0)", True),
        ("Check failed: a == b (3 vs. 4)", "Check failed: a == c (3 vs. 4)", False),
        ("operand #3 of '%2' in /tmp/a/b.mlir", "operand #0 of '%x' in /tmp/c/d.mlir", True),
        ("shape [1, 2, 3]", "shape [7]", True),
        ("its process died of SIGSEGV", "its process died of SIGABRT", False),
    ],
)
def test_kinds_of_messages(one: str, other: str, are_same: bool) -> None:
    assert (kind_of_message(one) == kind_of_message(other)) == are_same


@pytest.mark.parametrize(
    ("original", "candidate", "is_kept"),
    [
        (("beyond", "1.0", "-1.0"), ("beyond", "2.0", "3.0"), True),
        (("beyond", "1.0", "-1.0"), ("beyond", "1.0", "1.0000001"), False),
        (("beyond", "1.0", "1.0000001"), ("beyond", "1.0", "-1.0"), True),
        (("not-finite", "nan", "1.0"), ("not-finite", "nan", "2.0"), True),
        (("not-finite", "nan", "1.0"), ("not-finite", "1.0", "inf"), False),
        (("beyond", "1.0", "-1.0"), ("not-finite", "1.0", "inf"), False),
        (("type", "f32[2]", "f16[2]"), ("type", "f32[1]", "f16[1]"), True),
    ],
)
def test_kinds_of_differences(
    original: tuple[Verdict, str, str], candidate: tuple[Verdict, str, str], is_kept: bool
) -> None:
    one, other = (
        Comparison(verdict, expected=expected, actual=actual)
        for verdict, expected, actual in (original, candidate)
    )
    assert is_same_difference(kind_of_difference(other), kind_of_difference(one)) == is_kept


def test_long_arguments_are_in_a_file_beside_the_program() -> None:
    made = hlokit.reduce(hlokit.load(TWO_FAULTS), -np.ones((4, 8), np.float32), keep="nan", jobs=1)
    random = np.random.default_rng(0).standard_normal((30, 30)).astype(np.float32)
    kept = replace(made, arguments=(random, np.float32(1)))
    assert kept.needs_arguments
    assert kept.command("a b.mlir") == "hlokit run 'a b.mlir' 'a b.npz'"
    short = replace(made, arguments=(np.float32(1),))
    assert not short.needs_arguments
    assert short.command() == "hlokit run small.mlir 'dense<1.000000e+00> : tensor<f32>'"


@pytest.mark.deep
def test_a_crash_of_another_side() -> None:
    text = chain(10, "%f = stablehlo.divide %n, %zero : tensor<4x8xi32>")
    made = hlokit.reduce(hlokit.load(text), *CHAIN, keep="crashes:eval-module")
    assert names(made) == ["stablehlo.divide"]
    assert "SIGFPE" in made.outcome.what


@pytest.mark.deep
def test_programs_that_another_side_does_not_support() -> None:
    text = chain(10, "%f = stablehlo.custom_call @nobody_has_it(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>")
    made = hlokit.reduce(hlokit.load(text), *CHAIN, keep="error@xla:nobody_has_it")
    assert names(made) == ["stablehlo.custom_call"]
    assert made.command().startswith("hlokit diff small.mlir --against=xla")


def test_the_command_names_the_whole_side() -> None:
    """Regression: of `error@iree:vmvx:REGEX`, the command had the side `iree`."""
    text = chain(10, "%f = stablehlo.custom_call @nobody_has_it(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>")
    made = hlokit.reduce(hlokit.load(text), *CHAIN, keep="error:nobody_has_it", jobs=1)
    vmvx = replace(made, keep="error@iree:vmvx:nobody", spec=Spec("fails", "iree:vmvx", "nobody"))
    assert vmvx.command().startswith("hlokit diff small.mlir ")
    assert vmvx.command().endswith(" --against=iree:vmvx --mode=whole")


def test_tokens_are_no_inputs_of_commands(tmp_path: Path) -> None:
    program = hlokit.load(LOOP)
    origin, effort = Origin(program, "main", "test {module}", Spec("command")), Effort(1, 0.0, True)
    made = Reduction.of_one(program, Outcome(True), origin, effort, largest=1, operations=1)
    values = [CHAIN[0], np.asarray(Token())]
    made = replace(made, arguments=values, checks_itself=False)
    assert made.command() == "test small.mlir"
    save_arguments(str(tmp_path / "small.npz"), values)
    with np.load(tmp_path / "small.npz") as archive:
        assert archive.files == ["input_0"]


def test_a_command(tmp_path: Path) -> None:
    text = chain(12, "%f = stablehlo.atan2 %x, %x : tensor<4x8xf32>")
    made = hlokit.reduce(hlokit.load(text), *CHAIN, keep="grep -q atan2 {module}", jobs=1)
    assert names(made) == ["stablehlo.atan2"]
    assert made.command("small.mlir") == "grep -q atan2 small.mlir"


# Python without numpy starts in a third of the time; the data of an .npy file follow 128 bytes.
NEGATIVE = """import sys, zipfile, array
data = array.array('f', zipfile.ZipFile(sys.argv[1]).read('input_0.npy')[128:])
sys.exit(not any(value < -0.5 for value in data))"""


def test_a_command_that_reads_inputs(tmp_path: Path) -> None:
    script = tmp_path / "negative.py"
    script.write_text(NEGATIVE)
    text = chain(3, "%f = stablehlo.tanh %x : tensor<4x8xf32>")
    keep = f"{sys.executable} -S -E {script} {{inputs}} {{module}}"
    made = hlokit.reduce(hlokit.load(text), *CHAIN, keep=keep, jobs=1)
    assert len(made.arguments) == 1, "constants in the program are no inputs"
    assert made.arguments[0].min() < -0.5


def test_a_function_decides_on_operations_that_depend_on_each_other() -> None:
    def keep(program: hlokit.Program, *arguments: Any) -> bool:
        lines = program.text().split("\n")
        sines = [line.split(" = ")[0].strip() for line in lines if "stablehlo.sine" in line]
        return any(f"stablehlo.cosine {name} :" in line for name in sines for line in lines)

    text = chain(50, "%a = stablehlo.sine %x : tensor<4x8xf32>\n%f = stablehlo.cosine %a : tensor<4x8xf32>")
    made = hlokit.reduce(hlokit.load(text), *CHAIN, keep=keep)
    assert names(made) == ["stablehlo.sine", "stablehlo.cosine"]
    assert made.largest == 1


@pytest.mark.deep
def test_operations_that_are_wrong_together_only_are_found(tmp_path: Path) -> None:
    script = tmp_path / "side.py"
    script.write_text(WRONG_TOGETHER)
    text = chain(4, "%a = stablehlo.sine %x : tensor<4x8xf32>\n%f = stablehlo.cosine %a : tensor<4x8xf32>")
    keep = f"diverges:cmd:{sys.executable} {script} {{module}} {{inputs}} {{outputs}}"
    made = hlokit.reduce(hlokit.load(text), *CHAIN, keep=keep)
    assert sorted(names(made)) == ["stablehlo.cosine", "stablehlo.sine"]
    assert made.largest == 1


@pytest.fixture(scope="module")
def wrong_power() -> hlokit.Reduction:
    """The results of the whole program are equal: the differing value is multiplied by zero."""
    text = chain(
        6,
        """%p = stablehlo.power %n, %big : tensor<4x8xi32>
        %f = stablehlo.multiply %p, %zero : tensor<4x8xi32>""",
    )
    return hlokit.reduce(hlokit.load(text), *CHAIN, keep="diverges:xla", jobs=1)


def test_an_operation_that_is_wrong_by_itself_only_is_found(wrong_power: hlokit.Reduction) -> None:
    assert names(wrong_power) == ["stablehlo.power"]


# Results -----------------------------------------------------------------------------------


def test_the_number_of_processes_makes_no_difference() -> None:
    text = chain(2, "%a = stablehlo.sine %x : tensor<4x8xf32>\n%f = stablehlo.cosine %a : tensor<4x8xf32>")
    keep = "sh -c 'grep -q cosine $0 && grep -q sine.*4x8 $0' {module}"
    one, two = (hlokit.reduce(hlokit.load(text), *CHAIN, keep=keep, jobs=jobs) for jobs in (1, 2))
    assert one.text == two.text
    assert one.tried == two.tried
    assert one.after < 3


def test_a_report_has_versions_program_command_and_values(wrong_power: hlokit.Reduction) -> None:
    outcome, report = wrong_power.outcome, wrong_power.report("power.mlir")
    assert "hlokit diff power.mlir --against=xla" in report
    assert "stablehlo.power" in report
    assert f"`{outcome.expected}`" in report
    assert f"`{outcome.actual}`" in report
    assert "jaxlib" in report
    assert outcome.expected != outcome.actual


# Ways to get smaller ------------------------------------------------------------------------------

OPERATIONS = {
    "stablehlo.convolution": (
        "%f = stablehlo.convolution(%image, %kernel) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], "
        "window = {stride = [1, 1], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count "
        "= 1 : i64} : (tensor<2x9x9x4xf32>, tensor<3x3x4x5xf32>) -> tensor<2x9x9x5xf32>"
    ),
    "stablehlo.dot_general": (
        "%f = stablehlo.dot_general %x, %x, contracting_dims = [1] x [1] : (tensor<4x8xf32>, tensor<4x8xf32>) "
        "-> tensor<4x4xf32>"
    ),
    "stablehlo.reshape": "%f = stablehlo.reshape %x : (tensor<4x8xf32>) -> tensor<2x16xf32>",
    "stablehlo.slice": "%f = stablehlo.slice %x [1:3, 0:8:2] : (tensor<4x8xf32>) -> tensor<2x4xf32>",
    "stablehlo.concatenate": (
        "%f = stablehlo.concatenate %x, %x, dim = 1 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x16xf32>"
    ),
    "stablehlo.transpose": "%f = stablehlo.transpose %x, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>",
    "stablehlo.reduce": (
        "%f = stablehlo.reduce(%x init: %s) applies stablehlo.maximum across dimensions = [0] : "
        "(tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>"
    ),
    "stablehlo.pad": (
        "%f = stablehlo.pad %x, %s, low = [1, 0], high = [0, 2], interior = [0, 1] : (tensor<4x8xf32>, "
        "tensor<f32>) -> tensor<5x17xf32>"
    ),
    "stablehlo.broadcast_in_dim": (
        "%f = stablehlo.broadcast_in_dim %x, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<3x4x8xf32>"
    ),
    "stablehlo.dynamic_slice": (
        "%f = stablehlo.dynamic_slice %x, %i, %i, sizes = [2, 8] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) "
        "-> tensor<2x8xf32>"
    ),
}


@pytest.mark.parametrize("name", OPERATIONS)
def test_shapes_shrink(name: str) -> None:
    made = hlokit.reduce(hlokit.load(chain(6, OPERATIONS[name])), *CHAIN, keep=has(name))
    assert names(made)[:1] == [name]
    assert made.largest <= 9


def test_element_types_get_simpler() -> None:
    text = chain(
        4,
        "%w = stablehlo.convert %x : (tensor<4x8xf32>) -> tensor<4x8xf64>\n"
        "%f = stablehlo.sine %w : tensor<4x8xf64>",
    )
    made = hlokit.reduce(hlokit.load(text), *CHAIN, keep=has("stablehlo.sine"))
    assert "f64" not in made.program.text()


def test_regions_get_simpler() -> None:
    text = chain(
        4,
        """%f = "stablehlo.reduce"(%x, %s) <{dimensions = array<i64: 0>}> ({
        ^bb0(%p: tensor<f32>, %q: tensor<f32>):
          %1 = stablehlo.multiply %p, %q : tensor<f32>
          %2 = stablehlo.tanh %1 : tensor<f32>
          %3 = stablehlo.maximum %2, %q : tensor<f32>
          %4 = stablehlo.negate %3 : tensor<f32>
          stablehlo.return %4 : tensor<f32>
        }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>""",
    )
    made = hlokit.reduce(hlokit.load(text), *CHAIN, keep=has("stablehlo.reduce", "stablehlo.maximum"))
    left = [name for name in names(made) if name != "stablehlo.return"]
    assert left == ["stablehlo.reduce", "stablehlo.maximum"]


@pytest.mark.deep
def test_a_loop_stays_with_its_last_turn_where_it_must() -> None:
    made = hlokit.reduce(hlokit.load(LOOP), np.int32(3), keep=has("stablehlo.while"))
    assert "stablehlo.power" not in made.program.text()
    assert "stablehlo.while" in made.program.text()
    hlokit.load(made.text)()


# Ends -------------------------------------------------------------------------------------------------


def test_an_interrupt_gives_the_best_so_far() -> None:
    calls = 0

    def keep(program: hlokit.Program, *arguments: Any) -> bool:
        nonlocal calls
        calls += 1
        if calls > 4:
            raise KeyboardInterrupt
        return "stablehlo.atan2" in program.text()

    text = chain(40, "%f = stablehlo.atan2 %x, %x : tensor<4x8xf32>")
    made = hlokit.reduce(hlokit.load(text), *CHAIN, keep=keep)
    assert not made.is_finished
    assert 1 < made.after <= made.before
    assert "stablehlo.atan2" in made.text


def test_an_interrupt_of_the_first_test_gives_the_program() -> None:
    """Regression: nothing was left."""

    def interrupted(*_: Any) -> bool:
        raise KeyboardInterrupt

    text = chain(4, "%f = stablehlo.atan2 %x, %x : tensor<4x8xf32>")
    made = hlokit.reduce(hlokit.load(text), *CHAIN, keep=interrupted)
    assert (made.is_finished, made.outcome.holds, made.tried, made.largest) == (False, False, 0, 32)
    assert (made.after, len(made.arguments)) == (made.before, len(CHAIN))
    assert "interrupted before the program had shown the fault" in made.text
    expected, result = (hlokit.load(source)(*CHAIN) for source in (text, made.text))
    np.testing.assert_array_equal(expected, result)


@pytest.mark.parametrize(("first", "status"), [(1, 130), (4, 0)], ids=["in the first test", "later"])
def test_ctrl_c_on_the_command_line(tmp_path: Path, first: int, status: int) -> None:
    program, output = tmp_path / "chain.mlir", tmp_path / "small.mlir"
    program.write_text(chain(40, "%f = stablehlo.atan2 %x, %x : tensor<4x8xf32>"))
    paths: list[str] = []
    for number, array in enumerate(CHAIN):
        np.save(tmp_path / f"{number}.npy", array)
        paths.append(str(tmp_path / f"{number}.npy"))
    started = tmp_path / "started"
    keep = f"sh -c 'echo >> {started}; sleep 0.2; grep -q atan2 $0' {{module}}"
    # Processes in the background of some shells ignore the signal.
    heed = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    words = [sys.executable, "-c", f"{heed}; from hlokit.cli import hlokit; hlokit()"]
    process = subprocess.Popen(
        [*words, "reduce", str(program), *paths, f"--keep={keep}", "-o", str(output)],
        start_new_session=True,
        stderr=subprocess.PIPE,
    )
    while not started.exists() or started.read_text().count("\n") < first:
        time.sleep(0.05)
        assert process.poll() is None
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=300)
    assert process.returncode == status, said
    assert b"ended early" in said
    assert (b"before the program had shown the fault" in said) == (first == 1)
    text = output.read_text()
    assert "stablehlo.atan2" in text
    if "FILE.npz" in text:  # the arguments are too long for a command line
        assert output.with_suffix(".npz").exists()


def test_names_and_commands_break_no_line_of_the_result(tmp_path: Path) -> None:
    path = tmp_path / "a\nb {1}\x1b[2J.mlir"
    path.write_text(chain(4, "%f = stablehlo.atan2 %x, %x : tensor<4x8xf32>"))
    keep = "sh -c 'cat $0 # \udcff\n' {module}"
    made = hlokit.reduce(path, *CHAIN, keep=keep, jobs=1)
    text, report = made.text, made.report("a b.mlir")
    assert hlokit.load(text).functions == ("main",)
    assert "a\\0Ab {1}\\1B[2J.mlir" in text
    assert "\x1b" not in text + report
    assert text.encode() and report.encode()


def test_a_function_without_a_body_is_refused() -> None:
    program = hlokit.load("func.func private @main() -> tensor<i8>\n")
    with pytest.raises(hlokit.UnsupportedError, match="there is no function @main with a body"):
        hlokit.reduce(program, keep="error:.")


def test_no_more_time_gives_the_best_so_far() -> None:
    def keep(program: hlokit.Program, *arguments: Any) -> bool:
        time.sleep(0.05)
        return "stablehlo.atan2" in program.text()

    text = chain(40, "%f = stablehlo.atan2 %x, %x : tensor<4x8xf32>")
    made = hlokit.reduce(hlokit.load(text), *CHAIN, keep=keep, time_limit=0.3)
    assert not made.is_finished
    assert "stablehlo.atan2" in made.text


@pytest.mark.parametrize(
    ("keep", "message"),
    [
        ("nan", "does not show the fault to keep"),
        ("diverges:xla", "does not show the fault to keep"),
        ("error:unlikely", "does not show the fault to keep"),
        ("diverges:nobody", "a side must be one of"),
        ("diverges:pjrt:/nowhere.so", "there is no library"),
        ("error:(", "regular expression"),
        ("sometimes", "a predicate must be one of"),
        ("no-such-program {module}", "there is no program"),
    ],
)
def test_a_fault_that_the_program_does_not_show_is_an_error(keep: str, message: str) -> None:
    with pytest.raises(hlokit.ArgumentError, match=message):
        hlokit.reduce(hlokit.load(chain(4, "%f = stablehlo.tanh %x : tensor<4x8xf32>")), *CHAIN, keep=keep)


def test_a_nan_that_an_argument_has_is_no_fault() -> None:
    program = hlokit.load(chain(2, "%f = stablehlo.tanh %x : tensor<4x8xf32>"))
    x, *others = CHAIN
    assert (
        not predicates.predicate_of(predicates.parse("nan"))
        .test(program, [x * np.float32(np.nan), *others])
        .holds
    )


# The search -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("jobs", [1, 4])
@pytest.mark.parametrize("needed", [(3,), (0, 99), (10, 11, 12), (5, 40, 77), tuple(range(0, 100, 9))])
def test_shrink_finds_exactly_the_needed_parts(needed: Sequence[int], jobs: int) -> None:
    def holds(made: Excerpt) -> Outcome:
        return Outcome(set(needed) <= set(made.module))

    search = Search(InProcess(holds, jobs), None, lambda what, size, tried: None)
    kept = shrink(search, "items", 100, lambda part: Excerpt(bytes(part), ()))
    search.close()
    assert kept == list(needed)


TURNING = """func.func @main(%x: tensor<2xf32>, %n: tensor<i64>) -> tensor<2xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i64>
  %0:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i64>, tensor<2xf32> cond {
    LIMIT
    %1 = stablehlo.compare LT, %i, %limit : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i64>
    %1 = stablehlo.add %i, %one : tensor<i64>
    %2 = stablehlo.tanh %a : tensor<2xf32>
    stablehlo.return %1, %2 : tensor<i64>, tensor<2xf32>
  }
  return %0#1 : tensor<2xf32>
}"""


@pytest.mark.parametrize(
    "limit",
    ["%limit = stablehlo.constant dense<40> : tensor<i64>", "%limit = stablehlo.add %n, %zero : tensor<i64>"],
)
@pytest.mark.deep
def test_loops_that_stay_take_fewer_iterations(limit: str) -> None:
    keep = "sh -c 'grep -q stablehlo.while $0 && grep -q stablehlo.compare $0 && grep -q stablehlo.tanh $0' {module}"
    made = hlokit.reduce(hlokit.load(TURNING.replace("LIMIT", limit)), [3.0, 0.5], 40, keep=keep)
    assert "turns" in made.steps
    assert "dense<40>" not in made.text and "dense<39>" not in made.text


def test_dimensions_of_size_one_go() -> None:
    text = """func.func @main(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
      %0 = stablehlo.abs %x : tensor<3x4xf64>
      %1 = stablehlo.log %0 : tensor<3x4xf64>
      return %1 : tensor<3x4xf64>
    }"""

    def is_infinite(program: hlokit.Program, *arguments: Any) -> bool:
        return "stablehlo.log" in program.text() and bool(np.isinf(np.asarray(program(*arguments))).any())

    made = hlokit.reduce(hlokit.load(text), np.eye(3, 4), keep=is_infinite, jobs=1)
    assert "stablehlo.log" in made.text
    assert "tensor<f32>" in made.text
    assert "ranks" in made.steps


def test_a_recorded_run_has_program_and_arguments(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = """
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.tanh %x : tensor<4xf32>
      %1 = stablehlo.sqrt %0 : tensor<4xf32>
      return %1 : tensor<4xf32>
    }
    """
    run = str(tmp_path / "run")
    hlokit.record(hlokit.load(text), np.array([1, 2, -3, 4], np.float32), to=run)
    assert main(["reduce", run, "--keep=nan"]) == 0
    small = capsys.readouterr().out
    assert "stablehlo.sqrt" in small
    assert np.isnan(np.asarray(hlokit.load(small)()))
    assert main(["make-test", run]) == 0
    assert "check.expect" in capsys.readouterr().out
    assert main(["reduce", run, "x.npy", "--keep=nan"]) == 1
    assert "a recorded run contains its arguments" in capsys.readouterr().err


def test_functions_that_take_tuples_are_refused() -> None:
    program = hlokit.load("""
    func.func @main(%x: tuple<tensor<2xf32>, tuple<tensor<i32>>>) -> tensor<2xf32> {
      %0 = stablehlo.get_tuple_element %x[0] : (tuple<tensor<2xf32>, tuple<tensor<i32>>>) -> tensor<2xf32>
      return %0 : tensor<2xf32>
    }
    """)
    with pytest.raises(hlokit.ArgumentError, match="must take arrays, not tuples"):
        hlokit.reduce(program, *program.example_inputs(), keep="nan")
