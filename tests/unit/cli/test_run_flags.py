"""Flags of `hlokit run` beyond the program and its arguments, and the commands about the installation."""

from __future__ import annotations

import dataclasses
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import hlokit
from hlokit.cli import selftest
from hlokit.cli.commands import doctor
from hlokit.cli.main import SUBCOMMANDS, main, parsers
from hlokit.cli.upstream import opt, translate
from hlokit.clients.pjrt.options import Options
from hlokit.engine.contract.environment import VARIABLES

ROOT = Path(__file__).parents[3]
SUBTRACT = """func.func @main(%a: tensor<2xf32> loc("w['a']"), %b: tensor<2xf32> loc("w['b']")) -> tensor<2xf32> {
  %0 = stablehlo.subtract %a, %b : tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""
PARTITION = """func.func @main() -> tensor<ui32> {
  %0 = stablehlo.partition_id : tensor<ui32>
  return %0 : tensor<ui32>
}
"""
CALL = """func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.custom_call @thrice_for_a_test(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""


def run_json(*arguments: str, capsys: pytest.CaptureFixture[str]) -> object:
    assert main(["run", *arguments, "--format=json"]) == 0
    return json.loads(capsys.readouterr().out)["results"]


def test_tuples_of_any_shapes_are_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "p.mlir"
    type_ = "tuple<tensor<2xi8>, tensor<i8>, tuple<tensor<0xf32>, tensor<1001xi1>>>"
    program.write_text(f"func.func @main(%t: {type_}) -> {type_} {{ return %t : {type_} }}")
    assert main(["run", str(program), "--ones"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"{type_} ("
    assert lines[1:4] == ["tensor<2xi8> {", "  [1, 1]", "},"]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("w['b']", "w['a']"), [9, 18]),
        (("w.b", "w.a"), [9, 18]),
        (("w/b", "w/a"), [9, 18]),
        (("arr_0", "arr_1"), [-9, -18]),
        (("arr_1", "arr_0"), [9, 18]),
        (("result_0", "result_2_0"), [-9, -18]),
    ],
)
def test_arrays_of_npz_are_matched_by_name(
    names: tuple[str, str], expected: list[float], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program, arrays = tmp_path / "p.mlir", tmp_path / "a.npz"
    program.write_text(SUBTRACT)
    values = (np.array([1, 2], np.float32), np.array([10, 20], np.float32))
    np.savez(arrays, **dict(zip(names, values, strict=True)))
    found = run_json(str(program), str(arrays), capsys=capsys)
    assert found == [{"type": "tensor<2xf32>", "value": expected}]


def test_missing_names_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program, arrays = tmp_path / "p.mlir", tmp_path / "a.npz"
    program.write_text(SUBTRACT)
    np.savez(arrays, **{"w.a": np.zeros(2, np.float32), "w.c": np.zeros(2, np.float32)})
    assert main(["run", str(program), str(arrays)]) == 1
    message = "which are w['a'], w['b']; got arrays named w.a, w.c, which lack w['b']"
    assert message in capsys.readouterr().err
    assert main(["run", str(program), str(arrays), str(arrays)]) == 1
    assert "w.a must be given once" in capsys.readouterr().err
    nameless = tmp_path / "p.mlirbc"
    nameless.write_bytes(hlokit.load(SUBTRACT).serialize(strip_debug_info=True))
    assert main(["run", str(nameless), str(arrays)]) == 1
    assert "the parameters have no names, got arrays named w.a, w.c: arr_0" in capsys.readouterr().err


def test_names_in_text_count(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program, arrays, x = tmp_path / "p.mlir", tmp_path / "a.npz", tmp_path / "x.npz"
    program.write_text(re.sub(r' loc\(.*?"\)', "", SUBTRACT).replace("%a", "%x").replace("%b", "%arg1"))
    one, ten = np.array([1, 2], np.float32), np.array([10, 20], np.float32)
    np.savez(arrays, arg1=one, x=ten, z=ten)
    assert run_json(str(program), str(arrays), capsys=capsys) == [{"type": "tensor<2xf32>", "value": [9, 18]}]
    np.savez(x, x=ten)
    for rest in (["2xf32=1"], ["--ones"]):
        found = run_json(str(program), str(x), *rest, capsys=capsys)
        assert found == [{"type": "tensor<2xf32>", "value": [9, 19]}]
    np.save(tmp_path / "y.npy", one)
    found = run_json(str(program), str(tmp_path / "y.npy"), str(x), capsys=capsys)
    assert found == [{"type": "tensor<2xf32>", "value": [9, 18]}]
    np.savez(x, y=ten)
    assert main(["run", str(program), str(x), "--random"]) == 1
    assert "which are x, arg1; got arrays named y, which lack x, arg1" in capsys.readouterr().err


def test_names_of_jax_parameters() -> None:
    jax = pytest.importorskip("jax")
    program = hlokit.from_jax(lambda w: w["a"] - w["b"], {"a": np.ones(2), "b": np.ones(2)})
    assert program.parameter_names() == ("w['a']", "w['b']")
    assert hlokit.load(CALL).parameter_names() == ("a",)
    assert hlokit.load(CALL.replace("%a", "%7")).parameter_names() == (None,)
    del jax


def test_partitions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "p.mlir"
    path.write_text(PARTITION)
    found = run_json(str(path), "--num-partitions=3", capsys=capsys)
    assert found == [{"process": [0, number], "type": "tensor<ui32>", "value": number} for number in range(3)]


def test_json_names_the_process_of_each_result(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "p.mlir"
    path.write_text(
        """func.func @main() -> (tensor<ui32>, tensor<ui32>) {
  %0 = stablehlo.replica_id : tensor<ui32>
  %1 = stablehlo.partition_id : tensor<ui32>
  return %0, %1 : tensor<ui32>, tensor<ui32>
}
"""
    )
    found = run_json(str(path), "--num-replicas=2", "--num-partitions=3", capsys=capsys)
    assert found == [
        {"process": [replica, partition], "type": "tensor<ui32>", "value": value}
        for replica in range(2)
        for partition in range(3)
        for value in (replica, partition)
    ]
    alone = run_json(str(path), "--num-replicas=1", "--num-partitions=1", capsys=capsys)
    assert alone == [{"type": "tensor<ui32>", "value": 0}] * 2


def test_kernels(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program, kernels = tmp_path / "p.mlir", tmp_path / "my_calls.py"
    program.write_text(CALL)
    kernels.write_text(
        "import hlokit\n\n@hlokit.custom_call('thrice_for_a_test')\ndef thrice(x):\n    return x * x.dtype.type(3)\n"
    )
    argument = "dense<[1.0, 2.0]> : tensor<2xf32>"
    assert main(["run", str(program), argument]) == 1
    capsys.readouterr()
    found = run_json(str(program), argument, f"--kernels={kernels}", capsys=capsys)
    assert found == [{"type": "tensor<2xf32>", "value": [3, 6]}]
    kernels.write_text("\n1 / 0\n")
    assert main(["run", str(program), argument, f"--kernels={kernels}"]) == 1
    assert f"kernels file {kernels}:2: ZeroDivisionError" in capsys.readouterr().err
    assert main(["run", str(program), argument, "--kernels=nothing.py"]) == 1
    assert "cannot open kernels file 'nothing.py'" in capsys.readouterr().err


def test_weights(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, weights = tmp_path / "p.mlir", tmp_path / "w.npz"
    path.write_text(
        "func.func @main() -> tensor<2xf32> {\n  %0 = stablehlo.constant dense_resource<w> : tensor<2xf32>\n  return %0 : tensor<2xf32>\n}\n"
    )
    np.savez(weights, w=np.array([5, 6], np.float32))
    found = run_json(str(path), f"--weights={weights}", capsys=capsys)
    assert found == [{"type": "tensor<2xf32>", "value": [5, 6]}]


def test_values_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "p.mlir"
    types = ("tensor<3xbf16>", "tensor<complex<f32>>", "tensor<2xi4>", "tensor<i1>", "tuple<tensor<f8E5M2>>")
    path.write_text(
        f"func.func @main({', '.join(f'%a{i}: {type_}' for i, type_ in enumerate(types))}) -> ({', '.join(types)}) {{\n  return {', '.join(f'%a{i}' for i in range(len(types)))} : {', '.join(types)}\n}}\n"
    )
    np.savez(
        tmp_path / "a.npz",
        np.array([1.5, np.nan, -np.inf], ml_dtypes.bfloat16),
        np.complex64(1 - 2j),
        np.array([-8, 7], ml_dtypes.int4),
        np.bool_(True),
        np.array(0.25, ml_dtypes.float8_e5m2),
    )
    found = run_json(str(path), str(tmp_path / "a.npz"), capsys=capsys)
    values = [[1.5, "NaN", "-Infinity"], [1, -2], [-8, 7], True, [{"type": "tensor<f8E5M2>", "value": 0.25}]]
    assert found == [{"type": type_, "value": value} for type_, value in zip(types, values, strict=True)]


def test_operations_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "p.mlir"
    path.write_text(CALL.replace("thrice_for_a_test", "nobody_has_this"))
    assert main(["ops", "--json", str(path)]) == 1
    (item,) = json.loads(capsys.readouterr().out)["operations"]
    assert (item["op"], item["function"]) == ("stablehlo.custom_call", "main")
    assert "@nobody_has_this" in item["reason"]
    path.write_text(SUBTRACT)
    assert main(["ops", "--json", str(path)]) == 0
    assert json.loads(capsys.readouterr().out) == {"version": 1, "operations": []}


def test_operations_with_kernels(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, kernels = tmp_path / "p.mlir", tmp_path / "my_calls.py"
    path.write_text(CALL.replace("thrice_for_a_test", "only_ops_has_this"))
    kernels.write_text(
        "import hlokit\n\n@hlokit.custom_call('only_ops_has_this')\ndef f(x, call):\n    return x\n"
    )
    assert main(["ops", str(path), f"--kernels={kernels}"]) == 0
    assert capsys.readouterr().out == "every operation can be evaluated\n"


def test_doctor(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert main(["doctor"]) == 0
    out = capsys.readouterr().out
    assert f"{hlokit.__version__} in {Path(hlokit.__file__).parent}\n" in out
    assert re.search(r"^ok       processor   .* kernels of level \w+, \d+ threads$", out, re.MULTILINE)
    monkeypatch.setenv("HLOKIT_THRAEDS", "2")
    monkeypatch.setattr(doctor, "_version", lambda name: None if name in ("numpy", "flatbuffers") else "1")
    assert main(["doctor", "--json"]) == 1
    found = {item["what"]: item for item in json.loads(capsys.readouterr().out)["findings"]}
    assert found["numpy"]["level"] == "error"
    assert found["jax"]["level"] == "missing"
    assert found["jax"]["text"] == "flatbuffers, for from_jax, jax.export blobs: pip install 'hlokit[jax]'"
    assert "no such variable" in found["HLOKIT_THRAEDS"]["text"]


def test_doctor_knows_the_extras_of_users() -> None:
    pyproject = Path(__file__).parents[3] / "pyproject.toml"
    extras = tomllib.loads(pyproject.read_text())["project"]["optional-dependencies"]
    assert doctor._EXTRAS.keys() == extras.keys() - {"docs", "test", "test-deep", "dev"}
    for extra, (packages, _) in doctor._EXTRAS.items():
        everywhere = [requirement for requirement in extras[extra] if ";" not in requirement]
        assert set(packages) == {re.split("[>=]", requirement)[0] for requirement in everywhere}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(shell: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    own = (parser.flags.values() for parser in parsers().values())
    names = {flag.name for flags in (*own, opt.FLAGS, translate.FLAGS) for flag in flags}
    assert len(names) > 80
    for name in (*SUBCOMMANDS, *names):
        assert name in script
    if shutil.which(shell) is not None:
        path = tmp_path / "script"
        path.write_text(script)
        subprocess.run([shell, "-n", path], check=True)


COMPLETED = {
    "--he": "--help",
    "run --back": "--backend=",
    "do": "doctor",
    "help inf": "info infer",
    "re": "record replay reduce",
    "ops --": "--kernels= --json --format= --quiet --verbose --help --version",
    "run --num": "--num-replicas= --num-partitions=",
    "completion ": "bash zsh fish",
    "run --backend = ": "numpy xla",
    "run --backend = x": "xla",
    "run --engine ": "threads mpi",
    "verify --format = s": "sarif",
    "diff m.mlir --against = i": "iree iree:vmvx",
}


def test_passes_and_functions_are_completed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "bash"]) == 0
    script = capsys.readouterr().out
    assert "--stablehlo-aggressive-folder" in script
    path = tmp_path / "p.mlir"
    path.write_text(SUBTRACT + SUBTRACT.replace("@main", "@other"))
    ask = 'COMP_WORDS=(hlokit run "$1" --function = o); COMP_CWORD=5; _hlokit hlokit; echo "${COMPREPLY[@]}"'
    hlokit_command = f'hlokit() {{ "{sys.executable}" -m hlokit "$@"; }}\n'
    command = ["bash", "-c", script + hlokit_command + ask, "bash", str(path)]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["other"]


@pytest.mark.parametrize("typed", COMPLETED)
def test_completion_in_bash(typed: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "bash"]) == 0
    script = capsys.readouterr().out
    ask = 'compopt() { :; }; COMP_WORDS=(hlokit "$@"); COMP_CWORD=$#; _hlokit hlokit; echo "${COMPREPLY[@]}"'
    run = subprocess.run(
        ["bash", "-c", script + ask, "bash", *typed.split(" ")], capture_output=True, text=True, check=True
    )
    assert run.stdout.split() == COMPLETED[typed].split()


@pytest.mark.skipif(shutil.which("fish") is None, reason="needs fish")
@pytest.mark.parametrize("typed", COMPLETED)
def test_completion_in_fish(typed: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "fish"]) == 0
    (tmp_path / "script").write_text(capsys.readouterr().out)
    ask = 'source script; complete -C "hlokit $argv"'
    run = subprocess.run(
        ["fish", "-N", "-c", ask, "--", typed.replace(" = ", "=")],  # bash splits words there
        cwd=tmp_path,
        env={**os.environ, "HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    found = {re.sub(r"^--[\w-]+=", "", line.partition("\t")[0]) for line in run.stdout.splitlines()}
    assert found - {"script"} == {word.removesuffix("=") for word in COMPLETED[typed].split()}


def test_completion_for_other_shells(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "tcsh"]) == 2
    assert "SHELL must be one of bash, zsh, fish, got 'tcsh'" in capsys.readouterr().err


def test_all_variables_of_the_environment_are_listed() -> None:
    pattern = re.compile(r'(?:environ(?:\.get)?[\[(]|getenv\(|VARIABLE = |DEVICES = )"(HLOKIT_\w+)"')
    sources = [*(ROOT / "python").rglob("*.py"), *(ROOT / "lib").rglob("*.cpp")]
    names = {name for path in sources for name in pattern.findall(path.read_text())}
    options = {field.name for field in dataclasses.fields(Options)} - {"observer"}
    assert names | {f"HLOKIT_JAX_{name.upper()}" for name in options} == set(VARIABLES)
    page = (ROOT / "docs" / "environment.md").read_text()
    assert set(re.findall(r"`(HLOKIT_\w+)`", page)) == set(VARIABLES)


def test_selftest_names_failures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "p.mlir"
    text = "// RUN: --require-checks\nfunc.func @main() {\n  %0 = stablehlo.constant dense<2> : tensor<i32>\n  check.expect_eq_const %0, dense<2> : tensor<i32>\n  return\n}\n"
    path.write_text(text)
    assert selftest._run([path]) == 0
    path.write_text(text.replace("%0, dense<2>", "%0, dense<3>"))
    assert selftest._run([path]) == 1
    assert capsys.readouterr().out.startswith("p.mlir: ")
    assert len(selftest.programs()) > 100


@pytest.mark.parametrize(
    ("arguments", "variables", "said"),
    [
        (["--no"], {}, "selftest: error: unknown command line argument '--no'"),
        (["x.mlir"], {}, "selftest: error: no input is expected, got x.mlir"),
        ([], {"HLOKIT_DISABLE": "fusions"}, "selftest: error: HLOKIT_DISABLE names no fast path 'fusions'"),
        ([], {"HLOKIT_CPU": "avx3"}, "selftest: error: HLOKIT_CPU must be baseline, avx2, avx512 or amx"),
    ],
)
def test_selftest_refuses_unknown_arguments_and_variables(
    arguments: list[str],
    variables: dict[str, str],
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Regression: the selftest ignored arguments, and a misspelt variable looked like a failed
    installation."""
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(selftest, "programs", lambda: pytest.fail("it runs"))
    assert selftest.main(arguments) == 1
    assert re.search(said, capsys.readouterr().err)


def test_selftest_prints_its_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert selftest.main(["--help"]) == 0
    assert "python -m hlokit.selftest" in capsys.readouterr().out


def test_a_run_warns_of_bits_that_it_compares_against_the_specification(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "p.mlir"
    path.write_text("""func.func @main(%x: tensor<2xi32>) -> tensor<2xi1> {
      %0 = stablehlo.compare GT, %x, %x, UNSIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
      %1 = stablehlo.compare LT, %x, %x, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
      %2 = stablehlo.or %0, %1 : tensor<2xi1>
      return %2 : tensor<2xi1>
    }""")
    assert main(["run", str(path), "--random"]) == 0
    assert capsys.readouterr().err == (
        f"{path}: warning: compare_type of i32 must be SIGNED, got UNSIGNED (C3): compares the bits\n"
    )
