"""The public names, pinned: a change of this list is a change for users."""

from __future__ import annotations

import inspect
import tomllib
from pathlib import Path

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


def test_public_names_are_documented() -> None:
    for name in hlokit.__all__:
        assert inspect.getdoc(getattr(hlokit, name)), f"{name} has no docstring"


def test_version_is_the_packages() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    assert hlokit.__version__ == project["version"]
