"""Scripts of users of JAX, in processes of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
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


# Runs the scripts of its argument one after the other, each with names of its own.
_ONE_BY_ONE = """
import contextlib, io, json, sys, traceback

def printed(script):
    with contextlib.redirect_stdout(io.StringIO()) as stream:
        try:
            exec(compile(script, "<string>", "exec"), {})
        except Exception:
            traceback.print_exc(file=stream)
    return stream.getvalue().strip()

print(json.dumps({name: printed(script) for name, script in json.loads(sys.argv[1]).items()}))
"""


def outputs(scripts: Mapping[str, str]) -> dict[str, str]:
    """What each script prints, its traceback included, in one process: JAX takes longer to start than they do."""
    texts = json.dumps({name: PREAMBLE + script for name, script in scripts.items()})
    environment = os.environ | {"JAX_PLATFORMS": "hlokit"}
    command = [sys.executable, "-c", _ONE_BY_ONE, texts]
    ended = subprocess.run(command, check=True, capture_output=True, text=True, env=environment, timeout=120)
    return json.loads(ended.stdout)
