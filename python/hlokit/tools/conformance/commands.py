"""The commands of RUN lines, as functions of this process."""

from __future__ import annotations

import glob
import io
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path

from hlokit.cli.upstream import opt, translate
from hlokit.tools.conformance import split_file
from hlokit.tools.conformance.scripts import run_script
from hlokit.tools.conformance.shell import Command, NotRunError, Outcome

_SHOWN_DIFFERENCES = 10
_SHOWN_WIDTH = 200


def captured(main: Callable[[Sequence[str]], int], arguments: Sequence[str], data: bytes) -> Outcome:
    """Call the main function of a command with separate streams."""
    output, errors = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    source = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8")
    try:
        with ExitStack() as stack:
            stack.enter_context(redirect_stdout(output))
            stack.enter_context(redirect_stderr(errors))
            try:
                status = main(arguments)
            except SystemExit as exit_:
                status = exit_.code if isinstance(exit_.code, int) else int(exit_.code is not None)
    finally:
        sys.stdin = source
    return Outcome(status, _written(output), _written(errors))


def _written(stream: io.TextIOWrapper) -> bytes:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue()


def _translate(arguments: Sequence[str], data: bytes) -> Outcome:
    return captured(translate.main, arguments, data)


@cache
def _llvm_file_check() -> str | None:
    """LLVM's FileCheck if installed, which accepts more than the Python package; otherwise None."""
    installed = glob.glob("/usr/lib/llvm-*/bin/FileCheck")
    return shutil.which("FileCheck-llvm") or (sorted(installed)[-1] if installed else None)


def _file_check(arguments: Sequence[str], data: bytes) -> Outcome:
    # Upstream's lit configuration requires this flag.
    words = ["FileCheck", "--enable-var-scope", *arguments]
    llvm = _llvm_file_check()
    if llvm is not None:
        done = subprocess.run([llvm, *words[1:]], input=data, capture_output=True, check=False)
        return Outcome(done.returncode, done.stdout, done.stderr)
    try:
        from filecheck.main import main
    except ImportError:
        raise NotRunError("needs FileCheck: pip install filecheck") from None
    return captured(lambda words: main(list(words)) or 0, words, data)


def _diff(arguments: Sequence[str], data: bytes) -> Outcome:
    if len(arguments) != 2 or any(argument.startswith("-") for argument in arguments):
        raise NotRunError(f"needs diff {' '.join(arguments)}")
    before, after = (Path(argument).read_bytes() for argument in arguments)
    if before == after:
        return Outcome(0)
    old, new = (text.decode(errors="replace").splitlines() for text in (before, after))
    # Line by line: a real diff of long texts would take longer than all other work.
    differences = [(a, b) for a, b in zip(old, new, strict=False) if a != b][:_SHOWN_DIFFERENCES]
    shown = [f"< {a[:_SHOWN_WIDTH]}\n> {b[:_SHOWN_WIDTH]}\n" for a, b in differences]
    return Outcome(1, "".join((f"{len(old)} and {len(new)} lines\n", *shown)).encode())


def _dirname(arguments: Sequence[str], data: bytes) -> Outcome:
    return Outcome(0, "".join(f"{os.path.dirname(name) or '.'}\n" for name in arguments).encode())


def _cat(arguments: Sequence[str], data: bytes) -> Outcome:
    return Outcome(0, b"".join(Path(name).read_bytes() for name in arguments) or data)


def _sed(arguments: Sequence[str], data: bytes) -> Outcome:
    done = subprocess.run(["sed", *arguments], input=data, capture_output=True, check=False)
    return Outcome(done.returncode, done.stdout, done.stderr)


def _opt(arguments: Sequence[str], data: bytes) -> Outcome:
    return captured(opt.main, arguments, data)


COMMANDS: Mapping[str, Command] = {
    "stablehlo-translate": _translate,
    "stablehlo-opt": _opt,
    "sdy_opt": _opt,
    "split-file": lambda arguments, data: captured(split_file.main, arguments, data),
    "sed": _sed,
    "cat": _cat,
    "FileCheck": _file_check,
    "diff": _diff,
    "dirname": _dirname,
    "bash": run_script,
}
