"""The public names, pinned: a change of this list is a change for users."""

from __future__ import annotations

import inspect
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import hlokit

PUBLIC_NAMES = [
    "ArgumentError",
    "CheckAccuracy",
    "CheckFailed",
    "CustomCall",
    "Diagnostic",
    "Element",
    "EvaluationError",
    "HlokitError",
    "InternalError",
    "ParseError",
    "Program",
    "Record",
    "Shadow",
    "ShadowRecord",
    "ShadowReport",
    "Signature",
    "StopOnNan",
    "Summary",
    "Tensor",
    "Token",
    "Trace",
    "UnsupportedError",
    "VerificationError",
    "VersionError",
    "custom_call",
    "from_jax",
    "infer",
    "load",
    "verify",
]


def test_public_names_are_pinned() -> None:
    assert sorted(hlokit.__all__) == PUBLIC_NAMES


# Modules that take milliseconds to import, and that running a program does not need.
NOT_NEEDED = ("email", "hlokit.compat.serialize", "hlokit.numerics", "hlokit.service", "numpy.random")


def test_a_program_runs_without_what_it_does_not_need() -> None:
    script = f"""
import sys
import hlokit
hlokit.load("func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {{ return %x : tensor<2xf32> }}")([1, 2])
print([name for name in {NOT_NEEDED} if name in sys.modules])
print(hlokit.infer.__name__, hlokit.Shadow.__name__)
"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines() == ["[]", "infer Shadow"]


def test_other_names_are_errors() -> None:
    with pytest.raises(AttributeError, match="no attribute nothing"):
        _ = hlokit.nothing  # pyright: ignore[reportAttributeAccessIssue]


def test_public_names_are_documented() -> None:
    for name in hlokit.__all__:
        assert inspect.getdoc(getattr(hlokit, name)), f"{name} has no docstring"


def test_version_is_the_packages() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    assert hlokit.__version__ == project["version"]
