"""`hlokit view`, and traces for Perfetto."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hlokit.cli.main import main

PROGRAM = """
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.log %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""
X = "dense<[1.0, -1.0]> : tensor<2xf32>"


@pytest.fixture
def program(tmp_path: Path) -> str:
    path = tmp_path / "a.mlir"
    path.write_text(PROGRAM)
    return str(path)


def test_a_page(program: str, tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    assert main(["view", program, X, "--shadow", "-o", str(page)]) == 0
    text = page.read_text()
    assert text.startswith("<!doctype html>") and "<title>a.mlir</title>" in text


def test_a_page_with_another_side(program: str, tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    assert main(["view", program, X, "--against=xla", "-o", str(page)]) == 0
    assert page.exists()


def test_a_page_has_a_default_name(
    program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    opened: list[str] = []

    def opens(url: str) -> bool:
        opened.append(url)
        return len(opened) == 1

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("webbrowser.open", opens)
    page = tmp_path / "a.html"
    assert main(["view", program, "--open"]) == 0
    assert capsys.readouterr().out == "wrote a.html\n" and "<title>a.mlir</title>" in page.read_text()
    assert opened == [page.as_uri()]
    assert main(["view", program, X, "--open"]) == 0  # writes its own page again
    assert capsys.readouterr().err == "note: no browser was found: open a.html in one\n"
    page.write_text("a page of the user")
    assert main(["view", program]) == 2
    assert "'a.html' is no page of hlokit view: -o FILE must name the page" in capsys.readouterr().err
    assert page.read_text() == "a page of the user"


def test_graphs(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["view", program, X, "--format=dot"]) == 0
    assert "1 NaN" in capsys.readouterr().out
    assert main(["view", program, "--format=model-explorer"]) == 0
    collection = json.loads(capsys.readouterr().out)  # one: Model Explorer refuses a list of collections
    assert [graph["id"] for graph in collection["graphs"]] == ["main"]
    assert main(["view", program, X, "--format=node-data"]) == 0
    assert len(json.loads(capsys.readouterr().out)["main"]["results"]) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--format=dot", "--open"], "--open shows a page, got --format=dot"),
        ([X, "--open", "-o", "-"], "--open needs a file, got -o -"),
        (["--format=node-data"], "arguments must be given"),
        (
            ["--format=svg", "-o", "x"],
            "--format must be one of html, dot, model-explorer, node-data, got 'svg'",
        ),
        (["dense<1.0> : tensor<3xf32>", "--format=dot"], "argument 0 must have type tensor<2xf32>"),
        ([X, "--format=dot", "--function=none"], "none"),
        ([X, "-o", "/no/such/place.html"], "/no/such/place.html"),
    ],
)
def test_wrong_commands(
    program: str, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["view", program, *arguments]) in (1, 2)
    found = capsys.readouterr().err
    assert message in found and "Traceback" not in found


def test_a_trace_for_perfetto(program: str, tmp_path: Path) -> None:
    path = tmp_path / "a.perfetto.json"
    assert main(["run", program, X, f"--trace-output={path}"]) == 0
    events = json.loads(path.read_text())["traceEvents"]
    assert [event["name"] for event in events if event["ph"] == "X"] == ["stablehlo.log"]


def test_a_trace_is_whole_if_the_run_fails(program: str, tmp_path: Path) -> None:
    path = tmp_path / "a.perfetto.json"
    assert main(["run", program, X, "--stop-on-nan", f"--trace-output={path}"]) == 1
    events = json.loads(path.read_text())["traceEvents"]
    assert [event["name"] for event in events if event["ph"] == "X"] == ["stablehlo.log"]
