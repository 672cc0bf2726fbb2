"""A limit on how deep text may be nested: MLIR's parser is recursive and would overrun the stack."""

from __future__ import annotations

from hlokit import _bytecode
from hlokit.errors import Diagnostic, ParseError

# Some 3,000 levels fit into a stack of 8 MiB. Programs have some ten, call-site locations a hundred.
DEEPEST = 1000


def require_shallow(text: str, filename: str = "-") -> None:
    """Return if MLIR can parse the text without overrunning the stack.

    Raises:
      ParseError: brackets are nested more than `DEEPEST` levels deep.
    """
    if _bytecode.bracket_depth(text) < DEEPEST:
        return
    from hlokit.mlir.text.lexer import deepest_bracket, line_and_column  # few texts are deep

    offset = deepest_bracket(text, DEEPEST)
    if offset is not None:
        message = f"nested more than {DEEPEST} levels deep"
        raise ParseError((Diagnostic("error", message, filename, *line_and_column(text, offset)),))
