"""Tries candidates in parallel, with the result of a sequential search."""

from __future__ import annotations

import hashlib
import queue
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import numpy as np

from hlokit.children.folders import TemporaryFolder
from hlokit.engine.contract.threads import processor_count
from hlokit.errors import ResourceError
from hlokit.tools.backends.children import Child
from hlokit.tools.backends.side import SideFailed
from hlokit.tools.excerpts.build import Excerpt
from hlokit.tools.reduce.predicates import Outcome, Spec

T = TypeVar("T")
# Called with the current reduction, the size of the program, and the number of tried candidates.
Progress = Callable[[str, int, int], None]


class OutOfTime(Exception):
    """The search has reached its time limit."""


class Tester(Protocol):
    """Tests programs, from several threads at a time if `jobs` is more than 1."""

    @property
    def jobs(self) -> int: ...

    def test(self, excerpt: Excerpt) -> Outcome: ...

    def close(self) -> None: ...


class Workers:
    """Tests programs in child processes.

    Args:
      spec: description of the predicate.
      jobs: processes; by default one for each processor of this process.
    """

    def __init__(self, spec: Spec, jobs: int | None = None) -> None:
        self.jobs = jobs or processor_count()
        self._spec = spec
        self._idle: queue.SimpleQueue[Child] = queue.SimpleQueue()
        self._temporary = TemporaryFolder()
        self._all = [
            Child("hlokit.tools.reduce.worker", (), spec.time_limit, self._temporary.name)
            for _ in range(self.jobs)
        ]
        for child in self._all:
            self._idle.put(child)

    def test(self, excerpt: Excerpt) -> Outcome:
        """Whether a program satisfies the predicate.

        Raises:
          ResourceError: the disk is full.
        """
        child = self._idle.get()
        try:
            arguments = [np.asarray(value) for value in excerpt.arguments]
            answer: Outcome | ResourceError = child.ask((self._spec, excerpt.module, arguments))
        except SideFailed as failure:
            return Outcome(False, str(failure))
        finally:
            self._idle.put(child)
        if isinstance(answer, ResourceError):
            raise answer
        return answer

    def close(self) -> None:
        """End the processes."""
        for child in self._all:
            child.close()
        self._temporary.close()


@dataclass(frozen=True, slots=True)
class InProcess:
    """Tests programs in this process, by a function of bytecode and arguments."""

    function: Callable[[Excerpt], Outcome]
    jobs: int = 1

    def test(self, excerpt: Excerpt) -> Outcome:
        return self.function(excerpt)

    def close(self) -> None:
        pass


class Search:
    """Finds the first candidate that satisfies the predicate, and counts candidates.

    Several candidates run at the same time, but the search takes the first one in order that satisfies the
    predicate, so the result does not depend on the number of jobs.

    Args:
      deadline: time of `time.monotonic` at which the search ends.
    """

    def __init__(self, tester: Tester, deadline: float | None, progress: Progress) -> None:
        self.tried = 0
        self._tester = tester
        self._deadline = deadline
        self._progress = progress
        self._outcomes: dict[bytes, Outcome] = {}
        self._pool = ThreadPoolExecutor(tester.jobs)

    def test(self, excerpt: Excerpt) -> Outcome:
        """Test one program.

        Raises:
          OutOfTime: the time limit is reached.
        """
        self._require_time()
        return self._result(self._submit(excerpt))

    def left(self) -> float | None:
        """The seconds until the time limit; None if there is none."""
        return None if self._deadline is None else max(0.0, self._deadline - time.monotonic())

    def first(
        self, what: str, size: int, candidates: Iterable[tuple[T, Excerpt]]
    ) -> tuple[T, Outcome] | None:
        """The first candidate that satisfies the predicate; None without one.

        Raises:
          OutOfTime: the time limit is reached.
        """
        waiting: deque[tuple[T, Future[Outcome]]] = deque()
        rest = iter(candidates)
        is_over = False
        try:
            while True:
                while not is_over and len(waiting) < self._tester.jobs:
                    self._require_time()
                    following = next(rest, None)
                    if following is None:
                        is_over = True
                        break
                    waiting.append((following[0], self._submit(following[1])))
                if not waiting:
                    return None
                item, future = waiting.popleft()
                self.tried += 1  # candidates after the first success do not count
                self._progress(what, size, self.tried)
                outcome = self._result(future)
                if outcome.holds:
                    return item, outcome
        finally:
            for _, future in waiting:
                future.cancel()

    def _result(self, future: Future[Outcome]) -> Outcome:
        if self._deadline is None:
            return future.result()
        try:
            return future.result(max(0.01, self._deadline - time.monotonic()))
        except TimeoutError:
            raise OutOfTime from None

    def _require_time(self) -> None:
        if self._deadline is not None and time.monotonic() > self._deadline:
            raise OutOfTime

    def _submit(self, excerpt: Excerpt) -> Future[Outcome]:
        key = _key(excerpt)
        stored = self._outcomes.get(key)
        if stored is not None:
            future: Future[Outcome] = Future()
            future.set_result(stored)
            return future

        def work() -> Outcome:
            outcome = self._tester.test(excerpt)
            self._outcomes[key] = outcome
            return outcome

        return self._pool.submit(work)

    def close(self) -> None:
        """End all processes, and discard their work."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._tester.close()


def _key(excerpt: Excerpt) -> bytes:
    digest = hashlib.sha256(excerpt.module)
    for value in excerpt.arguments:
        array: Any = np.ascontiguousarray(value)
        digest.update(f"{array.dtype}{array.shape}".encode())
        digest.update(array.tobytes())
    return digest.digest()


# Lists ------------------------------------------------------------------------------------------------

# Makes the program of some items of a list, by position; None if there is none.
Make = Callable[[Sequence[int]], Excerpt | None]


def shrink(search: Search, what: str, count: int, make: Make) -> list[int]:
    """A small part of a list whose program satisfies the predicate; no further item can be removed.

    The search first keeps only a half or a quarter, as long as the program of that part satisfies the
    predicate; then it removes smaller and smaller parts.
    """
    kept = list(range(count))

    def tried(parts: Iterable[Sequence[int]]) -> Iterator[tuple[Sequence[int], Excerpt]]:
        for part in parts:
            excerpt = make(part) if part else None
            if excerpt is not None:
                yield part, excerpt

    while len(kept) > 1:
        now = kept
        hit = search.first(what, len(kept), tried([now[part.start : part.stop] for part in _parts(len(now))]))
        if hit is None:
            break
        kept = list(hit[0])
    size = max(1, len(kept) // 2)
    while len(kept) > 1:
        start, has_shrunk = 0, False
        while start < len(kept):
            now, starts = kept, range(start, len(kept), size)
            parts = [[*now[:first], *now[first + size :]] for first in starts]
            hit = search.first(what, len(kept), tried(parts))
            if hit is None:
                break
            start = starts[next(n for n, part in enumerate(parts) if part is hit[0])]
            kept, has_shrunk = list(hit[0]), True
        if size == 1 and not has_shrunk:
            break
        size = max(1, size // 2)
    return kept


def _parts(count: int) -> Iterator[range]:
    """Halves and quarters of a list, which overlap."""
    for size in dict.fromkeys((count // 2, count // 4)):
        if size:
            step = max(1, size // 2)
            yield from (range(start, start + size) for start in range(0, count - size, step))
            yield range(count - size, count)
