"""Tiny programs of operations, with `$` for the element type.

A probe is operands -> results, then the text between operands and types: attributes, or regions in parentheses;
or a whole module, if an operation needs more. Several probes of an operation are alternatives: an element type is
allowed if one of them verifies.
"""

from __future__ import annotations

Probe = tuple[str, str] | str

ADD = "%r = stablehlo.add %a, %b : tensor<$>"
REDUCER = f"({{^bb0(%a: tensor<$>, %b: tensor<$>): {ADD} stablehlo.return %r : tensor<$>}})"
SELECTOR = "{^bb0(%a: tensor<$>, %b: tensor<$>): %r = stablehlo.compare EQ, %a, %b : (tensor<$>, tensor<$>) -> tensor<i1> stablehlo.return %r : tensor<i1>}"
RESULT = "{stablehlo.return %0 : tensor<2x$>}"
GROUPS = "replica_groups = dense<[[0]]> : tensor<1x1xi64>"
PAIRS = "source_target_pairs = dense<[[0, 0]]> : tensor<1x2xi64>"
WINDOW = "window_dimensions = array<i64: 2>"
CONV = (
    "batch_group_count = 1 : i64, feature_group_count = 1 : i64, "
    "dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>"
)
NORM = "epsilon = 0.1 : f32, feature_index = 0 : i64"
DOT = "dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>"
GATHER = "dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>"
SCATTER = (
    "scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], "
    "scatter_dims_to_operand_dims = [0], index_vector_dim = 1>"
)
SOLVE = "{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}"
SAME = "2x$ -> 2x$"
TWO = "2x$, 2x$ -> 2x$"


CONSTANTS = ("1", "1.0", "true", "(1.0, 0.0)")
TRANSFER = "channel_handle = #stablehlo.channel_handle<handle = 7, type = {}>, is_host_transfer = true"


def main(body: str, results: str = "2x$") -> str:
    """A module of one function of a tensor `%0`, whose `%r` it returns."""
    return f"func.func @main(%0: tensor<2x$>) -> tensor<{results}> {{\n{body}\nreturn %r : tensor<{results}>\n}}\n"


ASYNC = (
    main(
        """%f = "stablehlo.async_start"(%0) ({^bb0(%a: tensor<2x$>):
        %g = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[0]]> : tensor<1x1xi64>}
          : (tensor<2x$>) -> tensor<2x$>
        stablehlo.return %g : tensor<2x$>}) : (tensor<2x$>) -> !stablehlo.future<tensor<2x$>>
        %r = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<2x$>>) -> tensor<2x$>"""
    ),
)
TUPLE = (
    main(
        """%t = stablehlo.tuple %0, %0 : tuple<tensor<2x$>, tensor<2x$>>
        %r = stablehlo.get_tuple_element %t[1] : (tuple<tensor<2x$>, tensor<2x$>>) -> tensor<2x$>"""
    ),
)
SEND = (
    f"""func.func @sender(%0: tensor<2x$>, %t: !stablehlo.token) -> !stablehlo.token {{
      %r = "stablehlo.send"(%0, %t) {{{TRANSFER.format(2)}}} : (tensor<2x$>, !stablehlo.token) -> !stablehlo.token
      return %r : !stablehlo.token
    }}
    func.func @receiver(%t: !stablehlo.token) -> tensor<2x$> {{
      %r:2 = "stablehlo.recv"(%t) {{{TRANSFER.format(3)}}} : (!stablehlo.token) -> (tensor<2x$>, !stablehlo.token)
      return %r#0 : tensor<2x$>
    }}"""
    + main(
        """%t = stablehlo.create_token : !stablehlo.token
        %s, %r = "interpreter.run_parallel"(%0, %t, %t) {programs = [[@sender], [@receiver]]}
          : (tensor<2x$>, !stablehlo.token, !stablehlo.token) -> (!stablehlo.token, tensor<2x$>)"""
    ),
)
INFEED = tuple(
    f"""func.func @feed() -> tensor<2x$> {{
      %c = stablehlo.constant dense<{value}> : tensor<2x$>
      return %c : tensor<2x$>
    }}
    func.func @reader(%t: !stablehlo.token) -> tensor<2x$> {{
      %r:2 = "stablehlo.infeed"(%t) : (!stablehlo.token) -> (tensor<2x$>, !stablehlo.token)
      return %r#0 : tensor<2x$>
    }}"""
    + main(
        """%t = stablehlo.create_token : !stablehlo.token
        %r = "interpreter.run_parallel"(%t) {infeed = [@feed], programs = [[@reader]]}
          : (!stablehlo.token) -> tensor<2x$>"""
    )
    for value in CONSTANTS
)
COMPOSITE = (
    "func.func private @twice(%a: tensor<2x$>) -> tensor<4x$> {\n"
    "%r = stablehlo.concatenate %a, %a, dim = 0 : (tensor<2x$>, tensor<2x$>) -> tensor<4x$>\n"
    "return %r : tensor<4x$>\n}\n"
    + main(
        '%r = stablehlo.composite "a.b" %0 {decomposition = @twice} : (tensor<2x$>) -> tensor<4x$>', "4x$"
    ),
)


def of_one_type(operands: int) -> tuple[Probe, ...]:
    """An operation whose operands and result have one type."""
    return ((f"{', '.join(['2x$'] * operands)} -> 2x$", ""),)
