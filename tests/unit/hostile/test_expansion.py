"""Small inputs that are deep or large behind their aliases: types, attributes, locations, calls."""

from __future__ import annotations

import io
import subprocess
import sys
import threading
from pathlib import Path
from typing import Literal

import numpy as np
import pytest

import hlokit
from hlokit.compat.info import inspect_bytes
from hlokit.compat.requirements import requirements
from hlokit.mlir.argument_list import read_argument_list
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.provider.context import make_context
from hlokit.mlir.text.nesting import DEEPEST
from hlokit.passes.pipeline import parse_pipeline, run_pipeline


def chain(count: int, define: str, use: str) -> str:
    """Aliases of aliases: `define` has {i} for one, {j} for the one before."""
    return "".join(define.format(i=i, j=i - 1) + "\n" for i in range(1, count)) + use.format(i=count - 1)


DEEP = {
    "attributes": "#a0 = []\n" + chain(50_000, "#a{i} = [#a{j}]", "module attributes {{a.b = #a{i}}} {{}}"),
    "lines": "#a0 =\n []\n"
    + chain(50_000, "#a{i} =\n // [\n [\n #a{j}]", "module attributes {{a.b = #a{i}}} {{}}"),
    "types": "!t0 = i32\n" + chain(50_000, "!t{i} = tuple<!t{j}, f32>", "func.func private @main(!t{i})"),
    "functions": "!t0 = i32\n"
    + chain(50_000, "!t{i} = () -> (!t{j})", "func.func private @f() attributes {{a = !t{i}}}"),
    "locations": 'func.func @main() { return loc(#l49999) }\n#l0 = loc("x")\n'
    + chain(50_000, "#l{i} = loc(callsite(#l0 at #l{j}))", ""),
    "signs": "module attributes {a.b = affine_map<(d0) -> (" + "-" * 200_000 + "d0)>} {}",
    "operators": "module attributes {a.b = affine_map<(d0) -> (d0" + " floordiv 2" * 200_000 + ")>} {}",
}


@pytest.mark.parametrize("text", DEEP.values(), ids=DEEP)
def test_depth_behind_aliases(text: str) -> None:
    with pytest.raises(hlokit.ParseError, match=r"^f.mlir:\d+:\d+: error: nested more than 256 levels deep"):
        hlokit.load(text, filename="f.mlir")


def test_depth_in_arguments_and_pipelines() -> None:
    with pytest.raises(hlokit.ArgumentError, match="nested more than 256"):
        read_argument_list(make_context(), "[" * 100_000)
    with pytest.raises(hlokit.ArgumentError, match="nested more than 256"):
        parse_pipeline("builtin.module(" * 100_000 + ")" * 100_000)


AT_THE_LIMIT = {
    "regions": "func.func @main(%p: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {{ {0} stablehlo.return %x : tensor<f32> {1}\n"
    "return %0 : tensor<f32> }}",
    "attributes": "module attributes {{a.b = {0}{1}}} {{}}",
    "dictionaries": "module attributes {{a.b = {0}1{1}}} {{}}",
}


def at_the_limit(what: str) -> str:
    begin, end, levels = {
        "regions": (
            '%0 = "stablehlo.if"(%p) ({ ',
            " }, { stablehlo.return %x : tensor<f32> }) : (tensor<i1>) -> tensor<f32>\nstablehlo.return %0 : tensor<f32>",
            (DEEPEST - 3) // 2,
        ),
        "attributes": ("[", "]", DEEPEST - 2),
        "dictionaries": ("{a = ", "}", DEEPEST - 2),
    }[what]
    text = AT_THE_LIMIT[what].format(begin * levels, end * levels)
    return text.replace("\nstablehlo.return %0 : tensor<f32>\nreturn", "\nreturn")


@pytest.mark.parametrize("what", AT_THE_LIMIT)
def test_programs_that_are_not_too_deep_fit_into_a_small_stack(what: str) -> None:
    """A program loaded in one thread may be printed, written and read in any other thread."""
    failures: list[Exception] = []

    def use() -> None:
        try:
            program = hlokit.load(at_the_limit(what))
            program.text(debug_info=True)
            again = hlokit.load(program.serialize(allow_other_dialects=True))
            assert not again.verify()
            assert hlokit.load(program.__reduce__()[1][0]).functions == program.functions
        except Exception as error:
            failures.append(error)

    before = threading.stack_size(1 << 20)
    thread = threading.Thread(target=use)
    thread.start()
    threading.stack_size(before)
    thread.join()
    assert failures == []


LARGE = {
    "types": "!t0 = i32\n" + chain(29, "!t{i} = tuple<!t{j}, !t{j}>", "func.func private @main(!t{i})"),
    "locations": 'func.func @main() { return loc(#l40) }\n#l0 = loc("x")\n'
    + chain(41, "#l{i} = loc(callsite(#l{j} at #l{j}))", ""),
    "many": "!t0 = i32\n"
    + chain(16, "!t{i} = tuple<!t{j}, !t{j}>", "")
    + "\n".join(f"func.func private @f{i}(!t15)" for i in range(50)),
}


@pytest.mark.parametrize("text", LARGE.values(), ids=LARGE)
def test_size_behind_aliases(text: str) -> None:
    with pytest.raises(
        hlokit.ParseError, match=r"^f.mlir:\d+:\d+: error: aliases expand to more than \d+ types"
    ):
        hlokit.load(text, filename="f.mlir")


def bytecode(text: str) -> bytes:
    """The output of the bindings, without hlokit's reader of text."""
    file = io.BytesIO()
    ir.Module.parse(text, make_context()).operation.write_bytecode(file)
    return file.getvalue()


@pytest.mark.parametrize("what", ["types", "locations"])
def test_size_behind_the_tables_of_bytecode(what: str) -> None:
    data = bytecode(LARGE[what])
    assert len(data) < 400
    with pytest.raises(
        hlokit.ParseError, match=r"^f: error: types, attributes and locations expand to more than"
    ):
        hlokit.load(data, filename="f")


def test_descriptions_elide_tuples() -> None:
    info = inspect_bytes(bytecode(LARGE["types"]))
    assert info is not None
    (function,) = info.functions
    assert "tuple<...>" in function.type_ and len(function.type_) < 20_000


def test_nothing_that_programs_have_is_too_much() -> None:
    locations = 'func.func @main() { return loc(#l1000) }\n#l0 = loc("x")\n' + chain(
        1001, "#l{i} = loc(callsite(#l0 at #l{j}))", ""
    )
    assert "callsite" in hlokit.load(locations).text(debug_info=True)
    types = "!t0 = tensor<i8>\n" + chain(13, "!t{i} = tuple<!t{j}, !t{j}>", "func.func private @main(!t{i})")
    assert hlokit.load(types).functions == ("main",)


def calls(count: int, each: int, visibility: str) -> str:
    """Functions that each call the next function; the last function adds."""
    functions: list[str] = []
    for number in range(count):
        lines = [
            f"%{i} = call @f{number + 1}(%{i - 1 if i else 'x'}) : (tensor<i32>) -> tensor<i32>"
            for i in range(each)
        ]
        if number == count - 1:
            lines = ["%0 = stablehlo.add %x, %x : tensor<i32>"]
        last = len(lines) - 1
        head = f"func.func {visibility if number else ''} @f{number}(%x: tensor<i32>) -> tensor<i32>"
        functions.append("\n".join([head, "{", *lines, f"return %{last} : tensor<i32>", "}"]))
    return "\n".join(functions)


def inlined(text: str) -> hlokit.Program:
    program = hlokit.load(text)
    run_pipeline(program.module, parse_pipeline("builtin.module(inline)"))
    return program


def test_inlining_has_a_budget() -> None:
    with pytest.raises(
        hlokit.HlokitError, match=r"inline: the program would have more than \d+ operations, at @f"
    ):
        inlined(calls(40, 2, "private"))
    with pytest.raises(hlokit.HlokitError, match="inline: the program would have"):
        inlined(calls(2000, 1, "public"))


def test_inlining_a_long_chain_of_calls() -> None:
    program = inlined(calls(3000, 1, "private"))
    assert program.functions == ("f0",)
    assert program(np.int32(4)) == 8


def test_inlining_doubles() -> None:
    program = inlined(calls(6, 2, "private"))
    assert program.functions == ("f0",)
    assert program(np.int32(1)) == 2**32 % 2**32


def test_recursive_functions_stay() -> None:
    text = (
        calls(3, 1, "private")
        + "\n"
        + (
            "func.func private @r(%x: tensor<i32>) -> tensor<i32> {\n"
            "  %0 = call @s(%x) : (tensor<i32>) -> tensor<i32>\n  return %0 : tensor<i32>\n}\n"
            "func.func private @s(%x: tensor<i32>) -> tensor<i32> {\n"
            "  %0 = call @r(%x) : (tensor<i32>) -> tensor<i32>\n  return %0 : tensor<i32>\n}\n"
        )
    )
    assert inlined(text).functions[0] == "f0"


ENDLESS_CALLS = """func.func @main(%x: tensor<i32>) -> tensor<i32> {
  %0 = call @s(%x) : (tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}
func.func private @s(%x: tensor<i32>) -> tensor<i32> {
  %0 = call @main(%x) : (tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}"""


@pytest.mark.parametrize("tier", ["default", "reference"])
def test_deep_calls_are_told_apart_from_endless_ones(tier: Literal["default", "reference"]) -> None:
    """Calls are deeper than Python's recursion limit allows in this thread."""
    before = sys.getrecursionlimit()
    assert hlokit.load(calls(500, 1, "private"))(np.int32(1), function="f0", tier=tier) == 2
    with pytest.raises(
        hlokit.EvaluationError, match=r"call each other without end, .* deeper than 5,000"
    ) as caught:
        hlokit.load(ENDLESS_CALLS)(np.int32(1), tier=tier)
    assert len(str(caught.value).splitlines()) < 15
    assert "@main" in str(caught.value)
    assert sys.getrecursionlimit() == before


def test_later_runs_of_deep_calls() -> None:
    program = hlokit.load(calls(300, 1, "private"))
    for _ in range(4):
        assert program(np.int32(1), function="f0") == 2


@pytest.mark.parametrize("tier", ["default", "reference"])
def test_regions_in_functions_that_call_each_other(tier: Literal["default", "reference"]) -> None:
    """Each of 8 functions calls the next one within 100 regions."""
    levels, texts = (
        100,
        ["func.func private @f8(%p: tensor<i1>, %x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }"],
    )
    for number in range(8):
        inner = f"%r = func.call @f{number + 1}(%p, %x) : (tensor<i1>, tensor<f32>) -> tensor<f32>\n"
        for level in range(levels):
            result = "%r" if level == 0 else f"%{level - 1}"
            inner = (
                f'%{level} = "stablehlo.if"(%p) ({{ {inner} stablehlo.return {result} : tensor<f32> }}, {{\n'
                "stablehlo.return %x : tensor<f32> }) : (tensor<i1>) -> tensor<f32>\n"
            )
        visibility = "private" if number else "public"
        texts.append(
            f"func.func {visibility} @f{number}(%p: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {{ {inner}"
            f"return %{levels - 1} : tensor<f32> }}"
        )
    program = hlokit.load("\n".join(texts))
    for _ in range(3 if tier == "default" else 1):
        assert program(np.True_, np.float32(3), function="f0", tier=tier) == 3


DISTANT = {
    "letters": "{a.b = #stablehlo.conv<[b, 0, f]x[o, i, 999999999]->[b, f, 0]>}",
    "comments": "{a.b = #stablehlo<conv // [\n <[b, // 0\n 999999999, f]x[o, i, 0]->[b, f, 0]>>}",
    "hexadecimal": "{a.b = #stablehlo.conv<[b, 0x3B9AC9FF, f]x[o, i, 0]->[b, f, 0]>}",
    "behind a string": '{a.a = "\\"", a.b = #stablehlo.conv<[b, 0, f]x[o, i, 0]->[b, f, 999999999]>}',
}


@pytest.mark.parametrize("attributes", DISTANT.values(), ids=DISTANT)
def test_dimensions_beyond_all_ranks(attributes: str) -> None:
    """The bindings' parser would make a list of all dimensions up to that one: gigabytes."""
    message = r"a dimension number must be less than the rank, got (999999999|0x3B9AC9FF)"
    with pytest.raises(hlokit.ParseError, match=rf"^f.mlir:\d+:\d+: error: {message}"):
        hlokit.load(f"module attributes {attributes} {{}}", filename="f.mlir")
    value = attributes.partition("a.b = ")[2].removesuffix("}")
    with pytest.raises(hlokit.ArgumentError, match=message):
        read_argument_list(make_context(), f"[{value}]")
    with pytest.raises(hlokit.HlokitError, match=message):
        hlokit.infer(
            "convolution",
            ["tensor<1x9x9x1xf32>", "tensor<3x3x1x1xf32>"],
            {"dimension_numbers": value, "feature_group_count": 1, "batch_group_count": 1},
        )


def test_numbers_beside_dimension_numbers_may_be_large() -> None:
    text = """module attributes {a.a = "conv<[b, 999999999]", a.b = 999999999 : i64, a.convolution999999 = 999999} {
      // dim_numbers = [b, 999999999, f]
      func.func @main(%x: tensor<1000000x9x9x1xf32>, %y: tensor<3x3x1x1xf32>) -> tensor<1000000x7x7x1xf32> {
        %0 = stablehlo.convolution(%x, %y) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1]}
          {batch_group_count = 1 : i64, feature_group_count = 1 : i64, a = 123456789}
          : (tensor<1000000x9x9x1xf32>, tensor<3x3x1x1xf32>) -> tensor<1000000x7x7x1xf32>
        return %0 : tensor<1000000x7x7x1xf32>
      }
    }"""
    assert hlokit.load(text).functions == ("main",)


def test_positions_behind_large_constants() -> None:
    begin = f'module attributes {{a.a = dense<"0x{"0aF9" * 256}"> : tensor<128xi32>, a.b = '
    for value, offset in (("conv<[b, 999999999]", 9), ("[" * DEEPEST, DEEPEST - 1)):
        with pytest.raises(hlokit.ParseError, match=f"^f.mlir:1:{len(begin) + offset + 1}: "):
            hlokit.load(f"{begin}{value}", filename="f.mlir")


def nested(levels: int) -> str:
    text = at_the_limit("regions")
    begin, end = (
        '%0 = "stablehlo.if"(%p) ({ ',
        " }, { stablehlo.return %x : tensor<f32> }) : (tensor<i1>) -> tensor<f32>",
    )
    gone = text.count(begin) - levels
    text = text.replace(begin, "", gone)
    return text.replace(end + "\nstablehlo.return %0 : tensor<f32>", "", gone)


def test_requirements_of_deep_regions_take_no_cubic_time() -> None:
    """Counts calls of Python functions instead of seconds: twice the depth, at most five times as many
    calls."""
    counts: list[int] = []
    for levels in (40, 80):
        module = hlokit.load(nested(levels)).module
        calls_ = 0

        def count(*_: object) -> None:
            nonlocal calls_
            calls_ += 1

        sys.setprofile(count)
        try:
            assert requirements(module) == []
        finally:
            sys.setprofile(None)
        counts.append(calls_)
    assert counts[1] < 5 * counts[0]


def test_verification_of_programs_that_are_not_too_deep() -> None:
    assert hlokit.verify(at_the_limit("regions")) == []


@pytest.mark.parametrize("flags", [[], ["--reference"]])
@pytest.mark.sample("flags0")
def test_levels_of_calls_in_commands(tmp_path: Path, flags: list[str]) -> None:
    """The same number for the reference as for other tiers; endless recursion has a short message in both."""
    path = tmp_path / "f.mlir"
    command = [
        sys.executable,
        "-c",
        "import sys; from hlokit.cli import hlokit; sys.exit(hlokit())",
        "run",
        *flags,
    ]
    command += ["--function=f0", str(path), "dense<1> : tensor<i32>"]
    for levels, status in ((2000, 0), (10_000, 1)):
        path.write_text(calls(levels, 1, "private"))
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
        assert done.returncode == status
        assert (done.stdout == "tensor<i32> {2}\n") == (status == 0)
        assert len(done.stderr.splitlines()) < 15
        assert ("deeper than 5,000 levels" in done.stderr) == (status == 1)
