"""The reference: the executable specification.

Each operation is one short function of tensors, which reads like its formula in the specification and may be
called separately:

    from hlokit.reference.stablehlo.elementwise import add
    add(lhs, rhs)  # result[i] = lhs[i] + rhs[i]

`evaluator.evaluate` evaluates a function of a module operation by operation with these functions. The
reference is slow, and shares no code with the faster tiers, whose results must equal its results byte for
byte. `rules` decides the points that the specification leaves open. Each file is a chapter; the cards of the
operations (`hlokit.operations`) name its functions.
"""
