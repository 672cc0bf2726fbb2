"""Scripts of users of JAX, in processes of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

PREAMBLE = "import jax, jax.numpy as jnp, numpy as np\n"


def run(script: str, platform: str | None = "hlokit", **variables: str) -> subprocess.CompletedProcess[str]:
    """The end of a process that runs a script, or the file of that name, with JAX's platform."""
    environment = {name: value for name, value in os.environ.items() if name != "JAX_PLATFORMS"} | variables
    if platform is not None:
        environment["JAX_PLATFORMS"] = platform
    command = (
        [sys.executable, script] if script.endswith(".py") else [sys.executable, "-c", PREAMBLE + script]
    )
    return subprocess.run(command, check=False, capture_output=True, text=True, env=environment, timeout=120)


def output(script: str, platform: str | None = "hlokit", **variables: Any) -> str:
    """What a script prints; it must not fail, nor write anything else."""
    ended = run(script, platform, **variables)
    assert (ended.returncode, ended.stderr) == (0, "")
    return ended.stdout.strip()
