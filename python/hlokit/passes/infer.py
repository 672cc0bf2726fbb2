"""`hlo-test-infer`: shows the types and shapes that operations infer for their results.

Test operations request them: `"hlo_test_infer.get_return_types"(%result)` becomes
`hlo_test_infer.return_types` with an attribute `types0`, `types1`, ... for each result of the operation that
defines `%result`, and `get_return_type_components` likewise; `reify_return_type_shapes` becomes operations
that compute the shape. If the operation infers nothing, the test operation is unchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import attributes_of
from hlokit.passes.framework.registry import Options, Pass
from hlokit.passes.framework.rewriting import Pattern, Rewriter, apply_patterns
from hlokit.passes.inference import inferred_components, inferred_types
from hlokit.passes.reify import reified_shapes


def producer(test: ir.Operation) -> ir.Operation | None:
    """The operation that defines the only operand of another; None if no operation does."""
    if len(test.operands) != 1:
        return None
    owner = test.operands[0].owner
    return owner.operation if isinstance(owner, ir.Operation | ir.OpView) else None


def _with_types(answer: str, infer: Callable[[ir.Operation], Sequence[ir.Type] | None]) -> Pattern:
    def match_and_rewrite(test: ir.Operation, rewriter: Rewriter) -> bool:
        subject = producer(test)
        types = None if subject is None else infer(subject)
        attributes = attributes_of(test)
        if types is None or len(attributes) < len(test.attributes):
            return False
        attributes |= {f"types{i}": ir.TypeAttr.get(type_) for i, type_ in enumerate(types)}
        results = [result.type for result in test.results]
        replacement = ir.Operation.create(answer, results, list(test.operands), attributes)
        rewriter.replace(test, replacement.results)
        return True

    return match_and_rewrite


def _reify(test: ir.Operation, rewriter: Rewriter) -> bool:
    subject = producer(test)
    if subject is None or len(subject.results) != len(test.results):
        return False
    shapes = reified_shapes(subject)
    if shapes is None:
        return False
    rewriter.replace(test, shapes)
    return True


def _run(function: ir.Operation, options: Options) -> None:
    patterns = [
        (
            "hlo_test_infer.get_return_types",
            _with_types("hlo_test_infer.return_types", inferred_types),
            1,
        ),
        (
            "hlo_test_infer.get_return_type_components",
            _with_types("hlo_test_infer.return_type_components", inferred_components),
            1,
        ),
        ("hlo_test_infer.reify_return_type_shapes", _reify, 1),
    ]
    apply_patterns(function, patterns)


PASS = Pass(
    "hlo-test-infer",
    "answer hlo_test_infer.* operations: types, components of types, and shapes of results",
    _run,
    anchor="func.func",
)
