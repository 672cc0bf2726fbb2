"""Artifacts for every target; the module is not modified; messages of failures suggest a remedy."""

from __future__ import annotations

from pathlib import Path

import pytest

import hlokit
from hlokit.cli.upstream.translate import main as translate
from hlokit.compat.requirements import (
    Requirement,
    current_version,
    lowest_version,
    other_dialects,
    requirements,
)
from hlokit.compat.serialize import resolve_target, serialize
from hlokit.compat.versions import opsets
from hlokit.errors import VersionError
from hlokit.mlir.portable import Version, stated_version
from hlokit.mlir.provider.bindings import ir, stablehlo

from .programs import CHLO, MIXED, PLAIN, module


def succeeds(program: ir.Module, version: Version) -> bool:
    try:
        serialize(program, str(version))
    except VersionError:
        return False
    return True


@pytest.mark.parametrize("text", [PLAIN, MIXED])
def test_module_is_not_changed(text: str) -> None:
    program = module(text)
    before = str(program)
    serialize(program)
    with pytest.raises(VersionError):
        serialize(program, "0.8.0")
    succeeds(program, Version(0, 9))
    requirements(program)
    assert str(program) == before


def test_bytes_equal_those_of_the_bindings() -> None:
    for version in opsets(current_version()):
        expected = stablehlo.serialize_portable_artifact(module(PLAIN), str(version))
        assert serialize(module(PLAIN), str(version)) == expected


def test_module_attributes_and_name_are_kept() -> None:
    text = f"module @name attributes {{a.b = 1 : i32}} {{ {PLAIN} }}"
    assert str(hlokit.load(serialize(module(text))).module) == str(module(text))


@pytest.mark.parametrize("version", opsets(current_version()), ids=str)
def test_round_trip(version: Version) -> None:
    assert str(hlokit.load(serialize(module(PLAIN), str(version))).module) == str(module(PLAIN))


def test_named_targets() -> None:
    current = current_version()
    assert resolve_target("current") == resolve_target("NONE") == current
    assert resolve_target("MAX") == Version(0, 9)
    assert resolve_target("MAX") < resolve_target("WEEK_12") <= resolve_target("WEEK_4") <= current


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("0.8.0", "target must be 0.9.0 or later, got 0.8.0"),
        ("99.0.0", "or earlier, got 99.0.0"),
        ("1.2", "got '1.2'"),
        ("", "got ''"),
        ("week_4", "got 'week_4'"),
    ],
)
def test_impossible_target(target: str, message: str) -> None:
    with pytest.raises(VersionError, match=message):
        serialize(module(PLAIN), target)


def test_lowest_target_is_the_lowest_that_works() -> None:
    for text in (PLAIN, MIXED):
        program = module(text)
        lowest = stated_version(serialize(program, "min"))
        assert lowest is not None
        assert lowest == lowest_version(requirements(program))
        for version in opsets(current_version()):
            assert succeeds(program, version) == (version >= lowest)


def test_failure_names_each_offender_with_its_place_and_version() -> None:
    with pytest.raises(VersionError) as caught:
        serialize(module(MIXED), "0.9.0", filename="test.mlir")
    summary, *details = [str(diagnostic) for diagnostic in caught.value.diagnostics]
    assert summary == (
        "test.mlir: error: the program cannot be written for 0.9.0; "
        "the oldest target that can hold it is 1.10.0"
    )
    expected = [
        ("test.mlir:2:8", "operation 'stablehlo.tan' needs StableHLO 1.4.0"),
        ("test.mlir:3:8", "type 'i2' of operation 'stablehlo.constant' needs StableHLO 1.2.0"),
        ("test.mlir:4:8", "attribute 'result_accuracy = "),
        ("test.mlir:5:8", "operation 'stablehlo.custom_call' needs StableHLO 1.3.0"),
        ("test.mlir:6:8", "operation 'stablehlo.reduce' needs StableHLO 0.17.0"),
    ]
    assert len(details) == len(expected)
    for detail, (place, text) in zip(details, expected, strict=True):
        assert detail.startswith(f"{place}: error: {text}")
    assert "of operation 'stablehlo.cosine' needs StableHLO 1.10.0" in details[2]


def test_operations_of_one_name_have_requirements_of_their_own() -> None:
    text = """
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.custom_call @plain(%x) : (tensor<f32>) -> tensor<f32>
  %1 = stablehlo.custom_call @newer(%0) {api_version = 4 : i32, backend_config = {a = 1 : i32}} : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}"""
    assert [str(item.since) for item in requirements(module(text))] == ["1.3.0"]


@pytest.mark.parametrize(
    ("dialects", "expected"), [((), ()), (("sdy", "a", "sdy"), ("a", "sdy")), (("sdy", ""), ())]
)
def test_other_dialects_are_named_if_they_are_the_only_obstacle(
    dialects: tuple[str, ...], expected: tuple[str, ...]
) -> None:
    obstacles = [Requirement("operation", "op", "op", None, "", "", dialect) for dialect in dialects]
    met = Requirement("operation", "op", "op", Version(1, 0), "")
    assert other_dialects([met, *obstacles]) == expected


def test_failure_does_not_list_operations_that_the_target_has() -> None:
    with pytest.raises(VersionError) as caught:
        serialize(module(MIXED), "1.3.0")
    assert [diagnostic.line for diagnostic in caught.value.diagnostics] == [0, 2, 4]


@pytest.mark.parametrize("target", ["current", "0.9.0", "min"])
def test_other_dialects_are_refused(target: str) -> None:
    with pytest.raises(VersionError) as caught:
        serialize(module(CHLO), target, filename="test.mlir")
    summary, detail = map(str, caught.value.diagnostics)
    assert summary == (
        "test.mlir: error: the program cannot be written for any version; with --allow-other-dialects "
        "(allow_other_dialects=True: chlo) the oldest target that can hold it is 0.9.0"
    )
    assert detail.startswith("test.mlir:2:8: error: operation 'chlo.erf' has no portable form")


def test_other_dialects_are_allowed_on_demand() -> None:
    data = serialize(module(CHLO), allow_other_dialects=True)
    assert str(hlokit.load(data).module) == str(module(CHLO))


@pytest.mark.parametrize("allow_other_dialects", [False, True])
def test_complex_elements_in_attributes_of_structure(allow_other_dialects: bool) -> None:
    # The bindings have no class for these, and abort the process when they are asked for one by its index.
    complex_ = "dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>"
    program = hlokit.load(f"""
      module attributes {{a.q = {complex_}}} {{
        func.func @main(%x: tensor<2xi32> {{a.b = {complex_}}}) -> tensor<2xi32> attributes {{a.c = {complex_}}} {{
          %0 = math.absi %x {{z = {{b = {complex_}}}}} : tensor<2xi32>
          return %0 : tensor<2xi32>
        }}
      }}""")
    if allow_other_dialects:
        text = hlokit.load(program.serialize("min", allow_other_dialects=True)).text()
        assert text.count("dense<(1.000000e+00,2.000000e+00)>") == 4
    else:
        with pytest.raises(VersionError, match=r"operation 'math.absi' has no portable form"):
            program.serialize("min")


def test_complex_elements_in_dictionaries_of_operations() -> None:
    complex_ = "c = dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>"
    program = hlokit.load(f"""
      func.func @main(%x: tensor<f32>) -> tensor<f32> {{
        %0 = stablehlo.composite "a.b" %x {{
          composite_attributes = {{{complex_}, d = {{{complex_}}}, e = [{{{complex_}}}]}}, decomposition = @f
        }} : (tensor<f32>) -> tensor<f32>
        %1 = stablehlo.custom_call @g(%0) {{api_version = 4 : i32, backend_config = {{{complex_}}}}}
          : (tensor<f32>) -> tensor<f32>
        return %1 : tensor<f32>
      }}
      func.func private @f(%x: tensor<f32>) -> tensor<f32> {{ return %x : tensor<f32> }}""")
    found = [str(requirement) for requirement in requirements(program.module)]
    assert [text.split(" (")[0] for text in found] == [
        "operation 'stablehlo.composite' needs StableHLO 0.19.0",
        "operation 'stablehlo.custom_call' needs StableHLO 1.3.0",
    ]
    text = hlokit.load(program.serialize("min")).text()
    assert text.count("dense<(1.000000e+00,2.000000e+00)>") == 4


def test_an_attribute_that_no_version_has() -> None:
    text = PLAIN.replace("%a, %a :", "%a, %a {x.y = #chlo<comparison_direction LT>} :")
    with pytest.raises(VersionError, match=r"attribute 'x.y = #chlo<.*' of operation 'stablehlo.add' has no"):
        serialize(module(text))


def test_a_type_in_a_signature() -> None:
    (found,) = requirements(module("func.func private @f(tensor<2xf4E2M1FN>)"))
    assert (found.kind, found.name, found.operation) == ("type", "f4E2M1FN", "func.func")
    assert found.since == Version(1, 8)


def test_the_innermost_type_is_named() -> None:
    (found,) = requirements(module("func.func private @f(tuple<tensor<2xui2>, tensor<f32>>)"))
    assert found.name == "ui2"


def test_debug_info_can_be_left_out() -> None:
    data = serialize(module(PLAIN), strip_debug_info=True)
    assert b"test.mlir" not in data
    assert "loc(unknown)" in hlokit.load(data).text(debug_info=True)
    assert "loc(unknown)" not in hlokit.load(serialize(module(PLAIN))).text(debug_info=True)


def test_program_serializes() -> None:
    program = hlokit.load(PLAIN)
    data = program.serialize("1.0.0")
    assert stated_version(data) == Version(1, 0)
    assert hlokit.load(data).functions == ("main",)


def test_arrays_that_become_tensors_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, artifact = tmp_path / "a.mlir", tmp_path / "a.bc"
    path.write_text("""func.func @main(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  stablehlo.custom_call @acme() {has_side_effect = true, foo = array<i64: 1, 2>, bar = "array<i64: 1>", mhlo.backend_config = {k = array<i1: true>}} : () -> ()
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}""")
    assert translate(["--serialize", "--target=current", str(path), "-o", str(artifact)]) == 0
    note = "note: stablehlo.custom_call: arrays become tensors in artifacts: foo, mhlo.backend_config\n"
    errors = capsys.readouterr().err
    assert errors.startswith(f"{path}:2:3: {note}")
    assert errors.count("note:") == 1
    text = hlokit.load(artifact).text()
    assert "foo = dense<[1, 2]> : tensor<2xi64>" in text
    assert "dims = [1, 0]" in text
