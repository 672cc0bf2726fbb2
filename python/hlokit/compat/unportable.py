"""Types without a VHLO form that the bindings do not reject: the bindings convert such types to null and
crash."""

from __future__ import annotations

import re

from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import walk

_COMPLEX = re.compile(r"complex<(\w+)>")
_ELEMENTS = re.compile(r"u?i(?:2|4|8|16|32|64)|i1|bf16|f16|f32|f64|f[468]E\w+|tf32")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


def unportable_operations(module: ir.Module) -> list[tuple[ir.Operation, str]]:
    """Operations with a complex type whose element type VHLO lacks, each with the first such type."""
    if not _unportable_type(_text(module.operation)):
        return []
    unportable: list[tuple[ir.Operation, str]] = []

    def look(operation: ir.Operation) -> None:
        name = _unportable_type(_text(operation, skip_regions=True))
        if name:
            unportable.append((operation, name))

    walk(module.operation, look)
    # Only the text of the whole operation contains the types of block arguments.
    return unportable or [(module.operation, _unportable_type(_text(module.operation)))]


def _text(operation: ir.Operation, *, skip_regions: bool = False) -> str:
    return str(
        operation.get_asm(
            large_elements_limit=0, large_resource_limit=0, assume_verified=True, skip_regions=skip_regions
        )
    )


def _unportable_type(text: str) -> str:
    if all(_ELEMENTS.fullmatch(element) for element in set(_COMPLEX.findall(text))):
        return ""
    types = _COMPLEX.finditer(_STRING.sub('""', text))
    return next((match[0] for match in types if not _ELEMENTS.fullmatch(match[1])), "")
