"""Rewrite patterns in Python, applied by MLIR's greedy driver."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from hlokit.mlir.provider.bindings import ir, rewrite
from hlokit.passes.framework.registry import failure

# The driver is not notified of operations that Python patterns create, and visits them in its next iteration.
# Therefore programs may require more iterations than MLIR's limit of 10. Beyond this limit, patterns undo
# each other.
_MOST_ITERATIONS = 200
_NOT_CONVERGED = "pattern application failed to converge"

# Matches and rewrites one operation, and returns whether it did. A pattern that returns false must not change
# anything.
Pattern = Callable[[ir.Operation, "Rewriter"], bool]


class Rewriter:
    """The interface through which a pattern changes the program."""

    def __init__(self, rewriter: Any) -> None:
        self._rewriter = rewriter

    def replace(self, operation: ir.Operation, values: Iterable[ir.Value]) -> None:
        """Replace the results of an operation, and erase it."""
        self._rewriter.replace_op(operation, list(values))

    def erase(self, operation: ir.Operation) -> None:
        """Erase an operation whose results have no uses."""
        self._rewriter.erase_op(operation)


def apply_patterns(operation: ir.Operation, patterns: Iterable[tuple[str, Pattern, int]]) -> None:
    """Apply patterns, MLIR's folders and its dead-code elimination until nothing changes.

    Args:
      patterns: the name of the root operation, the pattern, and its benefit; patterns with a higher benefit
        are tried first.

    Raises:
      PassError: the rewriting does not terminate.
    """
    pattern_set = rewrite.RewritePatternSet(operation.context)
    for name, pattern, benefit in patterns:
        pattern_set.add(name, _adapted(pattern), benefit)  # pyright: ignore[reportUnknownMemberType] # of the bindings
    config = rewrite.GreedyRewriteConfig()
    config.max_iterations = _MOST_ITERATIONS
    try:
        with operation.context:
            rewrite.apply_patterns_and_fold_greedily(operation, pattern_set.freeze(), config)  # pyright: ignore[reportUnknownMemberType] # of the bindings
    except RuntimeError as error:
        if str(error) != _NOT_CONVERGED:
            raise
        raise failure(operation, f"still changes after {_MOST_ITERATIONS} rounds of rewriting") from error


def _adapted(pattern: Pattern) -> Callable[[Any, Any], bool]:
    """Adapt the result of a pattern: the bindings treat a falsy result as a match."""

    def match_and_rewrite(operation: Any, rewriter: Any) -> bool:
        matched = operation.operation
        with rewriter.ip, matched.location:
            return not pattern(matched, Rewriter(rewriter))

    return match_and_rewrite
