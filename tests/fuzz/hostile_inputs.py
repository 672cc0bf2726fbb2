"""Hostile inputs: mutated text, bytecode and arrays, nests, bombs of aliases, control characters."""

from __future__ import annotations

import io
import json
import os
import resource
import tempfile
from contextlib import suppress
from functools import cache
from random import Random
from typing import Any

import numpy as np

from tests.fuzz import text

# Processor time after which the system ends a process.
ENDED = 20
ESCAPES = ("\x1b[2J", "\x1b]0;title\x07", "\x9b31m", "\r", "\x00", "\u202e", "\x08")
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
    """Remove, exchange or replace attributes, including properties, of some operations."""
    from hlokit.mlir.provider.bindings import ir
    from hlokit.mlir.queries.module import attributes_of, walk

    operations: list[Any] = []
    walk(module.operation, operations.append)
    with module.context, ir.Location.unknown():
        for _ in range(chance.choice((1, 1, 2, 5))):
            operation, other = chance.choice(operations), chance.choice(operations)
            names, others = list(attributes_of(operation)), list(attributes_of(other))
            if not names:
                continue
            name = chance.choice(names)
            with suppress(Exception):  # the bindings reject attributes that they cannot store as properties
                if chance.random() < 0.2:
                    del operation.attributes[name]
                elif others and chance.random() < 0.5:
                    operation.attributes[name] = other.attributes[chance.choice(others)]
                else:
                    operation.attributes[name] = ir.Attribute.parse(chance.choice(_ATTRIBUTES))


def _other_attributes(chance: Random) -> bytes:
    """Bytecode of a program with wrong attributes, written by a child process because the attributes may
    crash the writer."""
    from hlokit.errors import HlokitError
    from hlokit.mlir.parse import Accepted, parse_bytecode
    from hlokit.mlir.printing import write_bytecode

    data = chance.choice(_artifacts())
    with tempfile.TemporaryFile() as file:
        child = os.fork()
        if child == 0:
            try:
                limit()
                with suppress(HlokitError):
                    module = parse_bytecode(None, data, "-", is_trusted=True, accepted=Accepted(vhlo=True))
                    _change_attributes(module, chance)
                    os.write(file.fileno(), write_bytecode(module))
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        file.seek(0)
        return file.read() or data


def array(chance: Random) -> bytes:
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
        spelled = "".join(f"\\{ord(c):02X}" if ord(c) < 256 else c for c in chance.choice(ESCAPES))
        return SIMPLE.replace("NAME", chance.choice((spelled, chance.choice(ESCAPES)))).encode()
    return (_nest, _bomb, _calls)[kind - 4](chance).encode()


def requests(chance: Random) -> bytes:
    """Lines for `hlokit serve`: requests with hostile text, types and ids, mutated and malformed ones."""
    lines: list[bytes] = []
    for number in range(chance.randrange(4)):
        said = source(chance).decode(errors="surrogateescape")
        types = [chance.choice(("tensor<2xi32>", "tensor<" + "9" * 30, "tuple<" * 300, ESCAPES[0], 1))] * 2
        params = chance.choice(({"text": said}, {"op": "add", "operands": types}, {"op": said}, [], None))
        made = {
            "id": chance.choice((number, 10**300, 1e300, [], ESCAPES[0])),
            "method": chance.choice(("verify", "infer", "info", "ping", "cancel", said[:20])),
            "params": params,
        }
        line = json.dumps(made).encode()
        lines.append(_mutated(line, chance) if chance.random() < 0.3 else line)
    return b"\n".join(lines) + chance.choice((b"", b"\n", b"\n" + b"[" * 100_000, b"\n\x00\xff\n"))


def limit() -> None:
    """In a child: limit its processor time, and disable core files."""
    resource.setrlimit(resource.RLIMIT_CPU, (ENDED, ENDED + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
