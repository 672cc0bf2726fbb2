"""The stub of an extension module declares exactly the names of the module, with the same docstrings."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path
from types import ModuleType

import pytest

import hlokit
from hlokit import _bytecode, _kernels, _pjrt


def stub_docs(body: list[ast.stmt], prefix: str = "") -> dict[str, str | None]:
    docs: dict[str, str | None] = {}
    for node in body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            docs[prefix + node.name] = ast.get_docstring(node)
        if isinstance(node, ast.ClassDef):
            docs |= stub_docs(node.body, f"{node.name}.")
    return docs


def extension_docs(module: ModuleType) -> dict[str, str | None]:
    docs: dict[str, str | None] = {}
    for name, member in vars(module).items():
        if name.startswith("_"):
            continue
        if not isinstance(member, type):
            docs[name] = _own_docstring(member)
            continue
        docs[name] = inspect.cleandoc(member.__doc__)
        if issubclass(member, Exception):
            continue
        for attribute, value in vars(member).items():
            # Methods of `object` need no documentation, unless the class has a docstring for them.
            if not attribute.startswith("_") or (attribute == "__init__" and _own_docstring(value)):
                docs[f"{name}.{attribute}"] = _own_docstring(value)
    return docs


def _own_docstring(member: object) -> str | None:
    """The docstring without the signature with which nanobind begins it."""
    function = member.fget if isinstance(member, property) else member
    _, _, text = inspect.cleandoc(function.__doc__ or "").partition("\n\n")
    return text or None


@pytest.mark.parametrize("module", [_bytecode, _kernels, _pjrt], ids=lambda module: module.__name__)
def test_stub(module: ModuleType) -> None:
    name = module.__name__.rpartition(".")[2]
    stub = ast.parse((Path(hlokit.__file__).parent / f"{name}.pyi").read_text())
    assert ast.get_docstring(stub) == module.__doc__
    assert stub_docs(stub.body) == extension_docs(module)
