"""Evaluates a function, and turns exceptions into errors that list the active operations."""

from __future__ import annotations

import contextvars
import inspect
import signal
import sys
from collections.abc import Callable, Sequence
from types import CodeType, TracebackType
from typing import Any, TypeVar

import numpy as np

from hlokit.children.stacks import TooDeepError
from hlokit.engine.contract import run_context
from hlokit.engine.contract.registry import Value
from hlokit.engine.plan.block import Block
from hlokit.engine.plan.executors import step_of_frame
from hlokit.engine.plan.plan import Plan, Step
from hlokit.errors import (
    MOST_FRAMES,
    MOST_FRAMES_OF_RECURSION,
    EvaluationError,
    Frame,
    HlokitError,
    InternalError,
    UnsupportedError,
    lacks_memory,
    too_deep,
)

T = TypeVar("T")


def evaluate(function: Block, arguments: Sequence[Value]) -> tuple[Value, ...]:
    """The results of a function on arguments that fit its types.

    Raises:
      EvaluationError: the program fails at run time, or requires more memory or stack than is available.
      UnsupportedError: the program reaches an operation that hlokit does not evaluate.
      InternalError: a kernel failed, which is a defect of hlokit.
    """
    if function.is_settled:
        results = guarded(function, *arguments)
    else:
        function.runs += 1
        run_context.current().work = run_context.work_of_run(function.runs, function.planned)
        results = guarded(function, *arguments)
        save_compiled(function)
    return (results,) if len(function.plan.outputs) == 1 else results


def save_compiled(function: Block) -> None:
    """Store what runs have compiled, if HLOKIT_CACHE names a folder."""
    if function.plan.stored is not None:
        function.plan.stored.store.save()


def settled(function: Block) -> Callable[..., Any]:
    """A settled block as a function of values, in a context of its own, with the errors of `evaluate`."""
    run = function.compiled()
    context = contextvars.Context()
    context.run(np.seterr, all="ignore")

    def evaluated(*values: Value) -> Any:
        try:
            return context.copy().run(run, *values)  # a third of the time of `guarded`
        except BaseException as error:
            return guarded(_raised, error)

    return evaluated


def _raised(error: BaseException) -> Any:
    raise error


def guarded(function: Callable[..., T], *arguments: Any) -> T:
    """Call a function that evaluates operations, with the errors of `evaluate`."""
    # Floats follow IEEE 754 and integers wrap: NumPy's warnings are not part of the semantics.
    with np.errstate(all="ignore"):
        try:
            return function(*arguments)
        except (EvaluationError, UnsupportedError, InternalError) as error:
            if not error.frames:
                most = MOST_FRAMES_OF_RECURSION if isinstance(error, TooDeepError) else MOST_FRAMES
                error.frames = frames_of(error.__traceback__)[:most]
            raise
        except HlokitError:
            raise
        except Exception as error:
            if _is_of_signal_handler(error):
                raise
            failure = unexpected(error)
            most = MOST_FRAMES_OF_RECURSION if isinstance(error, RecursionError) else MOST_FRAMES
            failure.frames = frames_of(error.__traceback__)[:most]
            raise failure from failure.__cause__


def _is_of_signal_handler(error: Exception) -> bool:
    """Whether a signal handler raised the error, which then belongs to the caller of the evaluation."""
    installed = [signal.getsignal(number) for number in signal.valid_signals()]
    handlers = {code for handler in installed if callable(handler) for code in _codes(handler)}
    traceback = error.__traceback__
    while traceback is not None and handlers:
        if traceback.tb_frame.f_code in handlers:
            return True
        traceback = traceback.tb_next
    return False


def _codes(handler: Callable[..., object]) -> list[CodeType]:
    """The code of a function, a method, or a callable object."""
    codes = [getattr(function, "__code__", None) for function in (handler, type(handler).__call__)]
    return [code for code in codes if code is not None]


def unexpected(error: Exception) -> EvaluationError | InternalError:
    """The error for an exception that no kernel raises deliberately; the exception may be its cause."""
    if isinstance(error, RecursionError):
        return EvaluationError(too_deep(sys.getrecursionlimit()))
    if lacks_memory(error):
        failure = EvaluationError(f"out of memory: {error}")
    else:
        failure = InternalError(f"{type(error).__name__}: {error}")
    failure.__cause__ = error
    return failure


def frames_of(traceback: TracebackType | None) -> tuple[Frame, ...]:
    """The active operations of a traceback, outermost first."""
    frames: list[Frame] = []
    while traceback is not None and len(frames) < MOST_FRAMES:
        active = step_of_frame(traceback.tb_frame, traceback.tb_lineno)
        if active is not None:
            frames.append(_frame(*active))
        traceback = traceback.tb_next
    return tuple(frames)


def calling_frames() -> tuple[Frame, ...]:
    """The active operations around the caller, outermost first."""
    frames: list[Frame] = []
    caller = inspect.currentframe()
    while caller is not None and len(frames) < MOST_FRAMES:
        active = step_of_frame(caller, caller.f_lineno)
        if active is not None:
            frames.append(_frame(*active))
        caller = caller.f_back
    return tuple(reversed(frames))


def _frame(plan: Plan, step: Step) -> Frame:
    return Frame(step.name, plan.function_name, step.location(), tuple(map(str, step.operand_types)))
