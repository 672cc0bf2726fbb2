"""Stages of MLIR's tools: pipelines of `stablehlo-opt`, and text of `-mlir-print-ir-after-all`."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import hlokit
from hlokit.errors import ArgumentError
from hlokit.tools.stages import compilers, judging, meaning
from hlokit.tools.stages.printed import pass_name, read_printed
from hlokit.tools.stages.report import StagesReport
from hlokit.tools.stages.run import certify
from hlokit.tools.stages.settings import Settings

T = "tensor<4xf32>"
TEXT = f"""
func.func @main(%x: {T}) -> {T} {{
  %c = stablehlo.constant dense<2.0> : {T}
  %d = stablehlo.constant dense<3.0> : {T}
  %e = stablehlo.multiply %c, %d : {T}
  %r = stablehlo.subtract %x, %e : {T}
  return %r : {T}
}}
"""
FOLDED = f"""module {{
  func.func @main(%x: {T}) -> {T} {{
    %c = stablehlo.constant dense<6.0> : {T} loc(#loc)
    %r = stablehlo.subtract %x, %c : {T}
    return %r : {T}
  }}
}}
#loc = loc("model.py":1:2)
"""
ONES = np.ones(4, np.float32)


def printed(*programs: tuple[str, str]) -> str:
    return "".join(f"// -----// IR Dump {what} //----- //\n{text}\n\n" for what, text in programs)


def certified(tmp_path: Path, *programs: tuple[str, str]) -> StagesReport:
    path = tmp_path / "printed.txt"
    path.write_text("a message of the tool\n" + printed(*programs))
    return certify(hlokit.load(TEXT), ONES, by=str(path))


def test_right_text_accuses_no_stage(tmp_path: Path) -> None:
    report = certified(
        tmp_path,
        ("Before FolderPass: folder{depth=1}", TEXT),
        ("After FolderPass: folder{depth=1}", FOLDED),
        ("After CSE (cse) ('builtin.module' operation)", FOLDED + "\nmodule {\n}\n"),  # and the result
    )
    assert report.status == 0
    assert [(stage.name, stage.verdict) for stage in report.stages] == [("folder", "same"), ("cse", "equal")]
    assert report.stages[0].changes == "-constant -multiply"


@pytest.mark.parametrize(
    "wrong",
    [FOLDED.replace("6.0", "7.0"), FOLDED.replace("%x, %c", "%c, %x"), FOLDED.replace("subtract", "add")],
)
def test_a_wrong_pass_is_named(tmp_path: Path, wrong: str) -> None:
    report = certified(tmp_path, ("After folder", FOLDED), ("After wrong", wrong), ("After cse", wrong))
    assert report.status == 1
    assert [stage.verdict for stage in report.stages] == ["same", "changed", "equal"]
    assert report.headline == "wrong changed the meaning"
    assert "-5 before" in str(report)


def test_functions_alone(tmp_path: Path) -> None:
    other = "func.func private @other(%x: tensor<4xf32>) -> tensor<4xf32> {\n  return %x : tensor<4xf32>\n}"
    report = certified(tmp_path, ("After a", TEXT), ("After b", other), ("After c", FOLDED))
    assert [stage.verdict for stage in report.stages] == ["equal", "unknown", "same"]
    assert "-mlir-print-ir-module-scope" in report.stages[1].note
    assert report.stages[2].note == "compared across stages that were not evaluated: b"
    assert report.status == 2


OTHERS = {
    "after an alias": "#map = affine_map<(d0) -> (d0)>\nfunc.func @other(%x: T) -> T {\n  return %x : T\n}",
    "in a module": "module @m {\n  func.func @other(%x: T) -> T {\n    return %x : T\n  }\n}",
    "with main in its name": "func.func @main_0(%x: T) -> T {\n  return %x : T\n}",
    "in the generic form": (
        '"func.func"() <{function_type = (T) -> T, sym_name = "other"}> ({\n^bb0(%x: T):\n'
        '  "func.return"(%x) : (T) -> ()\n}) : () -> ()'
    ),
}


def test_other_functions_are_not_compared(tmp_path: Path) -> None:
    """Regression: a function after an alias, or the only one of a module, was taken for the program."""
    for name, text in OTHERS.items():
        report = certified(tmp_path, ("After a", text.replace(" T", f" {T}").replace("(T", f"({T}")))
        assert [stage.verdict for stage in report.stages] == ["unknown"], name
        assert "no function main" in report.stages[0].note, name


def test_spellings_of_printed_programs(tmp_path: Path) -> None:
    generic = hlokit.load(FOLDED).module.operation.get_asm(print_generic_op_form=True)
    resource = FOLDED.replace("dense<6.0>", "dense_resource<six>").replace(" loc(#loc)", "")
    six = "0x04000000" + np.full(4, 6, np.float32).tobytes().hex()
    blob = f'\n{{-#\n  dialect_resources: {{\n    builtin: {{\n      six: "{six}"\n    }}\n  }}\n#-}}\n'
    texts = {
        "the generic form": printed(("After folder", generic)),
        "a function in the generic form": printed(("After folder", _alone(generic))),
        "a constant after the program": printed(("After folder", resource.partition("#loc")[0] + blob)),
        "old versions": f"// *** IR Dump After folder ***\n{FOLDED}",
        "LLVM": f"; *** IR Dump After licm omitted because no change ***\n*** IR Dump After folder ***\n{FOLDED}",
        "ends of lines": printed(("After folder", FOLDED)).replace("\n", "\r\n"),
    }
    path = tmp_path / "printed.txt"
    for name, text in texts.items():
        path.write_bytes(text.encode())
        report = certify(hlokit.load(TEXT), ONES, by=str(path))
        assert [(stage.name, stage.verdict) for stage in report.stages] == [("folder", "same")], name


def _alone(module: str) -> str:
    """The function of a module in the generic form."""
    lines = module.splitlines()
    return "\n".join(line.removeprefix("  ") for line in lines[1:-1])


def test_a_folder_of_programs_has_the_order_of_its_numbers(tmp_path: Path) -> None:
    function = tmp_path / "builtin_module_no-symbol-name" / "func_func_main"
    function.mkdir(parents=True)
    wrong = FOLDED.replace("6.0", "7.0")
    for name, text in (("0_0_folder", FOLDED), ("0_2_cse", FOLDED), ("0_10_licm", wrong)):
        (function / f"{name}.mlir").write_text(text)
    (function.parent / "1_symbol-dce.mlir").write_text(printed(("After SymbolDCE: symbol-dce", wrong)))
    report = certify(hlokit.load(TEXT), ONES, by=str(tmp_path))
    assert [stage.name for stage in report.stages] == ["folder", "cse", "licm", "symbol-dce"]
    assert [stage.verdict for stage in report.stages] == ["same", "equal", "changed", "equal"]


def test_programs_of_other_dialects_are_not_compared(tmp_path: Path) -> None:
    report = certified(tmp_path, ("After lower", "module {\n  other.thing\n}"))
    assert [stage.verdict for stage in report.stages] == ["unknown"]
    assert report.status == 2


@pytest.mark.parametrize(
    ("what", "name"),
    [
        ("CanonicalizerPass: canonicalize{cse=false    top-down=true} ('func.func' operation: @main)", "canonicalize"),
        ("Canonicalizer (canonicalize)", "canonicalize"),
        ("builtin.module(func.func(chlo-legalize-to-stablehlo))", "chlo-legalize-to-stablehlo"),
        ("stablehlo-aggressive-folder{a=b c=d}", "stablehlo-aggressive-folder"),
        ("cse", "cse"),
    ],
)  # fmt: skip
def test_names_of_passes(what: str, name: str) -> None:
    assert pass_name(what) == name


def test_text_without_programs_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="-mlir-print-ir-after-all"):
        read_printed(printed(("Before cse", TEXT)), "main")
    with pytest.raises(ArgumentError, match=r"a compiler must be one of xla, .*got 'xlo'"):
        certify(hlokit.load(TEXT), ONES, by="xlo")


def test_each_pass_of_a_pipeline_is_a_stage() -> None:
    names = ["stablehlo-aggressive-folder", "canonicalize", "cse", "chlo-legalize-to-stablehlo"]
    pipeline = (
        "builtin.module(stablehlo-aggressive-folder,func.func(canonicalize,cse,chlo-legalize-to-stablehlo))"
    )
    for text in (",".join(names), pipeline):
        report = certify(hlokit.load(TEXT), ONES, by=f"stablehlo-opt:{text}")
        assert [stage.name for stage in report.stages] == names
        assert [stage.verdict for stage in report.stages] == ["same", "equal", "equal", "equal"]
    with pytest.raises(ArgumentError, match="nonsense"):
        certify(hlokit.load(TEXT), ONES, by="stablehlo-opt:cse,nonsense")


def test_a_pass_that_fails_is_named() -> None:
    text = f"func.func @main(%x: {T}) -> {T} {{\n %0 = stablehlo.tan %x : {T}\n return %0 : {T}\n}}"
    by = "stablehlo-opt:symbol-dce,stablehlo-legalize-to-vhlo,vhlo-to-version{target=1.0.0}"
    report = certify(hlokit.load(text), ONES, by=by)
    assert report.status == 2
    assert [stage.name for stage in report.stages[:2]] == ["symbol-dce", "stablehlo-legalize-to-vhlo"]
    assert report.stages[-1].verdict == "unknown"
    assert "vhlo-to-version fails: " in report.stages[-1].note


def test_commands(tmp_path: Path) -> None:
    tool = tmp_path / "tool.py"
    text = printed(("After folder", FOLDED), ("After wrong", FOLDED.replace("6.0", "8.0")))
    tool.write_text(
        f"import sys\nassert 'multiply' in open(sys.argv[1]).read()\nsys.stderr.write({text!r})\n"
    )
    report = certify(hlokit.load(TEXT), ONES, by=f"cmd:{sys.executable} {tool} {{module}}")
    assert [stage.verdict for stage in report.stages] == ["same", "changed"]
    tool.write_text(f"import sys\nsys.stderr.write({text!r} + 'error: no more passes')\nsys.exit(3)\n")
    report = certify(hlokit.load(TEXT), ONES, by=f"cmd:{sys.executable} {tool} {{module}}")
    assert [stage.verdict for stage in report.stages] == ["same", "changed", "unknown"]
    assert report.stages[-1].name == "after wrong"
    assert "error: no more passes" in report.stages[-1].note
    with pytest.raises(ArgumentError, match=r"must have \{module\} in it"):
        certify(hlokit.load(TEXT), ONES, by=f"cmd:{sys.executable} {tool}")


ENDS = {
    "sys.stdout.write(text)": (["same"], ""),
    "sys.stderr.write(text); sys.stderr.flush(); os.kill(os.getpid(), 6)": (["same", "unknown"], "SIGABRT"),
    "sys.stderr.write(text); sys.stderr.flush(); time.sleep(100)": (["same", "unknown"], "longer than 1 s"),
}


def test_tools_that_print_elsewhere_or_do_not_end_well(tmp_path: Path) -> None:
    tool = tmp_path / "tool.py"
    for end, (verdicts, note) in ENDS.items():
        tool.write_text(f"import os, sys, time\ntext = {printed(('After fold', FOLDED))!r}\n{end}\n")
        by = f"cmd:{sys.executable} -S {tool} {{module}}"
        report = certify(
            hlokit.load(TEXT), ONES, by=by, settings=Settings(time_limit=1 + 9 * ("sleep" not in end))
        )
        assert [stage.verdict for stage in report.stages] == verdicts, end
        assert note in report.stages[-1].note, end


def test_a_tool_without_time_is_not_compared(tmp_path: Path) -> None:
    """Regression: the files with what it prints did not exist yet."""
    by = f"cmd:{sys.executable} -S {tmp_path / 'tool.py'} {{module}}"
    compilation = compilers.compiled(by, hlokit.load(TEXT), "main", [ONES], str(tmp_path), 1e-4)
    assert compilation.snapshots == []
    assert str(compilation.failure) == "time-out: took longer than 0.0001 s"


def test_a_tool_that_prints_too_much_is_not_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compilers, "MOST_PRINTED", 1 << 20)
    report = certify(hlokit.load(TEXT), ONES, by="cmd:head -c 2000000 /dev/zero {module}")
    assert [stage.verdict for stage in report.stages] == ["unknown"]
    assert report.stages[0].note == "error: printed more than 1 MiB"


@pytest.mark.parametrize("more", ["", "%n = stablehlo.abs %root : tensor<4xf32>"])
def test_an_operation_that_differs_is_named_where_results_have_no_bound(more: str, tmp_path: Path) -> None:
    """Regression: if roundings may make NaN of the results, any result was within bounds, later only in stages
    that change which operations there are."""
    source = f"""
func.func @main(%x: {T}, %y: {T}) -> {T} {{
  %nan = stablehlo.constant dense<0x7FC00000> : {T}
  %one = stablehlo.multiply %x, %x : {T}
  %other = stablehlo.multiply %x, %x : {T}
  %is_same = stablehlo.compare EQ, %one, %other : ({T}, {T}) -> tensor<4xi1>
  %d = stablehlo.subtract %x, %y : {T}
  %root = stablehlo.sqrt %d : {T}
  %r = stablehlo.select %is_same, %root, %nan : tensor<4xi1>, {T}
  return %r : {T}
}}
"""
    path = tmp_path / "printed.txt"
    after = source.replace("subtract %x, %y", "subtract %y, %x")
    if more:
        after = after.replace("%r = ", f"{more}\n  %r = ").replace("%is_same, %root", "%is_same, %n")
    path.write_text(printed(("After swap", after)))
    x = np.linspace(1.1, 2.3, 4, dtype=np.float32)
    (stage,) = certify(hlokit.load(source), x + 1, x, by=str(path)).stages
    assert stage.verdict == "changed", stage
    assert "the results have no bound" in stage.note
    assert stage.report is not None
    assert stage.report.first is not None
    assert stage.report.first.op == "stablehlo.subtract"


ROOT = """
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %first = stablehlo.constant dense<1.0> : tensor<4xf32>
  %half = stablehlo.constant dense<0.5> : tensor<4xf32>
  %small = stablehlo.constant dense<1.0e-5> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.while(%y = %first) : tensor<4xf32> cond {
    %s = stablehlo.multiply %y, %y : tensor<4xf32>
    %d = stablehlo.subtract %s, %a : tensor<4xf32>
    %e = stablehlo.abs %d : tensor<4xf32>
    %m = stablehlo.reduce(%e init: %zero) applies stablehlo.maximum across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %t = stablehlo.compare GT, %m, %small : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  } do {
    %q = stablehlo.divide %a, %y : tensor<4xf32>
    %p = stablehlo.add %y, %q : tensor<4xf32>
    %n = stablehlo.multiply %p, %half : tensor<4xf32>
    stablehlo.return %n : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
"""


def test_operations_decide_where_exact_arithmetic_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Regression: the start of an iteration that converges moves the results by less than their bounds."""
    undecided = meaning.Meaning("inconclusive", "inconclusive")
    monkeypatch.setattr(judging, "meaning_of", lambda *_, **__: undecided)
    path = tmp_path / "printed.txt"
    path.write_text(printed(("After cse", ROOT), ("After dce", ROOT.replace("<1.0>", "<1.1>"))))
    report = certify(hlokit.load(ROOT), np.array([1.5, 2.3, 3.1, 5.7], np.float32), by=str(path))
    assert [stage.verdict for stage in report.stages] == ["equal", "changed"], report
    assert report.stages[1].note.startswith("an operation differs, though"), report


def test_a_failed_pass_and_a_truncated_text_are_not_compared(tmp_path: Path) -> None:
    """Regression: the stages counted as equal."""
    failed = certified(tmp_path, ("After FolderPass Failed (folder)", FOLDED))
    assert [(stage.name, stage.verdict, stage.note) for stage in failed.stages] == [
        ("folder", "unknown", "the pass failed")
    ]
    truncated = certified(tmp_path, ("After CSE (cse)", ""))
    assert [stage.verdict for stage in truncated.stages] == ["unknown"]


def test_a_header_may_follow_other_output_on_its_line(tmp_path: Path) -> None:
    path = tmp_path / "printed.txt"
    path.write_text("\x1b[31m0%..." + printed(("After CSE (cse)", FOLDED)))
    report = certify(hlokit.load(TEXT), ONES, by=str(path))
    assert [(stage.name, stage.verdict) for stage in report.stages] == [("cse", "same")]


ENDLESS = f"""
func.func @main(%x: {T}) -> {T} {{
  %r = stablehlo.while(%a = %x) : {T} cond {{
    %t = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %t : tensor<i1>
  }} do {{
    %s = stablehlo.NAME %a : {T}
    stablehlo.return %s : {T}
  }}
  return %r : {T}
}}
"""


def test_the_time_limit_holds_for_all_stages_together(tmp_path: Path) -> None:
    """Regression: it held for the run of each stage, so that a hundred endless ones took a hundred times as long."""
    endless = [
        (f"After {name}", ENDLESS.replace("NAME", name))
        for name in ("abs", "negate", "floor", "ceil", "sign")
    ]
    path = tmp_path / "printed.txt"
    path.write_text(printed(("After cse", FOLDED), *endless))
    report = certify(hlokit.load(TEXT), ONES, by=str(path), settings=Settings(time_limit=0.3))
    assert report.status == 2
    assert [stage.verdict for stage in report.stages] == ["same", *["unknown"] * 5]
    assert [stage.note for stage in report.stages[-2:]] == ["all stages together took longer than 0.6 s"] * 2
