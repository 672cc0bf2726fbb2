"""Results print as sentences, and notebooks show the same text, escaped."""

from __future__ import annotations

import re
from dataclasses import is_dataclass
from typing import Any

import numpy as np

import hlokit
from hlokit.display.shown import Shown, text_html
from hlokit.engine.interpreter.unsupported import Unsupported
from hlokit.tools.diff.comparing.verdicts import Comparison
from hlokit.tools.shard.comparison.checked import Check
from hlokit.tools.shard.comparison.checking import Compared
from hlokit.tools.shard.lint import Problem
from hlokit.tools.shard.reports.report import Report
from hlokit.tools.shard.search import Search

PROGRAM = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { %0 = stablehlo.tanh %x : tensor<2xf32> return %0 : tensor<2xf32> }"
X = np.array([0.5, 0.25], np.float32)
# Results whose text comes from elsewhere, or that have a table of their own.
OWN = {"DiffReport", "RunTrace", "ShadowReport", "Signature", "Program", "Tensor", "Sharded", "Recording"}


def rendered(result: Any) -> str:
    """The HTML without styles and scripts."""
    return re.sub(r"<(style|script)>.*?</\1>", "", result._repr_html_(), flags=re.DOTALL)


def test_results_are_sentences() -> None:
    program = hlokit.load(PROGRAM)
    other = hlokit.load(PROGRAM.replace("tanh", "sine"))
    (finding,) = hlokit.diff(program, X, against=other).findings
    results = {
        "stablehlo.tanh tensor<2xf32>": finding,
        "beyond what is allowed, 3 ULP": Comparison("beyond", 3.0),
        "1 self-checking program": hlokit.make_test(program, X),
        "equal, exactly": hlokit.equal(program, program),
        "compared with the whole program: right": Check((Compared("y", True, 0.0, 0.0),), "shardy"),
        "tensor<2x3xf32>": hlokit.infer("transpose", ["tensor<3x2xf32>"], {"permutation": [1, 0]}),
        "custom op": hlokit.verify("func.func @a() { foo }")[0],
        "[0.25, 0.5]": program.trace(X).hottest(1)[0].results[0].__class__("tensor<2xf32>", 0.25, 0.5, 0.375),
    }
    for text, result in results.items():
        assert text in repr(result) and f"{type(result).__name__}(" not in repr(result)
        assert text.replace("<", "&lt;").replace(">", "&gt;") in rendered(result)


def test_every_public_result_has_a_rendering() -> None:
    """Public dataclasses, and what public functions and methods return."""
    public = [getattr(hlokit, name) for name in hlokit.__all__]
    results = {kind for kind in public if isinstance(kind, type) and is_dataclass(kind)}
    results |= {Report, Check, Search, Problem, Unsupported}
    without = [
        kind.__name__
        for kind in results
        if not issubclass(kind, Shown) and kind.__name__ not in OWN and not hasattr(kind, "_repr_html_")
    ]
    assert sorted(without) == ["CustomCall", "Element", "Record", "ShadowRecord"]  # no results
    assert all(hasattr(getattr(hlokit, name), "_repr_html_") for name in OWN)
    assert all(not hasattr(kind.__repr__, "__wrapped__") for kind in results if issubclass(kind, Shown))


def test_text_is_escaped_and_keeps_its_indentation() -> None:
    html = text_html("head <b>\n    four & more\n" + "x" * 5000 + "\nline" * 500)
    assert "head &lt;b&gt;" in html and '<pre class="text">    four &amp; more\n' in html
    assert "302 more lines" not in html and "303 more lines" in html
    assert "x" * 300 + " ..." in html and "x" * 301 not in html


def test_programs_keep_their_indentation_without_styles() -> None:
    html = rendered(hlokit.load(PROGRAM))
    assert '<pre class="ir"' in html and re.search(r"<div[^>]*>    <b data-v=\d+>%0</b>", html)
