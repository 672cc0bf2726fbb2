"""The public names, pinned: a change of this list is a change for users."""

from __future__ import annotations

import inspect
import tomllib
from pathlib import Path

import pytest

import hlokit

PUBLIC_NAMES = [
    "ArgumentError",
    "CheckAccuracy",
    "CheckFailed",
    "Comparison",
    "CustomCall",
    "Diagnostic",
    "DiffReport",
    "Element",
    "EvaluationError",
    "Finding",
    "HlokitError",
    "InternalError",
    "ParseError",
    "Program",
    "Record",
    "Recorder",
    "Recording",
    "Reduction",
    "ResourceError",
    "RunTrace",
    "SelfChecking",
    "Shadow",
    "ShadowRecord",
    "ShadowReport",
    "Sharded",
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
    "diff",
    "from_jax",
    "from_torch",
    "infer",
    "load",
    "make_test",
    "record",
    "reduce",
    "shard",
    "verify",
]


def test_public_names_are_pinned() -> None:
    assert sorted(hlokit.__all__) == PUBLIC_NAMES


def test_other_names_are_errors() -> None:
    with pytest.raises(AttributeError, match="no attribute nothing"):
        _ = hlokit.nothing  # pyright: ignore[reportAttributeAccessIssue] # there is no such name


def test_names_are_in_the_listed_modules() -> None:
    assert set(hlokit._MODULES) < set(hlokit.__all__) <= set(dir(hlokit))
    for name, module in hlokit._MODULES.items():
        assert getattr(hlokit, name).__module__.startswith(module)


def test_public_names_are_documented() -> None:
    for name in hlokit.__all__:
        assert inspect.getdoc(getattr(hlokit, name)), f"{name} has no docstring"


def test_the_version_is_defined_in_one_file() -> None:
    root = Path(__file__).parents[2]
    project = tomllib.loads((root / "pyproject.toml").read_text())
    assert "version" not in project["project"]
    assert project["tool"]["scikit-build"]["metadata"]["version"]["input"] == "python/hlokit/__init__.py"
    # Citations and the changelog name it, too.
    assert f'version: "{hlokit.__version__}"' in (root / "CITATION.cff").read_text()
    assert f"## {hlokit.__version__}" in (root / "CHANGELOG.md").read_text()
