"""Damaged folders: recordings and folders of torch_xla, of which one file is damaged at random."""

from __future__ import annotations

import copy
import json
import os
import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

HEADER = b"\x93NUMPY\x01\x00\x76\x00{'descr': %s, 'fortran_order': False, 'shape': %s, }"
# Values that no field expects, or few.
VALUES: tuple[Any, ...] = (
    *(10**9, -1, 2**63, 10**30, -(10**9), 3.5, 1e308, float("nan"), None, True, "", "x", "\ud800"),
    *([], {}, [[1]], {"a": 1}, [10**9] * 3, "../../etc/passwd", "f64", "tensor<4x3xf64>"),
    "tensor<1000000x1000000xf32>",
)
CONTENTS = (
    *(b"", b"[" * 100_000, b'{"a":' * 100_000, b"\0" * 100, b"\xff" * 50, b"9" * 10_000, b"null\n", b"{}\n"),
    (HEADER % (b"'<f4'", b"(99999999999999,)")).ljust(127) + b"\n",
    (HEADER % (b"[('a', '<f4')]", b"(3,)")).ljust(127) + b"\n" + b"\0" * 12,
    (HEADER % (b"'|O'", b"(3,)")).ljust(127) + b"\n" + b"\0" * 24,
)


def damage(good: Path, target: Path, rng: random.Random) -> None:
    """Copy a folder, and damage one of its files."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(good, target)
    files = sorted(path for path in target.rglob("*") if path.is_file())
    described = [path for path in files if path.suffix in (".meta", ".jsonl")]
    file = rng.choice(files if rng.random() < 0.5 else described)
    kind = rng.random()
    if kind < 0.55 and file in described:
        _damage_json(file, rng)
    elif kind < 0.75:
        _replace(file, good / file.relative_to(target), rng)
    else:
        file.write_bytes(_damaged(file.read_bytes(), rng))


def _damage_json(file: Path, rng: random.Random) -> None:
    """Remove, change or retype a value of one line."""
    lines = file.read_text().splitlines()
    number = rng.randrange(len(lines))
    value = json.loads(lines[number])
    *path, last = rng.choice([place for place in _places(value) if place])
    owner = value
    for key in path:
        owner = owner[key]
    kind = rng.random()
    if kind < 0.3:
        del owner[last]
    elif kind < 0.5 and isinstance(owner[last], int):
        owner[last] += rng.choice((1, -1, 7, 10**6))
    else:
        owner[last] = copy.deepcopy(rng.choice(VALUES))
    lines[number] = json.dumps(value)
    if rng.random() < 0.2:
        lines.insert(rng.randrange(len(lines)), rng.choice(lines))
    file.write_text("".join(f"{line}\n" for line in lines))


def _places(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield place
    keys: Any = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield from _places(value[key], (*place, key))


def _replace(file: Path, original: Path, rng: random.Random) -> None:
    """Something else in the place of a file."""
    replacements: tuple[Callable[[], object], ...] = (
        lambda: os.mkfifo(file),
        lambda: file.symlink_to("/dev/zero"),
        lambda: file.symlink_to("/etc/passwd"),
        lambda: file.symlink_to(file),
        lambda: file.symlink_to(original),
        file.mkdir,
        lambda: None,
    )
    file.unlink()
    rng.choice(replacements)()


def _damaged(data: bytes, rng: random.Random) -> bytes:
    """Bytes that are cut, flipped, inserted, left out, or replaced."""
    place = rng.randrange(len(data) + 1)
    match rng.randrange(5):
        case 0:
            return data[:place]
        case 1:
            flipped = bytearray(data)
            for _ in range(min(len(data), 3)):
                flipped[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
            return bytes(flipped)
        case 2:
            return data[:place] + rng.randbytes(rng.randint(1, 40)) + data[place:]
        case 3:
            return data[:place] + data[place + rng.randint(1, 50) :]
        case _:
            return rng.choice(CONTENTS)
