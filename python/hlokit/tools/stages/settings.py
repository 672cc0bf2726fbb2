"""How stages are compared."""

from __future__ import annotations

from typing import NamedTuple

from hlokit.tools.backends.children import TIME_LIMIT
from hlokit.tools.diff.comparing.findings import Progress, silent
from hlokit.tools.diff.comparing.flushing import Flush


class Settings(NamedTuple):
    """How stages are compared.

    Attributes:
      function: name of the function; None for the entry function.
      time_limit: seconds that the compiler, and each run in hlokit, may take; all of it takes at most twice
        as long.
      flush: the subnormal numbers that the compiler may replace by zero; see `hlokit.diff`.
      module: the name of the module in a folder of dumps; None if the folder has one module.
      stops: whether the first stage that changes the meaning is the last one that is compared.
      texts: whether the report has the programs before and after each stage.
      progress: called with the current step, its completed part, and its total.
    """

    function: str | None = None
    time_limit: float = TIME_LIMIT
    flush: Flush = "all"
    module: str | None = None
    stops: bool = False
    texts: bool = False
    progress: Progress = silent


DEFAULTS = Settings()
