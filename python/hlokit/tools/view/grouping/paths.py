"""Where an operation comes from, as a path of keys: name scopes, then the user's lines, callers first."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import NamedTuple

from hlokit.display.locations import Source, SourceFrame

# Scopes in which JAX puts all operations of a function that it compiles, or of a loop.
_WRAPPER = re.compile(r"p?jit\(.*\)|jit:|while|body|cond|scan|closed_call|checkpoint")
# jnp.einsum puts its operations in a scope of this form.
_EINSUM = re.compile(r".*->.*")
_DIRECTIONS = {"jvp()": "forward", "transpose(jvp())": "backward"}
# Deeper frames do not divide groups.
_DEEPEST = 24


class Key(NamedTuple):
    """One level of a path.

    Attributes:
      title: for people.
      function, file, line: of a line; "" and 0 for a scope.
    """

    title: str
    function: str = ""
    file: str = ""
    line: int = 0


Path = tuple[Key, ...]


def path_of(source: Source) -> Path:
    """The scopes in the name of a location, and the user's lines that lead to an operation."""
    frames = [frame for frame in reversed(source.frames) if frame.is_user]
    return (*map(_scope, filter(_divides, scope(source.name))), *map(_line, frames[-_DEEPEST:]))


def without_shared_lines(paths: Sequence[Path]) -> list[Path]:
    """The paths without the outermost lines that all of them share: those that call the program."""
    stacks = [tuple(key for key in path if key.line) for path in paths]
    shared = 0
    for keys in zip(*filter(None, stacks), strict=False):
        if len(set(keys)) > 1:
            break
        shared += 1
    return [
        (*path[: len(path) - len(stack)], *stack[shared:]) for path, stack in zip(paths, stacks, strict=True)
    ]


def scope(name: str) -> list[str]:
    """The scopes in the name of a location: `jit(f)/layer/dot_general` is in `jit(f)` and `layer`."""
    if "/" not in name or name.startswith("/"):
        return []
    return name.split("/")[:-1]


def title_of(key: Key, deeper: Sequence[Key]) -> str:
    """The title of a group: the function that all its operations call from their line, or the line."""
    called = {(inner.function, inner.file) for inner in deeper}
    if key.line and len(called) == 1 and (function := next(iter(called))[0]):
        return f"{short(function)}()"
    return key.title


def short(function: str) -> str:
    """`main.<locals>.step` is `step`."""
    return function.rpartition(".<locals>.")[2] or function


def _divides(part: str) -> bool:
    return not _WRAPPER.fullmatch(part) and not _EINSUM.fullmatch(part)


def _scope(part: str) -> Key:
    return Key(_DIRECTIONS.get(part, part))


def _line(frame: SourceFrame) -> Key:
    file, _, line = frame.text.rpartition(":")
    where = f"{os.path.basename(file)}:{line}" if file else frame.text
    return Key(where, frame.function, frame.file, frame.line)
