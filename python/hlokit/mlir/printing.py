"""Modules as text and as bytecode, with the options of the MLIR tools."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hlokit.mlir.provider.diagnostics import collected
from hlokit.mlir.text.check_printing import to_custom

if TYPE_CHECKING:
    from hlokit.mlir.provider.bindings import ir

# The file name in locations of text that was parsed from memory.
_NAMELESS = re.compile(r'"-":(?=\d+:\d+)')


@dataclass(frozen=True, slots=True)
class Style:
    """Options for printing a module.

    Attributes:
      generic: print every operation in its generic form.
      debug_info: print locations.
      pretty_debug_info: print locations for human readers, which cannot be parsed.
      local_scope: print types, attributes and locations in place, without aliases.
      name_prefixes: name values after the names in their locations.
      largest_elements: elide elements attributes with more elements; None for no limit.
      largest_resource: elide resources with more characters; None for no limit.
    """

    generic: bool = False
    debug_info: bool = False
    pretty_debug_info: bool = False
    local_scope: bool = False
    name_prefixes: bool = False
    largest_elements: int | None = None
    largest_resource: int | None = None


def print_module(module: ir.Module, style: Style, filename: str = "-") -> str:
    """A verified module as text, with check operations in their custom form.

    Args:
      filename: the input's name in locations.
    """
    text = str(
        module.operation.get_asm(
            large_elements_limit=style.largest_elements,
            large_resource_limit=style.largest_resource,
            enable_debug_info=style.debug_info or style.pretty_debug_info,
            pretty_debug_info=style.pretty_debug_info,
            print_generic_op_form=style.generic,
            use_local_scope=style.local_scope,
            use_name_loc_as_prefix=style.name_prefixes,
            assume_verified=True,
        )
    )
    if not style.generic and '"check.' in text:
        text = to_custom(text)
    if style.debug_info and filename != "-":
        quoted = filename.replace("\\", "\\\\").replace('"', '\\"')
        text = _NAMELESS.sub(lambda _: f'"{quoted}":', text)
    return text.rstrip() + "\n"


def write_bytecode(module: ir.Module, version: int | None = None) -> bytes:
    """A module as MLIR bytecode.

    Args:
      version: the version of the bytecode; None for the newest.

    Raises:
      ValueError: there is no such version, or the version cannot hold the module.
    """
    buffer = io.BytesIO()
    with collected(module.context) as diagnostics:
        try:
            module.operation.write_bytecode(buffer, version)
        except ValueError:
            raise ValueError("; ".join(item.message for item in diagnostics)) from None
    return buffer.getvalue()
