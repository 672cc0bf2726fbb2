"""Programs of `programs.py`, exported in a child process."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np

import hlokit


@dataclass(frozen=True)
class Exported:
    """A program, its arguments, and on 8 simulated devices: what JAX computes, and the HLO of each device."""

    name: str
    program: hlokit.Program
    arguments: list[Any]
    expected: list[Any]
    hlo: str


def export(directory: Path, *names: str) -> list[Exported]:
    """Export programs to a directory."""
    script = Path(__file__).with_name("programs.py")
    subprocess.run([sys.executable, script, directory, *names], check=True)
    return [_read(directory, name) for name in names]


def _read(directory: Path, name: str) -> Exported:
    arrays = np.load(directory / f"{name}.npz")
    listed: dict[str, list[Any]] = {"in_": [], "out_": []}
    for key in arrays:
        name_, _, dtype = key.partition(":")
        kind = "in_" if name_.startswith("in_") else "out_"
        listed[kind].append(arrays[key].view(ml_dtypes.bfloat16) if dtype == "bfloat16" else arrays[key])
    hlo = (directory / f"{name}.hlo").read_text()
    return Exported(name, hlokit.load(directory / f"{name}.bin"), listed["in_"], listed["out_"], hlo)


def flat(results: Any) -> list[Any]:
    """The leaves of nested tuples and lists."""
    if isinstance(results, tuple | list):
        return [leaf for each in results for leaf in flat(each)]
    return [results]
