"""How far the values of another evaluation may be from hlokit's.

Both kinds of bounds start from an `Applied` operation, count the terms of its sums (`rules.terms`), and use
the units of rounding of `rules.bound_operations`:

- `reordered`: the other evaluation is hlokit's own, but adds in another order. The bound is proven, by the
  rules that cards name, and follows the values through a program;
- `libraries`: the other evaluation is that of any good library, on the same operands of one operation. The
  bound is what such libraries are known to round, and the effect of operands that they did not round.
"""
