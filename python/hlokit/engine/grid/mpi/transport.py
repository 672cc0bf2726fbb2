"""The engine's interface to MPI: control messages between each rank and rank 0, and values between ranks.

Every wait polls, first eagerly and then at growing intervals: ranks may outnumber cores, and blocking calls
of MPI would take processor time from other ranks. Requires mpi4py (the extra `mpi`).
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

from hlokit.engine.grid.mpi import library
from hlokit.errors import UnsupportedError

try:
    library.provide()
    from mpi4py import MPI
except (ImportError, RuntimeError) as error:
    # mpi4py raises RuntimeError if there is no MPI library.
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
    """Called in a polling loop: spins first, then sleeps for growing times.

    Args:
      spins: the number of calls that do not sleep.
      longest: the longest sleep of a call, in seconds.
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
    """This rank's connections. Several threads may send control messages.

    Attributes:
      rank, size: the number of this rank, and of all ranks.

    Raises:
      UnsupportedError: the MPI library supports only one thread.
    """

    def __init__(self) -> None:
        if MPI.Query_thread() < MPI.THREAD_MULTIPLE:
            raise UnsupportedError("the MPI engine needs an MPI library that allows several threads")
        self._control = MPI.COMM_WORLD.Dup()
        self._values = MPI.COMM_WORLD.Dup()
        self._payloads = MPI.COMM_WORLD.Dup()
        self.rank: int = self._control.rank
        self.size: int = self._control.size
        self._last_tag = int(MPI.COMM_WORLD.Get_attr(MPI.TAG_UB) or 32767)
        self._groups: dict[tuple[int, ...], MPI.Intracomm] = {tuple(range(self.size)): self._values}
        self._posted: deque[tuple[MPI.Request, Bytes]] = deque()

    # Control messages -----------------------------------------------------------------------------

    def request(self, message: object) -> None:
        """Send a request to rank 0."""
        self._control.send(message, 0, _REQUEST)

    def next_request(self) -> tuple[int, Any] | None:
        """The number of a rank and the request that came from it; None if there is none."""
        status = MPI.Status()
        message = self._control.improbe(MPI.ANY_SOURCE, _REQUEST, status)
        return None if message is None else (status.Get_source(), message.recv())

    def reply(self, rank: int, message: object) -> None:
        """Answer a rank."""
        self._control.send(message, rank, _REPLY)

    def next_reply(self) -> Any:
        """The answer of rank 0; None if there is none yet."""
        message = self._control.improbe(0, _REPLY)
        return None if message is None else message.recv()

    def notice(self, rank: int, message: object) -> None:
        """Send a message that is not a reply to a rank."""
        self._control.send(message, rank, _NOTICE)

    def next_notice(self) -> Any:
        """A notice of rank 0; None if there is none. The call also lets MPI make progress."""
        message = self._control.improbe(0, _NOTICE)
        return None if message is None else message.recv()

    # Values ---------------------------------------------------------------------------------------

    def group(self, ranks: tuple[int, ...]) -> MPI.Intracomm:
        """A communicator of ranks in this order. All these ranks call this method."""
        communicator = self._groups.get(ranks)
        if communicator is None:
            group = self._values.Get_group().Incl(ranks)
            communicator = self._groups[ranks] = self._values.Create_group(group)
            group.Free()
        return communicator

    def gather(self, value: object, everywhere: bool) -> list[Any] | None:
        """The values of all ranks, in every rank or in rank 0 only. All ranks call this method."""
        return self._values.allgather(value) if everywhere else self._values.gather(value)

    def broadcast(self, value: object) -> Any:
        """The value of rank 0. All ranks call this method."""
        return self._values.bcast(value)

    def post(self, rank: int, number: int, value: object) -> int:
        """Send a value to a rank, without waiting for its arrival.

        Returns:
          The size of the value in bytes, which the receiver requires.
        """
        while self._posted and self._posted[0][0].Test():
            self._posted.popleft()
        data = np.frombuffer(pickle.dumps(value, protocol=5), np.uint8)
        self._posted.append((self._payloads.Isend([data, MPI.BYTE], rank, number % self._last_tag), data))
        return data.size

    def fetch(self, rank: int, number: int, size: int) -> Any:
        """A value that a rank has posted."""
        data = np.empty(size, np.uint8)
        wait_for([self._payloads.Irecv([data, MPI.BYTE], rank, number % self._last_tag)])
        return pickle.loads(data.data)

    def barrier(self) -> None:
        """Wait for all ranks; do nothing if MPI has ended."""
        if not MPI.Is_finalized():
            request, pause = self._values.Ibarrier(), Pause()
            while not request.Test():
                pause()

    def finish_posts(self) -> None:
        """Wait until all posted values have arrived."""
        wait_for([request for request, _ in self._posted])
        self._posted.clear()


def wait_for(requests: Sequence[MPI.Request]) -> None:
    """Wait until requests are complete."""
    # All participants poll, and MPI moves large values in small pieces, one piece per test.
    pause = Pause(3 * _SPINS, _SHORTEST)
    while not MPI.Request.Testall(requests):
        pause()


def finalize() -> None:
    """End MPI in this process; all ranks call this."""
    if not MPI.Is_finalized():
        MPI.Finalize()


def abort() -> None:
    """End all processes."""
    MPI.COMM_WORLD.Abort(1)
