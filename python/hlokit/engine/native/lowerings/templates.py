"""Functions that are lowered once, and copied where they are called.

Programs call some functions often: those of random numbers hundreds of times, each some 250 operations that
become a few instructions. So the instructions of a function, lowered by itself, are a template. It applies
to all arguments of the same kinds: types and shapes, and the values of constants.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hlokit.engine.native.ir.instructions import Instruction, VirtualRegister, virtual_register
from hlokit.engine.native.ir.live_ranges import effects, find_live_at_ends
from hlokit.engine.native.ir.target import NotLowerable
from hlokit.engine.native.ir.views import View
from hlokit.engine.native.lowerings.control_flow import ControlFlowLowering, Pausing
from hlokit.engine.plan.block import Block, inlined_size
from hlokit.errors import HlokitError

# The most elements of an argument that is copied, if it is a part of an array.
_MOST_COPIED = 64
# Instructions that are copied in the time in which a step is lowered.
_COPIES_PER_UNIT = 4
# The most bytes of a constant whose value a template depends on.
_MOST_BYTES = 4096


@dataclass(frozen=True, slots=True)
class Template:
    """The instructions of a function, over registers of its own: first those of the arguments.

    Attributes:
      constants: the values of registers that are constants of the function.
    """

    instructions: Sequence[Instruction]
    registers: Sequence[VirtualRegister]
    constants: dict[int, Any]
    outputs: Sequence[View]


def called(lowering: ControlFlowLowering, function: Block, arguments: Sequence[View]) -> Pausing[list[View]]:
    """Lower a call of a function; returns views of its results."""
    templates = function.templates.setdefault(lowering.may_unroll, {})
    if (
        None in templates
        or lowering.is_unrolling
        or inlined_size(function) < lowering.thresholds.template_steps
    ):
        return (yield from lowering.block(function, arguments))
    lowering.check_size()
    operands = [_normal(lowering, view) for view in arguments]
    kinds = _kinds(lowering, operands)
    if kinds not in templates:
        template = yield from _template(lowering, function, operands)
        if template is None:
            templates[None] = None
            return (yield from lowering.block(function, arguments))
        templates[kinds] = template
    template = templates[kinds]
    key = ("call", id(template), *operands)  # the function keeps the template alive
    if key not in lowering.available:
        lowering.available[key] = _copied(lowering, template, operands)
        yield len(template.instructions) // _COPIES_PER_UNIT
    return list(lowering.available[key])


def _normal(lowering: ControlFlowLowering, view: View) -> View:
    """The view, or a copy by itself: then one template applies wherever small values lie."""
    if view.size == 1 or (0 < view.size <= _MOST_COPIED and not view.is_splat):
        return view if lowering.is_known(view) else lowering.dense(view)
    return view


def _kinds(lowering: ControlFlowLowering, arguments: Sequence[View]) -> tuple[Any, ...]:
    """All that the instructions of a function may depend on."""
    registers = [view.register for view in arguments]
    kinds: list[Any] = []
    for view in arguments:
        register, value = lowering.registers[view.register], _constant(lowering, view.register)
        bits = None if value is None else value.tobytes()
        bounds = lowering.peephole.bounds.get(view.register)
        kinds.append((registers.index(view.register), view[1:], register.type, register.count, bits, bounds))
    return tuple(kinds)


def _constant(lowering: ControlFlowLowering, register: int) -> Any:
    """The value of a constant; None for other registers, and for large constants."""
    value = lowering.constants.get(register)
    if value is None:
        value = lowering.constant_arrays.get(register)
    return None if value is None or value.nbytes > _MOST_BYTES else value


def _template(
    lowering: ControlFlowLowering, function: Block, arguments: Sequence[View]
) -> Pausing[Template | None]:
    """The template of a function for these kinds of arguments; None if there is none."""
    inner = lowering.of_function()
    registers: dict[int, int] = {}
    for old in dict.fromkeys([view.register for view in arguments]):
        type_, count = lowering.registers[old].type, lowering.registers[old].count
        new = registers[old] = inner.new_register(virtual_register(type_, count, is_constant=True))
        value = _constant(lowering, old)
        if value is not None:
            (inner.constants if old in lowering.constants else inner.constant_arrays)[new] = value
        if old in lowering.peephole.bounds:
            inner.peephole.bounds[new] = lowering.peephole.bounds[old]
    views = [view._replace(register=registers[view.register]) for view in arguments]
    try:
        outputs = yield from inner.block(function, views)
    except (NotLowerable, HlokitError):
        return None
    live_at_ends = find_live_at_ends(inner.instructions, {view.register for view in outputs})
    has_effect = effects(inner.instructions, live_at_ends)
    return Template(
        [instruction for instruction, has in zip(inner.instructions, has_effect, strict=True) if has],
        inner.registers,
        {**inner.constants, **inner.constant_arrays},
        outputs,
    )


def _copied(lowering: ControlFlowLowering, template: Template, arguments: Sequence[View]) -> list[View]:
    """Append the instructions of a template; returns views of its results."""
    names = dict(enumerate(dict.fromkeys([view.register for view in arguments])))

    def name(register: int) -> int:
        if register not in names:
            old = template.registers[register]
            value = template.constants.get(register)
            if value is not None:
                names[register] = lowering.shared_constant(value, old.type)
            else:
                names[register] = lowering.new_register(virtual_register(old.type, old.count))
        return names[register]

    for instruction in template.instructions:
        operands, results = tuple(map(name, instruction.operands)), tuple(map(name, instruction.results))
        copy = Instruction(
            instruction.operation,
            results,
            operands,
            instruction.parameters,
            is_partial=instruction.is_partial,
            work=instruction.work,
        )
        lowering.add(copy)
        if instruction.operation >= 0:
            lowering.peephole.define(results[0], instruction.operation, operands)
    return [view._replace(register=name(view.register)) for view in template.outputs]
