"""The tools: each is a subcommand of hlokit with typed parameters.

In all tools, `program` is the path of a file, or a program as MLIR text. `arguments` are `.npy` and `.npz`
files, constants such as `dense<1.0> : tensor<2xf32>`, or shapes; without them, inputs are drawn by
`random_seed`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hlokit.children.folders import TemporaryFolder
from hlokit.clients.mcp.commands import run as run_command

Answer = dict[str, Any]
_TIME_LIMIT = 120.0


def _answer(command: str, program: str, *words: str, time_limit: float = _TIME_LIMIT) -> Answer:
    with _path(program) as path:
        return run_command(["hlokit", command, path, *words, "--json"], time_limit)


@contextmanager
def _path(program: str) -> Generator[str]:
    """The path of a program, which is a temporary file for a text."""
    if "\n" not in program and "func.func" not in program:
        yield program
        return
    with TemporaryFolder() as folder:
        path = Path(folder, "program.mlir")
        path.write_text(program)
        yield str(path)


def _inputs(arguments: list[str] | None, random_seed: int) -> list[str]:
    return arguments or [f"--random={random_seed}"]


def verify(program: str, strict: bool = True) -> Answer:
    """All errors of a program, with line, column and what would be right. Status 0: it is valid."""
    return _answer("verify", program, *(["--strict"] if strict else []))


def infer(operation: str, operand_types: list[str], attributes: dict[str, str] | None = None) -> Answer:
    """The result types of one operation: `stablehlo.add` with ["tensor<2xf32>", "tensor<2xf32>"].

    Attributes are MLIR texts by name: {"permutation": "array<i64: 1, 0>"}.
    """
    flags = [f"--attribute={name}={text}" for name, text in (attributes or {}).items()]
    return run_command(["hlokit", "infer", operation, *operand_types, *flags, "--json"], _TIME_LIMIT)


def info(program: str) -> Answer:
    """What a file is: producer, versions, functions with their types, operations by kind, sizes, readers."""
    return _answer("info", program)


def run(
    program: str,
    arguments: list[str] | None = None,
    random_seed: int = 0,
    function: str = "",
    time_limit: float = _TIME_LIMIT,
) -> Answer:
    """Evaluate a program and return its results."""
    flags = [f"--function={function}"] if function else []
    return _answer("run", program, *_inputs(arguments, random_seed), *flags, time_limit=time_limit)


def diff(
    program: str,
    against: str,
    arguments: list[str] | None = None,
    random_seed: int = 0,
    time_limit: float = 300.0,
) -> Answer:
    """Find the operation whose values differ on another side.

    `against` is xla, iree, eval-module, high, another program's path, or `cmd:COMMAND`. Status 0: all results
    agree; 1: they differ, and the answer names the first operation; 2: nothing could be compared.
    """
    # The command itself ends after twice its limit, with what it knows then.
    limit = f"--time-limit={max(1, int(time_limit // 3))}"
    words = [*_inputs(arguments, random_seed), f"--against={against}", limit]
    return _answer("diff", program, *words, time_limit=time_limit)


def equal(program: str, other: str, time_limit: float = 300.0) -> Answer:
    """Decide whether two programs mean the same over exact arithmetic, whatever rounding does.

    `other` is a path or MLIR text. Status 0: equal; 1: they differ; 2: it could not be decided.
    """
    with _path(other) as path:
        return _answer("equal", program, path, time_limit=time_limit)


def judge(reference: str, candidate: str, time_limit: float = 300.0) -> Answer:
    """Judge a kernel by its definition, on inputs that hurt and by proven bounds.

    `candidate` is a program's path, a side such as xla, or `MODULE:FUNCTION` of Python. Status 1: it is wrong
    or suspicious (constant, cached, less precise than promised).
    """
    return _answer("judge", reference, candidate, time_limit=time_limit)


def reduce(
    program: str, keep: str, output: str, arguments: list[str] | None = None, time_limit: float = 300.0
) -> Answer:
    """Shrink a program while it still shows a fault, and write it to the file `output`.

    `keep` says what must stay: `diverges:SIDE` and `crashes:SIDE` (sides as in `diff`), `error:REGEX`, `nan`,
    or a command with {module} in it whose exit status is 0.
    """
    words = [*(arguments or []), f"--keep={keep}", "-o", output]
    return _answer("reduce", program, *words, time_limit=time_limit)


def passes(
    program: str,
    of: str = "xla",
    arguments: list[str] | None = None,
    random_seed: int = 0,
    time_limit: float = 300.0,
) -> Answer:
    """Find the stage of a compiler that changes what a program computes.

    `of` is xla, `stablehlo-opt:PIPELINE` or `cmd:TEMPLATE`. Status 1: a stage changed it, and is named.
    """
    words = [*_inputs(arguments, random_seed), f"--of={of}"]
    return _answer("passes", program, *words, time_limit=time_limit)


def shard(
    program: str,
    mesh: str = "",
    in_shardings: dict[str, str] | None = None,
    partitioner: str = "shardy",
    arguments: list[str] | None = None,
    time_limit: float = 300.0,
) -> Answer:
    """Partition a program for a mesh, without devices; check its results, report memory and bytes sent.

    `mesh` is like "data=2,model=4", and `in_shardings` like {"x": "P('data', None)"}.
    """
    words = [*(arguments or []), *([f"--mesh={mesh}"] if mesh else [])]
    words += [f"--in={name}:{spec}" for name, spec in (in_shardings or {}).items()]
    return _answer("shard", program, *words, f"--partitioner={partitioner}", time_limit=time_limit)


def lint_spmd(program: str) -> Answer:
    """Find collectives that deadlock or do not match, without a run."""
    return _answer("lint-spmd", program)


def compat(program: str) -> Answer:
    """The StableHLO versions that can hold a program, and why others cannot."""
    return _answer("compat", program)


def explain(program: str, where: str) -> Answer:
    """Operations of a program in words: what they mean, what computes their operands, who uses their results,
    and the lines of the source (such as a JAX function) that they come from.

    `where` is a line of the text, `FILE:LINE` of the source as messages give it, or an operation's name.
    """
    with _path(program) as path:
        return run_command(["hlokit.clients.mcp.explanation", path, where], _TIME_LIMIT)


TOOLS: tuple[Callable[..., Answer], ...] = (
    verify,
    infer,
    info,
    run,
    diff,
    equal,
    judge,
    reduce,
    passes,
    shard,
    lint_spmd,
    compat,
    explain,
)
