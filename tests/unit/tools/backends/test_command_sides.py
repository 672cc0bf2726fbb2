"""Sides that are programs: results of any kind, and programs that answer many requests."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from hlokit.errors import ArgumentError
from hlokit.tools.backends.commands import CommandSide
from hlokit.tools.backends.side import SideFailed

PROGRAM = "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n  return %x : tensor<4xf32>\n}"
INPUT = np.arange(4, dtype=np.float32)
# Each writes something else than results, without waiting.
OUTPUTS = {
    "nothing": ("pass", "it wrote no results"),
    "a pipe": ("os.mkfifo(path)", "it must be a file, not a directory, a pipe or a device"),
    "a device": ("os.symlink('/dev/zero', path)", "it must be a file, not a directory, a pipe or a device"),
    "a directory": ("os.mkdir(path)", "it must be a file, not a directory, a pipe or a device"),
    "text": ("open(path, 'w').write('words')", "File is not a zip file"),
    "half": ("np.savez(path, result_0=x); os.truncate(path, os.stat(path).st_size // 2)", "not a zip file"),
    "flipped": (
        "np.savez(path, result_0=x); data = bytearray(open(path, 'rb').read()); data[180] ^= 1; open(path, 'wb').write(data)",
        "the results cannot be read: ",
    ),
    "other names": ("np.savez(path, y=x)", "there is no array 'result_0'"),
    "objects": ("np.savez(path, result_0=np.array([None]))", "must hold numbers, got Python objects"),
    "records": ("np.savez(path, result_0=np.zeros(4, 'i4,f4'))", "the structured dtype"),
    "a promise": (
        "z = zipfile.ZipFile(path, 'w'); z.writestr('result_0.npy', header((1 << 40,)) + b'words'); z.close()",
        "promises 4398046511104 bytes",
    ),
}
WRITER = """import io, os, sys, zipfile
import numpy as np
def header(shape):
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(file, {"descr": "<f4", "fortran_order": False, "shape": shape})
    return file.getvalue()
path, x = sys.argv[3], np.arange(4, dtype=np.float32)
"""


@pytest.mark.parametrize("kind", OUTPUTS)
@pytest.mark.sample("a pipe", "half", "other names", "objects", "a promise")
def test_results_that_cannot_be_read(tmp_path: Path, kind: str) -> None:
    statement, message = OUTPUTS[kind]
    script = tmp_path / "writer.py"
    script.write_text(WRITER + statement)
    side = CommandSide(f"{sys.executable} {script} {{module}} {{inputs}} {{outputs}}")
    with pytest.raises(SideFailed) as failed:
        side.run(PROGRAM, [INPUT])
    side.close()
    assert failed.value.kind == "error"
    assert message in failed.value.reason


SERVER = """import json, os, sys, time
import numpy as np
with open(sys.argv[2], "a") as starts:
    starts.write("start\\n")
time.sleep(float(sys.argv[3]))
print("a message for people")
for line in sys.stdin:
    request = json.loads(line)
    with np.load(request["inputs"]) as inputs:
        x = inputs["input_0"]
    answer = {"id": request["id"], "status": "ok"}
    if x[0] == 1:
        os.kill(os.getpid(), 6)
    elif x[0] == 2:
        time.sleep(600)
    elif x[0] == 3:
        answer |= {"status": "unsupported", "reason": "no sine"}
    elif x[0] == 4:
        answer |= {"status": "error", "reason": "divided by zero"}
    elif x[0] == 5:
        sys.exit(7)
    elif x[0] == 6:
        sys.stdout.write("words" * 1_000_000)
    elif x[0] == 8:
        answer["status"] = "fine"
    elif x[0] == 9:
        answer |= {"status": "error", "reason": "no memory\\nin f"}
    elif x[0] == 10:
        del answer["id"]
    elif x[0] == 7:
        print(json.dumps({**answer, "id": 1, "status": "error"}))
    assert request["function"] == "main" and os.path.isfile(request["module"])
    np.savez(request["outputs"], result_0=-x)
    print(json.dumps(answer), flush=True)
"""


def server(tmp_path: Path, seconds: float = 0, time_limit: float = 300) -> tuple[CommandSide, Path]:
    """A side that takes some seconds to start, and the file with a line for each start."""
    script, starts = tmp_path / "server.py", tmp_path / "starts"
    script.write_text(SERVER)
    return CommandSide(f"{sys.executable} {script} --serve {starts} {seconds}", time_limit), starts


def test_many_cases_start_a_program_once(tmp_path: Path) -> None:
    side, starts = server(tmp_path, seconds=1)
    for case in range(10):
        inputs = [np.full(4, 10 * case + n + 11, np.float32) for n in range(10)]
        results = side.run_each(PROGRAM, [[value] for value in inputs])
        for (result,), value in zip(results, inputs, strict=True):
            np.testing.assert_array_equal(result, -value)
    side.close()
    assert starts.read_text() == "start\n"


@pytest.mark.parametrize(
    ("first", "kind", "reason", "starts_again"),
    [
        (1, "crash", "SIGABRT", True),
        (2, "time-out", "took longer than 3 s", True),
        (3, "unsupported", "no sine", False),
        (4, "error", "divided by zero", False),
        (5, "crash", "status 7", True),
        (6, "error", "a line of its output must have at most", True),
        (8, "error", "the status of its answer must be ok, unsupported or error, got 'fine'", False),
        (9, "error", "no memory; in f", False),
        (10, "time-out", "took longer than 3 s, and answered the id None, not 1", True),
    ],
)
def test_a_case_that_fails_is_no_end(
    tmp_path: Path, first: int, kind: str, reason: str, starts_again: bool
) -> None:
    side, starts = server(tmp_path, time_limit=3 if kind == "time-out" else 300)
    with pytest.raises(SideFailed, match=reason) as failed:
        side.run(PROGRAM, [np.full(4, first, np.float32)])
    assert failed.value.kind == kind
    (result,) = side.run(PROGRAM, [INPUT])
    np.testing.assert_array_equal(result, -INPUT)
    side.close()
    assert starts.read_text().count("start") == 1 + starts_again


def test_answers_to_other_requests_are_ignored(tmp_path: Path) -> None:
    side, _ = server(tmp_path)
    for first in (0, 7):
        (result,) = side.run(PROGRAM, [np.full(4, first, np.float32)])
        np.testing.assert_array_equal(result, np.full(4, -first, np.float32))
    side.close()


def test_a_command_line_without_words_is_an_error() -> None:
    with pytest.raises(ArgumentError, match=r"must have \{inputs\} in it, or the word --serve"):
        CommandSide("cat {module}")
