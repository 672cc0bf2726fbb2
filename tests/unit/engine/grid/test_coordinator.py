"""The coordinator of distributed runs, with simulated ranks: the order of events must not matter."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlokit.engine.contract.process import Collective
from hlokit.engine.contract.process_groups import ProcessId
from hlokit.engine.grid.mpi.coordinator import (
    Close,
    Closed,
    Coordinator,
    Delivery,
    Enter,
    Fault,
    Join,
    Leave,
    Over,
    Proceed,
    Quit,
    Receive,
    Reply,
    Request,
    Send,
    Stop,
    Write,
)
from hlokit.engine.grid.rendezvous import Arrival, ChannelKey
from hlokit.engine.grid.threads import ProcessGrid, ProcessRun, current_process
from hlokit.errors import ArgumentError, EvaluationError

GRID = (2, 2)
IDS = [ProcessId(r, p) for r in range(GRID[0]) for p in range(GRID[1])]


@dataclass
class Ranks:
    """Simulates ranks: each sends its next message after an answer."""

    size: int = 4
    notices: list[Sequence[int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.replies: list[deque[Reply]] = [deque() for _ in range(self.size)]
        self.coordinator = Coordinator(
            self.size, lambda rank, reply: self.replies[rank].append(reply), self.notices.append
        )

    def say(self, rank: int, request: Request) -> None:
        self.coordinator.handle(rank, request)

    def heard(self, rank: int) -> Reply | None:
        return self.replies[rank].popleft() if self.replies[rank] else None

    def enter(self) -> None:
        for rank in range(self.size):
            self.say(rank, Enter(GRID, "grid", "start"))
        assert [self.heard(rank) for rank in range(self.size)] == [Proceed((None,) * self.size)] * self.size


def arrival(operation: int, program: int = 0, signature: str = "") -> Arrival:
    return Arrival(program, operation, signature, f"op {operation}")


def join(group: tuple[int, ...], operation: int = 0, channel: int = 0, operands: Any = None) -> Join:
    return Join(channel, group, arrival(operation), operands)


def leave(ranks: Ranks, who: Sequence[int], error: Exception | None = None) -> None:
    for rank in who:
        ranks.say(rank, Leave(error, 1))  # type: ignore[arg-type] # no HlokitError, on purpose


def test_grid_from_start_to_end() -> None:
    ranks, printed = Ranks(), []
    ranks.coordinator.write = printed.append
    ranks.enter()
    for rank in (3, 1):
        ranks.say(rank, join((1, 3), operands=rank))
    assert [ranks.heard(rank) for rank in range(4)] == [None, Proceed((1, 3)), None, Proceed((1, 3))]
    ranks.say(2, Write("text"))
    leave(ranks, range(4))
    assert [ranks.heard(rank) for rank in range(4)] == [Over(None, 4)] * 4
    assert printed == ["text"]
    for rank in range(4):
        ranks.say(rank, Close(None))
    assert [ranks.heard(rank) for rank in range(4)] == [Closed(None)] * 4
    for rank in range(4):
        assert not ranks.coordinator.is_done
        ranks.say(rank, Quit(None))
    assert ranks.coordinator.is_done


def test_mail_goes_in_order_and_waits() -> None:
    ranks = Ranks()
    ranks.enter()
    key = ChannelKey(1, IDS[0], IDS[2])
    ranks.say(2, Receive(key, "here"))
    assert ranks.heard(2) is None
    for payload in "abc":
        ranks.say(0, Send(key, payload, "there"))
    ranks.say(2, Receive(key, "here"))
    assert [ranks.heard(2), ranks.heard(2)] == [Delivery("a"), Delivery("b")]
    assert ranks.heard(0) is None
    leave(ranks, range(4))
    over = ranks.heard(2)
    assert isinstance(over, Over)
    assert over.unclaimed == ("c",)
    assert "must be received, but these were not:\n  from process (0, 0) at there" in str(over.error)


def test_channel_without_pairs_is_acknowledged() -> None:
    ranks = Ranks()
    ranks.enter()
    key = ChannelKey(1, None, None)
    ranks.say(0, Send(key, "a", "first"))
    ranks.say(1, Send(key, "b", "second"))
    assert ranks.heard(0) == Proceed()
    fault = ranks.heard(1)
    assert isinstance(fault, Fault)
    assert "one process may send to channel 1" in fault.message
    ranks.say(2, Receive(key, "third"))
    assert ranks.heard(2) == Delivery("a")


def test_deadlock_stops_all_that_wait() -> None:
    ranks = Ranks()
    ranks.enter()
    ranks.say(1, join((0, 1)))
    leave(ranks, [2])
    ranks.say(3, join((0, 3), channel=5))
    assert [ranks.heard(rank) for rank in range(4)] == [None] * 4
    leave(ranks, [0])
    fault = ranks.heard(1)
    assert fault == Fault(
        "deadlock: every process waits or has ended\n  process (0, 0) has ended\n"
        "  process (0, 1) waits at op 0 for process (0, 0)\n  process (1, 0) has ended\n"
        "  process (1, 1) waits at op 0 for process (0, 0) on channel 5"
    )
    assert ranks.heard(3) == Stop()
    assert ranks.notices == [[1, 3]]
    ranks.say(1, Leave(EvaluationError("deadlock"), 0))
    ranks.say(3, Leave(None, 0))
    over = ranks.heard(0)
    assert isinstance(over, Over)
    assert str(over.error) == "deadlock"  # of no process: of all


def test_failure_stops_waiting_and_arriving_processes() -> None:
    ranks = Ranks()
    ranks.enter()
    ranks.say(0, join((0, 1)))
    leave(ranks, [2], EvaluationError("broken"))
    assert ranks.heard(0) == Stop()
    assert ranks.notices == [[0, 1, 3]]
    ranks.say(1, join((0, 1)))
    assert ranks.heard(1) == Stop()
    leave(ranks, [0, 1, 3])
    for rank in range(4):
        over = ranks.heard(rank)
        assert isinstance(over, Over)
        assert str(over.error) == "process (1, 0): broken"
    # The next grid has nothing of that.
    ranks.enter()


def test_failure_outside_of_a_grid() -> None:
    ranks = Ranks()
    ranks.say(0, Enter(GRID, "grid", "start"))
    ranks.say(1, Close(ArgumentError("no such file")))
    assert ranks.heard(0) == Stop()
    ranks.say(0, Close(None))
    for rank in (2, 3):
        ranks.say(rank, Enter(GRID, "grid", "start"))
        assert ranks.heard(rank) == Stop()
        ranks.say(rank, Close(None))
    for rank in range(4):
        closed = ranks.heard(rank)
        assert isinstance(closed, Closed)
        assert isinstance(closed.error, ArgumentError)
    ranks.enter()


def test_ranks_that_are_gone_are_not_waited_for() -> None:
    ranks = Ranks()
    ranks.say(3, Quit(None))
    for rank in range(3):
        ranks.say(rank, Enter(GRID, "grid", "the start"))
    fault = ranks.heard(0)
    assert isinstance(fault, Fault)
    assert "process (3, 0) has ended" in fault.message
    assert [ranks.heard(1), ranks.heard(2)] == [Stop(), Stop()]


def test_ranks_must_do_the_same() -> None:
    ranks = Ranks()
    ranks.say(0, Enter(GRID, "grid", "start"))
    ranks.say(1, Enter((4, 1), "grid", "start"))
    fault = ranks.heard(1)
    assert isinstance(fault, Fault)
    assert "must meet at one operation" in fault.message


@pytest.mark.parametrize(("signature", "fits"), [("a", True), ("b", False)])
def test_different_programs_meet_at_operations_with_equal_signatures(signature: str, fits: bool) -> None:
    ranks = Ranks()
    ranks.enter()
    ranks.say(0, Join(0, (0, 1), arrival(1, program=0, signature="a"), 0))
    ranks.say(1, Join(0, (0, 1), arrival(2, program=1, signature=signature), 1))
    assert isinstance(ranks.heard(1), Proceed if fits else Fault)


# A step: a channel, the numbers of a group, an operation. All processes of a group take it, unless one skips it.
STEPS = st.tuples(
    st.integers(0, 1),
    st.lists(st.integers(0, 3), min_size=2, max_size=4, unique=True).map(tuple),
    st.integers(0, 1),
)
SKIPS = st.one_of(st.none(), st.tuples(st.integers(0, 5), st.integers(0, 3)))


@given(
    st.lists(STEPS, min_size=1, max_size=6),
    SKIPS,
    st.sampled_from([None, 0, 1, 2, 3]),
    st.randoms(use_true_random=False),
)
@settings(max_examples=150, deadline=None)
def test_agrees_with_the_grid_of_threads(
    steps: list[tuple[int, tuple[int, ...], int]],
    skip: tuple[int, int] | None,
    backwards: int | None,
    chance: random.Random,
) -> None:
    scripts = [
        [step for number, step in enumerate(steps) if rank in step[1] and skip != (number, rank)]
        for rank in range(4)
    ]
    if backwards is not None:
        scripts[backwards].reverse()
    assert played(scripts, chance) == on_threads(scripts)


def played(scripts: list[list[tuple[int, tuple[int, ...], int]]], chance: random.Random) -> list[Any] | None:
    """The answers to the processes for a random order of events; None if they fail."""
    ranks = Ranks()
    ranks.enter()
    heard: list[list[Any]] = [[] for _ in scripts]
    positions, waiting = [0] * 4, [False] * 4
    while True:
        able = [
            r for r in range(4) if ranks.replies[r] or (not waiting[r] and positions[r] <= len(scripts[r]))
        ]
        if not able:
            return heard
        rank = chance.choice(able)
        reply = ranks.heard(rank)
        if isinstance(reply, Fault | Stop):
            return None
        if isinstance(reply, Proceed):
            heard[rank].append(list(reply.operands))
            waiting[rank] = False
        elif reply is None:
            if positions[rank] == len(scripts[rank]):
                ranks.say(rank, Leave(None, 0))
            else:
                channel, group, operation = scripts[rank][positions[rank]]
                ranks.say(rank, join(group, operation, channel, (rank, positions[rank])))
                waiting[rank] = True
            positions[rank] += 1


def on_threads(scripts: list[list[tuple[int, tuple[int, ...], int]]]) -> list[Any] | None:
    collectives = {
        (channel, operation): Collective(channel, ()) for channel in (0, 1) for operation in (0, 1)
    }

    def run() -> list[Any]:
        process, heard = current_process(), []
        rank = IDS.index(process.id)
        for position, (channel, group, operation) in enumerate(scripts[rank]):
            ids = tuple(IDS[number] for number in group)
            met = process.all_gather(
                collectives[channel, operation], ids, (np.int32(rank), np.int32(position))
            )
            heard.append([(int(first), int(second)) for first, second in met])
        return heard

    try:
        return ProcessGrid(*GRID).run([ProcessRun(run, ())] * 4)
    except EvaluationError:
        return None
