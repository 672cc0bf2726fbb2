"""The reference: the specification, executable.

Each operation is one short function of tensors that reads like its formula in the specification, and that
anyone may call alone:

    from hlokit.reference.stablehlo.elementwise import add
    add(lhs, rhs)  # result[i] = lhs[i] + rhs[i]

`evaluate` evaluates a function of a module with them, operation by operation. Nothing here is fast, and
nothing shares code with the faster tiers: what they must agree with, byte for byte, stands here. What the
specification leaves open is decided in `rules`. One file is one chapter; `operations` is the table of
contents.
"""

from hlokit.reference.evaluator import evaluate, evaluate_parallel, run

__all__ = ["evaluate", "evaluate_parallel", "run"]
