"""Compilers that hlokit starts, and the snapshots of their stages."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from hlokit.mlir.printing import write_bytecode
from hlokit.programs.program import Program
from hlokit.tools.backends.children import ChildSide
from hlokit.tools.backends.side import SideFailed
from hlokit.tools.stages.dumps import is_folder_of_dumps, read_folder
from hlokit.tools.stages.snapshots import Compilation

XLA = "xla"
_DUMPS = "--xla_dump_hlo_pass_re=.* --xla_dump_hlo_as_proto --xla_dump_hlo_as_text=false"


def compiled_by_xla(
    program: Program, function: str, values: Sequence[Any], folder: str, time_limit: float
) -> Compilation:
    """Compile and run a function with XLA in a child process, which dumps the module after each pass.

    Args:
      folder: an empty folder for the dumps.
      time_limit: seconds to compile and run.
    """
    flags = f"{os.environ.get('XLA_FLAGS', '')} --xla_dump_to={folder} {_DUMPS}"
    side = ChildSide(XLA, time_limit, environment={"XLA_FLAGS": flags})
    results, failure = None, None
    try:
        module = write_bytecode(program.module)
        results = side.run(module, [np.asarray(value) for value in values], function)
    except SideFailed as failed:
        failure = failed
    finally:
        side.close()
    snapshots = read_folder(folder) if is_folder_of_dumps(folder) else []
    return Compilation(XLA, snapshots, results, failure)
