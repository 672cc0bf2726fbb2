"""Native loops: a `stablehlo.while` as one native program.

A loop can be compiled if lowering knows the operations of its regions, or calls their kernels. The kernel of
the loop asks for the program after some iterations in Python, and the program continues from the state after
these iterations.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from hlokit.engine.contract.region import Region
from hlokit.engine.contract.registry import Value
from hlokit.engine.contract.run_context import UNITS_PER_RUN, current_work
from hlokit.engine.contract.switches import is_on
from hlokit.engine.contract.thresholds import DEFAULTS, Thresholds
from hlokit.engine.native.assembly import Operand, Result, assemble
from hlokit.engine.native.costs import pays_off
from hlokit.engine.native.ir.target import NotLowerable, is_enabled
from hlokit.engine.native.ir.views import View
from hlokit.engine.native.lowerings.blocks import BlockLowering
from hlokit.engine.native.lowerings.builder import tensor_type
from hlokit.engine.native.lowerings.calls import Call
from hlokit.engine.native.lowerings.control_flow import Pausing
from hlokit.engine.native.program import Assembled, NativeProgram
from hlokit.engine.plan.block import plan_of
from hlokit.engine.plan.plan import last_of
from hlokit.errors import HlokitError


@dataclass(frozen=True, slots=True)
class Loop:
    """The regions of a loop.

    Attributes:
      count: the number of values in the state of the loop.
    """

    cond: Region
    body: Region
    count: int
    thresholds: Thresholds

    @property
    def is_observed(self) -> bool:
        return self.cond.is_observed or self.body.is_observed

    @property
    def is_stored(self) -> bool:
        """Whether there is a folder for programs. The body, which may never run, is not planned for that."""
        return plan_of(self.cond).stored is not None

    @property
    def regions(self) -> tuple[Region, Region]:
        return self.cond, self.body


class _Version:
    """A program of a loop, which is compiled in parts. In that of the first run inner loops are not unrolled;
    later runs replace it.

    Attributes:
      program: the program; None if there is none, or not yet.
      is_tried: whether the loop has a program of this kind, or cannot have one.
    """

    def __init__(self) -> None:
        self.program: NativeProgram | None = None
        self.is_tried = False
        self._is_improvable = False
        self._unfinished: Pausing[NativeProgram] | None = None

    def restore(self, program: NativeProgram | None) -> None:
        """Take the program of an earlier process, or that there is none."""
        self.program, self.is_tried = program, True
        self._is_improvable = program is not None and program.could_unroll

    def improve(self, compiler: Callable[[bool], Pausing[NativeProgram]]) -> None:
        """Work on a better program, if this is not the first run."""
        if self._is_improvable and not current_work().is_first:
            self.advance(compiler, current_work().left)

    def advance(self, compiler: Callable[[bool], Pausing[NativeProgram]], units: int) -> None:
        """Work on the program.

        Args:
          compiler: compiles the program; called with whether inner loops may be unrolled.
          units: the units of work after which to pause.
        """
        work = current_work()
        unfinished, self._unfinished = self._unfinished, None  # another thread begins anew meanwhile
        try:
            unfinished = unfinished or compiler(not work.is_first)
            while units > 0:
                done = next(unfinished)
                units -= done
                work.left -= done
        except StopIteration as end:
            self.program = end.value
            self._is_improvable = end.value.could_unroll
        except (NotLowerable, HlokitError):  # an error of a region that may never run
            self._is_improvable = False
        else:
            self._unfinished = unfinished
            return
        self.is_tried = True


class NativeLoop:
    """The native programs of a while loop, from its state and the captured values to its final state.

    The first program is specialised: the scalars that the loop captures are constants of the program, which
    runs whenever they have the same values. For other values, hlokit compiles a general program, which takes
    these scalars as operands. Both programs give the same bits.

    Args:
      cond, body: regions of the loop.
      count: number of values in the state of the loop.
    """

    def __init__(self, cond: Region, body: Region, count: int, thresholds: Thresholds = DEFAULTS) -> None:
        self._loop = Loop(cond, body, count, thresholds)
        self._special, self._general = _Version(), _Version()
        self._is_restored = False

    def compiled(self, operands: tuple[Value, ...]) -> NativeProgram | None:
        """The program for these values; None if it has not been compiled. Works on a better one meanwhile."""
        if not self._is_restored:
            self._restore()
        if self._special.program is not None and self._special.program.fits(operands):
            self._special.improve(partial(self._compiler, operands))
            return self._special.program
        if self._general.program is not None:
            self._general.improve(partial(self._compiler, None))
        return self._general.program

    def _restore(self) -> None:
        """Take the programs of an earlier process."""
        self._is_restored = True
        if not self._is_enabled or not self._loop.is_stored:
            return
        from hlokit.engine.native.stored_loops import stored_loop  # few processes have a folder

        make_strict = partial(strict_program, self._loop)
        for version, is_special in ((self._special, True), (self._general, False)):
            with suppress(LookupError):
                version.restore(stored_loop(self._loop.regions, self._loop.count, is_special, make_strict))

    def compile(self, operands: tuple[Value, ...]) -> NativeProgram | None:
        """The program for these values; None if the loop has no lowering, or if native programs are
        disabled."""
        if not self._special.is_tried:
            self._special.advance(partial(self._compiler, operands), sys.maxsize)
        return self.compiled(operands) or self._compile_general()

    def compile_part(self, operands: tuple[Value, ...]) -> NativeProgram | None:
        """As `compile`, but the first program in parts: as much in each call as the run may still compile."""
        if not self._special.is_tried:
            self._special.advance(partial(self._compiler, operands), current_work().left)
        return self.compile(operands) if self._special.is_tried else None

    @property
    def is_lowerable(self) -> bool:
        """Whether the loop has a program for all captured values."""
        return self._compile_general() is not None

    def _compile_general(self) -> NativeProgram | None:
        is_hopeless = self._special.is_tried and self._special.program is None
        if not self._general.is_tried and not is_hopeless:
            self._general.advance(partial(self._compiler, None), sys.maxsize)
        return self._general.program

    def _compiler(self, operands: tuple[Value, ...] | None, may_unroll: bool) -> Pausing[NativeProgram]:
        """What compiles the program for some values, or None for all."""
        if not self._is_enabled:
            raise NotLowerable
        captured = () if operands is None else operands[self._loop.count :]
        try:
            return (yield from loop_program(self._loop, captured, may_unroll=may_unroll))
        except (NotLowerable, HlokitError):
            if (self._special if captured else self._general).program is None:
                _store(self._loop, bool(captured), None)
            raise

    @property
    def _is_enabled(self) -> bool:
        return is_enabled() and is_on("native-loops") and not self._loop.is_observed


def loop_program(
    loop: Loop, captured: tuple[Value, ...], *, is_lazy: bool = True, may_unroll: bool = True
) -> Pausing[NativeProgram]:
    """The program of a loop. The scalars among the captured values, if they are given, become constants.

    Pauses in the course of lowering, and before and after register allocation.

    Raises:
      NotLowerable: the loop has no program, or its lazy program takes more time than its blocks: a strict one
        runs where a lazy one did.
    """
    cond, body, count, thresholds = loop.cond, loop.body, loop.count, loop.thresholds
    plan = plan_of(body)
    types = [tensor_type(t) for t in (*body.argument_types, *plan.slot_types[count : plan.argument_count])]
    changed = [n < count and plan.outputs[n] != n for n in range(len(types))]
    lowering = BlockLowering(thresholds, may_call=True, may_unroll=may_unroll)
    operands: list[Operand] = []
    views: list[View] = []
    for n, type_ in enumerate(types):
        value = captured[n - count] if captured and n >= count and not type_.dims else None
        views.append(lowering.operand(type_) if value is None else lowering.constant(type_, value))
        # The loop does not write the other operands, so their NaNs may have any bits.
        operands.append(Operand(views[n].register, type_, value, has_any_nans=not changed[n]))
    results = yield from lowering.while_(cond, body, views[:count], views[count:])
    if is_lazy and not pays_off(cond, body, [call.step for call in lowering.calls], thresholds):
        raise NotLowerable
    yield from lowering.pauses(0)
    work = current_work()
    if len(lowering.instructions) > UNITS_PER_RUN and work.is_limited:
        yield work.left  # the other half of the work is indivisible, so it gets a run of its own
    program = assemble(
        lowering,
        operands,
        [Result(results[n] if changed[n] else n, types[n]) for n in range(count)],
        thresholds,
        is_lazy=is_lazy,
    )
    yield len(lowering.instructions)
    if not is_lazy:
        return NativeProgram(program, lowering.calls)
    native = NativeProgram(program, lowering.calls, partial(strict_program, loop, captured))
    _store(loop, bool(captured), program, lowering.calls)
    return native


def _store(loop: Loop, is_special: bool, program: Assembled | None, calls: Sequence[Call] = ()) -> None:
    if loop.is_stored:
        from hlokit.engine.native.stored_loops import store_loop  # few processes have a folder

        store_loop(loop.regions, is_special, program, calls)


def strict_program(loop: Loop, captured: tuple[Value, ...]) -> NativeProgram:
    """The program of a loop that takes NaNs with any bits; see `NativeProgram`."""
    return last_of(loop_program(loop, captured, is_lazy=False))
