"""Commands with hostile input, each under limits: none dies without a message, hangs, or fills the memory.

    python -m tests.fuzz.hostile --commands 5000 [--seed N] [--store DIRECTORY]

`hostile_inputs` makes the inputs; a command is one of those that read them, with flags. Nine of ten commands are
forks of a process that has hlokit imported. Every 100 commands the campaign prints its counts.

A finding is a command that

- dies of a signal, or fails without a message, or with a traceback or an internal error;
- writes control characters;
- takes more than 10 s of processor time or 1 GB, or does nothing for two minutes.
"""

from __future__ import annotations

import argparse
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import IO, Any

from tests.fuzz.hostile_inputs import ESCAPES, SIMPLE, array, limit, requests, source

ROOT = Path(__file__).parents[2]
SECONDS, BYTES = 10, 1 << 30
# Seconds for which a command may wait without computing.
PATIENCE = 120
_PROGRAM = "import sys; from tests.fuzz import hostile; sys.exit(hostile.entry(sys.argv.pop(1))())"
_NUMBERS = ("-1", "0", "1", "3", "4096", "2147483648", "9223372036854775807", "1" + "0" * 30, "x", "")


# The file in the folder of a command that is its standard input.
REQUESTS = "requests"


def entry(name: str) -> Callable[[], int]:
    """The function of a command."""
    if name == "selftest":
        from hlokit.cli import selftest

        return selftest.main
    from hlokit import cli

    return getattr(cli, name)


def command(chance: Random, folder: Path) -> list[str]:
    """One command on one input in a folder."""
    name = chance.choice(("f.mlir", "f.mlirbc", "f.bin", f"f{chance.choice(ESCAPES[:4])}.mlir"))
    path = folder / name
    path.write_bytes(source(chance))
    arrays = folder / chance.choice(("a.npy", "a.npz"))
    arrays.write_bytes(array(chance))
    number = chance.choice(_NUMBERS)
    argument = chance.choice(
        ("dense<1> : tensor<2xi32>", f"dense<1> : tensor<{number}xi32>", str(arrays), "[1, 2]", "[")
    )
    translate, opt = "stablehlo_translate", "stablehlo_opt"
    (folder / REQUESTS).write_bytes(requests(chance))
    # A program to compare with, or a side in a process of its own.
    other = folder / "other.mlir"
    other.write_text(SIMPLE)
    side = chance.choice((str(other), str(path), "eval-module", "reference", "cmd:" + ESCAPES[0]))
    out = ("-o", str(folder / "o"))
    keep = chance.choice(("nan", "error:.", "error:(", f"diverges:{other}", "crashes:reference", number))
    mesh = chance.choice(("x=2", "x=2,y=2", f"x={number}", f"{ESCAPES[0]}=2", "x"))
    rows: Sequence[Sequence[str]] = (
        ("hlokit", "diff", str(path), f"--against={side}"),
        ("hlokit", "diff", str(path), f"--against={side}", chance.choice(("--json", "--mode=values"))),
        ("hlokit", "reduce", str(path), f"--keep={keep}", "--jobs=1", "--time-limit=3", *out),
        ("hlokit", "view", str(path), *out),
        ("hlokit", "view", str(path), f"--format={chance.choice(('dot', 'model-explorer', number))}", *out),
        ("hlokit", "shard", str(path), f"--mesh={mesh}", f"--in={chance.choice(('x', number))}:P('x')"),
        ("hlokit", "shard", str(path), "--no-run", "--json"),
        ("hlokit", "lint-spmd", str(path), *chance.choice(((), ("--json",)))),
        ("selftest", chance.choice(("--no", "--help", "x", ESCAPES[0], "-", f"--way{number}", number))),
        ("hlokit", "serve", *chance.choice(((), ("--schema",), (f"--longest-line={number}",), ("x",)))),
        ("hlokit", "doctor", *chance.choice(((), ("--json",), (str(path),)))),
        ("hlokit", "completion", chance.choice(("bash", "zsh", "fish", number, ESCAPES[0]))),
        ("hlokit", "run", str(path)),
        ("hlokit", "run", str(path), "--trace", "--stop-on-nan"),
        ("hlokit", chance.choice(("ops", "info", "compat", "verify", "upgrade")), str(path)),
        ("hlokit", chance.choice(("info", "compat", "verify")), "--json", str(path)),
        ("hlokit", "verify", "--strict", str(path)),
        ("hlokit", "run", str(path), "--reference"),
        ("hlokit", "record", str(path), "-o", str(folder / "o")),
        ("hlokit", "make-test", str(path), "-o", str(folder / "o")),
        (translate, "--interpret", str(path), f"--args=[{argument}]"),
        (
            translate,
            chance.choice(("--serialize", "--deserialize")),
            "--target=current",
            str(path),
            "-o",
            str(folder / "o"),
        ),
        (opt, str(path), "--mlir-print-debuginfo", f"--mlir-elide-elementsattrs-if-larger={number}"),
        (
            opt,
            str(path),
            chance.choice(("--inline", "--canonicalize", "--stablehlo-aggressive-simplification")),
        ),
        (opt, str(path), "--emit-bytecode", f"--emit-bytecode-version={number}", "-o", str(folder / "o")),
        (
            "hlokit",
            "infer",
            "add",
            chance.choice(("tensor<2xf32>", "tuple<" * 300, "tensor<" + number)),
            "tensor<2xf32>",
        ),
    )
    if chance.random() < 0.25:
        (folder / "add.mlir").write_text(SIMPLE)
        return ["hlokit", "run", str(folder / "add.mlir"), argument]
    return list(chance.choice(rows))


def _fork(words: Sequence[str], input_: IO[bytes], output: IO[bytes], errors: IO[bytes]) -> int:
    """The process of a command: a fork of this process, which starts at once."""
    main = entry(words[0])
    child = os.fork()
    if child:
        return child
    status: Any = 1
    try:
        limit()
        for number, file in enumerate((input_, output, errors)):
            os.dup2(file.fileno(), number)
        sys.argv = list(words)
        status = main()
        sys.stdout.flush()
    except SystemExit as end:
        status = end.code
    except BaseException:
        traceback.print_exc()
    finally:
        with suppress(Exception):
            sys.stderr.flush()
        os._exit(status if isinstance(status, int) else 1 if status else 0)


def _new(words: Sequence[str], input_: IO[bytes], output: IO[bytes], errors: IO[bytes]) -> int:
    """The process of a command as a shell starts it."""
    child = subprocess.Popen(
        [sys.executable, "-c", _PROGRAM, *words],
        stdin=input_,
        stdout=output,
        stderr=errors,
        cwd=ROOT,
        preexec_fn=limit,  # noqa: PLW1509 # this program has no threads
    )
    child.returncode = 0  # it is waited for here
    return child.pid


def verdict(words: Sequence[str], input_: Path, *, is_fork: bool = False) -> str:
    """The outcome of a command: `succeeds`, `refuses`, or `FINDING: ...`."""
    with input_.open("rb") as given, tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        child = (_fork if is_fork else _new)(words, given, output, errors)
        found = _end(child)
        if found is None:
            return "FINDING: does not end"
        status, usage = found
        output.seek(0)
        errors.seek(0)
        return _judged(os.waitstatus_to_exitcode(status), output.read(), errors.read(), usage)


def _end(child: int, patience: float = PATIENCE) -> tuple[int, resource.struct_rusage] | None:
    """The status and the usage of a process; None if the process does nothing for a long time. On a busy
    machine, processes may take long."""
    ticks, now = -1, time.monotonic()
    last, checked = now, now
    while (found := os.wait4(child, os.WNOHANG))[0] == 0:
        now = time.monotonic()
        if now > checked + 1:
            checked, before, ticks = now, ticks, _processor_time(child)
            last = now if ticks != before else last
        if now > last + patience:
            os.kill(child, signal.SIGKILL)
            os.wait4(child, 0)
            return None
        time.sleep(0.01)
    return found[1:]


def _processor_time(process: int) -> int:
    """The processor time of a process and its descendants, in the system's ticks; 0 if the system does not
    report it."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError:
        return 0
    # User and system time, also of children that have ended.
    return sum(map(int, fields[11:15])) + sum(_processor_time(int(child)) for child in children)


def _judged(status: int, output: bytes, errors: bytes, usage: resource.struct_rusage) -> str:
    seconds, peak = usage.ru_utime + usage.ru_stime, usage.ru_maxrss << 10
    if status < 0 or status > 2:
        return f"FINDING: ends with status {status}"
    if seconds > SECONDS:
        return f"FINDING: takes {seconds:.0f} s"
    if peak > BYTES:
        return f"FINDING: takes {peak >> 20} MB"
    if b"Traceback" in errors or b"internal error" in errors:
        return f"FINDING: {errors[-300:].decode(errors='replace')!r}"
    if status and not errors.strip() and not output.strip():
        return "FINDING: fails without a message"
    if any(byte in output + errors for byte in (b"\x1b", b"\x07", b"\x08", b"\xc2\x9b")):
        return "FINDING: writes control characters"
    if b"bindings died" in errors:
        return "says that the bindings died"
    return "refuses" if status else "succeeds"


def judge(seeds: range, store: Path | None = None) -> Iterator[tuple[int, str]]:
    """Yields each seed with its verdict; `store` keeps the inputs of findings."""
    for seed in seeds:
        with tempfile.TemporaryDirectory(prefix="hostile-") as name:
            words = command(Random(seed), Path(name))
            said = verdict(words, Path(name) / REQUESTS, is_fork=seed % 10 != 0)
            if store is not None and said.startswith("FINDING"):
                Path(name).rename(store / str(seed))
                Path(name).mkdir()
                (store / str(seed) / "command").write_text(f"{said}\n{words}\n")
        yield seed, said


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the campaign; the exit status is 1 if there are findings."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.hostile", description=__doc__)
    parser.add_argument("--commands", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--store", type=Path)
    given = parser.parse_args(arguments)
    if given.store is not None:
        given.store.mkdir(parents=True, exist_ok=True)
    start = time.monotonic()
    counts: Counter[str] = Counter()
    for seed, said in judge(range(given.seed, given.seed + given.commands), given.store):
        is_finding = said.startswith("FINDING")
        counts["findings" if is_finding else said] += 1
        if is_finding:
            print(f"seed {seed}: {said}", flush=True)
        if counts.total() % 100 == 0:
            listed = ", ".join(f"{count} {outcome}" for outcome, count in counts.most_common())
            print(f"{counts.total()} commands, {time.monotonic() - start:.0f} s: {listed}", flush=True)
    for said, count in counts.most_common():
        print(f"{count:7} {said}")
    print(f"{time.monotonic() - start:.0f} s")
    return 1 if counts["findings"] else 0


if __name__ == "__main__":
    sys.exit(main())
