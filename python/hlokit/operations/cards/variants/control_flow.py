"""Variants of the operations of `control_flow`: whole programs."""

from __future__ import annotations

from hlokit.operations.cards.variants.variant import Variant


def _if(name: str, value: str) -> Variant:
    return Variant(
        name,
        "",
        """func.func @main(%0: tensor<i1>, %1: tensor<3x$>, %2: tensor<3x$>) -> tensor<3x$> {
  %r = "stablehlo.if"(%0) ({
    %s = stablehlo.add %1, %2 : tensor<3x$>
    stablehlo.return %s : tensor<3x$>
  }, {
    stablehlo.return %2 : tensor<3x$>
  }) : (tensor<i1>) -> tensor<3x$>
  return %r : tensor<3x$>
}
""",
        ((0, value),),
    )


IF = (_if("true", "true"), _if("false", "false"))
CASE = tuple(
    Variant(
        f"branch-{name}",
        "",
        """func.func @main(%0: tensor<i32>, %1: tensor<3x$>, %2: tensor<3x$>) -> tensor<3x$> {
  %r = "stablehlo.case"(%0) ({
    stablehlo.return %1 : tensor<3x$>
  }, {
    %s = stablehlo.add %1, %2 : tensor<3x$>
    stablehlo.return %s : tensor<3x$>
  }, {
    stablehlo.return %2 : tensor<3x$>
  }) : (tensor<i32>) -> tensor<3x$>
  return %r : tensor<3x$>
}
""",
        ((0, value),),
    )
    for name, value in (("0", "0"), ("1", "1"), ("last", "2"), ("beyond", "7"), ("before", "-1"))
)


def _while(name: str, turns: str) -> Variant:
    """A nested loop: the inner one adds, the outer one adds the sum to itself."""
    return Variant(
        name,
        "",
        """func.func @main(%0: tensor<i32>, %1: tensor<3x$>) -> (tensor<i32>, tensor<3x$>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %x = %1) : tensor<i32>, tensor<3x$>
  cond {
    %p = stablehlo.compare LT, %i, %0 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %q:2 = stablehlo.while(%j = %zero, %y = %x) : tensor<i32>, tensor<3x$>
    cond {
      %p = stablehlo.compare LT, %j, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %s = stablehlo.add %y, %1 : tensor<3x$>
      %k = stablehlo.add %j, %one : tensor<i32>
      stablehlo.return %k, %s : tensor<i32>, tensor<3x$>
    }
    %t = stablehlo.add %q#1, %x : tensor<3x$>
    %k = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %k, %t : tensor<i32>, tensor<3x$>
  }
  return %r#0, %r#1 : tensor<i32>, tensor<3x$>
}
""",
        ((0, turns),),
    )


WHILE = (_while("never", "0"), _while("once", "1"), _while("nested", "3"))
