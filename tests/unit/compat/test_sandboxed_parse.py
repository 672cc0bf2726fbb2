"""No artifact kills the process: mutants are read or rejected."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest

import hlokit
from hlokit.children.lifetimes import python_command
from hlokit.compat.serialize import serialize
from hlokit.errors import HlokitError, ParseError, VersionError
from hlokit.mlir import parse
from hlokit.mlir.parse import parse_bytecode
from hlokit.mlir.provider.context import make_context
from hlokit.mlir.sandbox import sandboxed_parse
from hlokit.mlir.sandbox.server import server

from . import attempts
from .programs import MIXED, PLAIN, module

MUTANTS = int(os.environ.get("HLOKIT_MUTANTS", "100"))
ROOT = Path(__file__).parents[3]
CRASHING = sorted((Path(__file__).parent / "crashing").glob("*.mlirbc"))


@pytest.fixture(params=["fork", "new process"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both kinds of child processes."""
    if request.param == "new process":
        monkeypatch.setattr(sandboxed_parse, "_can_fork", lambda: False)
    elif not sandboxed_parse._can_fork():
        pytest.skip("this process has threads: test_in_a_process_that_can_fork runs it")


def test_a_search_path_with_other_objects_than_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """Regression: the new process failed at the representation of a `Path`."""
    monkeypatch.setattr(sys, "path", [*sys.path, ROOT / "nothing", b"nothing", None])
    done = subprocess.run(
        python_command("import hlokit; print(len(sys.path))"), capture_output=True, check=True
    )
    assert int(done.stdout) == len(sys.path) - 3


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux forks")
@pytest.mark.parametrize("name", ["jax", "tensorflow", "torch_xla"])
def test_processes_with_a_runtime_of_xla_do_not_fork(name: str) -> None:
    program = f"""
import sys
from hlokit.mlir.sandbox.sandboxed_parse import _can_fork
assert _can_fork()
sys.modules["{name}"] = sys
assert not _can_fork()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.deep
def test_in_a_process_that_can_fork() -> None:
    """The tests of this file that fork. In this process other tests may have loaded JAX, whose threads a fork lacks."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:xdist",
        "-p",
        "no:cacheprovider",
        "-k",
        "fork and not can_fork",
    ]
    done = subprocess.run([*command, __file__], capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stdout
    assert "passed" in done.stdout and "skipped" not in done.stdout


@pytest.mark.usefixtures("way")
def test_answers() -> None:
    make_context()
    assert sandboxed_parse.answer(b"data", attempts.live) == b"datadata"
    for work, message in (
        (attempts.fail, "its reader fails"),
        (attempts.allocate, "its reader fails"),
        (attempts.abort, r"it kills its reader \(SIGABRT\)"),
        (attempts.compute, "reading it does not end"),
    ):
        with pytest.raises(sandboxed_parse.ChildDied, match=message):
            sandboxed_parse.answer(b"data", work)
    with pytest.raises(sandboxed_parse.ChildDied, match="reading it does not end"):
        sandboxed_parse.answer(b"data", attempts.sleep, seconds=0.5)


def test_one_server_serves_all_and_is_replaced_when_it_dies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandboxed_parse, "_can_fork", lambda: False)
    parents = {sandboxed_parse.answer(b"", attempts.parent) for _ in range(3)}
    assert len(parents) == 1
    (parent,) = parents
    assert int(parent) != os.getpid()
    os.kill(int(parent), signal.SIGKILL)
    assert sandboxed_parse.answer(b"", attempts.parent) not in parents


def test_a_server_that_crashes_is_replaced_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server's pipes close before the process ends."""
    monkeypatch.setattr(sandboxed_parse, "_can_fork", lambda: False)
    dying = subprocess.Popen(
        [sys.executable, "-c", "import os, time; os.close(0); os.close(1); time.sleep(60)"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    monkeypatch.setattr(server(), "_process", dying)
    assert sandboxed_parse.answer(b"data", attempts.live) == b"datadata"
    assert dying.poll() == -signal.SIGKILL


def test_an_interrupted_request_leaves_no_answer_to_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandboxed_parse, "_can_fork", lambda: False)
    sandboxed_parse.answer(b"", attempts.parent)

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    handler = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(KeyboardInterrupt):
            sandboxed_parse.answer(b"", attempts.doze)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
    assert sandboxed_parse.answer(b"data", attempts.live) == b"datadata"


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("path", CRASHING, ids=lambda path: path.stem)
def test_artifacts_that_crash_some_bindings(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether an artifact crashes, is refused or is read differs between versions; the next one is read."""
    with suppress(ParseError):
        parse_bytecode(make_context(), path.read_bytes())
    monkeypatch.setattr(parse, "_is_validated", lambda bytecode: False)
    assert str(parse_bytecode(make_context(), serialize(module(PLAIN)))) == str(module(PLAIN))


def mutants(data: bytes, count: int, seed: int) -> list[bytes]:
    """Copies with a few bytes changed, flipped, left out, doubled, or the end missing."""
    chance = random.Random(seed)
    found: list[bytes] = []
    for _ in range(count):
        mutant = bytearray(data)
        for _ in range(chance.choice((1, 1, 2, 4))):
            position = chance.randrange(len(mutant))
            match chance.randrange(6):
                case 0 | 1:
                    mutant[position] = chance.randrange(256)
                case 2:
                    mutant[position] ^= 1 << chance.randrange(8)
                case 3:
                    del mutant[position : position + chance.randrange(1, 4)]
                case 4:
                    mutant[position:position] = mutant[position : position + chance.randrange(1, 4)]
                case _:
                    del mutant[max(position, len(mutant) - 40) :]
        found.append(bytes(mutant))
    return found


def outcomes_of(programs: list[bytes]) -> Counter[str]:
    """How many programs are read, and how many end in each error."""
    outcomes: Counter[str] = Counter()
    for program in programs:
        try:
            hlokit.load(program).text(elide_larger_than=16)
            outcomes["read"] += 1
        except HlokitError as error:
            outcomes[type(error).__name__] += 1
    return outcomes


@pytest.mark.parametrize("text", [PLAIN, MIXED], ids=["plain", "mixed"])
@pytest.mark.deep
def test_mutated_artifacts(text: str) -> None:
    outcomes = outcomes_of(mutants(serialize(module(text)), MUTANTS // 2, seed=5))
    assert outcomes["read"] and outcomes["ParseError"], outcomes


@pytest.mark.parametrize("text", [PLAIN, MIXED], ids=["plain", "mixed"])
def test_mutated_text(text: str) -> None:
    outcomes = outcomes_of([mutant + b"\n" for mutant in mutants(text.encode(), MUTANTS // 2, seed=6)])
    assert outcomes["read"] and outcomes["ParseError"], outcomes


def from_the_future() -> bytes:
    data = serialize(module(PLAIN), "current")
    return data.replace(b"add_v1\0", b"add_v9\0").replace(b"StableHLO_v1.", b"StableHLO_v9.")


def test_an_artifact_from_the_future() -> None:
    with pytest.raises(VersionError) as caught:
        hlokit.load(from_the_future(), filename="new.mlirbc")
    message = str(caught.value.diagnostics[-1])
    assert message.startswith(
        "new.mlirbc: error: the artifact uses operations vhlo.add_v9 unknown to StableHLO"
    )
    assert message.endswith("or later to be read")


def test_a_bytecode_version_from_the_future() -> None:
    data = bytearray(serialize(module(PLAIN)))
    assert data[4] == 2 * 6 + 1
    data[4] = 2 * 7 + 1
    with pytest.raises(VersionError, match=r"bytecode version 7 of StableHLO_v.* is newer than 6"):
        hlokit.load(bytes(data))


def test_diagnostics_of_the_reader_are_not_printed(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(VersionError):
        hlokit.load(from_the_future())
    assert capfd.readouterr() == ("", "")


IMPOSSIBLE_COMPLEX = """func.func @main(%a: tensor<2x{type}>) attributes {{any.text = "complex<i7>"}} {{
  return
}}
"""


@pytest.mark.parametrize("type_", ["complex<i128>", "complex<i7>", "complex<f80>"])
def test_complex_types_without_a_portable_form(type_: str) -> None:
    """The bindings convert such types to null, and crash."""
    program = hlokit.load(IMPOSSIBLE_COMPLEX.format(type=type_), filename="x.mlir")
    for target in ("current", "min", "0.9.0"):
        with pytest.raises(VersionError) as caught:
            program.serialize(target)
        assert f"type '{type_}' of operation 'func.func' has no portable form" in str(caught.value)


@pytest.mark.parametrize("type_", ["complex<i32>", "complex<f16>", "complex<f64>"])
def test_complex_types_with_a_portable_form(type_: str) -> None:
    program = hlokit.load(IMPOSSIBLE_COMPLEX.format(type=type_))
    assert hlokit.load(program.serialize("0.9.0")).text() == program.text()


def test_empty_tuples_are_no_obstacle() -> None:
    """The bindings print empty tuples, but cannot parse the printed text."""
    program = hlokit.load(
        "func.func @main(%a: tuple<tensor<i2>, tuple<>>) -> tuple<tensor<i2>, tuple<>> {\n"
        "  return %a : tuple<tensor<i2>, tuple<>>\n}\n"
    )
    with pytest.raises(VersionError, match=r"type 'i2' .* needs StableHLO 1\.2\.0"):
        program.serialize("1.1.0")


def test_types_of_other_dialects_inside_are_no_obstacle() -> None:
    """VHLO keeps such types unchanged, and cannot parse the printed text."""
    type_ = "!stablehlo.future<tensor<2x!quant.uniform<i8<-8:7>:f32:{0:1}, {0.5, 0.5}>>>"
    program = hlokit.load(f"func.func private @main({type_})\n")
    with pytest.raises(VersionError, match=r"cannot be written for 1\.14\.0; .* is 1\.15\.0"):
        program.serialize("1.14.0")
    assert program.serialize("min") == program.serialize("1.15.0")


def test_the_readers_word_may_be_doubted(monkeypatch: pytest.MonkeyPatch) -> None:
    read_by_child: list[bytes] = []
    answer = sandboxed_parse.answer

    def counted(data: bytes, *works: sandboxed_parse.Work) -> bytes:
        read_by_child.append(data)
        return answer(data, *works)

    monkeypatch.setattr(sandboxed_parse, "answer", counted)
    for text in (PLAIN, MIXED):
        artifact = serialize(module(text))
        monkeypatch.delenv("HLOKIT_DISABLE", raising=False)
        believed = hlokit.load(artifact)
        assert read_by_child == []
        monkeypatch.setenv("HLOKIT_DISABLE", "artifact-reader")
        doubted = hlokit.load(artifact)
        assert read_by_child == [artifact]
        read_by_child.clear()
        assert doubted.text(debug_info=True) == believed.text(debug_info=True)
