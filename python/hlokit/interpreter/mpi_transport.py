"""What the engine needs of MPI: words between each rank and rank 0, and values between ranks.

Everything is polled, first eagerly and then at growing intervals: ranks may outnumber cores, and blocking
calls of MPI would burn the time that others need. Needs mpi4py (the extra `mpi`).
"""

from __future__ import annotations

import os
import pickle
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit.errors import UnsupportedError

try:
    from mpi4py import MPI
except (ImportError, RuntimeError) as error:
    # mpi4py raises RuntimeError where there is no MPI library.
    reason = " ".join(str(error).split())
    needs = "the MPI engine needs mpi4py and an MPI library: pip install 'hlokit[mpi]' mpich"
    raise UnsupportedError(f"{needs} ({reason})") from None

Array = npt.NDArray[Any]
Bytes = npt.NDArray[np.uint8]

_yield: Callable[[], object] = getattr(os, "sched_yield", lambda: time.sleep(0))
_REQUEST, _REPLY, _NOTICE = 1, 2, 3
_SPINS = 300
_SHORTEST, _LONGEST = 2e-5, 1e-3


class Pause:
    """Called while there is nothing to do: spins, then sleeps longer and longer.

    Args:
      spins: how often.
      longest: seconds of sleep.
    """

    def __init__(self, spins: int = _SPINS, longest: float = _LONGEST) -> None:
        self._spins = spins
        self._sleep = _SHORTEST
        self._longest = longest

    def __call__(self) -> None:
        if self._spins:
            self._spins -= 1
            _yield()
            return
        time.sleep(self._sleep)
        self._sleep = min(2 * self._sleep, self._longest)


class Transport:
    """This rank's connections. Those for words may be used by several threads.

    Attributes:
      rank, size: of this rank, and how many there are.

    Raises:
      UnsupportedError: the MPI library allows one thread only.
    """

    def __init__(self) -> None:
        if MPI.Query_thread() < MPI.THREAD_MULTIPLE:
            raise UnsupportedError("the MPI engine needs an MPI library that allows several threads")
        self._words = MPI.COMM_WORLD.Dup()
        self._values = MPI.COMM_WORLD.Dup()
        self._mail = MPI.COMM_WORLD.Dup()
        self.rank: int = self._words.rank
        self.size: int = self._words.size
        self._last_tag = int(MPI.COMM_WORLD.Get_attr(MPI.TAG_UB) or 32767)
        self._groups: dict[tuple[int, ...], MPI.Intracomm] = {tuple(range(self.size)): self._values}
        self._posted: deque[tuple[MPI.Request, Bytes]] = deque()

    # Words ----------------------------------------------------------------------------------------

    def request(self, word: object) -> None:
        """Say something to rank 0."""
        self._words.send(word, 0, _REQUEST)

    def next_request(self) -> tuple[int, Any] | None:
        """What a rank has said, and which one; None if there is nothing."""
        status = MPI.Status()
        message = self._words.improbe(MPI.ANY_SOURCE, _REQUEST, status)
        return None if message is None else (status.Get_source(), message.recv())

    def reply(self, rank: int, word: object) -> None:
        """Answer a rank."""
        self._words.send(word, rank, _REPLY)

    def next_reply(self) -> Any:
        """What rank 0 has answered, None if it has not."""
        message = self._words.improbe(0, _REPLY)
        return None if message is None else message.recv()

    def notice(self, rank: int, word: object) -> None:
        """Tell a rank what it has not asked for."""
        self._words.send(word, rank, _NOTICE)

    def next_notice(self) -> Any:
        """What rank 0 has told, None if nothing. Also keeps MPI going."""
        message = self._words.improbe(0, _NOTICE)
        return None if message is None else message.recv()

    # Values ---------------------------------------------------------------------------------------

    def group(self, ranks: tuple[int, ...]) -> MPI.Intracomm:
        """A communicator of ranks in this order. All of them call this."""
        found = self._groups.get(ranks)
        if found is None:
            group = self._values.Get_group().Incl(ranks)
            found = self._groups[ranks] = self._values.Create_group(group)
            group.Free()
        return found

    def gather(self, value: object, everywhere: bool) -> list[Any] | None:
        """The values of all ranks, in every rank or in rank 0 only. All call this."""
        return self._values.allgather(value) if everywhere else self._values.gather(value)

    def broadcast(self, value: object) -> Any:
        """The value of rank 0. All call this."""
        return self._values.bcast(value)

    def post(self, rank: int, number: int, value: object) -> int:
        """Send a value to a rank, and do not wait until it has arrived.

        Returns:
          Its size in bytes, which the receiver needs.
        """
        while self._posted and self._posted[0][0].Test():
            self._posted.popleft()
        data = np.frombuffer(pickle.dumps(value, protocol=5), np.uint8)
        self._posted.append((self._mail.Isend([data, MPI.BYTE], rank, number % self._last_tag), data))
        return data.size

    def fetch(self, rank: int, number: int, size: int) -> Any:
        """What a rank has posted."""
        data = np.empty(size, np.uint8)
        wait_for([self._mail.Irecv([data, MPI.BYTE], rank, number % self._last_tag)])
        return pickle.loads(data.data)

    def meet(self) -> None:
        """Wait for all ranks; nothing if MPI has ended."""
        if not MPI.Is_finalized():
            request, pause = self._values.Ibarrier(), Pause()
            while not request.Test():
                pause()

    def finish_posts(self) -> None:
        """Wait until all that was posted has arrived."""
        wait_for([request for request, _ in self._posted])
        self._posted.clear()


def wait_for(requests: Sequence[MPI.Request]) -> None:
    """Wait until requests are complete."""
    # All whom it concerns are at it, and large values go in small pieces, one a test.
    pause = Pause(3 * _SPINS, _SHORTEST)
    while not MPI.Request.Testall(requests):
        pause()


def finalize() -> None:
    """End MPI in this process, in agreement with all others."""
    if not MPI.Is_finalized():
        MPI.Finalize()


def abort() -> None:
    """End all processes."""
    MPI.COMM_WORLD.Abort(1)
