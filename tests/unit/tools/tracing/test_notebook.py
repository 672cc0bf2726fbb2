"""Output for notebooks: no frames of hlokit, no external resources, small pages for large programs."""

from __future__ import annotations

import base64
import re
import zlib

import numpy as np
import pytest

import hlokit
from hlokit.errors import Diagnostics

LOG = 'func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n %0 = stablehlo.log %x : tensor<2xf32> loc(callsite("a.py":1:2 at callsite("b.py":3:4 at "c.py":5:6)))\n return %0 : tensor<2xf32>\n}'


def chain(count: int) -> str:
    lines = [f"  %{i} = stablehlo.add %{i - 1 if i else 'x'}, %x : tensor<8x8xf32>" for i in range(count)]
    body = "\n".join(lines)
    return f"func.func @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {{\n{body}\n  return %{count - 1} : tensor<8x8xf32>\n}}"


def htmls() -> dict[str, str]:
    program = hlokit.load(LOG)
    trace = program.trace([1, -1])
    shadow = hlokit.Shadow(program)
    program([1, 2], observer=shadow)
    report = hlokit.diff(program, [1.0, 2.0], against="xla")
    try:
        program([1, -1], observer=hlokit.StopOnNan())
    except hlokit.EvaluationError as raised:
        error = raised
    return {
        "program": program._repr_html_(),
        "signature": program.signature()._repr_html_(),
        "trace": trace._repr_html_(),
        "row": trace[0]._repr_html_(),
        "shadow": shadow.report()._repr_html_(),
        "diff": report._repr_html_(),
        "error": error._repr_html_(),
        "diagnostics": hlokit.verify("func.func @main() { %0 = foo }")._repr_html_(),
        "no diagnostics": program.verify()._repr_html_(),
        "tensor": hlokit.Tensor.from_numpy(np.arange(6.0).reshape(2, 3))._repr_html_(),
    }


def test_html_is_whole_and_fetches_nothing() -> None:
    for name, html in htmls().items():
        assert html.startswith('<div class="hlokit"') and html.endswith("</div>"), name
        assert not re.search(r"https?://|<link|src=|@import|url\(", html), name
        for tag in ("div", "table", "details", "span", "summary", "pre"):
            assert html.count(f"<{tag}") == html.count(f"</{tag}>"), (name, tag)


def test_text_of_strangers_is_escaped() -> None:
    text = LOG.replace('"a.py":1:2', '"<script>alert(1)</script>":1:2').replace(
        "stablehlo.log %x", 'stablehlo.log %x {a = "<img onerror=x>"}'
    )
    program = hlokit.load(text)
    for html in (program._repr_html_(), program.trace([1, 2])._repr_html_()):
        assert "<script>alert" not in html and "<img" not in html


def test_errors_lead_with_the_operation_and_the_line() -> None:
    program = hlokit.load(LOG)
    with pytest.raises(hlokit.EvaluationError) as caught:
        program([1, -1], observer=hlokit.StopOnNan())
    first, *rest = caught.value._render_traceback_()
    assert first.startswith("EvaluationError: stablehlo.log: computed 1 NaN")
    assert "a.py:1" in first and "callsite" not in first
    assert not any("/hlokit/" in line for line in rest)
    assert any("test_notebook.py" in line for line in rest)
    assert len(first) < 500


def test_large_programs_are_packed() -> None:
    html = hlokit.load(chain(10_000))._repr_html_()
    assert len(html) < 1_000_000
    packed = re.search(r'data-z="([^"]+)"', html)
    assert packed is not None
    lines = zlib.decompress(base64.b64decode(packed[1])).decode()
    assert lines.count("stablehlo.add") == 10_000
    assert html.count("stablehlo.add</u>") < 500


def test_constants_are_elided_with_size_and_range() -> None:
    values = ", ".join(f"{number / 4}" for number in range(-20, 20))
    text = f"func.func @main() -> tensor<40xf32> {{\n %0 = stablehlo.constant dense<[{values}]> : tensor<40xf32>\n return %0 : tensor<40xf32>\n}}"
    assert "40 elements, 160 B in [-5, 4.75]" in hlokit.load(text)._repr_html_()


def test_signatures_and_diagnostics_as_text() -> None:
    assert repr(hlokit.load(LOG).signature()) == "@main(tensor<2xf32>) -> tensor<2xf32>"
    found = hlokit.verify("func.func @main() { %0 = foo }")
    assert isinstance(found, Diagnostics) and repr(found).startswith("-:1:")
    assert repr(hlokit.load(LOG).verify()) == "no diagnostics"
