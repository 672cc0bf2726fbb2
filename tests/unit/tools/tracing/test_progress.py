"""The progress of long runs, on a terminal and in a notebook. Times are short, and no test depends on them."""

from __future__ import annotations

import io
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hlokit
from hlokit.cli.streams.progress import watched
from hlokit.tools.tracing.progress import Watcher

LOOP = """func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.constant dense<TURNS> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %y = stablehlo.add %x, %x : tensor<f32>
  %w:2 = stablehlo.while(%i = %c, %a = %y) : tensor<i32>, tensor<f32>
  cond {
    %q = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %q : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %s = stablehlo.sine %a : tensor<f32>
    stablehlo.return %j, %s : tensor<i32>, tensor<f32>
  }
  return %w#1 : tensor<f32>
}"""
TIMES = {"patience": 0.0, "interval": 0.005}


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_native_loop_shows_its_counter() -> None:
    program = hlokit.load(LOOP.replace("TURNS", "8000000"))
    lines: list[str] = []
    cleared: list[int] = []
    watcher = Watcher(lines.append, lambda: cleared.append(len(lines)), **TIMES)
    result = program(np.float32(1))
    watcher.end()
    shown = [line for line in lines if "of 8,000,000" in line]
    assert shown and all(" in @main, while, at " in line for line in shown)
    places = [int(line.partition(", at ")[2].partition(" of ")[0].replace(",", "")) for line in shown]
    assert places == sorted(places) and 0 < places[-1] <= 8_000_000
    assert cleared and cleared[-1] == len(lines)
    assert result == program(np.float32(1))


@pytest.mark.parametrize("switch", ["", "native"])
def test_generated_code_shows_its_operation(switch: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without native code as well, watching the progress does not keep values alive or change results."""
    monkeypatch.setenv("HLOKIT_DISABLE", switch)
    turns = "2000000" if not switch else "60000"
    program = hlokit.load(LOOP.replace("TURNS", turns))
    lines: list[str] = []
    watcher = Watcher(lines.append, lambda: None, **TIMES)
    with_progress = program(np.float32(1))
    watcher.end()
    assert any("in @main" in line for line in lines)
    assert with_progress == program(np.float32(1))


def test_a_terminal_has_one_line_which_disappears() -> None:
    program = hlokit.load(LOOP.replace("TURNS", "8000000"))
    terminal = Terminal()
    with watched(terminal, **TIMES):
        program(np.float32(1))
    shown = terminal.getvalue().split("\r\x1b[K")
    assert "in @main, while" in shown[-2] and shown[-1] == ""
    assert all(len(line) <= 79 and "\n" not in line for line in shown)


def test_files_and_short_runs_show_nothing() -> None:
    program = hlokit.load(LOOP.replace("TURNS", "10"))
    file, terminal = io.StringIO(), Terminal()
    before = threading.active_count()
    with watched(file):
        assert threading.active_count() == before
        program(np.float32(1))
    with watched(terminal):
        program(np.float32(1))
    assert file.getvalue() == terminal.getvalue() == ""
    assert threading.active_count() == before


@pytest.mark.deep
def test_a_notebook_shows_a_line_which_disappears(tmp_path: Path) -> None:
    import nbformat
    from nbclient import NotebookClient

    code = (
        "import hlokit, numpy as np, hlokit.tools.tracing.progress as progress\n"
        "progress.watch_notebook(patience=0.0, interval=0.01)\n"
        f"program = hlokit.load('''{LOOP.replace('TURNS', '8000000')}''')\n"
        "print(program(np.float32(1)))\n"
        "import time\n"
        "while progress._notebook._is_shown: time.sleep(0.01)"
    )
    notebook: Any = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
    NotebookClient(
        notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    outputs = notebook.cells[0].outputs
    shown = [each for each in outputs if each.output_type == "display_data"]
    assert shown and all(each.data["text/plain"] == "" for each in shown)
    assert any(each.output_type == "stream" for each in outputs)
