"""The whole command, on small checkouts written here."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hlokit.cli.main import main

RUN = "// RUN: stablehlo-translate --interpret --split-input-file %s\n"


def program(value: int) -> str:
    return (
        "func.func @main() {\n  %0 = stablehlo.constant dense<1> : tensor<2xi8>\n  %1 = stablehlo.add %0, %0 : tensor<2xi8>\n"
        f"  check.expect_eq_const %1, dense<{value}> : tensor<2xi8>\n  return\n}}\n"
    )


CALLING = """func.func @main() {
  %0 = call @twice() : () -> tensor<2xi8>
  stablehlo.custom_call @check.expect_eq(%0, %0) {has_side_effect = true} : (tensor<2xi8>, tensor<2xi8>) -> ()
  return
}
func.func private @twice() -> tensor<2xi8> {
  %0 = stablehlo.constant dense<1> : tensor<2xi8>
  return %0 : tensor<2xi8>
}
"""


class Checkout:
    def __init__(self, root: Path) -> None:
        self.root = root
        self.list = root / "expected.txt"
        self.list.write_text("")
        (root / "stablehlo/tests/interpret").mkdir(parents=True)

    def add(self, name: str, text: str, folder: str = "tests/interpret") -> None:
        path = self.root / "stablehlo" / folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def run(self, *arguments: str) -> int:
        return main(
            [
                "conformance",
                "--upstream",
                str(self.root),
                "--jobs=1",
                f"--expected-failures={self.list}",
                f"-o={self.json}",
                *arguments,
            ]
        )

    @property
    def json(self) -> Path:
        return self.root / "results.json"

    @property
    def standings(self) -> dict[str, str]:
        return {Path(entry["file"]).name: entry["standing"] for entry in json.loads(self.json.read_text())}


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


def row(output: str, name: str) -> list[str]:
    (line,) = (line for line in output.splitlines() if line.split()[:1] == [name])
    return line.split()[1:]


def test_files_that_pass(checkout: Checkout, capfd: pytest.CaptureFixture[str]) -> None:
    checkout.add("add.mlir", f"{RUN}{program(2)}// -----\n{program(2)}")
    checkout.add(
        "call.mlir", f"// RUN: stablehlo-opt -inline %s | stablehlo-translate --interpret\n{CALLING}"
    )
    assert checkout.run() == 0
    output = capfd.readouterr().out
    assert row(output, "interpret") == ["2", "2", "0", "0", "0", "0", "2", "0", "0"]
    assert row(output, "stablehlo.add") == ["1", "1", "0", "0", "0", "0"]
    assert checkout.standings == {"add.mlir": "passed", "call.mlir": "passed"}


def test_a_file_that_fails(checkout: Checkout, capfd: pytest.CaptureFixture[str]) -> None:
    checkout.add("add.mlir", RUN + program(3))
    assert checkout.run() == 1
    output = capfd.readouterr().out
    assert "FAILED tests/interpret/add.mlir\nRUN: stablehlo-translate" in output
    assert "check.expect_eq_const: values must be bitwise equal" in output


def test_a_file_that_is_expected_to_fail(checkout: Checkout) -> None:
    checkout.add("add.mlir", RUN + program(3))
    checkout.list.write_text("tests/interpret/add.mlir | one and one is two\n")
    assert checkout.run() == 0
    assert checkout.standings == {"add.mlir": "expected failure"}


def test_a_file_that_passes_unexpectedly(checkout: Checkout, capfd: pytest.CaptureFixture[str]) -> None:
    checkout.add("add.mlir", RUN + program(2))
    checkout.list.write_text("tests/interpret/add.mlir | one and one is two\n")
    assert checkout.run() == 1
    assert (
        "UNEXPECTED PASS tests/interpret/add.mlir: expected to fail: one and one is two"
        in capfd.readouterr().out
    )


def test_lines_that_cannot_be_run(checkout: Checkout, capfd: pytest.CaptureFixture[str]) -> None:
    checkout.add("a.mlir", f"// RUN: %if asserts %{{ stablehlo-opt %s %}}\n{program(2)}")
    checkout.add("b.mlir", f"// RUN-DISABLED(slow): stablehlo-translate --interpret %s\n{program(2)}")
    assert checkout.run() == 0
    assert checkout.standings == {"a.mlir": "not run", "b.mlir": "not run"}
    assert "1 not run: needs asserts" in capfd.readouterr().out


def test_portable_artifacts_are_compared(checkout: Checkout) -> None:
    artifact = "stablehlo-translate --serialize --target=current %s | stablehlo-translate --deserialize"
    lines = f"// RUN: {artifact} | stablehlo-opt > %t.0\n// RUN: stablehlo-opt %s > %t.1\n"
    checkout.add("same.mlir", f"{lines}// RUN: diff %t.0 %t.1\n{CALLING}", "testdata")
    checkout.add("other.mlir", f"{lines}// RUN: diff %t.0 %s\n{CALLING}", "testdata")
    assert checkout.run("--suite=testdata") == 1
    assert checkout.standings == {"same.mlir": "passed", "other.mlir": "failed"}


def test_temporary_directories(checkout: Checkout) -> None:
    run = "// RUN: dirname %t | xargs -I{DIR} stablehlo-translate --interpret --probe-output-dir={DIR} %s\n"
    text = """func.func @main() {
  %0 = stablehlo.constant dense<1> : tensor<2xi8>
  %1 = interpreter.probe %0, probe_id = "a" : tensor<2xi8>
  check.expect_serialized_eq %1, probe_id = "a" : tensor<2xi8>
  return
}
"""
    checkout.add("probe.mlir", run + text)
    assert checkout.run() == 0


def test_failures_that_a_file_expects(checkout: Checkout) -> None:
    run = "// RUN: stablehlo-opt --split-input-file --verify-diagnostics %s > %t.mlir\n// RUN: stablehlo-translate --interpret --split-input-file %t.mlir\n"
    wrong = (
        "func.func @f(%0: tensor<2xi8>) -> tensor<2xi16> {\n  // expected-error@+2 {{failed to infer}}\n"
        "  // expected-error@+1 {{are incompatible with}}\n"
        '  %1 = "stablehlo.abs"(%0) : (tensor<2xi8>) -> tensor<2xi16>\n  return %1 : tensor<2xi16>\n}\n'
    )
    checkout.add("expected.mlir", f"{run}{program(2)}// -----\n{wrong}")
    checkout.add("other.mlir", f"{run}{program(2)}// -----\n{wrong.replace('failed', 'demands')}")
    checkout.run()
    assert checkout.standings == {"expected.mlir": "passed", "other.mlir": "failed"}


def test_chosen_files(checkout: Checkout) -> None:
    checkout.add("add.mlir", RUN + program(2))
    checkout.add("sub.mlir", RUN + program(3))
    assert checkout.run("--filter=add") == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "--upstream=PATH must be given"),
        (["--upstream=/nowhere"], "must be a checkout"),
        (["--upstream=.", "--suite=x"], "--suite must be one of"),
        (["--upstream=.", "--backend=xla"], "--suite goes with --upstream"),
    ],
)
def test_wrong_command_lines(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conformance", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_no_file_is_an_error(checkout: Checkout) -> None:
    assert checkout.run() == 2
