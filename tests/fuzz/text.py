"""Mutated programs as text: each is read or refused with an error, and none kills the process.

    python -m tests.fuzz.text --mutants 10000 [--seed N] [--store DIRECTORY]

Mutants are made of the functions of tests/vhlo/stablehlo_legalize_to_vhlo.mlir and the programs of tests/verify
and tests/infer: characters, tokens and lines are changed, left out, doubled or taken from another program. A
child process reads them one by one; a child that dies, does not end, or raises something else is a finding.
"""

from __future__ import annotations

import argparse
import os
import re
import select
import signal
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import Random

import hlokit
from hlokit.errors import HlokitError, VersionError
from hlokit.mlir.text.split import split_input
from tests.vhlo.make import functions, joined

TESTS = Path(__file__).parents[1]
# Seconds without an answer after which a mutant counts as endless.
SECONDS = 30
_TOKEN = re.compile(r'"[^"\n]*"|[%#!@^]?[\w.$]+|->|[^\w\s]|\s+')
_NUMBER = re.compile(r"-?\d+")
_EXTREME = ("-1", "0", "1", "2", "3", "7", "64", "100000", "2147483648", "-9223372036854775808",
            "9223372036854775807", "18446744073709551615")  # fmt: skip
_TYPES = (
    *(
        "f32",
        "f64",
        "bf16",
        "f8E4M3FN",
        "f4E2M1FN",
        "i1",
        "i2",
        "i4",
        "i8",
        "i32",
        "i64",
        "ui8",
        "index",
        "f80",
    ),
    *("complex<f32>", "!quant.uniform<i8:f32, 0.5>", "!quant.uniform<i8:f32:0, {0.5, 0.5}>", "none"),
    *("!stablehlo.token", "tuple<>", "tuple<tensor<2xf32>>", "tensor<*xf32>", "tensor<f32>", "tensor<?xf32>"),
    *("tensor<0xf32>", "memref<2xf32>", "vector<2xf32>", "!stablehlo.future<tensor<2xf32>>"),
    *("tensor<?xf32, #stablehlo.bounds<4>>", "tensor<2x?xi64>", "tensor<0x0xi64>", "() -> ()"),
)
_PIECES = ("", "?", "*", "x", "<", ">", "[", "]", "{", "}", "(", ")", ",", ":", "-", "=", "array<i64>", "[]", "dense<>",
           "dense<1>", "unit", "{}", "()", "true", "loc(unknown)", '""', "\\", "\0", "é", "#", "!")  # fmt: skip


@cache
def sources() -> tuple[str, ...]:
    """The programs from which mutants are made."""
    program = functions()
    texts = [joined([name], program) for name in program]
    for path in sorted((*(TESTS / "verify").rglob("*.mlir"), *(TESTS / "infer").rglob("*.mlir"))):
        texts += [chunk for chunk in split_input(path.read_text()) if len(chunk) < 4000]
    return tuple(texts)


@cache
def pool() -> dict[str, tuple[str, ...]]:
    """Tokens of all programs by kind, as replacements for each other."""
    found: dict[str, dict[str, None]] = {}
    for text in sources():
        for token in _TOKEN.findall(text):
            found.setdefault(_kind(token), {})[token] = None
    return {kind: tuple(tokens) for kind, tokens in found.items()}


def _kind(token: str) -> str:
    if token[0] in '"%#!@^':
        return token[0]
    if _NUMBER.fullmatch(token):
        return "number"
    if re.match(r"(?:chlo|stablehlo|func|check)\.", token):
        return "operation"
    return "name" if token[0].isalpha() else "other"


def _change_character(text: str, chance: Random) -> str:
    at = chance.randrange(len(text) + 1)
    return text[:at] + chance.choice(_PIECES) + text[at + chance.choice((0, 1, 1, 5)) :]


def _change_token(text: str, chance: Random) -> str:
    tokens = _TOKEN.findall(text)
    places = [place for place, token in enumerate(tokens) if not token.isspace()]
    if not places:
        return text
    place = chance.choice(places)
    kind = _kind(tokens[place])
    match chance.randrange(8):
        case 0:
            tokens[place] = ""
        case 1:
            tokens[place] *= 2
        case 2:
            other = chance.choice(places)
            tokens[place], tokens[other] = tokens[other], tokens[place]
        case 3 if kind == "other":
            tokens[place] = chance.choice(_PIECES)
        case _:
            tokens[place] = chance.choice(_EXTREME if kind == "number" else pool()[kind])
    return "".join(tokens)


def _change_number(text: str, chance: Random) -> str:
    found = list(_NUMBER.finditer(text))
    if not found:
        return text
    at = chance.choice(found)
    near = str(int(at[0]) + chance.choice((-1, 1)))
    return text[: at.start()] + chance.choice((near, chance.choice(_EXTREME))) + text[at.end() :]


_TYPE = re.compile(r"tensor<[^<>]*>|!stablehlo\.\w+|\b(?:f|bf|i|ui)\d+\b")
_DIMENSIONS = re.compile(r"tensor<(?=[\d?*])|tensor<")


def _change_type(text: str, chance: Random) -> str:
    found = list(_TYPE.finditer(text))
    if not found:
        return text
    at = chance.choice(found)
    if chance.random() < 0.3:  # everywhere, so that more of it fits together
        return text.replace(at[0], chance.choice(_TYPES))
    return text[: at.start()] + chance.choice(_TYPES) + text[at.end() :]


def _change_shape(text: str, chance: Random) -> str:
    found = list(_DIMENSIONS.finditer(text))
    if not found:
        return text
    at = chance.choice(found)
    more = chance.choice(("0x", "1x", "?x", "*x", "2x3x", "4294967296x", "-1x"))
    if chance.random() < 0.3:
        return text.replace(at[0], at[0] + more)
    return text[: at.end()] + more + text[at.end() :]


_LIST = re.compile(
    r"(?<=\[)[^\[\]]*(?=\])|(?<=array<i64: )[^<>]*(?=>)|(?<=\()[^()]*(?=\))|(?<=dense<)[^<>]*(?=>)"
)


def _change_list(text: str, chance: Random) -> str:
    """Remove, repeat or reverse the items in brackets."""
    found = [match for match in _LIST.finditer(text) if match[0]]
    if not found:
        return text
    at = chance.choice(found)
    items = at[0].split(",")
    match chance.randrange(4):
        case 0:
            items = []
        case 1:
            items = [*items, chance.choice(items)]
        case 2:
            items.pop(chance.randrange(len(items)))
        case _:
            items.reverse()
    return text[: at.start()] + ",".join(items) + text[at.end() :]


def _change_line(text: str, chance: Random) -> str:
    lines = text.split("\n")
    at = chance.randrange(len(lines))
    match chance.randrange(3):
        case 0:
            del lines[at]
        case 1:
            lines.insert(at, chance.choice(lines))
        case _:
            lines.insert(at, chance.choice(chance.choice(sources()).split("\n")))
    return "\n".join(lines)


_ATTRIBUTES = re.compile(r"\b(\w+) = (?=[\[#<a-z\d\"-])[^,={}()]*")


def _leave_out_attribute(text: str, chance: Random) -> str:
    found = list(_ATTRIBUTES.finditer(text))
    if not found:
        return text
    at = chance.choice(found)
    other = chance.choice(("", "", f"{at[1]} = unit", f"{at[1]} = array<i64>", f"{at[1]} = 0 : i64"))
    return text[: at.start()] + other + text[at.end() :]


# The frequency of each change: changes that keep the syntax valid are more frequent.
CHANGES: dict[Callable[[str, Random], str], int] = {
    _change_character: 1,
    _change_token: 2,
    _change_number: 5,
    _change_type: 4,
    _change_shape: 3,
    _change_list: 3,
    _change_line: 1,
    _leave_out_attribute: 2,
}


def mutant(seed: int) -> str:
    """A program with some changes; the same seed gives the same program."""
    chance = Random(seed)
    text = chance.choice(sources())
    for change in chance.choices(tuple(CHANGES), tuple(CHANGES.values()), k=chance.choice((1, 1, 1, 2, 3))):
        text = change(text, chance) or "\n"
    return f"{text}\n"


def outcome(text: str) -> str:
    """`read`, or the type of the error. A program that can be read is also written as an artifact, if
    possible."""
    try:
        program = hlokit.load(text.encode())
        program.text()
    except HlokitError as error:
        assert error.args, "an error must have a message"
        if "kills its reader" in str(error):
            return "refused: would kill"
        return f"refused: {type(error).__name__}"
    with suppress(VersionError):
        program.serialize("min")
    return "read"


def _judge(seeds: Sequence[int], pipe: int) -> None:
    for seed in seeds:
        try:
            verdict = outcome(mutant(seed))
        except Exception as error:  # anything else that is raised is a finding
            verdict = f"FINDING: {type(error).__name__}: {error}".replace("\n", " ")[:300]
        os.write(pipe, f"{seed} {verdict}\n".encode())


def judge(seeds: Sequence[int]) -> Iterator[tuple[int, str]]:
    """The outcome of each mutant."""
    pool()
    seeds = list(seeds)
    while seeds:
        reading, writing = os.pipe()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # about threads, which sleep
            warnings.simplefilter("ignore", RuntimeWarning)
            child = os.fork()
        if child == 0:
            status = 1
            try:
                null = os.open(os.devnull, os.O_RDWR)
                for stream in (0, 1, 2):
                    os.dup2(null, stream)
                for number in (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL):
                    signal.signal(number, signal.SIG_DFL)
                _judge(seeds, writing)
                status = 0
            finally:
                os._exit(status)
        os.close(writing)
        with os.fdopen(reading, "rb", buffering=0) as file:
            rest, ended = b"", False
            while not ended:
                if not select.select([file], [], [], SECONDS)[0]:
                    os.kill(child, signal.SIGKILL)
                    break
                data = file.read(1 << 16)
                ended = not data
                *lines, rest = (rest + data).split(b"\n")
                for line in lines:
                    seed, _, verdict = line.decode().partition(" ")
                    assert int(seed) == seeds.pop(0)
                    yield int(seed), verdict
        _, status = os.waitpid(child, 0)
        if seeds:
            code = os.waitstatus_to_exitcode(status)
            why = (
                "does not end"
                if not ended
                else signal.Signals(-code).name
                if code < 0
                else f"exits with {code}"
            )
            yield seeds.pop(0), f"FINDING: the process {why}"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.text", description=__doc__)
    parser.add_argument("--mutants", type=int, default=1000, help="number of mutants")
    parser.add_argument(
        "--seed", type=int, default=0, help="seed of the first mutant; each further mutant adds 1"
    )
    parser.add_argument("--store", type=Path, help="directory for mutants that are findings")
    options = parser.parse_args()
    if options.store is not None:
        options.store.mkdir(parents=True, exist_ok=True)
    counts: Counter[str] = Counter()
    start = time.monotonic()
    for seed, verdict in judge(range(options.seed, options.seed + options.mutants)):
        counts[verdict] += 1
        if verdict.startswith("FINDING"):
            print(f"seed {seed}: {verdict}", flush=True)
            if options.store is not None:
                (options.store / f"{seed}.mlir").write_text(mutant(seed))
    print(f"{options.mutants} mutants, seeds from {options.seed}, {time.monotonic() - start:.0f} s")
    for verdict, count in sorted(counts.items()):
        print(f"{count:8} {verdict}")
    return int(any(verdict.startswith("FINDING") for verdict in counts))


if __name__ == "__main__":
    raise SystemExit(main())
