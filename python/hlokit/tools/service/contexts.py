"""The context that all requests share: a new context takes longer than a thousand inferences."""

from __future__ import annotations

import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from hlokit.mlir.provider.context import make_context

if TYPE_CHECKING:
    from hlokit.mlir.provider.bindings import ir

# A context keeps every type and attribute that it has ever parsed.
_LARGEST_SEEN = 64 << 20


class _Shared:
    """One context, replaced after parsing much text."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.context: ir.Context | None = None
        self.seen = 0
        self.users = 0


_SHARED = _Shared()


@contextmanager
def shared_context(size: int = 0) -> Generator[ir.Context]:
    """The context, for one thread at a time.

    Args:
      size: characters of text that the caller will parse in the context.
    """
    with _SHARED.lock:
        if _SHARED.context is None or (_SHARED.seen > _LARGEST_SEEN and not _SHARED.users):
            _SHARED.context = make_context()
            _SHARED.seen = 0
        _SHARED.seen += size
        _SHARED.users += 1
        try:
            yield _SHARED.context
        finally:
            _SHARED.users -= 1
