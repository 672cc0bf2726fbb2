"""Shell scripts that RUN lines call, with hlokit's commands in place of the compiled tools."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from hlokit.tools.conformance.shell import Outcome

# The tools of scripts, and what stands for them: the main function of a module. Shardy's scripts take the
# names of tools from variables.
_TOOLS = {
    "split-file": "hlokit.tools.conformance.split_file:main",
    "stablehlo-opt": "hlokit.cli:stablehlo_opt",
    "sdy_opt": "hlokit.cli:stablehlo_opt",
    "stablehlo-translate": "hlokit.cli:stablehlo_translate",
}


def run_script(words: Sequence[str], data: bytes) -> Outcome:
    """Run a script with `bash`.

    Args:
      words: the script and its arguments.
    """
    with tempfile.TemporaryDirectory(prefix="hlokit-") as folder:
        variables = dict(os.environ, PATH=f"{folder}{os.pathsep}{os.environ.get('PATH', os.defpath)}")
        for name, entry in _TOOLS.items():
            module, function = entry.split(":")
            code = f"import sys; from {module} import {function}; sys.exit({function}())"
            tool = Path(folder, name)
            command = f"'{sys.executable}' -c '{code}'"
            tool.write_text(f'#!/bin/sh\nexec {command} "$@"\n', encoding="utf-8")
            tool.chmod(0o755)
            variables[name.upper().replace("-", "_")] = str(tool)
        done = subprocess.run(["bash", *words], input=data, capture_output=True, check=False, env=variables)
    return Outcome(done.returncode, done.stdout, done.stderr)
