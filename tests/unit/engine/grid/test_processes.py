"""The process grid: groups, collectives, channels, failures."""

from __future__ import annotations

import random
import signal
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hlokit
from hlokit.engine.contract.process import Collective
from hlokit.engine.contract.process_groups import GroupMode, ProcessId, ReplicaGroups, connected
from hlokit.engine.contract.run_context import RunContext, current, use
from hlokit.engine.grid.threads import ProcessGrid, ProcessRun, current_process, run_processes
from hlokit.engine.plan.block import Block
from hlokit.engine.plan.plan import Plan
from hlokit.errors import EvaluationError

ALL = ReplicaGroups(GroupMode.CROSS_REPLICA, None)
COLLECTIVE = Collective(0, ("collective",))
# No failure takes longer to be reported, even on a busy machine.
SOON = 60.0


def run(functions: list[Callable[[], Any]], partitions: int = 1) -> list[Any]:
    return run_processes(len(functions) // partitions, partitions, [ProcessRun(f, ()) for f in functions])


def meet(value: object, collective: Collective = COLLECTIVE) -> list[Any]:
    process = current_process()
    group = process.group(ALL)
    assert group is not None
    return [values[0] for values in process.all_gather(collective, group, (value,))]


def ids(text: str) -> tuple[ProcessId, ...]:
    """`"00 10"` as processes (0, 0) and (1, 0)."""
    return tuple(ProcessId(int(pair[0]), int(pair[1])) for pair in text.split())


# Groups -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mode", "groups", "grid", "expected"),
    [
        (GroupMode.CROSS_REPLICA, ((0, 1), (2, 3)), (4, 2), ["00 10", "01 11", "20 30", "21 31"]),
        (GroupMode.CROSS_PARTITION, ((0, 1),), (4, 2), ["00 01", "10 11", "20 21", "30 31"]),
        (GroupMode.CROSS_REPLICA_AND_PARTITION, ((0, 1), (2, 3)), (4, 2), ["00 10 01 11", "20 30 21 31"]),
        (GroupMode.FLATTENED_IDS, ((0, 1, 2, 3), (4, 5, 6, 7)), (4, 2), ["00 01 10 11", "20 21 30 31"]),
        (GroupMode.CROSS_REPLICA, None, (2, 2), ["00 10", "01 11"]),
        (GroupMode.CROSS_PARTITION, None, (2, 2), ["00 01", "10 11"]),
        (GroupMode.CROSS_REPLICA_AND_PARTITION, None, (2, 2), ["00 10 01 11"]),
        (GroupMode.FLATTENED_IDS, None, (2, 2), ["00 01 10 11"]),
    ],
)
def test_groups_are_those_of_the_spec(
    mode: GroupMode, groups: tuple[tuple[int, ...], ...] | None, grid: tuple[int, int], expected: list[str]
) -> None:
    assert ReplicaGroups(mode, groups).processes(*grid) == tuple(map(ids, expected))


@pytest.mark.parametrize("id_", [-1, 4])
def test_ids_must_be_in_the_grid(id_: int) -> None:
    with pytest.raises(EvaluationError, match=r"replica_groups must hold ids below 4 .*flattened_ids.*2 x 2"):
        ReplicaGroups(GroupMode.FLATTENED_IDS, ((0, id_),)).processes(2, 2)


def test_a_grid_that_nobody_has_set_is_named() -> None:
    with pytest.raises(
        EvaluationError, match=r"1 x 1\), got 1; num_replicas and num_partitions set the grid$"
    ):
        ReplicaGroups(GroupMode.CROSS_PARTITION, ((0, 1),)).processes(1, 1)


def test_connected_processes() -> None:
    groups = (ids("00 10"), ids("10 20"), ids("30 40"))
    assert connected(groups, ProcessId(2, 0)) == ids("00 10 20")
    assert connected(groups, ProcessId(3, 0)) == ids("30 40")
    assert connected(groups, ProcessId(5, 0)) == ()


# Rendezvous ---------------------------------------------------------------------------------------


def test_results_are_in_order_of_replica_and_partition() -> None:
    assert run([lambda: current_process().id] * 6, partitions=3) == list(ids("00 01 02 10 11 12"))


def test_a_program_that_runs_alone_is_process_0() -> None:
    with use(RunContext()):
        assert current_process().id == (0, 0)
        assert meet("alone") == ["alone"]


def test_rendezvous_do_not_depend_on_the_speed_of_processes() -> None:
    def body() -> list[list[Any]]:
        own, chance = current_process().id.replica, random.Random()
        seen: list[list[Any]] = []
        for turn in range(20):
            if chance.random() < 0.3:
                time.sleep(chance.random() * 2e-3)
            seen.append(meet((own, turn)))
        return seen

    expected = [[(replica, turn) for replica in range(4)] for turn in range(20)]
    for _ in range(10):
        assert run([body] * 4) == [expected] * 4


def test_a_common_result_is_computed_once_and_in_group_order() -> None:
    calls: list[Any] = []

    def combine(operands: list[Any]) -> list[Any]:
        calls.append(operands)
        return operands

    def body() -> Any:
        process = current_process()
        return process.all_gather(COLLECTIVE, ids("20 00 10"), (process.id.replica,), combine)

    first, second, third = run([body] * 3)
    assert calls == [[(2,), (0,), (1,)]]
    assert first is second is third


def test_groups_on_one_channel_do_not_mix() -> None:
    def body() -> Any:
        process = current_process()
        group = process.group(ReplicaGroups(GroupMode.CROSS_REPLICA, ((0, 2), (1, 3))))
        assert group is not None
        return [process.all_gather(COLLECTIVE, group, (process.id.replica, turn)) for turn in range(50)]

    results = run([body] * 4)
    for replica, partner in ((0, 2), (1, 3), (2, 0), (3, 1)):
        low, high = sorted((replica, partner))
        assert results[replica] == [[(low, turn), (high, turn)] for turn in range(50)]


def test_processes_of_one_program_must_meet_at_one_operation() -> None:
    collectives = [Collective(1, ("same",)), Collective(1, ("same",))]

    def body() -> Any:
        return meet(0, collectives[current_process().id.replica])

    with pytest.raises(EvaluationError, match="must meet at one operation"):
        run([body] * 2)


def test_processes_of_different_programs_must_meet_at_alike_operations() -> None:
    def alike(collective: Collective) -> Callable[[], Any]:
        return lambda: meet(current_process().id.replica, collective)

    assert run([alike(Collective(1, ("same",))), alike(Collective(1, ("same",)))]) == [[0, 1], [0, 1]]
    with pytest.raises(EvaluationError, match="must meet at one operation"):
        run([alike(Collective(1, ("add",))), alike(Collective(1, ("gather",)))])


# Channels -----------------------------------------------------------------------------------------


def test_a_channel_keeps_order_and_send_does_not_wait() -> None:
    def sender() -> None:
        for i in range(5):
            current_process().send(1, None, (i,))

    def receiver() -> list[Any]:
        return [current_process().receive(1, None) for _ in range(5)]

    assert run([sender, receiver])[1] == [(i,) for i in range(5)]
    assert run([receiver, sender])[0] == [(i,) for i in range(5)]


def test_connections_of_one_channel_do_not_mix() -> None:
    def body() -> Any:
        process = current_process()
        for target in process.grid.ids:
            process.send(1, target, (process.id, target))
        return [process.receive(1, source) for source in reversed(process.grid.ids)]

    for id_, received in zip(ids("00 10 20"), run([body] * 3), strict=True):
        assert received == [(source, id_) for source in ids("20 10 00")]


def test_a_channel_has_one_sender() -> None:
    def sender() -> None:
        current_process().send(1, None, ())

    def receiver() -> None:
        current_process().receive(1, None)
        current_process().receive(1, None)

    with pytest.raises(EvaluationError, match=r"one process may send to channel 1.*\(0, 0\).*\(1, 0\)"):
        run([sender, sender, receiver])


def test_messages_must_be_received() -> None:
    with pytest.raises(EvaluationError, match=r"not:\n  from process \(0, 0\)"):
        run([lambda: current_process().send(1, None, ()), lambda: None])


# Deadlocks and failures ---------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def is_soon_over() -> Any:
    start, before = time.monotonic(), threading.active_count()
    yield
    assert time.monotonic() - start < SOON
    assert threading.active_count() == before


def test_a_missing_participant_is_a_deadlock() -> None:
    message = r"deadlock.*\n  process \(0, 0\) waits at .* for process \(1, 0\)\n  process \(1, 0\) has ended"
    with pytest.raises(EvaluationError, match=message):
        run([lambda: meet(0), lambda: None])


def test_divergent_order_is_a_deadlock() -> None:
    first, second = Collective(1, ()), Collective(2, ())

    def forth() -> None:
        meet(0, first)
        meet(0, second)

    def back() -> None:
        meet(0, second)
        meet(0, first)

    message = r"process \(0, 0\) waits .* on channel 1\n  process \(1, 0\) waits .* on channel 2"
    with pytest.raises(EvaluationError, match=message):
        run([forth, back])


@pytest.mark.parametrize(
    ("source", "message"),
    [(None, "a message on channel 3"), ("10", r"a message from process \(1, 0\) on channel")],
)
def test_receiving_without_a_sender_is_a_deadlock(source: str | None, message: str) -> None:
    (id_,) = ids(source) if source else (None,)
    with pytest.raises(EvaluationError, match=message):
        run([lambda: current_process().receive(3, id_), lambda: None])
    with use(RunContext()), pytest.raises(EvaluationError, match="deadlock"):
        current_process().receive(3, id_)


def test_a_deadlock_is_found_when_the_last_process_ends_late() -> None:
    with pytest.raises(EvaluationError, match="deadlock"):
        run([lambda: meet(0), lambda: time.sleep(0.1)])


def test_a_failure_ends_those_that_wait() -> None:
    def fail() -> None:
        time.sleep(0.05)
        raise EvaluationError("out of luck")

    with pytest.raises(EvaluationError, match=r"process \(1, 0\): out of luck"):
        run([lambda: meet(0), fail, lambda: meet(0)])


def test_a_failure_ends_those_that_compute() -> None:
    def compute() -> None:
        while True:
            pass

    def fail() -> None:
        raise EvaluationError("out of luck")

    with pytest.raises(EvaluationError, match="out of luck"):
        run([compute, fail])


def test_of_several_failures_the_first_process_reports() -> None:
    def fail() -> None:
        time.sleep(0.01 * (3 - current_process().id.replica))
        raise EvaluationError("out of luck")

    with pytest.raises(EvaluationError, match=r"process \(0, 0\)"):
        run([fail] * 3)


def test_a_failure_while_others_wait_for_a_common_result() -> None:
    def combine(operands: list[Any]) -> Any:
        raise EvaluationError("combine")

    def body() -> None:
        process = current_process()
        process.all_gather(COLLECTIVE, process.grid.ids, (), combine)

    with pytest.raises(EvaluationError, match="combine"):
        run([body] * 3)


def test_an_unexpected_error_keeps_its_cause() -> None:
    def fail() -> None:
        raise ZeroDivisionError("oops")

    with pytest.raises(hlokit.InternalError, match=r"process \(1, 0\): ZeroDivisionError: oops") as caught:
        run([lambda: None, fail])
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_an_interrupt_ends_all_processes() -> None:
    def compute() -> None:
        time.sleep(0.1)
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        while True:
            pass

    # A shell that starts the tests in the background may ignore SIGINT.
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            run([compute, lambda: meet(0)])
    finally:
        signal.signal(signal.SIGINT, previous)


# Contexts -----------------------------------------------------------------------------------------


def test_processes_share_output_and_count_checks() -> None:
    written: list[str] = []
    context = RunContext(write=written.append)
    context.checks = 1

    def body() -> None:
        current().checks += 2
        current().write("line\n")

    with use(context):
        run([body] * 4)
    assert context.checks == 9
    assert written == ["line\n"] * 4


def test_random_numbers_differ_by_process_and_not_by_run() -> None:
    text = """func.func @main() -> tensor<2xf32> {
      %a = stablehlo.constant dense<0.0> : tensor<f32>
      %b = stablehlo.constant dense<1.0> : tensor<f32>
      %shape = stablehlo.constant dense<2> : tensor<1xi64>
      %0 = stablehlo.rng %a, %b, %shape, distribution = UNIFORM
        : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<2xf32>
      return %0 : tensor<2xf32>
    }"""
    program = hlokit.load(text)
    first, second = program.run_parallel([(), ()])
    again = program.run_parallel([(), ()])
    assert not np.array_equal(first, second)
    assert np.array_equal(first, program())
    assert np.array_equal(again, [first, second])


# Threads and plans --------------------------------------------------------------------------------


def test_a_block_is_planned_once() -> None:
    calls: list[int] = []

    def make_plan() -> Plan:
        calls.append(1)
        time.sleep(0.02)
        return Plan("f", 0, 0, (), (), (), (), ())

    block = Block((), make_plan, None)
    plans = run([lambda: (block.plan, block.is_pointwise)] * 8)
    assert calls == [1]
    assert all(plan is block.plan and pointwise for plan, pointwise in plans)


def test_grids_are_for_one_run() -> None:
    grid = ProcessGrid(1, 1)
    assert grid.run([ProcessRun(lambda: 1, ())]) == [1]


# Any program --------------------------------------------------------------------------------------

Action = tuple[str, int, Any]


def simulate(programs: list[list[Action]]) -> tuple[str, list[list[Any]]]:
    """The outcome of a run, and the values of each process, one process at a time."""
    at = [0] * len(programs)
    seen: list[list[Any]] = [[] for _ in programs]
    mail: dict[tuple[int, int, int], list[Any]] = {}

    def current_action(i: int) -> Action | None:
        return programs[i][at[i]] if at[i] < len(programs[i]) else None

    def step(i: int) -> bool:
        match current_action(i):
            case ("send", channel, target):
                mail.setdefault((channel, i, target), []).append((i, at[i]))
            case ("receive", channel, source) if mail.get((channel, source, i)):
                seen[i].append(mail[channel, source, i].pop(0))
            case ("meet", channel, group) if all(
                current_action(j) == ("meet", channel, group) for j in group
            ):
                values = [(j, at[j]) for j in group]
                for j in group:
                    seen[j].append(values)
                    at[j] += j != i
            case _:
                return False
        at[i] += 1
        return True

    while any([step(i) for i in range(len(programs))]):
        pass
    if any(current_action(i) is not None for i in range(len(programs))):
        return "deadlock", seen
    return ("must be received" if any(mail.values()) else "", seen)


@st.composite
def programs_of_processes(draw: st.DrawFn) -> list[list[Action]]:
    """Programs that mostly match: events of the whole grid without a few of them."""
    count = draw(st.integers(2, 4))
    programs: list[list[Action]] = [[] for _ in range(count)]
    some = st.lists(st.integers(0, count - 1), min_size=1, unique=True)
    for _ in range(draw(st.integers(0, 8))):
        channel = draw(st.integers(0, 2))
        group = tuple(draw(some))
        source, target = group[0], group[-1]
        if draw(st.booleans()):
            events = [(i, ("meet", channel, group)) for i in group]
        else:
            events = [(source, ("send", channel, target)), (target, ("receive", channel, source))]
        for i, action in events:
            if draw(st.integers(0, 15)):
                programs[i].append(action)
    return programs


@given(programs_of_processes())
@settings(max_examples=200, deadline=None)
def test_any_program_ends_as_one_process_at_a_time_would(programs: list[list[Action]]) -> None:
    expected, expected_seen = simulate(programs)
    seen: list[list[Any]] = [[] for _ in programs]

    def body(i: int) -> None:
        process = current_process()
        for number, (kind, channel, other) in enumerate(programs[i]):
            match kind:
                case "send":
                    process.send(channel, ProcessId(other, 0), ((i, number),))
                case "receive":
                    seen[i].append(process.receive(channel, ProcessId(other, 0))[0])
                case _:
                    group = tuple(ProcessId(j, 0) for j in other)
                    met = process.all_gather(Collective(channel, ()), group, ((i, number),))
                    seen[i].append([values[0] for values in met])

    functions: list[Callable[[], None]] = [lambda i=i: body(i) for i in range(len(programs))]
    if expected:
        with pytest.raises(EvaluationError, match=expected):
            run(functions)
    else:
        run(functions)
    assert seen == expected_seen


def test_function_without_results() -> None:
    assert hlokit.load("func.func @main() { return }").run_parallel([(), ()], num_replicas=2) == [(), ()]
