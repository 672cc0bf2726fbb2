"""Calls with arguments of a wrong kind, or in another form: an `ArgumentError` that says what to write."""

from __future__ import annotations

import inspect
import io
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hlokit
from hlokit.display.elsewhere import PACKAGE, PROGRAM

TEXT = """
func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.subtract %x, %y : tensor<2xf32>
  return %0 : tensor<2xf32>
}"""
X = np.ones(2, np.float32)


def message(call: Callable[[], object]) -> str:
    with pytest.raises(hlokit.ArgumentError) as caught:
        call()
    return str(caught.value)


def test_what_to_write() -> None:
    program = hlokit.load(TEXT)
    rows: list[tuple[Callable[[], object], str]] = [
        (lambda: program(X, X, observer=hlokit.StopOnNan), "the class StopOnNan: write StopOnNan(...)"),
        (lambda: hlokit.diff(program, X, X, against=None), "against must be a side such as 'xla'"),  # pyright: ignore
        (lambda: program.view(X, X, diff="xla"), "diff must be a report, such as diff=hlokit.diff(program"),  # pyright: ignore
        (lambda: program.serialize(1.9), "target must be a version as text, such as '1.9.0'"),  # pyright: ignore
        (lambda: hlokit.verify(3), "source must be a text, a bytes or a path, got 3"),  # pyright: ignore
        (lambda: hlokit.diff(program, X, X, agianst="xla"), "did you mean against=?"),
        (lambda: program(X, X, obsrver=None), "did you mean observer=?"),
        (lambda: hlokit.load(TEXT, filenme="x"), "did you mean filename=?"),
        (lambda: hlokit.load(TEXT, opset=3), "no parameter opset; there are filename, backend, weights"),
        (lambda: program(X, X, self=3), "there is no parameter self; there are x, y"),
        (lambda: hlokit.Recorder("run", program, limt=3), "did you mean limit=?"),  # pyright: ignore
        (lambda: hlokit.load(TEXT, weights=3), "weights must be a file or arrays by name, got 3"),  # pyright: ignore
        (lambda: hlokit.custom_call(lambda x: x), '@hlokit.custom_call("name")'),  # pyright: ignore
        (lambda: program.run_parallel([3, 3]), "as in run_parallel([(x,), (y,)])"),
        (lambda: program(X), "@main must be called with 2 arguments, got 1"),
        (lambda: program(x=X), "y is missing"),
        (
            lambda: program(x=X, y=np.ones(3)),
            "argument 1 (y) must have type tensor<2xf32>, got tensor<3xf64>",
        ),
        (lambda: program(X, None), "argument 1 must have type tensor<2xf32>, got NoneType"),
        (lambda: program(X, "2"), "argument 1 must have type tensor<2xf32>, got str"),
        (lambda: hlokit.Program("x.mlir"), "got 'x.mlir': hlokit.load reads others"),  # pyright: ignore
        (lambda: hlokit.load(np.sin), "got numpy.ufunc (jit it first"),  # pyright: ignore
        (lambda: hlokit.load(io.StringIO(TEXT)), "got _io.StringIO (pass its path, or what it reads)"),  # pyright: ignore
        (lambda: hlokit.from_jax(np.sin, X), "from_jax: function must be a function that jax.jit takes"),
        (
            lambda: hlokit.infer("add", "tensor<2xf32>"),
            "operand_types must be a list of types, got 'tensor<2xf32>'",
        ),
        (lambda: program(X, x=X), "x must be given once, got it twice"),
        (lambda: program(x=X, z=X), "there is no parameter z; there are x, y"),
        (
            lambda: hlokit.reduce(program, X, X, keep=lambda one: True),
            "keep(program, *arguments): <lambda>: too many",
        ),  # pyright: ignore
        (
            lambda: program.view(X, X, to="missing/page.html"),
            "cannot write the page to 'missing/page.html': no such",
        ),
    ]
    wrong = [f"{text}: {got}" for call, text in rows if text not in (got := message(call))]
    assert not wrong
    for name, words in {
        "run": r"program\(x, ...\)",
        "recrod": "did you mean Record",
        "_private": "$",
    }.items():
        with pytest.raises(AttributeError, match=f"no attribute {name}.*{words}"):
            getattr(hlokit, name)
    for name, words in {
        "run": r"program\(x, ...\)",
        "traces": "did you mean trace",
        "save": "serialize",
        "operations": r"program.trace\(x, ...\)",
    }.items():
        with pytest.raises(AttributeError, match=f"a program has no attribute {name}.*{words}"):
            getattr(hlokit.load(TEXT), name)
    assert not PACKAGE.keys() & set(dir(hlokit)), "Python never asks for these"
    assert not PROGRAM.keys() & set(dir(hlokit.Program)), "Python never asks for these"
    with pytest.raises(AttributeError, match="no attribute loda; did you mean load"):
        _ = hlokit.loda  # pyright: ignore


def test_every_function_takes_arguments_as_programs_do() -> None:
    jax = pytest.importorskip("jax")
    x = {"rows": jax.numpy.arange(8.0).reshape(4, 2)}
    program = hlokit.from_jax(lambda x, factor: x["rows"] * factor, x, factor=2.0)
    assert hlokit.equal(program, program, x, factor=2.0, runs=1).is_equal
    assert hlokit.judge(program, program, x, factor=2.0).outcome == "right"
    assert "keeps its bytes" in str(hlokit.invariance(program, x, factor=2.0))
    assert hlokit.stages(program, x, factor=2.0, by="stablehlo-opt:cse").status == 0
    for call in (hlokit.diff, hlokit.equal, hlokit.judge, hlokit.invariance, hlokit.stages):
        others = (program,) if call in (hlokit.equal, hlokit.judge) else ()
        assert "did you mean factor=?" in message(lambda f=call, o=others: f(program, *o, x, facto=2.0))
    assert message(lambda: jax.jit(lambda rows: program({"rows": rows}, factor=2.0))(x["rows"])).endswith(
        "Tracer: programs run outside of jax.jit, grad and vmap"
    )
    assert "argument 0 (x['rows']) must have type" in message(
        lambda: program({"rows": x["rows"].T}, factor=2.0)
    )
    assert (
        message(lambda: program({"rows": [[1.0]]}, factor=2.0))
        == "x['rows'] must be an array, got a list or dict"
    )


def test_parameters_have_names() -> None:
    program = hlokit.load(TEXT)
    assert program(y=[1, 2], x=[3, 3]).tolist() == program([3, 3], y=[1, 2]).tolist() == [2, 1]
    assert hlokit.diff(program, y=X, x=X, against=program).status == 0
    assert [name for name in dir(hlokit) if name.startswith("_")] == ["__version__"]


@pytest.mark.deep
def test_type_checkers_see_names_that_do_not_exist(tmp_path: Path) -> None:
    path = tmp_path / "script.py"
    path.write_text("import hlokit\nhlokit.load\nhlokit.loda\n")
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, str(path)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert '"loda" is not a known attribute of module "hlokit"' in run.stdout
    assert "1 error" in run.stdout


def wrong_calls(tmp_path: Path) -> Iterator[tuple[str, Callable[[], object]]]:
    """Public functions and methods, with one argument of a wrong kind."""
    values = [None, 3, 1.9, "xyz", b"ab", [], {}, (1,), hlokit.StopOnNan, object(), np.ones(3)]
    program = hlokit.load(TEXT)
    trace = program.trace(X, X)
    calls: list[tuple[Any, tuple[Any, ...], dict[str, Any]]] = [
        (hlokit.load, (TEXT,), {}),
        (hlokit.diff, (program, X, X), {"against": program}),
        (hlokit.record, (program, X, X), {"to": str(tmp_path / "run")}),
        (hlokit.Recorder, (str(tmp_path / "recorder"), program), {}),
        (hlokit.make_test, (program, X, X), {}),
        (hlokit.reduce, (program, X, X), {"keep": "nan"}),
        (hlokit.equal, (program, program, X, X), {}),
        (hlokit.judge, (program, program, X, X), {}),
        (hlokit.invariance, (program, X, X), {}),
        (hlokit.stages, (program, X, X), {"by": "stablehlo-opt:cse"}),
        (hlokit.verify, (TEXT,), {}),
        (hlokit.infer, ("stablehlo.abs", ["tensor<2xf32>"]), {}),
        (hlokit.Shadow, (program,), {}),
        (hlokit.Trace, (print,), {}),
        *((call, (X, X), {}) for call in (program, program.trace)),
        *((call, (), {}) for call in (program.serialize, program.text, program.example_inputs, trace.filter)),
        (program.run_parallel, ([(X, X)],), {}),
        (trace.rows, ("%0",), {}),
    ]
    for function, arguments, keywords in calls:
        name = getattr(function, "__qualname__", "call")
        yield f"{name}(nonsense=1)", lambda f=function, a=arguments, k=keywords: f(*a, nonsense=1, **k)
        for value in values:
            for number in range(len(arguments)):
                changed = (*arguments[:number], value, *arguments[number + 1 :])
                what = f"{name}: argument {number} is {value!r:.30}"
                yield what, lambda f=function, a=changed, k=keywords: f(*a, **k)
            for parameter in inspect.signature(function).parameters.values():
                if parameter.kind is parameter.KEYWORD_ONLY:
                    other = {**keywords, parameter.name: value}
                    what = f"{name}: {parameter.name}={value!r:.30}"
                    yield what, lambda f=function, a=arguments, k=other: f(*a, **k)


@pytest.mark.deep
def test_nothing_ends_in_an_error_of_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    wrong: list[str] = []
    refused = 0
    for what, call in wrong_calls(tmp_path):
        try:
            call()
        except hlokit.InternalError as error:
            wrong.append(f"{what}: {error}")
        except hlokit.HlokitError:
            refused += 1
        except Exception as error:  # any kind is wrong
            wrong.append(f"{what}: {type(error).__name__}: {error}")
    assert not wrong
    assert refused > 300
