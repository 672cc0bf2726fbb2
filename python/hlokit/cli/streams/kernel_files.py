"""Python files with functions for custom calls, which a command runs before the program."""

from __future__ import annotations

import runpy

from hlokit.errors import ArgumentError
from hlokit.files import reading as files


def run_file(path: str) -> None:
    """Run a Python file, which registers functions with `@hlokit.custom_call`.

    Raises:
      ArgumentError: the file cannot be read, or fails.
    """
    try:
        with files.open_file(path):
            pass
    except (OSError, ValueError) as error:
        raise ArgumentError(f"cannot open kernels file '{path}': {files.reason(error)}") from None
    try:
        runpy.run_path(path)
    except (Exception, SystemExit) as error:
        trace = error.__traceback__
        line = 0
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == path:
                line = trace.tb_lineno
            trace = trace.tb_next
        position = f"{path}:{line}" if line else path
        raise ArgumentError(f"kernels file {position}: {type(error).__name__}: {error}") from None
