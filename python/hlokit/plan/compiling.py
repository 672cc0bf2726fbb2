"""How much one run of a program compiles for later runs."""

from __future__ import annotations

import threading

# Units of work of one run. To lower an instruction is one, to allocate its registers and encode it another: a
# thousand take some 15 ms.
UNITS_PER_RUN = 800


class Compiling(threading.local):
    """What blocks that run in this thread compile, spread over runs: no run takes much longer than the first.

    Attributes:
      is_deferred: nothing.
      left: the units of work until the current run compiles nothing more.
    """

    is_deferred = False
    left = UNITS_PER_RUN

    def start_run(self) -> None:
        """A run begins in this thread."""
        self.left = UNITS_PER_RUN


COMPILING = Compiling()
