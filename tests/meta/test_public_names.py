"""The public names: those of the stub `__init__.pyi`, whose change is a change for users."""

from __future__ import annotations

import ast
import inspect
import tomllib
from pathlib import Path

import pytest

import hlokit


def test_every_name_of_the_stub_is_public() -> None:
    stub = ast.parse(Path(hlokit.__file__).with_suffix(".pyi").read_text())
    imports = {
        alias.asname: node.module
        for node in stub.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert len(imports) == 55
    assert imports == hlokit._MODULES
    names: dict[str, object] = {}
    exec("from hlokit import *", names)
    assert set(imports) == set(names) - {"__builtins__"}


def test_other_names_are_errors() -> None:
    with pytest.raises(AttributeError, match="no attribute nothing"):
        _ = hlokit.nothing  # pyright: ignore[reportAttributeAccessIssue] # there is no such name


def test_names_are_in_the_listed_modules() -> None:
    assert set(hlokit.__all__) <= set(dir(hlokit))
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
