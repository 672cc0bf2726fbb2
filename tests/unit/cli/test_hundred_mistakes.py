"""A hundred mistakes that people make in the first days, and what the answer must say.

Each answer names the mistake or what to type instead, has no traceback, and a status that says "wrong".
"""

from __future__ import annotations

import contextlib
import gzip
import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hlokit
from hlokit.cli.main import main

TEXT = """func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.subtract %x, %y : tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""
X = np.ones(2, np.float32)

# Command lines, with the part of the answer that helps. Files are made by `files`.
LINES = """
    rum m.mlir                                | did you mean hlokit run?
    trace m.mlir                              | did you mean hlokit run --trace?
    interpret m.mlir                          | did you mean hlokit run?
    check m.mlir                              | did you mean hlokit verify?
    lint m.mlir                               | did you mean hlokit lint-spmd?
    compare m.mlir                            | did you mean hlokit diff?
    make_test m.mlir                          | did you mean hlokit make-test?
    opt m.mlir                                | did you mean stablehlo-opt?
    serialize m.mlir                          | did you mean stablehlo-translate --serialize?
    m.mlir                                    | did you mean hlokit run m.mlir?
    run retrun.mlir --random                  | did you mean func.return?
    frobnicate m.mlir                         | hlokit --help lists them
    help rum                                  | did you mean hlokit run?
    run                                       | a file must be given
    run nothing.mlir                          | no such file
    run m.mlir                                | --random draws them
    run m.mlir x.npy                          | must be called with 2 arguments, got 1
    run m.mlir x.npy x.npy x.npy              | must be called with 2 arguments, got 3
    run m.mlir nothing.npy x.npy              | cannot read arguments from 'nothing.npy'
    run m.mlir x.csv x.npy                    | or an .npy or .npz file
    run m.mlir ab.npz                         | which are x, y; got arrays named a, b
    run m.mlir onlyx.npz                      | which lack y
    run m.mlir 3xf32 2xf32                    | argument 0 must have type tensor<2xf32>, got tensor<3xf32>
    run m.mlir 2xf64=1 2xf32                  | argument 0 must have type tensor<2xf32>, got tensor<2xf64>
    run m.mlir 2xi8=300 2xf32                 | the value must be an i8, got 300
    run m.mlir [1,2] [1,2]                    | is no argument
    run m.mlir --args=x.npy                   | hlokit run FILE ARGUMENT...
    run m.mlir --randon                       | did you mean '--random'?
    run m.mlir --seed=3                       | --random=SEED draws arguments by a seed
    run m.mlir --random 5                     | did you mean i32=5, or --random=5?
    run m.mlir 1.5 2                          | did you mean f32=1.5?
    run m.mlir 2xf32                          | got 1: x tensor<2xf32>, y tensor<2xf32>
    run m.mlir --random -o=                   | --output must have a value
    run m.mlir --random --threads=3           | HLOKIT_THREADS=N says the number of threads
    run m.mlir --random -vv                   | -v says more
    run m.mlir --random --batch-size=8        | --size=N
    run m.mlir --random=abc                   | --random must be a number, got 'abc'
    run m.mlir --random --zeros               | only one of --random, --zeros and --ones
    run m.mlir --random --size=n=3            | the program has no names
    run m.mlir --random --size=big            | --size must be a positive number, got 'big'
    run m.mlir --random --function=mian       | did you mean main?
    run m.mlir --random --function=other      | it has main
    run m.mlir --random --backend=gpu         | --backend must be numpy or xla, got 'gpu'
    run m.mlir --random --precision=low       | --precision must be
    run m.mlir --random --out=r.npz           | did you mean --output?
    run m.mlir --random -o r.txt              | --output must be an .npz or .npy file
    run m.mlir --random -o none/r.npz         | no such file or directory
    run m.mlir --random --json=perhaps        | --json must be true or false
    run m.mlir --random --kernels=k.py        | cannot open kernels file 'k.py'
    run m.mlir --random --weights=w.npz       | cannot read weights from 'w.npz'
    run m.mlir --random --engine=mp           | --engine must be threads or mpi
    run m.mlir --random --num-replicas=0      | --num-replicas must be a positive number
    run m.mlir --against=xla                  | it is a flag of view, diff
    run exp.mlir --random                     | did you mean stablehlo.exponential?
    run mhlo.mlir --random                    | `hlokit upgrade FILE` rewrites MHLO
    run tosa.mlir --random                    | hlokit reads no dialect tosa
    run softmax.mlir --random                 | StableHLO and CHLO have no such operation
    run float.mlir --random                   | did you mean f32?
    run brace.mlir --random                   | do the braces match?
    run braces.mlir --random                  | do the braces match?
    run capital.mlir --random                 | did you mean tensor?
    run two.mlir --random                     | it has f, g: --function=f, or function=, runs one
    run numbers.csv                           | a list of numbers: an argument, as an .npy file
    run empty.mlir                            | it has no functions
    run model.onnx                            | ONNX model
    run weights.safetensors                   | safetensors
    run picture.png                           | PNG
    run model.pt                              | hlokit.from_torch
    run notes.json                            | JSON
    run damaged.gz                            | damaged.gz
    run .                                     | error
    diff m.mlir x.npy x.npy                   | --against=SIDE must be given
    diff m.mlir --random --against=xal        | did you mean xla?
    diff m.mlir --random --against=none.mlir  | a side must be one of
    diff m.mlir --random --against=jax        | did you mean xla?
    diff m.mlir --random --against=ab.npz     | got the arrays 'ab.npz': hlokit record writes
    diff m.mlir --random --against=xla --rtol=1e-3 | derives what roundings allow
    diff m.mlir --random --against=m.mlir --mode=fast | --mode must be one of
    view m.mlir -o m.png                      | -o must be the name of a page (.html)
    view m.mlir -o none/m.html                | cannot open output file 'none/m.html'
    passes m.mlir --of=xla -o m.txt           | -o must be a page's name
    info m.mlir -o m.txt                      | -o must not be given: it is a flag of run
    view m.mlir -o g.dot --format=html        | --format must be dot for 'g.dot'
    view m.mlir --format=svg -o x             | --format must be one of
    view m.mlir -o x.html --json              | --json must not be given
    record m.mlir --random                    | -o RUN must be given
    replay m.mlir                             | m.mlir
    reduce m.mlir --random                    | --keep=PREDICATE must be given
    reduce m.mlir --random --keep=diverge:xla | did you mean diverges:xla?
    reduce m.mlir --random --keep=diverges    | did you mean diverges:xla?
    reduce m.mlir --keep=nan --jobs=0         | --jobs must be a positive number
    passes m.mlir --of=xla --time-limit=0     | --time-limit must be a positive number of seconds
    passes m.mlir                             | --of=COMPILER or --dumps=DIR must be given
    shard m.mlir --mesh=a=2 --in=z:P('a')     | there is no argument 'z'
    shard m.mlir --mesh=a=2 --in=x:P('b')     | mesh has no axis 'b'
    shard m.mlir --mesh=two                   | mesh
    verify m.mlir --format=xml                | --format must be one of text, json, sarif, github, junit
    verify m.mlir --strct                     | did you mean '--strict'?
    info a b                                  | one file must be given
    infer                                     | an operation must be given
    infer abs 2xf32                           | did you mean tensor<2xf32>?
    infer exp tensor<2xf32>                   | did you mean 'stablehlo.exponential'?
    infer add tensor<2xf32> tensor<3xf32>     | Mismatched dimension sizes
    completion tcsh                           | SHELL must be one of bash, zsh, fish
    doctor x                                  | no input must be given
    --versoin                                 | did you mean '--version'?
    run m.mlir --input=2xf32=1                | hlokit run FILE ARGUMENT...
    run m.mlir --device=gpu                   | --backend=xla
    run m.mlir f32[2] f32[2]                  | did you mean 2xf32?
    run m.mlir m.mlir                         | a file of arguments must be an .npy or .npz file
    run m.mlir 1.0 2.0                        | a shape such as 2x3xf32 (zeros) or 2x3xf32=1
    verify m.mlir --output-format=sarif       | --format
    diff m.mlir exp.mlir                      | or another program: hlokit diff FILE
    judge m.mlir nothing:f                    | cannot import nothing:f
    run run                                   | is a recorded run: hlokit replay runs it
    equal m.mlir                              | a second file must be given
    make-test m.mlir --random -o test.npz     | -o must be a program's name
    conformance --backend=tpu                 | a side must be one of
"""


def calls() -> Iterator[tuple[Callable[[], object], str]]:
    """Calls in Python, with the part of the message that helps."""
    load: Any = hlokit.load
    p: Any = load(TEXT)
    yield lambda: load("nothing.mlirbc"), "no such file"
    yield lambda: load(lambda x: x), "jit it first, or call hlokit.from_jax"
    yield lambda: load(TEXT, X, X), "call the program that load returns"
    yield lambda: load(TEXT, bakend="xla"), "did you mean backend=?"
    yield lambda: load(TEXT, backend="gpu"), "backend must be one of numpy, xla, got gpu"
    yield lambda: p(X), "must be called with 2 arguments, got 1"
    yield lambda: p(X, np.ones(2)), "argument 1 must have type tensor<2xf32>, got tensor<2xf64>"
    yield lambda: p(X, X, z=X), "there is no parameter z; there are x, y"
    yield lambda: p(X, "y"), "argument 1"
    yield lambda: p(X, X, function="mian"), "did you mean main?"
    yield lambda: p(X, X, observer=hlokit.StopOnNan), "write StopOnNan(...)"
    yield lambda: p(X, X, precision="low"), "one of default, high, products, sequential, pairwise, got low"
    yield lambda: p.serialize("9.9"), "9.9"
    yield lambda: p.serialize(1.9), "such as '1.9.0'"
    yield lambda: p.view(X, X, diff="xla"), "diff=hlokit.diff(program"
    yield lambda: hlokit.diff(p, X, X, agianst="xla"), "did you mean against=?"
    yield lambda: hlokit.diff(p, X, X, against="xal"), "did you mean xla?"
    yield lambda: hlokit.make_test(3), "a program must be"
    yield lambda: p.trace(X, X)["%7"], "%7"
    yield lambda: load(p), "it is loaded: call it"
    yield lambda: hlokit.Trace("run.json"), "take must be a function of a record"  # type: ignore[arg-type] # on purpose
    yield lambda: hlokit.verify(3), "source must be a text, a bytes or a path, got 3"


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    texts = {
        "m": TEXT,
        "exp": TEXT.replace("subtract %x, %y", "exp %x"),
        "mhlo": TEXT.replace("stablehlo", "mhlo"),
        "tosa": TEXT.replace("stablehlo", "tosa"),
        "softmax": TEXT.replace("subtract", "softmax"),
        "float": TEXT.replace("f32", "float32"),
        "braces": f"{TEXT}}}",
        "capital": TEXT.replace("tensor", "Tensor"),
        "two": TEXT.replace("@main", "@f") + TEXT.replace("@main", "@g"),
        "brace": TEXT.replace("}", ""),
        "retrun": TEXT.replace("return", "retrun"),
        "empty": "",
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.mlir").write_text(text)
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "program.mlirbc").touch()
    np.save("x.npy", X)
    np.savez("ab.npz", a=X, b=X)
    np.savez("onlyx.npz", x=X)
    (tmp_path / "notes.json").write_text('{"a": 1}')
    (tmp_path / "numbers.csv").write_text("1.5,2\n")
    contents = {
        "model.onnx": b"\x08\x07\x12\x04onnx\x3a\x00",
        "weights.safetensors": (2).to_bytes(8, "little") + b"{}",
        "picture.png": b"\x89PNG\r\n\x1a\n" + b"\0" * 8,
        "model.pt": b"PK\x03\x04" + b"\0" * 60,
        "damaged.gz": gzip.compress(TEXT.encode())[:20],
    }
    for name, data in contents.items():
        (tmp_path / name).write_bytes(data)


def answer(line: str) -> tuple[int, str]:
    errors = io.StringIO()
    with contextlib.redirect_stdout(errors), contextlib.redirect_stderr(errors):
        status = main(line.split())
    return status, errors.getvalue()


def wrong_lines() -> Iterator[str]:
    for row in filter(None, map(str.strip, LINES.splitlines())):
        line, expected = map(str.strip, row.split("|"))
        status, text = answer(line)
        if not status or expected not in text or "Traceback" in text or "internal error" in text:
            yield f"{line} -> {status}: {text[:300]}"


def wrong_calls() -> Iterator[str]:
    for number, (call, expected) in enumerate(calls()):
        try:
            call()
        except hlokit.HlokitError as error:
            if expected not in str(error):
                yield f"call {number}, {expected}: {error}"
        except Exception as error:  # no other kind is an answer
            yield f"call {number}, {expected}: {type(error).__name__}: {error}"
        else:
            yield f"call {number}, {expected}: no error"


def test_a_hundred_mistakes() -> None:
    count = len(list(filter(None, map(str.strip, LINES.splitlines())))) + len(list(calls()))
    wrong = [*wrong_lines(), *wrong_calls()]
    assert count >= 100
    assert not wrong, "\n".join(wrong)
