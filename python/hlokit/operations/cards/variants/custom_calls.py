"""Variants of `custom_call`: whole programs with calls that JAX writes, and that compilers share.

Asynchronous and ragged collectives are in `processes`.
"""

from __future__ import annotations

from hlokit.operations.cards.variants.processes import CUSTOM_COLLECTIVES
from hlokit.operations.cards.variants.variant import Variant

_SQUARE = "tensor<4x4xf32>"


def _call(name: str, target: str, operands: str, types: str, attributes: str = "") -> Variant:
    """A program of one call.

    Args:
      types: of operands and results.
    """
    taken, returned = types.split(" -> ")
    parameters = ", ".join(
        f"{value}: {type_}" for value, type_ in zip(operands.split(", "), taken.split(", "), strict=True)
    )
    results = returned.split(", ")
    count = f":{len(results)}" if len(results) > 1 else ""
    names = ", ".join(f"%r#{number}" for number in range(len(results))) if count else "%r"
    return Variant(
        name,
        "",
        f"""func.func @main({parameters}) -> ({returned}) {{
  %r{count} = stablehlo.custom_call @{target}({operands}) {{{attributes}}} : ({taken}) -> ({returned})
  return {names} : {returned}
}}
""",
    )


def _factors(name: str, lines: str, results: str, types: str) -> Variant:
    """A decomposition of a matrix by LAPACK, in f32, and the product of its factors, which has no open signs."""
    body = "\n  ".join(line.strip() for line in lines.strip().splitlines())
    return Variant(
        name,
        "",
        f"""func.func @main(%0: tensor<4x4x$>) -> ({types}) {{
  %a = stablehlo.convert %0 : (tensor<4x4x$>) -> {_SQUARE}
  {body}
  return {results} : {types}
}}
""",
    )


def _lapack(result: str, routine: str, operands: str, config: str, types: str) -> str:
    """A call of LAPACK, with matrices in the order of columns, as JAX writes it."""
    taken, returned = types.split(" -> ")
    layouts = [", ".join(_LAYOUTS[type_] for type_ in side.split(", ")) for side in (taken, returned)]
    return (
        f"{result} = stablehlo.custom_call @lapack_{routine}_ffi({operands}) {{api_version = 4 : i32, "
        f"backend_config = {{{config}}}, operand_layouts = [{layouts[0]}], result_layouts = [{layouts[1]}]}} : "
        f"({taken}) -> ({returned})"
    )


_ROW, _STATUS, _PIVOTS = "tensor<4xf32>", "tensor<i32>", "tensor<4xi32>"
_LAYOUTS = {
    _SQUARE: "dense<[0, 1]> : tensor<2xindex>",
    _ROW: "dense<0> : tensor<1xindex>",
    _PIVOTS: "dense<0> : tensor<1xindex>",
    _STATUS: "dense<> : tensor<0xindex>",
}
_TIMES_ROW = f"""%wide = stablehlo.broadcast_in_dim %f#1, dims = [1] : ({_ROW}) -> {_SQUARE}
  %scaled = stablehlo.multiply VECTORS, %wide : {_SQUARE}"""
_TRANSPOSED = "contracting_dims = [1] x [1]"


def _product(left: str, right: str, dims: str = "contracting_dims = [1] x [0]") -> str:
    types = f"({_SQUARE}, {_SQUARE}) -> {_SQUARE}"
    return f"%p = stablehlo.dot_general {left}, {right}, {dims} : {types}"


_DECOMPOSITIONS = (
    _factors(
        "lapack-eigenvalues",
        f"""{_lapack("%f:3", "ssyevd", "%a", "mode = 86 : ui8, uplo = 76 : ui8", f"{_SQUARE} -> {_SQUARE}, {_ROW}, {_STATUS}")}
  {_TIMES_ROW.replace("VECTORS", "%f#0")}
  {_product("%scaled", "%f#0", _TRANSPOSED)}""",
        "%p, %f#1, %f#2",
        f"{_SQUARE}, {_ROW}, {_STATUS}",
    ),
    _factors(
        "lapack-singular-values",
        f"""{_lapack("%f:5", "sgesdd", "%a", "mode = 83 : ui8", f"{_SQUARE} -> {_SQUARE}, {_ROW}, {_SQUARE}, {_SQUARE}, {_STATUS}")}
  {_TIMES_ROW.replace("VECTORS", "%f#2")}
  {_product("%scaled", "%f#3")}""",
        "%p, %f#1, %f#4",
        f"{_SQUARE}, {_ROW}, {_STATUS}",
    ),
    _factors(
        "lapack-orthogonal",
        f"""{_lapack("%f:2", "sgeqrf", "%a", "", f"{_SQUARE} -> {_SQUARE}, {_ROW}")}
  {_lapack("%q", "sorgqr", "%f#0, %f#1", "", f"{_SQUARE}, {_ROW} -> {_SQUARE}")}
  {_product("%q", "%q", "contracting_dims = [0] x [0]")}
  %one = stablehlo.constant dense<1.0> : {_SQUARE}
  %away = stablehlo.add %p, %one : {_SQUARE}
  %t = stablehlo.transpose %q, dims = [1, 0] : ({_SQUARE}) -> {_SQUARE}
  %u = stablehlo.dot_general %t, %a, contracting_dims = [1] x [0] : ({_SQUARE}, {_SQUARE}) -> {_SQUARE}
  %r = stablehlo.dot_general %q, %u, contracting_dims = [1] x [0] : ({_SQUARE}, {_SQUARE}) -> {_SQUARE}""",
        "%away, %r",
        f"{_SQUARE}, {_SQUARE}",
    ),
    _factors(
        "lapack-pivots",
        _lapack("%f:3", "sgetrf", "%a", "", f"{_SQUARE} -> {_SQUARE}, {_PIVOTS}, {_STATUS}"),
        "%f#0, %f#1, %f#2",
        f"{_SQUARE}, {_PIVOTS}, {_STATUS}",
    ),
    _factors(
        "lapack-triangular",
        _lapack(
            "%x",
            "strsm",
            "%a, %a",
            "diag = 85 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8",
            f"{_SQUARE}, {_SQUARE} -> {_SQUARE}",
        ),
        "%x",
        _SQUARE,
    ),
)

CUSTOM_CALL = (
    *CUSTOM_COLLECTIVES,
    _call("marker", "Sharding", "%0", "tensor<3x5x$> -> tensor<3x5x$>", 'mhlo.sharding = "{replicated}"'),
    _call(
        "greatest",
        "mhlo.topk",
        "%0",
        "tensor<3x5x$> -> tensor<3x2x$>, tensor<3x2xi32>",
        "mhlo.attributes = {k = 2 : i64, largest = true}, mhlo.version = 1 : i64",
    ),
    *(
        _call(
            f"encoded-{name}",
            f"mhlo.{name}",
            "%0",
            "tensor<5x$> -> tensor<5x$>",
            "mhlo.attributes = {}, mhlo.version = 1 : i64",
        )
        for name in ("erf", "tan", "asin")
    ),
    *_DECOMPOSITIONS,
)
