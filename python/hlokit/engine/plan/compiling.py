"""How much one run of a program compiles for later runs."""

from __future__ import annotations

import sys
import threading

# The least units of work of one run. To lower a step is one unit, to allocate the registers of an instruction
# and encode it another; a thousand take some 15 ms.
UNITS_PER_RUN = 600


class Compiling(threading.local):
    """What blocks that run in this thread compile, spread over runs: no run takes much longer than the first.

    Attributes:
      is_deferred: blocks compile nothing, since their caller may compile a program that contains them.
      is_first_run: the program runs for the first time: what it compiles should be ready soon.
      left: the units of work until the current run compiles nothing more. The first run of a program has no
        limit: it compiles only what it uses again.
      planned: the number of steps that this thread has planned.
      evaluated: the number of steps that this thread has evaluated one by one.
    """

    is_deferred = False
    is_first_run = False
    left = sys.maxsize
    planned = 0
    evaluated = 0

    @property
    def is_limited(self) -> bool:
        """Whether this run may leave work to later runs."""
        return self.left < sys.maxsize // 2

    def start_run(self, planned: int) -> None:
        """A run begins in this thread.

        Args:
          planned: the number of steps that the first run of the program has planned, 0 in the first run.
            Planning and evaluating a step took longer than a unit.
        """
        self.is_first_run = not planned
        self.left = max(UNITS_PER_RUN, 3 * planned // 4) if planned else sys.maxsize


COMPILING = Compiling()
