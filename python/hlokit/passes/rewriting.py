"""Patterns in Python under MLIR's own greedy driver."""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# (the bindings are partly untyped)

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from hlokit.mlir.bindings import ir, rewrite
from hlokit.passes.registry import failure

# The driver does not hear of operations that patterns in Python create: these wait for its next iteration. So
# more may be needed than the 10 that are MLIR's limit. After as many as these, patterns undo each other.
_MOST_ITERATIONS = 200
_NO_END = "pattern application failed to converge"

# Matches and rewrites one operation; whether it did. It must not change anything where it does not.
Pattern = Callable[[ir.Operation, "Rewriter"], bool]


class Rewriter:
    """What a pattern changes the program with."""

    def __init__(self, rewriter: Any) -> None:
        self._rewriter = rewriter

    @property
    def insertion_point(self) -> ir.InsertionPoint:
        """Before the operation that is matched."""
        return self._rewriter.ip

    def replace(self, operation: ir.Operation, values: Iterable[ir.Value[Any]]) -> None:
        """Replace the results of an operation, and erase it."""
        self._rewriter.replace_op(operation, list(values))

    def erase(self, operation: ir.Operation) -> None:
        """Erase an operation that nothing uses."""
        self._rewriter.erase_op(operation)


def apply_patterns(operation: ir.Operation, patterns: Iterable[tuple[str, Pattern, int]]) -> None:
    """Apply patterns, MLIR's folders and its removal of dead code, until nothing changes any more.

    Args:
      patterns: name of the operation at the root, pattern, benefit: higher ones are tried first.

    Raises:
      PassError: it does not come to an end.
    """
    pattern_set = rewrite.RewritePatternSet(operation.context)
    for name, pattern, benefit in patterns:
        pattern_set.add(name, _adapted(pattern), benefit)
    config = rewrite.GreedyRewriteConfig()
    config.max_iterations = _MOST_ITERATIONS
    try:
        with operation.context:
            rewrite.apply_patterns_and_fold_greedily(operation, pattern_set.freeze(), config)
    except RuntimeError as error:
        if str(error) != _NO_END:
            raise
        raise failure(operation, f"still changes after {_MOST_ITERATIONS} rounds of rewriting") from error


def _adapted(pattern: Pattern) -> Callable[[Any, Any], bool]:
    """The bindings take a falsy answer for a match."""

    def match_and_rewrite(operation: Any, rewriter: Any) -> bool:
        matched = operation.operation
        with rewriter.ip, matched.location:
            return not pattern(matched, Rewriter(rewriter))

    return match_and_rewrite
