"""Commands with hostile input, each under limits: none dies without a message, hangs, or fills the memory.

    python -m tests.fuzz.hostile --commands 5000 [--seed N] [--store DIRECTORY]

An input is mutated text, mutated bytecode or artifacts, bytecode in which attributes have changed places or
values, nests and bombs of aliases, mutated arrays, or text with control characters in all places; a command is
one of those that read it, with flags. Nine of ten commands are forks of a process that has hlokit imported.

A finding is a command that

- dies of a signal, or fails without a message, or with a traceback or an internal error;
- writes control characters;
- takes more than 10 s of processor time or 1 GB.
"""

from __future__ import annotations

import argparse
import io
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import Random
from typing import IO, Any

import numpy as np

from tests.fuzz import text

SECONDS, BYTES = 10, 1 << 30
# Processor time after which the system ends a command, and real time on a busy machine.
_ENDED, _PATIENCE = 20, 120
_PROGRAM = "import sys; from hlokit import cli; sys.exit(getattr(cli, sys.argv.pop(1))())"
_NUMBERS = ("-1", "0", "1", "3", "4096", "2147483648", "9223372036854775807", "1" + "0" * 30, "x", "")
_ESCAPES = ("\x1b[2J", "\x1b]0;title\x07", "\x9b31m", "\r", "\x00", "\u202e", "\x08")
SIMPLE = """func.func @main(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.add %x, %x : tensor<2xi32> loc("NAME":1:2)
  return %0 : tensor<2xi32>
}
"""


def _nest(chance: Random) -> str:
    depth = chance.choice((3, 100, 250, 260, 1000, 20_000))
    begin, end, around = chance.choice(
        (
            ("tuple<", ">", "func.func private @main({}tensor<i8>{})"),
            ("[", "]", "module attributes {{a.b = {}{}}} {{}}"),
            ("{a = ", "}", "module attributes {{a.b = {}1{}}} {{}}"),
            ('callsite("a" at ', ")", 'func.func @main() {{ return }} loc({}"b"{})'),
            ("- ", "", "module attributes {{a.b = affine_map<(d0) -> ({}d0{})>}} {{}}"),
            ("module {", "}", "{}{}"),
            ("() -> (", ")", "func.func private @main() attributes {{a = {}i8{}}}"),
        )
    )
    return around.format(begin * depth, end * depth)


def _bomb(chance: Random) -> str:
    sign, first, next_, use = chance.choice(
        (
            ("!", "tensor<i8>", "tuple<{}>", "func.func @main(%x: {}) {{ return }}"),
            ("#", "unit", "[{}]", "module attributes {{a.b = {}}} {{ func.func @main() {{ return }} }}"),
            ("#", 'loc("a")', "loc(fused[{}])", "func.func @main() {{ return }} loc({})"),
            ("!", "i8", "({0}) -> ({0})", "func.func private @main() attributes {{a = {}}}"),
        )
    )
    width, height = chance.choice((1, 2, 3, 8)), chance.choice((2, 6, 15, 40, 300, 3000))
    lines = [f"{sign}a0 = {first}"]
    lines += [
        f"{sign}a{i} = " + next_.format(", ".join([f"{sign}a{i - 1}"] * width)) for i in range(1, height)
    ]
    return "\n".join([*lines, use.format(f"{sign}a{height - 1}")])


def _calls(chance: Random) -> str:
    depth, each = chance.choice((5, 30, 300, 3000)), chance.choice((1, 2))
    type_ = "(tensor<i8>) -> tensor<i8>"
    made: list[str] = []
    for i in range(depth):
        target = f"@f{i + 1}" if i + 1 < depth else chance.choice(("@f0", "@leaf"))
        body = "\n".join(f"%{j} = call {target}(%x) : {type_}" for j in range(each))
        made.append(
            f"func.func private @f{i}(%x: tensor<i8>) -> tensor<i8> {{ {body}\n return %0 : tensor<i8> }}"
        )
    # 2**depth calls are not evaluated, which would take too long; these functions only test inlining.
    entry = "leaf" if each == 2 and depth > 5 else chance.choice(("f0", "leaf"))
    made.append("func.func private @leaf(%x: tensor<i8>) -> tensor<i8> { return %x : tensor<i8> }")
    made.append("func.func @main() -> tensor<i8> { %c = stablehlo.constant dense<1> : tensor<i8>")
    return "\n".join([*made, f"%0 = call @{entry}(%c) : {type_} return %0 : tensor<i8> }}"])


@cache
def _artifacts() -> tuple[bytes, ...]:
    import hlokit
    from hlokit.mlir.printing import write_bytecode

    found: list[bytes] = []
    for source in text.sources()[::40]:
        try:
            program = hlokit.load(source)
            found += [program.serialize(), write_bytecode(program.module)]
        except hlokit.HlokitError:
            continue
    return tuple(found)


def _mutated(data: bytes, chance: Random) -> bytes:
    mutant = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 5))):
        place = chance.randrange(len(mutant))
        match chance.randrange(4):
            case 0:
                mutant[place] = chance.choice((0, 1, 2, 3, 127, 128, 254, 255, chance.randrange(256)))
            case 1:
                del mutant[place : place + chance.choice((1, 4, 1000))]
            case 2:
                mutant[place:place] = mutant[place : place + chance.choice((1, 4, 64))]
            case _:
                mutant[place] ^= 1 << chance.randrange(8)
        if not mutant:
            return b""
    return bytes(mutant)


_ATTRIBUTES = (
    *("-1 : i64", "9223372036854775807 : i64", "-9223372036854775808 : i64", "0 : i8", "true", "unit", "i32"),
    *("0x7FC00000 : f32", "1.0e300 : f64", '"\\FF\\00"', '"x"', "[]", "{}", "@main", "@nothing::@at_all"),
    *(
        "array<i64>",
        "array<i64: -1>",
        "array<i64: 9223372036854775807, 0>",
        "array<i32: 1>",
        "array<i1: true>",
    ),
    *(
        "dense<-1> : tensor<2x2xi64>",
        "dense<9223372036854775807> : tensor<4x2xi64>",
        "dense<[]> : tensor<0x2xi64>",
    ),
    *("dense<1> : tensor<1099511627776xi8>", "dense<(1.0, 2.0)> : tensor<complex<f32>>", "tensor<*xf32>"),
    *("#stablehlo.channel_handle<handle = -1, type = 99>", "#stablehlo.dot<lhs_batching_dimensions = [7]>"),
    *("#stablehlo.gather<offset_dims = [-1, 9], index_vector_dim = -7>", "affine_map<(d0) -> (d0)>"),
)


def _change_attributes(module: Any, chance: Random) -> None:
    """Attributes, properties among them, of some operations are left out, exchanged, or others."""
    from hlokit.mlir.bindings import ir
    from hlokit.mlir.module import attributes_of, walk

    operations: list[Any] = []
    walk(module.operation, operations.append)
    with module.context, ir.Location.unknown():
        for _ in range(chance.choice((1, 1, 2, 5))):
            operation, other = chance.choice(operations), chance.choice(operations)
            names, others = list(attributes_of(operation)), list(attributes_of(other))
            if not names:
                continue
            name = chance.choice(names)
            with suppress(Exception):  # the bindings refuse what they cannot store as a property
                if chance.random() < 0.2:
                    del operation.attributes[name]
                elif others and chance.random() < 0.5:
                    operation.attributes[name] = other.attributes[chance.choice(others)]
                else:
                    operation.attributes[name] = ir.Attribute.parse(chance.choice(_ATTRIBUTES))


def _other_attributes(chance: Random) -> bytes:
    """Bytecode of a program whose attributes are wrong, written by a process that may die of them."""
    from hlokit.errors import HlokitError
    from hlokit.mlir.parse import parse_bytecode
    from hlokit.mlir.printing import write_bytecode

    data = chance.choice(_artifacts())
    with tempfile.TemporaryFile() as file:
        child = os.fork()
        if child == 0:
            try:
                _limit()
                with suppress(HlokitError):
                    module = parse_bytecode(None, data, "-", is_trusted=True, keeps_vhlo=True)
                    _change_attributes(module, chance)
                    os.write(file.fileno(), write_bytecode(module))
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        file.seek(0)
        return file.read() or data


def _array(chance: Random) -> bytes:
    file = io.BytesIO()
    values = np.arange(2, dtype=chance.choice(("i4", "f4", "c8", "?")))
    chance.choice((np.save, np.savez, np.savez_compressed))(file, values)
    return _mutated(file.getvalue(), chance) if chance.random() < 0.9 else file.getvalue()


def source(chance: Random) -> bytes:
    """The input of one command."""
    kind = chance.randrange(10)
    if kind >= 8:
        return _other_attributes(chance)
    if kind <= 1:
        return text.mutant(chance.randrange(1 << 30)).encode(errors="surrogateescape")
    if kind <= 3:
        return _mutated(chance.choice(_artifacts()), chance)
    if kind == 7:
        spelled = "".join(f"\\{ord(c):02X}" if ord(c) < 256 else c for c in chance.choice(_ESCAPES))
        return SIMPLE.replace("NAME", chance.choice((spelled, chance.choice(_ESCAPES)))).encode()
    return (_nest, _bomb, _calls)[kind - 4](chance).encode()


def command(chance: Random, folder: Path) -> list[str]:
    """One command on one input in a folder."""
    name = chance.choice(("f.mlir", "f.mlirbc", "f.bin", f"f{chance.choice(_ESCAPES[:4])}.mlir"))
    path = folder / name
    path.write_bytes(source(chance))
    arrays = folder / chance.choice(("a.npy", "a.npz"))
    arrays.write_bytes(_array(chance))
    number = chance.choice(_NUMBERS)
    argument = chance.choice(
        ("dense<1> : tensor<2xi32>", f"dense<1> : tensor<{number}xi32>", str(arrays), "[1, 2]", "[")
    )
    translate, opt = "stablehlo_translate", "stablehlo_opt"
    rows: Sequence[Sequence[str]] = (
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


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (_ENDED, _ENDED + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _fork(words: Sequence[str], output: IO[bytes], errors: IO[bytes]) -> int:
    """The process of a command: a fork of this one, which takes no time to begin."""
    from hlokit import cli

    child = os.fork()
    if child:
        return child
    status: Any = 1
    try:
        _limit()
        for number, file in enumerate((os.open(os.devnull, os.O_RDONLY), output.fileno(), errors.fileno())):
            os.dup2(file, number)
        sys.argv = list(words)
        status = getattr(cli, words[0])()
        sys.stdout.flush()
    except SystemExit as end:
        status = end.code
    except BaseException:
        traceback.print_exc()
    finally:
        with suppress(Exception):
            sys.stderr.flush()
        os._exit(status if isinstance(status, int) else 1 if status else 0)


def _new(words: Sequence[str], output: IO[bytes], errors: IO[bytes]) -> int:
    """The process of a command as a shell starts it."""
    child = subprocess.Popen(
        [sys.executable, "-c", _PROGRAM, *words],
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=errors,
        preexec_fn=_limit,  # noqa: PLW1509 # this program has no threads
    )
    child.returncode = 0  # it is waited for here
    return child.pid


def verdict(words: Sequence[str], *, is_fork: bool = False) -> str:
    """The outcome of a command: `succeeds`, `refuses`, or `FINDING: ...`."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        child = (_fork if is_fork else _new)(words, output, errors)
        end = time.monotonic() + _PATIENCE
        while (found := os.wait4(child, os.WNOHANG))[0] == 0:
            if time.monotonic() > end:
                os.kill(child, signal.SIGKILL)
                os.wait4(child, 0)
                return "FINDING: does not end"
            time.sleep(0.01)
        _, status, usage = found
        output.seek(0)
        errors.seek(0)
        return _judged(os.waitstatus_to_exitcode(status), output.read(), errors.read(), usage)


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
    """Each seed with its verdict; `store` keeps the inputs of findings."""
    for seed in seeds:
        with tempfile.TemporaryDirectory(prefix="hostile-") as name:
            words = command(Random(seed), Path(name))
            said = verdict(words, is_fork=seed % 10 != 0)
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
    for said, count in counts.most_common():
        print(f"{count:7} {said}")
    print(f"{time.monotonic() - start:.0f} s")
    return 1 if counts["findings"] else 0


if __name__ == "__main__":
    sys.exit(main())
