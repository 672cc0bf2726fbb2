"""Whole models: small programs of several operations, as compilers get them; `$` is the element type."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType

_FOLDER = Path(__file__).parent / "programs"
MODELS = MappingProxyType(
    {path.stem: path.read_text(encoding="utf-8") for path in sorted(_FOLDER.glob("*.mlir"))}
)
