"""Locations for display: the user's line from a call stack."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from hlokit.display.locations import source_of
from hlokit.engine.plan.locations import source_position

LIBRARY = '"/venv/lib/python3.11/site-packages/flax/linen.py":7:1'
STACK = f'loc("jit(f)/log"(callsite("apply"({LIBRARY}) at callsite("model"("model.py":12:8) at "<module>"("run.py":3:1)))))'


def test_the_users_frame_is_the_innermost_that_is_not_installed() -> None:
    source = source_of(STACK)
    assert source.text == "model.py:12"
    assert source.name == "jit(f)/log"
    assert [frame.line for frame in source.frames] == [7, 12, 3]
    assert source.stack.splitlines() == [
        "jit(f)/log",
        "/venv/lib/python3.11/site-packages/flax/linen.py:7 in apply",
        "model.py:12 in model",
        "run.py:3 in <module>",
    ]


@pytest.mark.parametrize(
    ("location", "text"),
    [
        ("loc(unknown)", ""),
        ('loc("params[0]")', "params[0]"),
        ('loc("a.mlir":3:4)', "a.mlir:3"),
        ('loc("a.mlir":3:4 to 5:6)', "a.mlir:3"),
        ('loc(fused["x.py":1:2, "y.py":3:4])', "x.py:1"),
        ('loc(fused<"meta">["f"("x.py":1:2)])', "x.py:1"),
        (r'loc("a\22b\1B.py":1:2)', r'a"b\1B.py:1'),
        (r'loc("m\C3\BCller/\E6\A8\A1.py":1:2)', "müller/模.py:1"),
        (r'loc("a\\C3\C3.py":1:2)', r"a\C3\xc3.py:1"),
        ("loc(", ""),
        ('loc(callsite("a.py":1:1 at', "a.py:1"),
    ],
)
def test_forms_of_locations(location: str, text: str) -> None:
    assert source_of(location).text == text


def test_deep_stacks_end() -> None:
    deep = 'callsite("f.py":1:1 at ' * 100_000
    assert source_of(f"loc({deep}").frames == ()


def test_cells_of_a_notebook_have_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    shell = SimpleNamespace(compile=SimpleNamespace(_filename_map={"/tmp/ipykernel_1/2.py": 7}))
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    assert source_of('loc("/tmp/ipykernel_1/2.py":2:3)').text == "In [7] line 2"
    assert source_of('loc("/tmp/ipykernel_1/9.py":2:3)').text == "/tmp/ipykernel_1/9.py:2"


def test_a_place_in_a_folder_whose_name_is_not_ascii() -> None:
    assert source_position(r'loc("m\C3\BCller/model.py":4:5)') == ("müller/model.py", 4, 5)
