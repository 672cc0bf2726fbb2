"""Races, deadlocks and mismatches in programs of 2 to 16 processes are found, and nothing in right programs.

A program goes the way of a careful user: `load`, then `lint-spmd`, then a run in other orders of the processes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pytest

import hlokit
from hlokit.engine.contract.run_context import RunContext
from hlokit.engine.grid.exploration import Exploration
from hlokit.errors import HlokitError
from hlokit.tools.shard.lint import lint_spmd
from hlokit.values.types import TensorType
from tests.unit.engine.grid.spmd_programs import (
    ADD_FUNCTION,
    IDS,
    NOTHING,
    REUSED,
    SIGN,
    TOKEN,
    VECTOR,
    all_gather,
    all_reduce,
    asynchronous,
    branch,
    broadcast,
    everyone,
    loop,
    module,
    negate,
    permute,
    pieces,
    python,
    recv,
    ring,
    send,
    side_by_side,
)

ORDERS = 12


class Shared:
    """What Python functions of a program share."""

    last: np.ndarray = np.zeros(4, np.float32)
    calls: int = 0


@hlokit.custom_call("spmd.put")
def put(x: np.ndarray) -> np.ndarray:
    Shared.last = np.array(x)
    return x


@hlokit.custom_call("spmd.get")
def get(x: np.ndarray) -> np.ndarray:
    return Shared.last.astype(x.dtype)


@hlokit.custom_call("spmd.ticket")
def ticket(count: np.ndarray) -> np.ndarray:
    """1 for the process that calls first, -1 for all others."""
    Shared.calls += 1
    return np.full_like(count, 1 if Shared.calls % int(count[0]) == 1 else -1)


@hlokit.custom_call("spmd.double")
def double(x: np.ndarray) -> np.ndarray:
    return 2 * x


def found(text: str, count: int) -> list[str]:
    """What is found in a program, by which means: `load`, `lint` and `run`."""
    try:
        program = hlokit.load(text)
    except HlokitError as error:
        return [f"load: {error}"]
    problems = [f"lint: {problem.message}" for problem in lint_spmd(program)]
    rng = np.random.default_rng(count)
    types = [type_ for type_ in program.signature().inputs if isinstance(type_, TensorType)]
    rows = [[rng.standard_normal(type_.dims).astype("f4") for type_ in types] for _ in range(count)]
    exploration = Exploration(limit=ORDERS)
    context = RunContext(engine=exploration)
    try:
        if program.makes_grid:
            program.runs.evaluate(rows[0], "main", context=context)
        else:
            program.runs.evaluate_parallel(rows, "main", (1, count), context=context)
        assert exploration.explored > 1
    except HlokitError as error:
        problems.append(f"run: {error}")
    return problems


class Row(NamedTuple):
    """A program for several numbers of processes.

    Attributes:
      expected: what is found by each means; None for a right program.
    """

    name: str
    text: Callable[[int], str]
    counts: tuple[int, ...]
    expected: dict[str, str] | None = None


def counted(count: int) -> str:
    return f"%n4 = stablehlo.constant dense<{float(count)}> : {VECTOR}\n" + python("spmd.ticket", "n4", "v")


def only(count: int, own: str, other: str) -> str:
    """One program for process 0, one for all others."""
    return side_by_side([own, *[other] * (count - 1)])


FAULTS = (
    # Deadlocks
    Row("sum in a branch of process 0", lambda n: module(IDS + branch("%first", all_reduce(everyone(n), result="in"), NOTHING), n), (2, 3, 16), {"lint": "depends on the id of the process", "run": "deadlock"}),
    Row("sum in a loop as long as the id", lambda n: module(IDS + loop("%id", all_reduce(everyone(n), result="in", operand="v")), n), (2, 4, 8), {"lint": "depends on the id of the process", "run": "deadlock"}),
    Row("sum in a branch by a piece", lambda n: pieces(SIGN.replace("%v", "%x") + branch("%is_positive", all_reduce(everyone(n), result="in"), NOTHING), n), (2, 4), {"lint": "own data", "run": "deadlock"}),
    Row("all receive before they send", lambda n: module(TOKEN + recv(ring(n), 1, "t") + send(ring(n), 1, "q#1") + negate("%q#0"), n), (2, 3, 16), {"run": "deadlock"}),
    Row("a cycle of three channels", lambda n: side_by_side([TOKEN + recv(None, (i + 1) % n + 1, "t") + send(None, i + 1, "q#1") + negate("%q#0") for i in range(n)]), (2, 3, 5), {"run": "deadlock"}),
    Row("sums of two channels in other orders", lambda n: only(n, all_reduce(everyone(n), 1, "m") + all_reduce(everyone(n), 2), all_reduce(everyone(n), 2, "m") + all_reduce(everyone(n), 1)), (2, 3), {"lint": "order", "run": "deadlock"}),
    Row("process 0 leaves out a sum", lambda n: only(n, negate("%x"), all_reduce(everyone(n))), (2, 8), {"lint": "", "run": "deadlock"}),
    Row("a ring with a missing receiver", lambda n: side_by_side([TOKEN + send(None, 1) + recv(None, 3, "t1") + negate("%q#0"), TOKEN + recv(None, 1, "t") + negate("%q#0"), *[negate("%x")] * (n - 2)]), (2, 4), {"lint": "channel 3 must have a stablehlo.send", "run": "deadlock"}),
    # Mismatches
    Row("groups without the last process", lambda n: module(all_reduce([list(range(n - 1))]), n), (2, 3, 16), {"lint": "must cover each", "run": "must cover every process"}),
    Row("groups with a process that is not there", lambda n: module(all_reduce([list(range(n + 1))]), n), (2, 8), {"lint": "ids below", "run": "replica_groups"}),
    Row("a group of another size than the type", lambda n: module(all_gather(everyone(n), n + 1), n), (2, 4), {"lint": "as the types require", "run": "as the types require"}),
    Row("pairs with a process that is not there", lambda n: module(permute([[0, n]]), n), (2, 5), {"lint": "ids below", "run": "source_target_pairs"}),
    Row("a repeated source", lambda n: module(permute([[0, 0], [0, 1]]), n), (2, 3), {"load": "duplicate sources"}),
    Row("two kinds at one meeting", lambda n: only(n, all_reduce(everyone(n)), broadcast(everyone(n))), (2, 4), {"lint": "", "run": ""}),
    Row("a sum and a maximum at one meeting", lambda n: only(n, all_reduce(everyone(n)), all_reduce(everyone(n)).replace("stablehlo.add", "stablehlo.maximum")), (2, 3), {"lint": "all_reduce on channel 1 by stablehlo.maximum", "run": "must meet at one operation"}),
    Row("the same sum in both branches", lambda n: pieces(SIGN.replace("%v", "%x") + branch("%is_positive", *[all_reduce(everyone(n), result="in")] * 2), n), (2, 4), {"lint": "own data", "run": "must meet at one operation"}),
    Row("sums in other groups", lambda n: only(n, all_reduce([list(range(n // 2)), list(range(n // 2, n))]), all_reduce(everyone(n))), (4, 8), {"lint": "", "run": "deadlock"}),
    Row("a channel of a sum and a transfer", lambda n: module(TOKEN + send(ring(n), 1) + recv(ring(n), 1) + all_reduce(everyone(n)), n), (2, 4), {"lint": "channel 1"}),
    Row("a send without receiver", lambda n: module(TOKEN + send(ring(n), 1) + negate("%x"), n), (2, 16), {"lint": "must have a stablehlo.recv", "run": "every message must be received"}),
    Row("a receive without sender", lambda n: module(TOKEN + recv(ring(n), 1, "t") + negate("%q#0"), n), (2, 4), {"lint": "must have a stablehlo.send", "run": "deadlock"}),
    Row("a message too many", lambda n: only(n, TOKEN + send(None, 1) + send(None, 1, "t1", "t2") + negate("%x"), TOKEN + recv(None, 1, "t") + negate("%q#0")), (2,), {"run": "every message must be received"}),
    # Races
    Row("two senders of one channel", lambda n: side_by_side([TOKEN + send(None, 1) + negate("%x")] * (n - 1) + [TOKEN + recv(None, 1, "t") + negate("%q#0")]), (3, 4), {"run": "one process may send to channel 1"}),
    Row("two receivers of one channel", lambda n: only(n, TOKEN + send(None, 1) + send(None, 1, "t1", "t2") + negate("%x"), TOKEN + recv(None, 1, "t") + negate("%q#0")), (3,), {"run": "one process may receive from channel 1"}),
    Row("the last writer", lambda n: module(python("spmd.put", "x", "p") + all_reduce(everyone(n), result="m", operand="p") + python("spmd.get", "m", "r"), n), (2, 3), {"run": "depends on the order"}),
    Row("a read without a meeting", lambda n: module(python("spmd.put", "x", "p") + python("spmd.get", "p", "r"), n), (2, 3), {"run": "depends on the order"}),
    Row("who comes first", lambda n: module(counted(n) + negate("%v"), n), (2, 3), {"run": "depends on the order"}),
    Row("a deadlock if process 0 comes first", lambda n: module(IDS + counted(n) + SIGN + "%both = stablehlo.and %first, %is_positive : tensor<i1>\n" + branch("%both", all_reduce(everyone(n), result="in"), NOTHING), n), (2, 3), {"lint": "depends on the id", "run": "whether the run fails depends on the order"}),
    Row("a sum without its operand's buffer", lambda n: module(asynchronous(n, REUSED), n, ADD_FUNCTION), (2, 4), {"load": "must not reuse the buffer"}),
    Row("a use before the end", lambda n: module(asynchronous(n, "%u = stablehlo.abs %begun : tensor<4xf32>\n"), n, ADD_FUNCTION), (2, 4), {"load": "must not use the result"}),
    Row("two ends", lambda n: module(asynchronous(n, ends=2), n, ADD_FUNCTION), (2, 4), {"load": "must finish a collective once"}),
    Row("a function that drops an unfinished sum", lambda n: module(asynchronous(n, ends=0) + f"%r = func.call @drop(%begun) : ({VECTOR}) -> {VECTOR}\n", n, f"{ADD_FUNCTION}\nfunc.func private @drop(%a: {VECTOR}) -> {VECTOR} {{ %c = stablehlo.constant dense<0.0> : {VECTOR} return %c : {VECTOR} }}"), (2, 8), {"load": "must be finished by"}),
    Row("no end", lambda n: module(asynchronous(n, ends=0) + negate("%x"), n, ADD_FUNCTION), (2, 4), {"load": "must be finished by"}),
)  # fmt: skip

RIGHT = (
    Row("a sum", lambda n: module(all_reduce(everyone(n)), n), (2, 3, 16)),
    Row("sums of halves", lambda n: module(all_reduce([list(range(n // 2)), list(range(n // 2, n))]), n), (2, 4, 16)),
    Row("two sums", lambda n: module(all_reduce(everyone(n), 1, "m") + all_reduce(everyone(n), 2, operand="m"), n), (2, 8)),
    Row("a gathering", lambda n: module(all_gather(everyone(n), n), n), (2, 4)),
    Row("a ring of permutations", lambda n: module(permute(ring(n)), n), (2, 5, 16)),
    Row("one pair", lambda n: module(permute([[0, n - 1]]), n), (2, 4)),
    Row("a broadcast", lambda n: module(broadcast(everyone(n)), n), (2, 4)),
    Row("a ring that sends first", lambda n: module(TOKEN + send(ring(n), 1) + recv(ring(n), 1) + negate("%q#0"), n), (2, 3, 16)),
    Row("messages received in another order", lambda n: only(n, TOKEN + send(None, 1) + send(None, 2, "t1", "t2") + negate("%x"), TOKEN + recv(None, 2, "t") + recv(None, 1, "q#1", "p") + negate("%p#0")), (2,)),
    Row("a branch by a sum", lambda n: module(all_reduce(everyone(n), 1, "v") + SIGN + branch("%is_positive", all_reduce(everyone(n), 2, "in"), NOTHING), n), (2, 4)),
    Row("branches without collectives", lambda n: module(IDS + branch("%first", NOTHING, NOTHING.replace("abs", "negate")), n), (2,)),
    Row("a loop of equal length", lambda n: module(IDS + "%three = stablehlo.constant dense<3> : tensor<ui32>\n" + loop("%three", all_reduce(everyone(n), result="in", operand="v")), n), (2, 4)),
    Row("pieces of a tensor", lambda n: pieces(all_reduce(everyone(n)), n), (2, 4)),
    Row("programs side by side", lambda n: only(n, all_reduce(everyone(n)), negate("%x").replace("%r", "%y") + all_reduce(everyone(n), operand="y")), (2, 3)),
    Row("a Python function of its operand", lambda n: module(python("spmd.double", "x", "p") + all_reduce(everyone(n), operand="p"), n), (2, 3)),
    Row("a value that all write", lambda n: module(all_reduce(everyone(n), 1, "y") + python("spmd.put", "y", "p") + all_reduce(everyone(n), 2, "m", "p") + python("spmd.get", "m", "r"), n), (2, 3)),
    Row("an asynchronous sum", lambda n: module(asynchronous(n, "%u = stablehlo.abs %x : tensor<4xf32>\n"), n, ADD_FUNCTION), (2, 4, 16)),
)  # fmt: skip


def wrong_rows(rows: tuple[Row, ...], *, all_counts: bool) -> tuple[int, list[str]]:
    """The number of programs, and those of which something else is found than the table says."""
    count, wrong = 0, list[str]()
    for row in rows:
        expected = row.expected or {}
        for processes in row.counts if all_counts else row.counts[:1]:
            count += 1
            means = {problem.partition(": ")[0]: problem for problem in found(row.text(processes), processes)}
            is_expected = means.keys() == expected.keys() and all(
                text in means[by] for by, text in expected.items()
            )
            if not is_expected:
                wrong.append(f"{row.name}, {processes} processes: {list(means.values())}")
    return count, wrong


def test_each_kind_of_fault_is_found_and_none_in_right_programs() -> None:
    assert wrong_rows(FAULTS, all_counts=False) == (len(FAULTS), [])
    assert wrong_rows(RIGHT, all_counts=False) == (len(RIGHT), [])


@pytest.mark.deep
def test_faults_in_programs_of_2_to_16_processes() -> None:
    count, wrong = wrong_rows(FAULTS, all_counts=True)
    assert wrong == [] and count >= 50
    count, wrong = wrong_rows(RIGHT, all_counts=True)
    assert wrong == [] and count >= 30
