"""Processes: children end with their parents, in every state of the system."""

from __future__ import annotations

import errno
import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from hlokit.children import lifetimes
from hlokit.mlir.sandbox import sandboxed_parse
from hlokit.mlir.sandbox.child import End
from hlokit.tools.backends import children
from hlokit.tools.backends.commands import CommandSide
from hlokit.tools.backends.side import SideFailed

HLOKIT = (sys.executable, "-c", "import sys; from hlokit.cli import hlokit; sys.exit(hlokit())")
ENDLESS = """func.func @main() -> tensor<i32> {
  %0 = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.while(%x = %0) : tensor<i32>
    cond { %t = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %t : tensor<i1> }
    do { stablehlo.return %x : tensor<i32> }
  return %1 : tensor<i32>
}"""
# Text that is parsed in a child first, and bytecode that the child writes.
GUARDED = "func.func @main() { return }  // stablehlo.sort stablehlo.return %0 : !t"


def ends(descriptor: int, seconds: float = 120) -> bool:
    """Whether all writers of a pipe have ended."""
    return bool(select.select([descriptor], [], [], seconds)[0]) and os.read(descriptor, 1) == b""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a pipe does it, see the next test")
def test_a_killed_command_leaves_no_child(tmp_path: Path) -> None:
    path = tmp_path / "endless.mlir"
    path.write_text(ENDLESS)
    reading, writing = os.pipe()
    command = subprocess.Popen([*HLOKIT, "run", str(path)], pass_fds=[writing])
    os.close(writing)
    assert not select.select([reading], [], [], 1.5)[0]
    command.kill()
    command.wait()
    assert ends(reading)
    os.close(reading)


def test_a_child_ends_with_the_pipe_of_its_parent() -> None:
    """Behaviour on systems without a parent-death signal. The child computes, and reads no input."""
    reading, writing = os.pipe()
    program = "from hlokit.children.lifetimes import end_with_input\nend_with_input()\nwhile True: pass"
    child = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, pass_fds=[writing])
    os.close(writing)
    assert child.stdin is not None
    child.stdin.write(b"unread")
    child.stdin.close()
    assert ends(reading)
    assert child.wait() == -signal.SIGKILL
    os.close(reading)


def test_a_fork_elsewhere_ends_with_the_pipe_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    lifetime = lifetimes.Lifetime()
    child = os.fork()
    if child == 0:
        lifetime.begin_child()
        signal.pause()
    lifetime.keep()
    assert os.waitpid(child, os.WNOHANG)[0] == 0
    lifetime.end()
    assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL


IGNORING = """import signal, sys
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
import hlokit
from hlokit.mlir.printing import write_bytecode
program = hlokit.load({text!r})
print(list(hlokit.verify({text!r})), hlokit.load(write_bytecode(program.module)).functions)
for data in (b"ML\\xefR\\x0dMLIR", {text!r}.replace("return }}", "return %0 : !t }}")):
    try:
        hlokit.load(data)
    except hlokit.ParseError as error:
        print(type(error).__name__)
import os
os.execv(sys.executable, {command!r})
"""


def test_ends_of_children_may_be_ignored(tmp_path: Path) -> None:
    """A process that ignores SIGCHLD learns no exit status, and so do the commands that it starts."""
    path = tmp_path / "f.mlir"
    path.write_text(
        "func.func @main() -> tensor<i8> {\n  %0 = stablehlo.constant dense<3> : tensor<i8>\n  return %0 : tensor<i8>\n}"
    )
    program = IGNORING.format(text=GUARDED, command=[*HLOKIT, "run", str(path)])
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.stdout == "[] ('main',)\nParseError\nParseError\ntensor<i8> {3}\n"
    assert done.returncode == 0


LACKING = """import resource, signal, hlokit
def refuse():
    raise BlockingIOError(11, "Resource temporarily unavailable")
from hlokit.mlir.printing import write_bytecode
data = write_bytecode(hlokit.load({text!r}).module)
hlokit.load(data)
{lack}
try:
    hlokit.load(data)
except hlokit.ResourceError as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("lack", "message"),
    [
        (
            "resource.setrlimit(resource.RLIMIT_NOFILE, (4, 4))",
            "no process can be started to read the input: too many open files",
        ),
        (
            "import os; os.fork = refuse",
            "no process can be started to read the input: resource temporarily unavailable",
        ),
        (
            "resource.setrlimit(resource.RLIMIT_FSIZE, (8, 8)); signal.signal(signal.SIGXFSZ, signal.SIG_IGN)",
            "the input cannot be read: file too large",
        ),
    ],
)
def test_missing_resources_are_no_errors_of_the_input(lack: str, message: str) -> None:
    program = LACKING.format(text=GUARDED, lack=lack)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == (f"{message}\n", "")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="commands have no watcher")
def test_a_killed_command_prints_an_error(tmp_path: Path) -> None:
    """Simulates the system's reaction to a lack of memory: the working process is gone, and its watcher is
    not."""
    path = tmp_path / "endless.mlir"
    path.write_text(ENDLESS)
    command = subprocess.Popen([*HLOKIT, "run", str(path)], stderr=subprocess.PIPE, text=True)
    children = Path(f"/proc/{command.pid}/task/{command.pid}/children")
    if not children.exists():
        command.kill()
        pytest.skip("this system does not list the children of a process")
    while not children.read_text().split():
        assert command.poll() is None
    os.kill(int(children.read_text().split()[0]), signal.SIGKILL)
    _, said = command.communicate(timeout=300)
    reason = "its process was killed (SIGKILL), perhaps because this machine has too little memory"
    assert (command.returncode, said) == (128 + signal.SIGKILL, f"hlokit: error: {reason}\n")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux enforces RLIMIT_AS")
@pytest.mark.deep
def test_commands_under_limits_of_memory(tmp_path: Path) -> None:
    """With less and less memory: each command works, or reports the lack of memory."""
    path = tmp_path / "f.mlir"
    adds = "".join(f"%{i} = stablehlo.add %{i - 1 if i else 'x'}, %x : tensor<i8>\n" for i in range(50_000))
    path.write_text(f"func.func @main(%x: tensor<i8>) -> tensor<i8> {{\n{adds}return %x : tensor<i8>\n}}")
    limited = "import resource, os, sys; n = int(sys.argv.pop(1)) << 20; resource.setrlimit(resource.RLIMIT_AS, (n, n))\n"
    limited += "os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"
    statuses: dict[int, int] = {}
    for megabytes in (60, 250, 330, 400, 450, 500, 600, 4000):
        words = [str(megabytes), *HLOKIT[1:], "verify", str(path)]
        done = subprocess.run(
            [sys.executable, "-c", limited, *words],
            capture_output=True,
            text=True,
            check=False,
            env=os.environ | {"PYTHONHASHSEED": "0"},
        )
        said = done.stdout + done.stderr
        assert "Traceback" not in said
        assert "terminate called" not in said
        assert done.returncode == 0 or "memory" in said or "hlokit cannot start" in said, (megabytes, said)
        statuses[megabytes] = done.returncode
    # Between the ends, memory may suffice: addresses are random.
    assert set(statuses.values()) == {0, 1}
    assert (statuses[60], statuses[250], statuses[4000]) == (1, 1, 0)


@pytest.mark.parametrize(
    ("is_limited", "reason"), [(True, ", perhaps because memory is limited (ulimit -v)"), (False, "")]
)
def test_cause_of_death(monkeypatch: pytest.MonkeyPatch, is_limited: bool, reason: str) -> None:
    monkeypatch.setattr(lifetimes, "memory_is_limited", lambda: is_limited)
    kill, abort = (lifetimes.cause_of_death(each) for each in (signal.SIGKILL, signal.SIGABRT))
    assert kill == "was killed (SIGKILL), perhaps because this machine has too little memory"
    assert abort == f"died of SIGABRT{reason}"
    assert children.death(-signal.SIGKILL) == f"its process {kill}"


@pytest.mark.parametrize(
    ("is_limited", "reason"), [(True, ", perhaps because memory is limited (ulimit -v)"), (False, "")]
)
def test_a_reader_that_dies_under_a_limit_of_memory(
    monkeypatch: pytest.MonkeyPatch, is_limited: bool, reason: str
) -> None:
    """A thread of the bindings dies of SIGSEGV if it gets no memory."""
    monkeypatch.setattr(lifetimes, "memory_is_limited", lambda: is_limited)
    with pytest.raises(sandboxed_parse.ChildDied) as caught:
        sandboxed_parse._require_success(End(-signal.SIGSEGV))
    assert str(caught.value) == f"it kills its reader (SIGSEGV){reason}"


THROWING = """import ctypes
from hlokit._bytecode import end_quietly_without_memory
end_quietly_without_memory()
ctypes.CDLL("libstdc++.so.6").{function}
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the C++ library has another name there")
@pytest.mark.parametrize(
    ("function", "message"),
    [("_ZSt17__throw_bad_allocv()", ""), ("_ZSt19__throw_logic_errorPKc(b'a reason')", "a reason")],
)
def test_exceptions_of_cpp_that_nobody_catches(function: str, message: str) -> None:
    """The watcher of a command says that memory was missing; other messages stay."""
    done = subprocess.run(
        [sys.executable, "-c", THROWING.format(function=function)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == -signal.SIGABRT
    assert (message in done.stderr) if message else done.stderr == ""


WITHOUT_PROCESSES = """import ctypes, os, resource, runpy, sys
if os.getuid() == 0:  # whose processes are not limited
    libc = ctypes.CDLL(None, use_errno=True)
    # Keep the capability to read files, CAP_DAC_READ_SEARCH, through the change of user.
    libc.prctl(8, 1, 0, 0, 0)
    os.setgroups([])
    os.setresgid(65534, 65534, 65534)
    os.setresuid(65534, 65534, 65534)
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    sets = (ctypes.c_uint32 * 6)(4, 4, 4, 0, 0, 0)
    if libc.capset(header, sets) or libc.prctl(47, 2, 2, 0, 0):
        sys.exit(77)
resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
os.execv(sys.executable, {command!r})
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the test drops capabilities of Linux")
@pytest.mark.parametrize(
    ("words", "status", "output", "errors"),
    [
        (("run", "f.mlir"), 0, "tensor<i8> {3}\n", ""),
        (
            ("verify", "f.mlir"),
            1,
            "",
            "hlokit: error: no process can be started to read the input: resource temporarily unavailable\n",
        ),
        (
            ("diff", "f.mlir", "--against=xla"),
            2,
            "",
            "hlokit: error: no thread can be started to watch the time limit: can't start new thread\n",
        ),
    ],
)
def test_no_more_processes(
    tmp_path: Path, words: tuple[str, ...], status: int, output: str, errors: str
) -> None:
    """NumPy's BLAS, which hlokit does not use, starts no threads either: it would interrupt a program if it
    cannot."""
    (tmp_path / "f.mlir").write_text(
        "func.func @main() -> tensor<i8> {\n  %0 = stablehlo.constant dense<3> : tensor<i8>\n  return %0 : tensor<i8>\n}"
    )
    for folder in (tmp_path, *tmp_path.parents[:2]):
        folder.chmod(0o755)
    program = WITHOUT_PROCESSES.format(command=[*HLOKIT, *words])
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    if done.returncode == 77:
        pytest.skip("this user may not become another one")
    assert (done.returncode, done.stdout, done.stderr) == (status, output, errors)


@pytest.mark.parametrize(
    ("words", "status", "output"),
    [
        pytest.param(
            ("diff", "f.mlir", "--against=iree"),
            0,
            "f.mlir against iree:llvm-cpu: the same\n",
            marks=pytest.mark.deep,
        ),
        (("diff", "f.mlir", "--against=xla"), 0, "f.mlir against xla: the same\n"),
        pytest.param(("reduce", "f.mlir", "--keep=diverges:xla"), 1, "", marks=pytest.mark.deep),
        pytest.param(
            ("shard", "f.mlir", "--mesh=x=2", "--in=0:P('x')"),
            0,
            "mesh x=2: 2 devices",
            marks=pytest.mark.deep,
        ),
        (("verify", "f.mlir"), 0, ""),
        (("doctor",), 0, "ok       hlokit"),
    ],
)
def test_no_code_comes_from_the_current_directory(
    tmp_path: Path, words: tuple[str, ...], status: int, output: str
) -> None:
    """Python, started with -m or -c, imports modules from the current directory."""
    if "--against=iree" in words:
        pytest.importorskip("iree.compiler")
    for name in ("numpy", "pickle", "iree", "hlokit", "jaxlib", "mpi4py"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('code of a stranger')")
    (tmp_path / "f.mlir").write_text(
        "func.func @main(%x: tensor<2xi8>) -> tensor<2xi8> {\n  return %x : tensor<2xi8>\n}"
    )
    if words[0] in ("diff", "reduce"):
        words = (*words, "dense<3> : tensor<2xi8>")
    command = [sys.executable, "-P", *HLOKIT[1:], *words]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stderr
    assert done.stdout.startswith(output)
    assert "stranger" not in done.stdout + done.stderr


@pytest.mark.parametrize("side", ["xla", "iree"])
@pytest.mark.deep
def test_a_side_without_descriptors_is_no_difference(tmp_path: Path, side: str) -> None:
    if side == "iree":
        pytest.importorskip("iree.compiler")
    (tmp_path / "f.mlir").write_text(
        "func.func @main() -> tensor<i8> {\n  %0 = stablehlo.constant dense<3> : tensor<i8>\n  return %0 : tensor<i8>\n}"
    )
    limit = "import os, resource, sys; n = int(sys.argv.pop(1)); resource.setrlimit(resource.RLIMIT_NOFILE, (n, n))\n"
    limit += "os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"
    words = [*HLOKIT[1:], "diff", "f.mlir", f"--against={side}"]
    statuses: list[int] = []
    for descriptors in (8, 10, 12, 14, 100):
        command = [sys.executable, "-c", limit, str(descriptors), *words]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        said = done.stdout + done.stderr
        assert done.returncode == 0 or "too many open files" in said, said
        statuses.append(done.returncode)
    assert set(statuses) == {0, 2}
    assert statuses[-1] == 0


def test_a_command_that_cannot_start_is_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EMFILE, "Too many open files")

    side = CommandSide("true {module} {inputs} {outputs}")
    text = "func.func @main(%x: tensor<i8>) -> tensor<i8> {\n  return %x : tensor<i8>\n}"
    with pytest.raises(SideFailed, match=r"^error: it wrote no results to \{outputs\}$"):
        side.run(text, [np.int8(1)])
    monkeypatch.setattr(subprocess, "Popen", refuse)
    with pytest.raises(SideFailed, match=r"^killed: too many open files$"):
        side.run(text, [np.int8(1)])
