"""Work in processes that may die."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time

from hlokit.tools.conformance.workers import Died, run_all


def work(job: str) -> str:
    match job:
        case "crash":
            os.write(2, b"last words")
            os.kill(os.getpid(), signal.SIGKILL)
        case "hang":
            time.sleep(60)
    return job.upper()


def results(jobs: list[str], processes: int = 2) -> dict[str, str | Died]:
    return dict(run_all(jobs, work, processes, 1.0))


def test_every_job_has_its_result() -> None:
    jobs = [f"job {i}" for i in range(20)]
    assert results(jobs) == {job: job.upper() for job in jobs}
    assert results(jobs[:1], processes=8) == {"job 0": "JOB 0"}
    assert results([]) == {}


def test_a_crash_is_the_result_of_its_job_only() -> None:
    found = results(["a", "crash", "b", "c"], processes=1)
    died = found.pop("crash")
    assert found == {"a": "A", "b": "B", "c": "C"}
    assert isinstance(died, Died)
    assert "SIGKILL" in died.reason
    assert "last words" in died.reason


def test_a_job_that_takes_too_long_is_ended() -> None:
    found = results(["hang", "a", "b"])
    died = found.pop("hang")
    assert isinstance(died, Died)
    assert died.reason == "took more than 1 s"
    assert found == {"a": "A", "b": "B"}


def test_processes_end_with_the_loop_that_uses_them() -> None:
    found = run_all(["a", "hang"], work, 2, 60.0)
    assert next(iter(found)) == ("a", "A")
    assert len(multiprocessing.active_children()) == 1
    del found
    assert not multiprocessing.active_children()


def test_workers_end_with_a_killed_command() -> None:
    program = (
        "import os, time; from hlokit.tools.conformance.workers import run_all\n"
        "def work(job): os.write(1, job.encode() + b'\\n'); time.sleep(600)\n"
        "list(run_all(['a', 'b'], work, 2, 600.0))"
    )
    command = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE)
    assert command.stdout is not None
    assert {command.stdout.readline(), command.stdout.readline()} == {b"a\n", b"b\n"}
    command.kill()
    # The pipe ends when the last worker does.
    assert command.communicate(timeout=60) == (b"", None)
