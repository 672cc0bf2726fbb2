"""`hlokit serve` with hostile clients, several at once: each has a service of its own, and a budget of memory.

Whatever a client does, it gets one answer for each of its requests, in their order, or its service ends
quietly; and nothing is left behind.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from random import Random
from typing import Any

import pytest

# Each process of the service reports its peak of memory, and that of its children, when it ends. What the system
# reports about a command includes the peak of the process that started the command.
PROGRAM = """import os, resource
leave, lives = os._exit, int(os.environ["LIVES"])
def report_and_leave(status):
    try:
        with open("/proc/self/status") as file:
            own = next(int(line.split()[1]) for line in file if line.startswith("VmHWM"))
        children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        os.write(lives, b"%d\\n" % max(own, children))
    finally:
        leave(status)
os._exit = report_and_leave
from hlokit.cli.main import main
main()
"""
COMMAND = [sys.executable, "-c", PROGRAM, "serve", "--longest-line=100000"]
ADD = {"op": "add", "operands": ["tensor<2xf32>", "tensor<2xf32>"]}
VERIFY = {"text": "func.func @f() {\n  return\n}"}
METHODS = [("infer", ADD), ("verify", VERIFY), ("ping", {}), ("infer", {"op": "no"}), ("info", {"op": "add"})]
IDS = [0, -1, 1.5, -0.0, 1e300, 10**300, "", "a\n\x1b\u2028\ud800", "x" * 50_000, None, "null", "\0", 2**64]
NO_ID = ["[]", "{}", "[[[1]]]", "1e999", "NaN", "1" * 5000, "[" * 90_000]
# The budget of a service that accepts lines of 100 kB, with its modules and its worker.
MOST_MEGABYTES = 400
# Times after which a process counts as left behind, and all clients as waiting for ever.
SECONDS_TO_END, SECONDS = 60, 300


class Service:
    """A service, and a pipe with its reports that ends with the last of its processes."""

    def __init__(self) -> None:
        self.lives, theirs = os.pipe()
        self.process = subprocess.Popen(
            COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=[theirs],
            env=os.environ | {"LIVES": str(theirs)},
            bufsize=0,
        )
        os.close(theirs)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.stdin, self.stdout = self.process.stdin, self.process.stdout

    def write(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[self.stdin.write(view) or 0 :]

    def answers(self, data: bytes, most: int = 1 << 16, read: bytes = b"") -> list[dict[str, Any]]:
        """All answers to some data, after which requests end. They are read while it is written, some bytes at a time."""

        def write() -> None:
            self.write(data)
            self.stdin.close()

        writer = threading.Thread(target=write)
        writer.start()
        pieces = list(iter(lambda: self.stdout.read(most), b""))
        writer.join()
        return [json.loads(line) for line in b"".join([read, *pieces]).splitlines()]

    def end(self, status: int) -> None:
        """Assert that the service ends correctly, prints nothing else, and stays within its budget of
        memory."""
        reports = [int(line) for line in self._reports().splitlines()]
        assert self.process.wait(SECONDS_TO_END) == status
        assert self.process.stderr is not None
        assert self.process.stderr.read() == b""
        if status != -signal.SIGKILL:
            assert max(reports) >> 10 < MOST_MEGABYTES
        for file in (self.stdin, self.stdout, self.process.stderr):
            file.close()
        os.close(self.lives)

    def _reports(self) -> bytes:
        """Everything in the pipe, which ends with the last process."""
        data, until = b"", time.monotonic() + SECONDS_TO_END
        while select.select([self.lives], [], [], max(0.0, until - time.monotonic()))[0]:
            piece = os.read(self.lives, 1 << 16)
            if not piece:
                return data
            data += piece
        raise AssertionError("a process is left")


def requests(chance: Random, count: int) -> Iterator[tuple[Any, bytes]]:
    """Lines, each with the id of its answer."""
    for _ in range(count):
        method, params = chance.choice(METHODS)
        id_ = chance.choice(IDS)
        yield id_, json.dumps({"id": id_, "method": method, "params": params}).encode()
        wrong = chance.choice(NO_ID)
        yield None, f'{{"id":{wrong},"method":"ping"}}'.encode()


def ids_of_every_kind(service: Service, chance: Random) -> int:
    wanted, lines = zip(*requests(chance, 100), strict=True)
    answers = service.answers(b"\n".join(lines) + b"\n")
    assert [answer["id"] for answer in answers] == list(wanted)
    return 0


def pieces(service: Service, chance: Random) -> int:
    """Requests that come a few bytes at a time, and an end in the middle of one."""
    wanted, lines = zip(*requests(chance, 5), strict=True)
    data = b"\r\n".join(line for line in lines if len(line) < 1000)
    expected = [id_ for id_, line in zip(wanted, lines, strict=True) if len(line) < 1000]
    while data:
        size = chance.randrange(1, 40)
        service.write(data[:size])
        data = data[size:]
        time.sleep(0.001)
    service.write(b'\n{"id":1,"method":"pi')
    answers = service.answers(b"")
    assert [answer["id"] for answer in answers] == [*expected, None]
    assert "must be one line of JSON" in answers[-1]["error"]["message"]
    return 0


def slow_reader(service: Service, _: Random) -> int:
    """A client that writes as much as possible, and reads later: requests wait in the pipe, not in memory."""
    line = json.dumps({"id": "x" * 1000, "method": "ping"}).encode() + b"\n"
    service.write(line)
    assert service.stdout.read(1) == b"{"
    os.set_blocking(service.stdin.fileno(), False)
    written, since = 0, time.monotonic()
    while time.monotonic() < since + 2:
        try:
            written += os.write(service.stdin.fileno(), line[written % len(line) :])
            since = time.monotonic()
        except BlockingIOError:
            time.sleep(0.05)
        assert written < 4 << 20, "it takes everything"
    os.set_blocking(service.stdin.fileno(), True)
    answers = service.answers(line[written % len(line) :], 100, b"{")
    assert len(answers) == 2 + written // len(line)
    assert all(answer["id"] == "x" * 1000 for answer in answers)
    return 0


def huge_lines(service: Service, _: Random) -> int:
    data = b"\n".join([b"x" * (20 << 20), b'"' + b"y" * 100_001, b"[" * 99_999, b'{"id":1,"method":"ping"}'])
    answers = service.answers(data)
    assert [answer["id"] for answer in answers] == [None, None, None, 1]
    assert answers[0]["error"]["message"] == "the request must not be longer than 100000 bytes"
    return 0


def tiny_lines(service: Service, _: Random) -> int:
    answers = service.answers(b"\n \n\r\n" * 200_000 + b"1\n" * 200_000)
    assert len(answers) == 200_000
    return 0


def no_reader(service: Service, _: Random) -> int:
    """A client that ends before the answers arrive."""
    service.stdout.close()
    with suppress(BrokenPipeError):
        service.write(b'{"id":1,"method":"ping"}\n' * 10_000)
    return 1


def no_writer(service: Service, _: Random) -> int:
    service.stdin.close()
    assert service.stdout.read() == b""
    return 0


def killed(service: Service, chance: Random) -> int:
    """A service that is killed while it works takes its worker along."""
    service.write(b'{"id":1,"method":"verify","params":{"text":"x"}}\n' * 1000)
    assert service.stdout.read(1) == b"{"
    time.sleep(chance.random())
    service.process.kill()
    return -signal.SIGKILL


def children(process: int) -> list[int]:
    with open(f"/proc/{process}/task/{process}/children") as file:
        return [int(child) for child in file.read().split()]


def workers_killed(service: Service, chance: Random) -> int:
    """A killed worker (as under a lack of memory) costs at most its current request."""
    line = b'{"id":1,"method":"infer","params":' + json.dumps(ADD).encode() + b"}\n"
    kills = failed = rounds = 0
    while kills < 5:
        rounds += 1
        service.write(line * 50)
        if chance.random() < 0.5:
            time.sleep(chance.random() / 20)
        for loop in children(service.process.pid) if rounds > 1 else []:  # the first answers come of a worker
            for worker in children(loop):
                with suppress(ProcessLookupError):  # the loop has ended it
                    os.kill(worker, signal.SIGKILL)
                    kills += 1
        answers = b""
        while answers.count(b"\n") < 50:
            answers += service.stdout.read(1 << 16) or b"the service has ended\n" * 50
        killed_ = answers.count(b"killed the worker (SIGKILL")
        right = answers.count(b'"types":["tensor<2xf32>"]')
        assert right + killed_ == 50, [
            each for each in answers.splitlines() if b"types" not in each and b"SIGKILL" not in each
        ]
        failed += killed_
    assert failed <= kills
    # The last kill may cost one more request.
    assert service.answers(line * 2)[-1]["result"] == {"types": ["tensor<2xf32>"]}
    return 0


CLIENTS: list[Callable[[Service, Random], int]] = [
    ids_of_every_kind,
    pieces,
    slow_reader,
    huge_lines,
    tiny_lines,
    no_reader,
    no_writer,
    killed,
    workers_killed,
]


@pytest.mark.skipif(sys.platform != "linux", reason="the test reads /proc")
@pytest.mark.deep
def test_hostile_clients_at_once() -> None:
    failures: list[str] = []
    services: list[Service] = []

    def run(number: int, client: Callable[[Service, Random], int]) -> None:
        try:
            service = Service()
            services.append(service)
            service.end(client(service, Random(number)))
        except BaseException as error:
            failures.append(f"{client.__name__}: {error!r}"[:2000])

    threads = [threading.Thread(target=run, args=each, daemon=True) for each in enumerate(CLIENTS)]
    for thread in threads:
        thread.start()
    until = time.monotonic() + SECONDS
    try:
        for thread in threads:
            thread.join(max(0.0, until - time.monotonic()))
        alive = [client for client, thread in zip(CLIENTS, threads, strict=True) if thread.is_alive()]
        assert [client.__name__ for client in alive] == []
        assert failures == []
    finally:
        for service in services:
            service.process.kill()
