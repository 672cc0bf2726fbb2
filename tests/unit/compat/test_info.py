"""The format and version of a file, without MLIR, and from the commands."""

from __future__ import annotations

import json
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import hlokit
from hlokit._bytecode import Bytecode
from hlokit.cli.main import main
from hlokit.compat.info import Constant, Function, inspect_bytes, inspect_file
from hlokit.compat.modules import run_passes
from hlokit.compat.requirements import current_version, requirements
from hlokit.compat.serialize import serialize
from hlokit.compat.versions import NEWEST_KNOWN, opsets
from hlokit.errors import ParseError
from hlokit.mlir.portable import Version
from hlokit.mlir.printing import write_bytecode
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import walk
from tests.unit.lib.readers.samples import SAMPLE, VERSIONS, to_bytecode

from .large import write_large
from .programs import CHLO, MIXED, PLAIN, module
from .test_sandboxed_parse import from_the_future, mutants

TYPES = """
func.func @main(%a: tensor<2x?xbf16>, %b: complex<f32>, %c: tuple<tensor<*xi4>, tensor<f8E5M2>>) -> tensor<3xui8> {
  %0 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xui8>
  return %0 : tensor<3xui8>
}
func.func private @declared(tensor<2xi1>, !stablehlo.token)
"""


@pytest.mark.parametrize("version", opsets(current_version()), ids=str)
def test_portable_artifact(version: Version) -> None:
    info = inspect_bytes(serialize(module(PLAIN), str(version)))
    assert info is not None
    assert (info.kind, info.version) == ("portable artifact", version)
    assert info.producer == f"StableHLO_v{version}"
    assert info.operations == {"builtin.module": 1, "vhlo.add_v1": 1, "vhlo.func_v1": 1, "vhlo.return_v1": 1}
    assert info.functions == (
        Function("main", "(tensor<2xf32>) -> (tensor<2xf32>)", ""),
    ) or info.functions == (Function("main", "(tensor<2xf32>) -> (tensor<2xf32>)", "public"),)
    if version <= NEWEST_KNOWN:
        assert info.as_written is not None and info.as_written <= version
    assert list(info.dialects) == ["builtin", "vhlo"]


@pytest.mark.parametrize("version", VERSIONS)
def test_bytecode_of_every_version(version: int) -> None:
    info = inspect_bytes(to_bytecode(TYPES, version))
    assert info is not None
    assert (info.kind, info.version, info.readers) == ("MLIR bytecode", None, "")
    assert info.bytecode_version == version
    signature = "(tensor<2x?xbf16>, complex<f32>, tuple<tensor<*xi4>, tensor<f8E5M2>>) -> (tensor<3xui8>)"
    assert info.functions == (
        Function("main", signature, "public"),
        Function("declared", "(tensor<2xi1>, !stablehlo.token) -> ()", "private"),
    )
    assert info.constants == (Constant("tensor<3xui8>", 3),)


def test_types_in_artifacts_are_those_in_bytecode() -> None:
    program = module(TYPES.replace("complex<f32>", "tensor<complex<f32>>"))
    info = inspect_bytes(serialize(program))
    assert info is not None
    assert [function.type_ for function in info.functions] == [
        "(tensor<2x?xbf16>, tensor<complex<f32>>, tuple<tensor<*xi4>, tensor<f8E5M2>>) -> (tensor<3xui8>)",
        "(tensor<2xi1>, !stablehlo.token) -> ()",
    ]
    assert info.constants == (Constant("tensor<3xui8>", 3),)


def test_resources() -> None:
    info = inspect_bytes(to_bytecode(SAMPLE))
    assert info is not None
    (resource,) = info.resources
    assert (resource.key, resource.kind, resource.size) == ("weights", "blob", 12)


def test_operations_are_all_operations() -> None:
    program = hlokit.load(MIXED)
    counts: Counter[str] = Counter()
    walk(program.module.operation, lambda operation: counts.update([operation.name]))
    info = inspect_bytes(to_bytecode(MIXED))
    assert info is not None and info.operations == counts


def test_an_artifact_from_the_future() -> None:
    info = inspect_bytes(from_the_future())
    assert info is not None and info.version is not None
    assert info.version.major == 9
    assert "vhlo.add_v9" in info.operations
    assert info.as_written is None
    assert info.readers == f"StableHLO {info.version.opset} and later"


def test_a_bytecode_version_from_the_future() -> None:
    data = bytearray(serialize(module(PLAIN)))
    data[4] = 2 * 7 + 1
    info = inspect_bytes(bytes(data))
    assert info is not None
    assert info.bytecode_version == 7
    assert info.version == current_version()
    assert "bytecode version 7 is newer than 6" in info.unread


@pytest.mark.parametrize("text", [b"", b"func.func", b"\0" * 100])
def test_something_else(text: bytes) -> None:
    assert inspect_bytes(text) is None


def test_mutants_are_read_or_refused() -> None:
    outcomes: Counter[str] = Counter()
    for mutant in mutants(serialize(module(MIXED)), 3000, seed=7):
        try:
            outcomes["read" if inspect_bytes(mutant) is not None else "text"] += 1
        except ParseError:
            outcomes["refused"] += 1
    assert outcomes["read"] and outcomes["refused"], outcomes


def test_a_jax_export_blob() -> None:
    jax = pytest.importorskip("jax")
    from jax import export

    blob = bytes(export.export(jax.jit(lambda x: x + 1.0))(jax.ShapeDtypeStruct((3,), "float32")).serialize())
    info = inspect_bytes(blob)
    assert info is not None
    assert (info.kind, info.size) == ("jax.export blob", len(blob))
    assert info.functions[0].type_ == "(tensor<3xf32>) -> (tensor<3xf32>)"


def test_five_gigabytes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    size = 5 << 30
    path = tmp_path / "large.mlirbc"
    write_large(path, size)
    assert path.stat().st_size > size
    start = time.process_time()
    info = inspect_file(str(path))
    seconds = time.process_time() - start
    assert info is not None
    assert info.constants == (Constant("tensor<3xf32>", size),)
    assert seconds < 1
    assert main(["info", str(path)]) == 0
    assert "5,368,709,120  tensor<3xf32>" in capsys.readouterr().out


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "mixed.mlir").write_text(MIXED)
    (tmp_path / "chlo.mlir").write_text(CHLO)
    (tmp_path / "plain.mlirbc").write_bytes(serialize(module(PLAIN), "1.1.0"))
    (tmp_path / "future.mlirbc").write_bytes(from_the_future())
    (tmp_path / "damaged.mlirbc").write_bytes(serialize(module(PLAIN))[:-20])
    return tmp_path


def test_info_of_text(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", "--json", str(files / "mixed.mlir")]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["kind"] == "MLIR text"
    assert record["lowest_version"] == "1.10.0"
    assert record["operations"]["stablehlo.tan"] == 1
    assert record["bytecode_version"] is None


def test_info_of_an_artifact(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", str(files / "plain.mlirbc")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "readable by        StableHLO 1.1.0 and later, such as jaxlib 0.4.30 and later" in lines
    assert "could be held by   StableHLO 0.9.0 and later" in lines
    assert "         1  vhlo.add_v1" in lines


def test_info_from_the_future(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", str(files / "future.mlirbc")]) == 0
    assert "could be held by   not determined" in capsys.readouterr().out


def test_info_of_a_damaged_file(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", str(files / "damaged.mlirbc")]) == 1
    assert "damaged.mlirbc: error: malformed bytecode" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["info", "compat", "upgrade"])
def test_missing_file(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "/nowhere.mlir"]) == 1
    assert "cannot open input file '/nowhere.mlir': no such file or directory" in capsys.readouterr().err


def test_compat(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compat", str(files / "mixed.mlir")]) == 0
    rows = [line.split(maxsplit=2) for line in capsys.readouterr().out.splitlines()[1:]]
    assert [row[0] for row in rows] == [str(version) for version in reversed(opsets(current_version()))]
    held = {row[0] for row in rows if row[2] == "yes"}
    assert held == {str(version) for version in opsets(current_version()) if version >= Version(1, 10)}
    assert "no: operation 'stablehlo.tan' needs StableHLO 1.4.0 (operation tan); type 'i2'" in rows[-1][2]


def test_compat_as_json(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compat", "--json", str(files / "chlo.mlir")]) == 0
    rows = json.loads(capsys.readouterr().out)["versions"]
    assert not any(row["serializes"] for row in rows)
    assert rows[0]["missing"][0]["name"] == "chlo.erf"
    assert rows[0]["missing"][0]["since"] is None
    assert main(["compat", "--json", "--allow-other-dialects", str(files / "chlo.mlir")]) == 0
    assert all(row["serializes"] for row in json.loads(capsys.readouterr().out)["versions"])


SHARDED = """module attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%x: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<4xf32> {jax.result_info = "#sdy.x"}) {
    %0 = stablehlo.tanh %x : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}"""


def test_shardings_need_other_dialects(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "sharded.mlir"
    path.write_text(SHARDED)
    assert main(["info", str(path)]) == 0
    held = "StableHLO 0.9.0 and later, with --allow-other-dialects (sdy)"
    assert f"could be held by   {held}\n" in capsys.readouterr().out
    assert main(["info", "--json", str(path)]) == 0
    record = json.loads(capsys.readouterr().out)
    assert (record["lowest_version"], record["other_dialects"]) == ("0.9.0", ["sdy"])
    assert main(["compat", str(path)]) == 0
    said = capsys.readouterr().out
    assert """no: operation 'sdy.mesh' has no portable form""" in said
    assert said.endswith("with --allow-other-dialects, operations and attributes of sdy pass\n")


def test_obstacles_to_an_artifact_are_named() -> None:
    with pytest.raises(hlokit.VersionError) as caught:
        hlokit.load(SHARDED).serialize()
    assert str(caught.value).splitlines() == [
        "-: error: the program cannot be written for any version; with --allow-other-dialects "
        "(allow_other_dialects=True: sdy) the oldest target that can hold it is 0.9.0",
        "-:2:3: error: operation 'sdy.mesh' has no portable form: 'sdy' is not one of the dialects stablehlo, func",
        """-:3:3: error: attribute 'sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>' of operation 'func.func' """
        "has no portable form: 'sdy' is not one of the dialects stablehlo, func",
    ]
    assert hlokit.load(SHARDED).serialize("0.9.0", allow_other_dialects=True)


def test_programs_for_several_platforms(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    jax = pytest.importorskip("jax", reason="JAX writes the blob")
    exported = jax.export.export(jax.jit(lambda x: x + x), platforms=["tpu", "cpu"])(1.0)
    lines: list[str] = []
    for name, data in (("blob", exported.serialize()), ("mlirbc", exported.mlir_module_serialized)):
        path = tmp_path / name
        path.write_bytes(data)
        assert main(["info", str(path)]) == 0
        lines += [line for line in capsys.readouterr().out.splitlines() if line.startswith("platforms ")]
        assert main(["info", str(path), "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert found["takes_platform"] is True
        assert found["platforms"] == (["tpu", "cpu"] if name == "blob" else [])
    number = "by number: the first parameter of @main"
    assert lines == [
        f"platforms          tpu, cpu, {number}, which hlokit.load binds to cpu",
        f"platforms          several, {number}, in an order that the file does not state",
    ]


def test_many_functions_take_linear_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counts conversions and copies of tables instead of seconds: their number does not depend on the number of
    functions."""
    counts: list[tuple[int, int]] = []
    for number in (10, 40):
        functions = [
            f"func.func private @f{i}(%x: tensor<f32>) -> tensor<f32> {{ "
            f"%0 = call @f{i + 1}(%x) : (tensor<f32>) -> tensor<f32> return %0 : tensor<f32> }}"
            for i in range(number)
        ]
        functions.append(
            f"func.func @f{number}(%x: tensor<f32>) -> tensor<f32> {{ return %x : tensor<f32> }}"
        )
        module = hlokit.load("\n".join(functions)).module
        passes = 0

        def counting(operation: ir.Operation, pipeline: str) -> bool:
            nonlocal passes
            passes += 1
            return run_passes(operation, pipeline)

        monkeypatch.setattr("hlokit.compat.scratch.run_passes", counting)
        assert requirements(module) == []
        tables = 0

        class Counted:
            def __init__(self, bytecode: Bytecode) -> None:
                self.bytecode = bytecode

            def __getattr__(self, name: str) -> Any:
                nonlocal tables
                tables += name in ("strings", "attributes", "types")
                return getattr(self.bytecode, name)

        monkeypatch.setattr("hlokit.compat.info.Bytecode", lambda data: Counted(Bytecode(data)))
        assert inspect_bytes(write_bytecode(module), "-") is not None
        counts.append((passes, tables))
    assert counts[0] == counts[1]
    assert min(counts[0]) > 0
