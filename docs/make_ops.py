"""Write docs/ops.md: which operations are evaluated, where their semantics stands, and which file tests them.

    python docs/make_ops.py
"""

from __future__ import annotations

import inspect
from pathlib import Path

import hlokit  # noqa: F401 # fills the registry
from hlokit.interpreter.registry import find, registered_operations
from hlokit.mlir.bindings import stablehlo

ROOT = Path(__file__).parent.parent
HEADER = """# Operations

Made by `python docs/make_ops.py`; a test keeps it up to date. An operation that is not evaluated raises
`UnsupportedError` when the program reaches it, and `hlokit ops FILE` lists it beforehand.

| operation | evaluated in | test |
|---|---|---|
"""


def dialect_operations() -> set[str]:
    """Names of the StableHLO operations that the bindings have, but for the terminator."""
    classes = inspect.getmembers(stablehlo, inspect.isclass)
    names = {str(getattr(class_, "OPERATION_NAME", "")) for _, class_ in classes}
    return {name for name in names if name.startswith("stablehlo.")} - {"stablehlo.return"}


def _row(name: str) -> str:
    bind = find(name)
    test = f"tests/interpret/{name.rpartition('.')[2]}.mlir"
    where = f"`{inspect.getmodule(bind).__name__}`" if bind is not None else "not evaluated"  # type: ignore[union-attr]
    return f"| `{name}` | {where} | {f'`{test}`' if (ROOT / test).exists() else ''} |"


def table() -> str:
    """The page's text."""
    names = sorted(dialect_operations() | set(registered_operations()))
    return HEADER + "\n".join(map(_row, names)) + "\n"


if __name__ == "__main__":
    (ROOT / "docs" / "ops.md").write_text(table())
