"""Control flow, tuples, tokens, custom calls, terminators."""

from __future__ import annotations

from hlokit.kernels.control_flow import branches_and_loops, tuples_and_tokens
from hlokit.kernels.custom_calls import dispatch
from hlokit.operations.cards import probes
from hlokit.operations.cards.card import ANY_WIDTH, F64_ONLY, NO_PROBE, Card, NotAgain
from hlokit.operations.cards.kinds import structure, unevaluated
from hlokit.operations.cards.variants import control_flow as variants
from hlokit.operations.cards.variants import custom_calls as variants_of_custom_calls
from hlokit.operations.traits import NO_TRAITS, Domain, Nans, Quantized, Traits
from hlokit.reference.dialects import custom_calls as ref_custom_calls
from hlokit.reference.stablehlo import control_flow as ref_control_flow
from hlokit.tools.diff.rules import open_factors
from hlokit.tools.equal.rules import arrays as exact_arrays
from hlokit.tools.equal.rules import bit_arrays, loops

CARDS: tuple[Card, ...] = (
    structure(
        "func.call",
        summary="Calls a function of the module.",
        formula=('results = decomposition(inputs...); "func.call" evaluates its callee in the same way'),
        traits=Traits(aliases=("closed_call",), control=True, quantized=Quantized.KNOWN, ranked=True),
        kernel=branches_and_loops.call,
        reference=lambda call: ref_control_flow.call_function(call, "callee"),
        probe=NO_PROBE,
        shadow=ANY_WIDTH,
    ),
    structure(
        "stablehlo.case",
        summary="Evaluates one of several branches, which an integer selects. An index out of bounds selects the last branch.",
        formula=(
            "result = branches[index](), or the result of the last branch if the index is out of bounds"
        ),
        traits=Traits(
            aliases=("switch",),
            domains=(("index", Domain.BRANCH),),
            exact=True,
            control=True,
            quantized=Quantized.KNOWN,
            own_folding=True,
        ),
        kernel=branches_and_loops.case,
        reference=lambda call: ref_control_flow.case(call.tensor(), call.regions),
        variants=variants.CASE,
        probe=(("2x$, i32 -> 2x$", f"({probes.RESULT})"),),
        shadow=ANY_WIDTH,
        bits=bit_arrays.BRANCHES,
    ),
    structure(
        "stablehlo.composite",
        summary="An operation with a name and attributes that is made of others: a function says how to compute it, and a backend that knows the name may do it better.",
        formula=('results = decomposition(inputs...); "func.call" evaluates its callee in the same way'),
        traits=Traits(
            control=True, quantized=Quantized.KNOWN, ranked=True, not_folded="consumers look for it by name"
        ),
        kernel=branches_and_loops.call,
        reference=lambda call: ref_control_flow.call_function(call, "decomposition"),
        probe=probes.COMPOSITE,
        shadow=ANY_WIDTH,
    ),
    structure(
        "stablehlo.if",
        summary="Evaluates one of two branches, which a boolean selects.",
        formula="result = pred ? true_branch() : false_branch()",
        traits=Traits(aliases=("cond",), control=True, quantized=Quantized.KNOWN, own_folding=True),
        kernel=branches_and_loops.if_,
        reference=lambda call: ref_control_flow.if_(call.tensor(), *call.regions),
        variants=variants.IF,
        probe=(("2x$, i1 -> 2x$", f"({probes.RESULT}, {probes.RESULT})"),),
        shadow=ANY_WIDTH,
        bits=bit_arrays.BRANCHES,
    ),
    structure(
        "stablehlo.while",
        summary="Repeats its second region as long as the first one returns true; values go round from the results of the body to its arguments.",
        formula="results = operand; while cond(results): results = body(results)",
        traits=Traits(
            aliases=("loop", "while_loop", "fori_loop", "for"),
            control=True,
            quantized=Quantized.KNOWN,
            not_folded="it may never end",
        ),
        kernel=branches_and_loops.while_,
        reference=lambda call: ref_control_flow.while_(call.operands, *call.regions),
        exact=loops.WHILE,
        variants=variants.WHILE,
        probe=(
            (
                probes.SAME,
                "({^bb0(%a: tensor<2x$>): %r = stablehlo.constant dense<false> : tensor<i1> stablehlo.return %r : tensor<i1>}, "
                "{^bb0(%a: tensor<2x$>): stablehlo.return %a : tensor<2x$>})",
            ),
        ),
        shadow=ANY_WIDTH,
        bits=bit_arrays.WHILE,
    ),
    structure(
        "stablehlo.after_all",
        summary="Joins tokens: whatever takes the new token runs after everything that made the old ones. A token orders effects and holds no value.",
        formula='result = a token after all inputs; "create_token" is the same without inputs',
        traits=Traits(exact=True, ordering=True, not_folded="it orders other operations"),
        kernel=tuples_and_tokens.after_all,
        reference=lambda call: ref_control_flow.after_all(),
        probe=NO_PROBE,
        shadow=F64_ONLY,
    ),
    structure(
        "stablehlo.create_token",
        summary="Makes a token that waits for nothing: the start of a chain of operations with effects.",
        formula='result = a token after all inputs; "create_token" is the same without inputs',
        traits=Traits(ordering=True, not_folded="it orders other operations"),
        kernel=tuples_and_tokens.after_all,
        reference=lambda call: ref_control_flow.after_all(),
        probe=NO_PROBE,
        shadow=F64_ONLY,
    ),
    structure(
        "stablehlo.get_tuple_element",
        summary="One element of a tuple.",
        formula="result = operand[index]",
        traits=Traits(moves=slice(1), tuples=True, quantized=Quantized.KNOWN),
        kernel=tuples_and_tokens.get_tuple_element,
        reference=lambda call: ref_control_flow.get_tuple_element(
            call.operands[0], call.attributes.int_("index")
        ),
        probe=probes.TUPLE,
        shadow=ANY_WIDTH,
    ),
    structure(
        "stablehlo.optimization_barrier",
        summary="Returns its operands unchanged, and keeps compilers from moving operations past it.",
        formula="result = operand; no operation moves across the barrier",
        traits=Traits(
            aliases=("barrier",),
            moves=slice(0, None),
            quantized=Quantized.KNOWN,
            not_folded="it orders other operations",
        ),
        kernel=tuples_and_tokens.optimization_barrier,
        reference=lambda call: ref_control_flow.optimization_barrier(call.operands),
        probe=((probes.SAME, ""),),
        shadow=ANY_WIDTH,
    ),
    structure(
        "stablehlo.tuple",
        summary="Makes one value of several. Newer programs return several results instead.",
        formula="result = (val0, val1, ...)",
        traits=Traits(moves=slice(0, None), tuples=True, quantized=Quantized.KNOWN),
        kernel=tuples_and_tokens.tuple_,
        reference=lambda call: ref_control_flow.tuple_(call.operands),
        probe=probes.TUPLE,
        shadow=ANY_WIDTH,
    ),
    structure(
        "stablehlo.custom_call",
        summary="Calls something by name that StableHLO does not define. hlokit evaluates those that JAX writes, and functions that you register with `@hlokit.custom_call`.",
        formula="results = call_target_name(inputs...), which the implementation defines",
        traits=Traits(
            aliases=("ffi_call",),
            foreign=True,
            quantized=Quantized.KNOWN,
            nans=Nans.BY_TARGET,
            not_folded="its semantics are unknown",
        ),
        kernel=dispatch.custom_call,
        reference=ref_custom_calls.custom_call,
        probe=((probes.SAME, '{call_target_name = "Sharding"}'),),
        variants=variants_of_custom_calls.CUSTOM_CALL,
        exact=exact_arrays.CUSTOM_CALL,
        shadow=NotAgain("is computed by external code of a fixed type"),
        open=(open_factors.FACTORS,),
    ),
    unevaluated(
        "chlo.return",
        summary="Ends a region, and hands its results to the operation around it.",
        reason="the planner ends a block with it",
        traits=Traits(terminator=True),
        opcodes=(),
    ),
    unevaluated(
        "func.return",
        summary="Ends a function, and hands its results to the caller.",
        reason="the planner ends a block with it",
        traits=Traits(terminator=True),
        opcodes=(),
    ),
    unevaluated(
        "sdy.return",
        summary="Ends a region, and hands its results to the operation around it.",
        reason="the planner ends a block with it",
        traits=Traits(terminator=True),
        opcodes=(),
    ),
    unevaluated(
        "shape.assuming_yield",
        summary="Ends a region, and hands its results to the operation around it.",
        reason="the planner ends a block with it",
        traits=Traits(terminator=True),
        opcodes=(),
    ),
    unevaluated(
        "stablehlo.return",
        summary="Ends a region, and hands its results to the operation around it.",
        reason="the planner ends a block with it",
        traits=Traits(terminator=True),
        opcodes=(),
    ),
    unevaluated(
        "vm.canonical_nan",
        reason="native programs contain it in place of several operations",
        traits=Traits(nans=Nans.ONE),
        opcodes=("canonical_nan",),
    ),
    unevaluated(
        "vm.disturb",
        reason="disturbed runs of `hlokit diff` contain it after operations that round",
        traits=NO_TRAITS,
        opcodes=("disturb", "add_rounds", "subtract_rounds", "multiply_rounds", "divide_rounds"),
    ),
    unevaluated(
        "vm.floor_divide",
        reason="native programs contain it in place of several operations",
        traits=NO_TRAITS,
        opcodes=("floor_divide",),
    ),
    unevaluated(
        "vm.floor_remainder",
        reason="native programs contain it in place of several operations",
        traits=NO_TRAITS,
        opcodes=("floor_remainder",),
    ),
    unevaluated(
        "vm.normalize_index",
        reason="native programs contain it in place of several operations",
        traits=NO_TRAITS,
        opcodes=("normalize_index",),
    ),
    unevaluated(
        "vm.rotate",
        reason="native programs contain it in place of several operations",
        traits=NO_TRAITS,
        opcodes=("rotate",),
    ),
)
