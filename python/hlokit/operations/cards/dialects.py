"""Operations of other dialects: check, arith, interpreter, sdy, shape, tensor."""

from __future__ import annotations

from hlokit.engine.contract.registry import BindFunction
from hlokit.kernels.checks import ops as check_ops
from hlokit.kernels.dialects import arith as arith_dialect
from hlokit.kernels.dialects import interpreter as interpreter_dialect
from hlokit.kernels.dialects import sdy as sdy_dialect
from hlokit.kernels.dialects import shape as shape_dialect
from hlokit.kernels.dialects import tensor as tensor_dialect
from hlokit.kernels.shapes import constants
from hlokit.operations.cards.card import ANY_WIDTH, F64_ONLY, Card, NotAgain, Without
from hlokit.operations.cards.kinds import of_dialect
from hlokit.operations.traits import Quantized, Traits
from hlokit.reference.dialects import checks as ref_checks
from hlokit.reference.dialects import shardings as ref_shardings
from hlokit.reference.model.calls import Row
from hlokit.reference.stablehlo import control_flow as ref_control_flow
from hlokit.reference.stablehlo import transfers as ref_transfers
from hlokit.tools.equal.rules.meanings import Meaning, Moved

NOT_IN_REFERENCE = Without("the reference evaluates programs without it")


def _evaluated(name: str, kernel: BindFunction, exact: Meaning | None = None) -> Card:
    return of_dialect(name, kernel=kernel, reference=NOT_IN_REFERENCE, shadow=F64_ONLY, exact=exact)


def _marker(name: str, *, reference: Row) -> Card:
    """An operation that changes how devices hold a tensor, and keeps the tensor."""
    return of_dialect(name, kernel=sdy_dialect.marker, reference=reference, shadow=F64_ONLY, exact=Moved())


CARDS: tuple[Card, ...] = (
    of_dialect(
        "check.expect_all_true",
        kernel=check_ops.expect_true,
        reference=lambda call: ref_checks.expect_truth(call, True),
        shadow=NotAgain("has side effects"),
    ),
    of_dialect(
        "check.expect_almost_eq",
        kernel=check_ops.expect_almost_eq,
        reference=lambda call: ref_checks.expect_operand(call, ref_checks.tolerance_of(call)),
        shadow=NotAgain("has side effects"),
    ),
    of_dialect(
        "check.expect_almost_eq_const",
        kernel=check_ops.expect_almost_eq_const,
        reference=lambda call: ref_checks.expect_value(call, ref_checks.tolerance_of(call)),
        shadow=NotAgain("has side effects"),
    ),
    of_dialect(
        "check.expect_close",
        kernel=check_ops.expect_close,
        reference=lambda call: ref_checks.expect_operand(call, ref_checks.closeness_of(call)),
        shadow=NotAgain("has side effects"),
    ),
    of_dialect(
        "check.expect_eq",
        kernel=check_ops.expect_eq,
        reference=lambda call: ref_checks.expect_operand(call, ref_checks.equal),
        shadow=NotAgain("has side effects"),
        traits=Traits(quantized=Quantized.KNOWN),
    ),
    of_dialect(
        "check.expect_eq_const",
        kernel=check_ops.expect_eq_const,
        reference=lambda call: ref_checks.expect_value(call, ref_checks.equal),
        shadow=NotAgain("has side effects"),
        traits=Traits(quantized=Quantized.KNOWN),
    ),
    of_dialect(
        "check.expect_false",
        kernel=check_ops.expect_false,
        reference=lambda call: ref_checks.expect_truth(call, False),
        shadow=NotAgain("has side effects"),
    ),
    of_dialect(
        "check.expect_serialized_eq",
        kernel=check_ops.expect_serialized_eq,
        reference=ref_checks.expect_serialized_eq,
        shadow=NotAgain("has side effects"),
        traits=Traits(quantized=Quantized.KNOWN),
    ),
    of_dialect(
        "check.expect_true",
        kernel=check_ops.expect_true,
        reference=lambda call: ref_checks.expect_truth(call, True),
        shadow=NotAgain("has side effects"),
    ),
    _evaluated("arith.addf", arith_dialect.same),
    _evaluated("arith.addi", arith_dialect.same),
    _evaluated("arith.andi", arith_dialect.same),
    _evaluated("arith.bitcast", arith_dialect.bitcast),
    _evaluated("arith.ceildivsi", arith_dialect.ceildivsi),
    _evaluated("arith.ceildivui", arith_dialect.ceildivui),
    _evaluated("arith.cmpf", arith_dialect.cmpf),
    _evaluated("arith.cmpi", arith_dialect.cmpi),
    of_dialect(
        "arith.constant",
        kernel=arith_dialect.constant,
        reference=NOT_IN_REFERENCE,
        shadow=F64_ONLY,
        traits=Traits(constant=True),
    ),
    _evaluated("arith.divf", arith_dialect.same),
    _evaluated("arith.divsi", arith_dialect.same),
    _evaluated("arith.divui", arith_dialect.unsigned),
    _evaluated("arith.extf", arith_dialect.conversion),
    _evaluated("arith.extsi", arith_dialect.conversion),
    _evaluated("arith.extui", arith_dialect.unsigned_conversion),
    _evaluated("arith.floordivsi", arith_dialect.floordivsi),
    _evaluated("arith.fptosi", arith_dialect.conversion),
    _evaluated("arith.fptoui", arith_dialect.conversion),
    _evaluated("arith.index_cast", arith_dialect.conversion),
    _evaluated("arith.index_castui", arith_dialect.unsigned_conversion),
    _evaluated("arith.maximumf", arith_dialect.same),
    _evaluated("arith.maxsi", arith_dialect.same),
    _evaluated("arith.maxui", arith_dialect.unsigned),
    _evaluated("arith.minimumf", arith_dialect.same),
    _evaluated("arith.minsi", arith_dialect.same),
    _evaluated("arith.minui", arith_dialect.unsigned),
    _evaluated("arith.mulf", arith_dialect.same),
    _evaluated("arith.muli", arith_dialect.same),
    _evaluated("arith.negf", arith_dialect.same),
    _evaluated("arith.ori", arith_dialect.same),
    _evaluated("arith.remf", arith_dialect.same),
    _evaluated("arith.remsi", arith_dialect.same),
    _evaluated("arith.remui", arith_dialect.unsigned),
    _evaluated("arith.select", arith_dialect.same),
    _evaluated("arith.shli", arith_dialect.same),
    _evaluated("arith.shrsi", arith_dialect.same),
    _evaluated("arith.shrui", arith_dialect.same),
    _evaluated("arith.sitofp", arith_dialect.conversion),
    _evaluated("arith.subf", arith_dialect.same),
    _evaluated("arith.subi", arith_dialect.same),
    _evaluated("arith.truncf", arith_dialect.conversion),
    _evaluated("arith.trunci", arith_dialect.conversion),
    _evaluated("arith.uitofp", arith_dialect.unsigned_conversion),
    _evaluated("arith.xori", arith_dialect.same),
    of_dialect(
        "interpreter.print",
        kernel=interpreter_dialect.print_,
        reference=ref_transfers.print_,
        shadow=NotAgain("has side effects"),
        traits=Traits(quantized=Quantized.KNOWN),
    ),
    of_dialect(
        "interpreter.probe",
        kernel=interpreter_dialect.probe,
        reference=ref_transfers.probe,
        shadow=NotAgain("has side effects"),
        traits=Traits(quantized=Quantized.KNOWN),
    ),
    of_dialect(
        "interpreter.run_parallel",
        kernel=interpreter_dialect.run_parallel,
        reference=ref_transfers.run_parallel,
        shadow=NotAgain("runs programs in other processes"),
        traits=Traits(quantized=Quantized.KNOWN, makes_grid=True),
    ),
    _marker("sdy.all_gather", reference=ref_shardings.unchanged),
    _marker("sdy.all_reduce", reference=ref_shardings.unchanged),
    _marker("sdy.all_slice", reference=ref_shardings.unchanged),
    _marker("sdy.all_to_all", reference=ref_shardings.unchanged),
    _marker("sdy.collective_permute", reference=ref_shardings.unchanged),
    of_dialect(
        "sdy.constant",
        kernel=constants.constant,
        reference=ref_control_flow.constant,
        shadow=ANY_WIDTH,
        traits=Traits(not_folded="each of its uses may have a sharding of its own"),
    ),
    _marker("sdy.data_flow_edge", reference=ref_shardings.unchanged),
    _marker("sdy.func_data_flow_edge", reference=ref_shardings.unchanged),
    of_dialect(
        "sdy.manual_computation",
        kernel=sdy_dialect.manual_computation,
        reference=lambda call: ref_shardings.manual_computation(call, call.attributes.manual_computation()),
        shadow=F64_ONLY,
        traits=Traits(control=True, makes_grid=True),
    ),
    of_dialect(
        "sdy.named_computation",
        kernel=sdy_dialect.named_computation,
        reference=ref_shardings.named_computation,
        shadow=F64_ONLY,
        traits=Traits(control=True),
    ),
    _marker("sdy.propagation_barrier", reference=ref_shardings.unchanged),
    _marker("sdy.reduce_scatter", reference=ref_shardings.unchanged),
    _marker("sdy.replicated_to_unreduced", reference=ref_shardings.unchanged),
    _marker("sdy.reshard", reference=ref_shardings.unchanged),
    _marker("sdy.sharded_to_unreduced", reference=ref_shardings.unchanged),
    _marker("sdy.sharding_constraint", reference=ref_shardings.unchanged),
    of_dialect(
        "sdy.sharding_group",
        kernel=sdy_dialect.sharding_group,
        reference=ref_shardings.sharding_group,
        shadow=F64_ONLY,
        exact=Moved(),
    ),
    _evaluated("shape.add", shape_dialect.add),
    _evaluated("shape.any", shape_dialect.any_),
    of_dialect(
        "shape.assuming",
        kernel=shape_dialect.assuming,
        reference=NOT_IN_REFERENCE,
        shadow=F64_ONLY,
        traits=Traits(control=True),
    ),
    _evaluated("shape.assuming_all", shape_dialect.assuming_all),
    _evaluated("shape.broadcast", shape_dialect.broadcast),
    _evaluated("shape.concat", shape_dialect.concat),
    _evaluated("shape.const_shape", shape_dialect.const_shape),
    _evaluated("shape.const_size", shape_dialect.const_size),
    _evaluated("shape.const_witness", shape_dialect.const_witness),
    _evaluated("shape.cstr_broadcastable", shape_dialect.cstr_broadcastable),
    _evaluated("shape.cstr_eq", shape_dialect.cstr_eq),
    _evaluated("shape.cstr_require", shape_dialect.cstr_require),
    _evaluated("shape.dim", shape_dialect.dim),
    _evaluated("shape.div", shape_dialect.div),
    _evaluated("shape.from_extent_tensor", shape_dialect.from_extent_tensor),
    _evaluated("shape.from_extents", shape_dialect.from_extents),
    _evaluated("shape.get_extent", shape_dialect.get_extent),
    _evaluated("shape.index_to_size", shape_dialect.index_to_size),
    _evaluated("shape.is_broadcastable", shape_dialect.is_broadcastable),
    _evaluated("shape.max", shape_dialect.max_),
    _evaluated("shape.min", shape_dialect.min_),
    _evaluated("shape.mul", shape_dialect.mul),
    _evaluated("shape.num_elements", shape_dialect.num_elements),
    _evaluated("shape.rank", shape_dialect.rank),
    _evaluated("shape.shape_eq", shape_dialect.shape_eq),
    _evaluated("shape.shape_of", shape_dialect.shape_of),
    _evaluated("shape.size_to_index", shape_dialect.size_to_index),
    _evaluated("shape.split_at", shape_dialect.split_at),
    _evaluated("shape.to_extent_tensor", shape_dialect.to_extent_tensor),
    _evaluated("shape.value_as_shape", shape_dialect.value_as_shape),
    _evaluated("shape.value_of", shape_dialect.value_of),
    _evaluated("shape.with_shape", shape_dialect.with_shape),
    _evaluated("tensor.cast", tensor_dialect.cast, Moved()),
    _evaluated("tensor.dim", tensor_dialect.dim, Moved()),
    _evaluated("tensor.empty", tensor_dialect.empty, Moved()),
    _evaluated("tensor.extract", tensor_dialect.extract, Moved()),
    _evaluated("tensor.from_elements", tensor_dialect.from_elements, Moved()),
    _evaluated("tensor.rank", tensor_dialect.rank, Moved()),
    _evaluated("tensor.reshape", tensor_dialect.reshape, Moved()),
    _evaluated("tensor.splat", tensor_dialect.splat, Moved()),
)
