"""`hlokit serve` and its parts, on a system without forks, polls and POSIX signals, as Windows is.

Every process of a test starts with `SIMULATION`, which hides what Windows lacks. The bindings and NumPy are imported
before: they are not under test.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import hlokit

ROOT = Path(__file__).parents[4]
SIMULATION = """import sys
if "-P" not in sys.orig_argv[1:3] and not any("pip" in word for word in sys.orig_argv):
    import ctypes, multiprocessing, select, signal, socket, subprocess, tempfile, threading, uuid, zipfile
    import os
    import numpy, ml_dtypes, jaxlib.mlir.ir
    for name in ("fcntl", "grp", "pwd", "resource", "termios", "tty", "pty", "syslog"):
        sys.modules[name] = None
    for name in ("fork", "forkpty", "set_blocking", "WNOHANG", "memfd_create", "sched_getaffinity", "killpg", "setsid",
                 "getpgid", "register_at_fork", "mkfifo", "getuid"):
        if hasattr(os, name):
            delattr(os, name)
    del select.poll, select.epoll
    real = select.select
    def sockets_only(readers, writers, errors, seconds=None):
        if any(not isinstance(each, socket.socket) for each in [*readers, *writers, *errors]):
            raise OSError(10038, "not a socket")
        return real(readers, writers, errors, seconds)
    select.select = sockets_only
    for name in [name for name in dir(signal) if name.startswith("SIG") and name not in (
            "SIGABRT", "SIGFPE", "SIGILL", "SIGINT", "SIGSEGV", "SIGTERM", "SIG_DFL", "SIG_IGN")]:
        delattr(signal, name)
    for name in ("pthread_sigmask", "setitimer", "alarm"):
        delattr(signal, name)
    kill = os.kill  # Popen's own needs SIGKILL
    subprocess.Popen.kill = lambda self: kill(self.pid, 9) if self.poll() is None else None
    del os.kill
    sys.platform = "win32"
"""


def run(
    tmp_path: Path, *words: str, given: bytes = b"", status: int = 0
) -> subprocess.CompletedProcess[bytes]:
    """A process on the simulated system."""
    (tmp_path / "sitecustomize.py").write_text(SIMULATION)
    paths = os.pathsep.join(filter(None, (str(tmp_path), os.environ.get("PYTHONPATH"))))
    done = subprocess.run(
        [sys.executable, *words],
        input=given,
        capture_output=True,
        env={**os.environ, "PYTHONPATH": paths},
        timeout=300,
        check=False,
    )
    assert done.returncode == status, done.stderr.decode()
    assert b"Traceback" not in done.stderr
    return done


HLOKIT = ("-c", "from hlokit.cli.main import main; main()")


def test_serve_answers_the_documented_conversation(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "service.md").read_text()
    lines = page.partition("```json-lines\n")[2].partition("```")[0].splitlines()
    requests = "".join(f"{line[2:]}\n" for line in lines if line.startswith("> "))
    expected = [json.loads(line) for line in lines if not line.startswith("> ")]
    found: list[Any] = [
        json.loads(line)
        for line in run(tmp_path, *HLOKIT, "serve", given=requests.encode()).stdout.split(b"\n")
        if line
    ]
    for record in found:
        if record["id"] == 7:  # the names of variadic operands in older bindings
            record["result"]["operands"] = ["inputs...", "init_values..."]
    assert found == expected


SERVER = """import os, sys
import hlokit.tools.service.protocol as protocol
import hlokit.tools.service.workers as workers

class Dying(workers.Worker):
    pass

program = (
    f"import sys; sys.path[:] = {sys.path!r}\\n"
    "import os, time, hlokit.tools.service.workers as workers\\n"
    "real = workers.answer_line\\n"
    "def answer_line(line):\\n"
    "    if b'die' in line: os._exit(3)\\n"
    "    if b'sleep' in line: time.sleep(100)\\n"
    "    return real(line)\\n"
    "workers.answer_line = answer_line\\n"
    "workers.work_watching(0, 1)\\n"
)
popen = workers.subprocess.Popen
workers.subprocess.Popen = lambda words, **more: popen([words[0], "-c", program], **more)
from hlokit.tools.service.serving import serve
serve(0, 1, longest_seconds=SECONDS)
"""


@pytest.mark.deep
def test_serve_survives_its_workers(tmp_path: Path) -> None:
    requests = b"".join(
        json.dumps({"id": number, "method": "ping", "params": {"note": note}}).encode() + b"\n"
        for number, note in enumerate(["", "die", "", "sleep", ""])
    )
    requests = requests.replace(b', "params": {"note": ""}', b"").replace(b', "params"', b', "params"')
    program = SERVER.replace("SECONDS", "10")
    found = [json.loads(line) for line in run(tmp_path, "-c", program, given=requests).stdout.splitlines()]
    assert [each["id"] for each in found] == [0, 1, 2, 3, 4]
    assert "killed the worker (exit status 3)" in found[1]["error"]["message"]
    assert "took more than 10 s" in found[3]["error"]["message"]
    assert [each["result"] for each in (found[0], found[2], found[4])] == [{}, {}, {}]


def test_long_lines_and_many_requests(tmp_path: Path) -> None:
    """More than the pipes hold, in both directions."""
    text = "func.func @main() {\n  return\n}\n" + "// " + "x" * 300_000
    request = json.dumps({"id": 1, "method": "verify", "params": {"text": text}}).encode() + b"\n"
    found = run(tmp_path, *HLOKIT, "serve", given=request * 12).stdout.splitlines()
    assert [json.loads(line)["result"]["valid"] for line in found] == [True] * 12


ADD = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %x, %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}"""


@pytest.mark.parametrize("suffix", ["mlir", "mlirbc"])
def test_files_are_read_and_run(suffix: str, tmp_path: Path) -> None:
    """Untrusted bytecode is read in another process."""
    path = tmp_path / f"add.{suffix}"
    path.write_bytes(ADD.encode() if suffix == "mlir" else hlokit.load(ADD).serialize())
    done = run(tmp_path, *HLOKIT, "run", str(path), "dense<[1.0, 2.0]> : tensor<2xf32>")
    assert b"2.000000e+00, 4.000000e+00" in done.stdout
    assert run(tmp_path, *HLOKIT, "verify", str(path)).returncode == 0


WORK = """import os, time
def write(data, file):
    file.write(data[::-1])
def die(data, file):
    os._exit(5)
def fail(data, file):
    raise ValueError
def sleep(data, file):
    time.sleep(100)
"""
SANDBOX = """import work
from hlokit.mlir.sandbox import sandboxed_parse
for function in (work.write, work.die, work.fail, work.sleep, work.write):
    try:
        print(sandboxed_parse.answer(b"abc", function, seconds=5))
    except sandboxed_parse.ChildDied as death:
        print(death)
"""


@pytest.mark.deep
def test_the_sandbox_survives_its_work(tmp_path: Path) -> None:
    (tmp_path / "work.py").write_text(WORK)
    assert run(tmp_path, "-c", SANDBOX).stdout.decode().splitlines() == [
        "b'cba'",
        "its reader fails",
        "its reader fails",
        "reading it does not end",
        "b'cba'",
    ]


def test_sides_in_child_processes(tmp_path: Path) -> None:
    """Partitioners run in a child, whose answers this process waits for."""
    (tmp_path / "add.mlir").write_text(ADD)
    done = run(tmp_path, *HLOKIT, "shard", str(tmp_path / "add.mlir"), "--mesh=x=2", "--in=0:P('x')")
    assert b"compared with the whole program: right" in done.stdout
