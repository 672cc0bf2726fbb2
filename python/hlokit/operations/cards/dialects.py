"""Operations of other dialects: check, arith, interpreter, sdy, shape, tensor."""

from __future__ import annotations

from hlokit.checks import ops as check_ops
from hlokit.operations.cards.card import F64_ONLY, Card, NotAgain, Without
from hlokit.operations.cards.kinds import of_dialect
from hlokit.operations.traits import Quantized, Traits
from hlokit.ops.dialects import arith as arith_dialect
from hlokit.ops.dialects import interpreter as interpreter_dialect
from hlokit.ops.dialects import sdy as sdy_dialect
from hlokit.ops.dialects import shape as shape_dialect
from hlokit.ops.dialects import tensor as tensor_dialect
from hlokit.reference.dialects import checks as ref_checks
from hlokit.reference.dialects import shardings as ref_shardings
from hlokit.reference.stablehlo import transfers as ref_transfers

NOT_IN_REFERENCE = Without("the reference evaluates programs without it")

CARDS: tuple[Card, ...] = (
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
        "check.expect_serialized_eq",
        kernel=check_ops.expect_serialized_eq,
        reference=ref_checks.expect_serialized_eq,
        shadow=NotAgain("has side effects"),
        traits=Traits(quantized=Quantized.KNOWN),
    ),
    of_dialect("arith.addf", kernel=arith_dialect.same, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect("arith.addi", kernel=arith_dialect.same, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect("arith.andi", kernel=arith_dialect.same, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect("arith.bitcast", kernel=arith_dialect.bitcast, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect(
        "arith.ceildivsi", kernel=arith_dialect.ceildivsi, reference=NOT_IN_REFERENCE, shadow=F64_ONLY
    ),
    of_dialect(
        "arith.ceildivui", kernel=arith_dialect.ceildivui, reference=NOT_IN_REFERENCE, shadow=F64_ONLY
    ),
    of_dialect("arith.cmpf", kernel=arith_dialect.cmpf, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect("arith.cmpi", kernel=arith_dialect.cmpi, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect(
        "arith.constant",
        kernel=arith_dialect.constant,
        reference=NOT_IN_REFERENCE,
        shadow=F64_ONLY,
        traits=Traits(constant=True),
    ),
    of_dialect("arith.divf", kernel=arith_dialect.same, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect("arith.divsi", kernel=arith_dialect.same, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect("arith.divui", kernel=arith_dialect.unsigned, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect("arith.extf", kernel=arith_dialect.conversion, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect("arith.extsi", kernel=arith_dialect.conversion, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect(
        "arith.extui", kernel=arith_dialect.unsigned_conversion, reference=NOT_IN_REFERENCE, shadow=F64_ONLY
    ),
    of_dialect(
        "arith.floordivsi", kernel=arith_dialect.floordivsi, reference=NOT_IN_REFERENCE, shadow=F64_ONLY
    ),
    of_dialect("arith.fptosi", kernel=arith_dialect.conversion, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect("arith.fptoui", kernel=arith_dialect.conversion, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect(
        "arith.index_cast", kernel=arith_dialect.conversion, reference=NOT_IN_REFERENCE, shadow=F64_ONLY
    ),
    of_dialect(
        "arith.index_castui",
        kernel=arith_dialect.unsigned_conversion,
        reference=NOT_IN_REFERENCE,
        shadow=F64_ONLY,
    ),
    of_dialect("arith.maximumf", kernel=arith_dialect.same, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect("arith.maxsi", kernel=arith_dialect.same, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect("arith.maxui", kernel=arith_dialect.unsigned, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect("arith.minimumf", kernel=arith_dialect.same, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect("arith.minsi", kernel=arith_dialect.same, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect("arith.minui", kernel=arith_dialect.unsigned, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect("arith.mulf", kernel=arith_dialect.same, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect("arith.muli", kernel=arith_dialect.same, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect("arith.negf", kernel=arith_dialect.same, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect("arith.ori", kernel=arith_dialect.same, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect("arith.remf", kernel=arith_dialect.same, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect("arith.remsi", kernel=arith_dialect.same, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect("arith.remui", kernel=arith_dialect.unsigned, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect("arith.select", kernel=arith_dialect.same, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect("arith.shli", kernel=arith_dialect.same, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect("arith.shrsi", kernel=arith_dialect.same, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect("arith.shrui", kernel=arith_dialect.same, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect("arith.sitofp", kernel=arith_dialect.conversion, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect("arith.subf", kernel=arith_dialect.same, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect("arith.subi", kernel=arith_dialect.same, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect("arith.truncf", kernel=arith_dialect.conversion, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect("arith.trunci", kernel=arith_dialect.conversion, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect(
        "arith.uitofp", kernel=arith_dialect.unsigned_conversion, reference=NOT_IN_REFERENCE, shadow=F64_ONLY
    ),
    of_dialect("arith.xori", kernel=arith_dialect.same, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
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
    of_dialect("sdy.all_gather", kernel=sdy_dialect.marker, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect("sdy.all_slice", kernel=sdy_dialect.marker, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect("sdy.all_to_all", kernel=sdy_dialect.marker, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect(
        "sdy.collective_permute", kernel=sdy_dialect.marker, reference=NOT_IN_REFERENCE, shadow=F64_ONLY
    ),
    of_dialect("sdy.data_flow_edge", kernel=sdy_dialect.marker, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
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
        reference=lambda call: call.regions[0](*call.operands),
        shadow=F64_ONLY,
        traits=Traits(control=True),
    ),
    of_dialect(
        "sdy.propagation_barrier", kernel=sdy_dialect.marker, reference=NOT_IN_REFERENCE, shadow=F64_ONLY
    ),
    of_dialect("sdy.reshard", kernel=sdy_dialect.marker, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect(
        "sdy.sharding_constraint", kernel=sdy_dialect.marker, reference=NOT_IN_REFERENCE, shadow=F64_ONLY
    ),
    of_dialect(
        "sdy.sharding_group", kernel=sdy_dialect.sharding_group, reference=lambda call: (), shadow=F64_ONLY
    ),
    of_dialect("shape.add", kernel=shape_dialect.add, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect("shape.any", kernel=shape_dialect.any_, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect(
        "shape.assuming",
        kernel=shape_dialect.assuming,
        reference=NOT_IN_REFERENCE,
        shadow=F64_ONLY,
        traits=Traits(control=True),
    ),
    of_dialect(
        "shape.assuming_all", kernel=shape_dialect.assuming_all, reference=NOT_IN_REFERENCE, shadow=F64_ONLY
    ),
    of_dialect(
        "shape.broadcast", kernel=shape_dialect.broadcast, reference=NOT_IN_REFERENCE, shadow=F64_ONLY
    ),
    of_dialect("shape.concat", kernel=shape_dialect.concat, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect(
        "shape.const_shape", kernel=shape_dialect.const_shape, reference=NOT_IN_REFERENCE, shadow=F64_ONLY
    ),
    of_dialect(
        "shape.const_size", kernel=shape_dialect.const_size, reference=NOT_IN_REFERENCE, shadow=F64_ONLY
    ),
    of_dialect(
        "shape.const_witness", kernel=shape_dialect.const_witness, reference=NOT_IN_REFERENCE, shadow=F64_ONLY
    ),
    of_dialect(
        "shape.cstr_broadcastable",
        kernel=shape_dialect.cstr_broadcastable,
        reference=NOT_IN_REFERENCE,
        shadow=F64_ONLY,
    ),
    of_dialect("shape.cstr_eq", kernel=shape_dialect.cstr_eq, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect(
        "shape.cstr_require", kernel=shape_dialect.cstr_require, reference=NOT_IN_REFERENCE, shadow=F64_ONLY
    ),
    of_dialect("shape.dim", kernel=shape_dialect.dim, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect("shape.div", kernel=shape_dialect.div, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect(
        "shape.from_extent_tensor",
        kernel=shape_dialect.from_extent_tensor,
        reference=NOT_IN_REFERENCE,
        shadow=F64_ONLY,
    ),
    of_dialect(
        "shape.from_extents", kernel=shape_dialect.from_extents, reference=NOT_IN_REFERENCE, shadow=F64_ONLY
    ),
    of_dialect(
        "shape.get_extent", kernel=shape_dialect.get_extent, reference=NOT_IN_REFERENCE, shadow=F64_ONLY
    ),
    of_dialect(
        "shape.index_to_size", kernel=shape_dialect.index_to_size, reference=NOT_IN_REFERENCE, shadow=F64_ONLY
    ),
    of_dialect(
        "shape.is_broadcastable",
        kernel=shape_dialect.is_broadcastable,
        reference=NOT_IN_REFERENCE,
        shadow=F64_ONLY,
    ),
    of_dialect("shape.max", kernel=shape_dialect.max_, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect("shape.min", kernel=shape_dialect.min_, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect("shape.mul", kernel=shape_dialect.mul, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect(
        "shape.num_elements", kernel=shape_dialect.num_elements, reference=NOT_IN_REFERENCE, shadow=F64_ONLY
    ),
    of_dialect("shape.rank", kernel=shape_dialect.rank, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect("shape.shape_eq", kernel=shape_dialect.shape_eq, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect("shape.shape_of", kernel=shape_dialect.shape_of, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect(
        "shape.size_to_index", kernel=shape_dialect.size_to_index, reference=NOT_IN_REFERENCE, shadow=F64_ONLY
    ),
    of_dialect("shape.split_at", kernel=shape_dialect.split_at, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect(
        "shape.to_extent_tensor",
        kernel=shape_dialect.to_extent_tensor,
        reference=NOT_IN_REFERENCE,
        shadow=F64_ONLY,
    ),
    of_dialect(
        "shape.value_as_shape",
        kernel=shape_dialect.value_as_shape,
        reference=NOT_IN_REFERENCE,
        shadow=F64_ONLY,
    ),
    of_dialect("shape.value_of", kernel=shape_dialect.value_of, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect(
        "shape.with_shape", kernel=shape_dialect.with_shape, reference=NOT_IN_REFERENCE, shadow=F64_ONLY
    ),
    of_dialect("tensor.cast", kernel=tensor_dialect.cast, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect("tensor.dim", kernel=tensor_dialect.dim, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect("tensor.empty", kernel=tensor_dialect.empty, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect("tensor.extract", kernel=tensor_dialect.extract, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect(
        "tensor.from_elements",
        kernel=tensor_dialect.from_elements,
        reference=NOT_IN_REFERENCE,
        shadow=F64_ONLY,
    ),
    of_dialect("tensor.rank", kernel=tensor_dialect.rank, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect("tensor.reshape", kernel=tensor_dialect.reshape, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
    of_dialect("tensor.splat", kernel=tensor_dialect.splat, reference=NOT_IN_REFERENCE, shadow=F64_ONLY),
)
