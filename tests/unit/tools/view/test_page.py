"""Pages: whole, self-contained, and right about the program and its run."""

from __future__ import annotations

import base64
import json
import re
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hlokit

PROGRAM = """
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %half = stablehlo.constant dense<[0.5, 0.25, 0.125, 0.75, 1.5, 2.5, 3.5, 4.5, 5.5]> : tensor<9xf32>
  %0 = stablehlo.exponential %x : tensor<4xf32> loc("jit(f)/layer/exp"("model.py":3:4))
  %1 = stablehlo.log %x : tensor<4xf32> loc("jit(f)/layer/log"(callsite("g"("model.py":5:4) at "main"("run.py":9:1))))
  %2 = call @twice(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %3 = stablehlo.add %1, %2 : tensor<4xf32>
  return %3 : tensor<4xf32>
}
func.func private @twice(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
X = np.array([1, 2, 4, -8], np.float32)


def data_of(html: str) -> dict[str, Any]:
    """The packed data of a page."""
    packed = re.search(r'<script id="data"[^>]*>([^<]*)</script>', html)
    assert packed is not None
    return json.loads(zlib.decompress(base64.b64decode(packed[1])))


def op_named(data: dict[str, Any], name: str) -> int:
    return next(n for n, kind in enumerate(data["ops"]["name"]) if data["names"][kind] == name)


def test_a_page_fetches_nothing() -> None:
    html = hlokit.load(PROGRAM).view().html
    code = re.sub(r"<script>.*?dagre.*?</script>", "", html, count=1, flags=re.DOTALL)
    assert not re.search(
        r"https?://|<link|\bsrc=|@import|url\(\"?[^#]|fetch\(|XMLHttp|sourceMappingURL",
        code.replace('marker-end="url(#arrow)"', ""),
    )
    assert html.count("</script>") == 3


def test_without_arguments_nothing_runs() -> None:
    data = data_of(hlokit.load(PROGRAM).view().html)
    assert data["run"] is None and data["colours"] == ["none"]
    assert any("9 elements, 36 B in [0.125, 5.5]" in line for line in data["lines"])


def test_a_run_is_laid_over_the_program() -> None:
    data = data_of(hlokit.load(PROGRAM).view(X, shadow=True).html)
    log, exp = op_named(data, "stablehlo.log"), op_named(data, "stablehlo.exponential")
    run = data["run"]
    assert run[str(log)]["nan"] == 1 and run[str(log)]["made"] == 1 and data["select"] == log
    assert run[str(exp)]["bytes"] == 16 and run[str(exp)]["runs"] == 1
    np.testing.assert_allclose(run[str(exp)]["max"], np.exp(4), rtol=1e-6)
    assert sum(run[str(exp)]["hist"][2]) == 4
    assert {"time", "nan", "ulp"} <= set(data["colours"])
    assert 0 < data["shadow"][str(exp)][0] < 1
    source = data["sources"][data["ops"]["src"][log]]
    assert source["t"] == "model.py:5" and source["p"] == ["jit(f)", "layer"]
    flame = data["flame"]
    names = {child["n"] for child in flame["c"]}
    assert "run.py:9 main" in names
    assert abs(sum(child["v"] for child in flame["c"]) - flame["v"]) < 1e-9


def test_differences_are_laid_over_the_program() -> None:
    program = hlokit.load(PROGRAM)
    other = hlokit.load(PROGRAM.replace("stablehlo.exponential", "stablehlo.negate"))
    report = hlokit.diff(program, X, against=other)
    data = data_of(program.view(X, diff=report).html)
    exp = op_named(data, "stablehlo.exponential")
    assert report.outcome == "differs"
    assert data["diff"][str(exp)][0] in ("beyond", "not-finite")
    assert data["reports"][-1][0] == "Difference"


def test_a_run_that_fails_is_shown_up_to_its_error() -> None:
    text = PROGRAM.replace("call @twice(%0)", "stablehlo.custom_call @none(%0)")
    data = data_of(hlokit.load(text).view(X).html)
    assert data["reports"][0][0] == "UnsupportedError"
    assert str(op_named(data, "stablehlo.exponential")) in data["run"]


def test_text_of_strangers_ends_no_script() -> None:
    text = PROGRAM.replace('"model.py":3:4', '"</script><script>alert(1)</script>":3:4')
    program = hlokit.load(text)
    assert "alert(1)" not in program.view(X).html
    assert "alert(1)" in json.dumps(data_of(program.view(X).html)["sources"])


def test_pages_are_stored_and_shown(tmp_path: Path) -> None:
    page = hlokit.load(PROGRAM).view(to=tmp_path / "a.html")
    assert (tmp_path / "a.html").read_text() == page.html
    shown = page._repr_html_()
    assert shown.startswith("<iframe") and "<!doctype" not in shown and "characters" in repr(page)


def test_wrong_arguments_are_errors() -> None:
    with pytest.raises(hlokit.ArgumentError):
        hlokit.load(PROGRAM).view(X, X)
    with pytest.raises(hlokit.ArgumentError, match="no_such"):
        hlokit.load(PROGRAM).view(function="no_such")
