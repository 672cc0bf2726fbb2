"""`hlo-test-speculatability`: shows whether operations may run even if their results are not used.

Test operations state a claim about the operation that defines their operand:
`"hlo_test_speculatability.is_speculatable"(%result)`, `is_not_speculatable`, `is_recursively_speculatable`.
If the claim is true and nothing else uses the operation, the pass erases both. All remaining test operations
make false claims.
"""

from __future__ import annotations

from hlokit.mlir.provider.bindings import ir
from hlokit.passes.framework.registry import Options, Pass
from hlokit.passes.framework.rewriting import Pattern, Rewriter, apply_patterns
from hlokit.passes.infer import producer

_CLAIMS = {
    "is_speculatable": ir.Speculatability.Speculatable,
    "is_not_speculatable": ir.Speculatability.NotSpeculatable,
    "is_recursively_speculatable": ir.Speculatability.RecursivelySpeculatable,
}


def _claims(speculatability: ir.Speculatability) -> Pattern:
    def match_and_rewrite(claim: ir.Operation, rewriter: Rewriter) -> bool:
        subject = producer(claim)
        if subject is None or _uses(subject) != 1 or _speculatability(subject) != speculatability:
            return False
        rewriter.erase(claim)
        rewriter.erase(subject)
        return True

    return match_and_rewrite


def _uses(operation: ir.Operation) -> int:
    return sum(1 for result in operation.results for _ in result.uses)


def _speculatability(operation: ir.Operation) -> ir.Speculatability | None:
    try:
        return ir.ConditionallySpeculatable(operation, context=operation.context).getSpeculatability()
    except ValueError:
        return None


def _run(function: ir.Operation, options: Options) -> None:
    patterns = [(f"hlo_test_speculatability.{name}", _claims(value), 1) for name, value in _CLAIMS.items()]
    apply_patterns(function, patterns)


PASS = Pass(
    "hlo-test-speculatability",
    "erase hlo_test_speculatability.* operations whose claim about their operand's operation is true",
    _run,
    anchor="func.func",
)
