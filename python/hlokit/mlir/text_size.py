"""A limit on the printed size of types, attributes and locations of a module."""

from __future__ import annotations

from contextlib import suppress

from hlokit.errors import Diagnostic, ParseError
from hlokit.mlir.provider.bindings import ir

# Characters of a module's text without constants and aliases, for a module and for each byte of its bytecode.
_LARGEST_TEXT = 4 << 20
_TEXT_PER_BYTE = 128


class _Counter:
    """A file that counts written characters, up to a limit."""

    def __init__(self, limit: int) -> None:
        self.left = limit

    def write(self, text: str) -> int:
        self.left -= len(text)
        if self.left < 0:
            # Exceptions do not propagate through the bindings' printer, so this child process ends here.
            raise SystemExit
        return len(text)


def require_printable(module: ir.Module, size: int) -> None:
    """Return if the text of a module is within the limit for bytecode of that size.

    Bytecode contains every type, attribute and location once, even if many others refer to it.

    Raises:
      ParseError: the text is larger.
    """
    limit = _LARGEST_TEXT + _TEXT_PER_BYTE * size
    counter = _Counter(limit)
    with suppress(SystemExit):
        module.operation.print(
            file=counter,
            large_elements_limit=0,
            enable_debug_info=True,
            use_local_scope=True,
            assume_verified=True,
        )
    if counter.left < 0:
        raise ParseError(
            (
                Diagnostic(
                    "error",
                    f"types, attributes and locations expand to more than {limit} characters",
                    "-",
                ),
            )
        )
