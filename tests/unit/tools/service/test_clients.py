"""The clients of examples/clients, run with the tools that the machine has, and the schema of requests."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hlokit.cli.main import main
from hlokit.tools.service.protocol import METHODS, answer, schema

pytestmark = pytest.mark.deep

ROOT = Path(__file__).parents[4]
CLIENTS = ROOT / "examples" / "clients"
EXPECTED = [
    "tensor<?x2xf32>",
    "stablehlo.add: expected 2 operands, but found 1; usage: stablehlo.add(lhs, rhs)",
]


def run(command: list[str | Path], folder: Path) -> list[str]:
    """The output of a client; `hlokit` is the command of this interpreter."""
    script = folder / "hlokit"
    script.write_text(
        f"#!{sys.executable}\nimport sys\nsys.path[:0] = {sys.path!r}\nfrom hlokit.cli import hlokit\nsys.exit(hlokit())\n"
    )
    script.chmod(0o755)
    variables = {
        **os.environ,
        "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}",
        "GOCACHE": str(folder / "go"),
    }
    done = subprocess.run(command, capture_output=True, text=True, env=variables, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.skipif(shutil.which("go") is None, reason="needs go")
def test_client_in_go(tmp_path: Path) -> None:
    assert run(["go", "run", CLIENTS / "client.go"], tmp_path) == EXPECTED


@pytest.mark.skipif(shutil.which("cargo") is None, reason="needs cargo")
def test_client_in_rust(tmp_path: Path) -> None:
    manifest = CLIENTS / "rust" / "Cargo.toml"
    command: list[str | Path] = ["cargo", "run", "--quiet", "--offline", "--manifest-path", manifest]
    assert run([*command, "--target-dir", tmp_path / "target"], tmp_path) == EXPECTED


def as_javascript(text: str) -> str:
    """A client in TypeScript without its types, for Node versions that do not strip them."""
    text = re.sub(r"^type .*;$", "", text, flags=re.MULTILINE)
    text = re.sub(r"\bprivate (?=\w+ =)", "", text).replace("private ", "")
    text = re.sub(r"new Map<[^>]*>", "new Map", text)
    text = re.sub(r"\): (?:Promise<[\w\[\]]+>|void) \{", ") {", text)
    return re.sub(
        r"(?<=[(,] )?\b(method|params|op|operands|attributes|answer|error): (?:\{ \[key: string\]: Json \}|string\[\]|string|Answer|Error)(?=[ ,)=])",
        r"\1",
        text,
    )


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_client_in_typescript(tmp_path: Path) -> None:
    script = tmp_path / "client.mjs"
    script.write_text(as_javascript((CLIENTS / "client.ts").read_text()))
    assert run(["node", script], tmp_path) == [*EXPECTED, "[2,4]"]


@pytest.mark.parametrize("path", ["client.ts", "client.go", "rust/src/main.rs"])
def test_clients_are_short(path: str) -> None:
    assert len((CLIENTS / path).read_text().splitlines()) <= 100


def test_schema_lists_all_methods(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--schema"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed == schema()
    found = {item["properties"]["method"]["const"]: item["properties"]["params"] for item in printed["oneOf"]}
    assert set(found) == {*METHODS, "shutdown"}
    for name, method in METHODS.items():
        assert set(found[name]["properties"]) == set(method.parameters)
        assert all(found[name]["properties"].values()), f"{name} has a parameter without a schema"


ADD_TWICE = {
    "inputs": {"x": "tensor<2xf32>"},
    "operations": [{"name": "y", "op": "add", "operands": ["x", "x"]}],
    "outputs": ["y"],
}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"outputs": ["z"]}, "outputs: there is no value z; there are x, y"),
        (
            {"operations": [{"op": "add", "operands": ["x"], "name": "y"}]},
            r"operations\[0\]: stablehlo.add: expected 2 operands",
        ),
        ({"operations": [{"op": "add", "operands": ["x", "x"]}]}, r"operations\[0\]: must have op, name"),
        (
            {"operations": [{"op": "add", "operands": ["x", "x"], "name": ["a", "b"]}]},
            "has 1 results, got 2 names",
        ),
        ({"operations": [{"op": "add", "operands": ["x", "x"], "name": "x"}]}, "there is a value x already"),
        ({"operations": [1]}, "operations must be a list of objects"),
        ({"inputs": {"x": "tensor<"}}, "inputs: x must have a type, got 'tensor<'"),
    ],
)
def test_invalid_builds(change: dict[str, object], message: str) -> None:
    found = answer({"id": 1, "method": "build", "params": {**ADD_TWICE, **change}})
    assert re.search(message, found["error"]["message"]), found
    assert "internal error" not in found["error"]["message"]


def test_builds_with_regions_are_evaluated_and_serialized() -> None:
    reduce = {
        "name": "s",
        "op": "reduce",
        "operands": ["x", "z"],
        "attributes": {"dimensions": [0]},
        "regions": ["add"],
    }
    params = {
        "inputs": {"x": "tensor<3xi32>", "z": "tensor<i32>"},
        "operations": [reduce],
        "outputs": ["s"],
        "name": "total",
    }
    built = answer({"id": 1, "method": "build", "params": params})["result"]
    assert built["types"] == {"x": "tensor<3xi32>", "z": "tensor<i32>", "s": "tensor<i32>"}
    artifact = answer({"id": 2, "method": "serialize", "params": {"text": built["text"], "target": "1.0.0"}})[
        "result"
    ]
    arguments = [[1, 2, 3], "dense<10> : tensor<i32>"]
    for program in ({"text": built["text"]}, artifact):
        found = answer(
            {
                "id": 3,
                "method": "evaluate",
                "params": {**program, "arguments": arguments, "function": "total"},
            }
        )
        assert found["result"] == {"results": [{"type": "tensor<i32>", "value": 16}]}


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({}, "a program must be given as text, or as artifact"),
        (
            {"text": "func.func @f() { return }", "arguments": [1]},
            "@f must be called with 0 arguments, got 1",
        ),
        ({"artifact": "%"}, "artifact must be base64"),
        ({"text": "func.func @f(%a: tensor<f32>) { return }", "arguments": ["what"]}, ""),
        (
            {"text": "func.func @f(%a: tensor<f32>) { return }", "arguments": [["what"]]},
            "a number must be a JSON number",
        ),
        (
            {"text": "func.func @f(%a: tensor<f32>) { return }", "arguments": [[1, 2]]},
            r"must have type tensor<f32>, got tensor<2xf32>",
        ),
        ({"text": "func.func @f(%a: tensor<f32>) { return }", "arguments": [{}]}, "must have type"),
    ],
)
def test_invalid_evaluations(params: dict[str, object], message: str) -> None:
    found = answer({"id": 1, "method": "evaluate", "params": params})
    assert re.search(message, found["error"]["message"]), found
    assert "internal error" not in found["error"]["message"]
