"""Evaluate a function, and say where it stood if it fails."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, TypeVar

import numpy as np

from hlokit.errors import EvaluationError, Frame, HlokitError, InternalError, UnsupportedError
from hlokit.interpreter.block import Block
from hlokit.interpreter.registry import Value
from hlokit.interpreter.run import step_of_frame
from hlokit.interpreter.steps import Plan, Step

T = TypeVar("T")


def evaluate(function: Block, arguments: Sequence[Value]) -> tuple[Value, ...]:
    """The results of a function on arguments that fit its types.

    Raises:
      EvaluationError: the program trapped, or needs more memory or stack than there is.
      UnsupportedError: it reached an operation that hlokit does not evaluate.
      InternalError: a kernel failed, which is a defect of hlokit.
    """
    results = guarded(function, *arguments)
    return (results,) if len(function.plan.outputs) == 1 else results


def guarded(function: Callable[..., T], *arguments: Any) -> T:
    """Call what evaluates operations; see `evaluate` for what it raises."""
    # Numbers follow IEEE and wrap: NumPy's floating-point warnings are never the semantics.
    with np.errstate(all="ignore"):
        try:
            return function(*arguments)
        except (EvaluationError, UnsupportedError, InternalError) as error:
            if not error.frames:
                error.frames = frames_of(error.__traceback__)
            raise
        except HlokitError:
            raise
        except Exception as error:
            failure = unexpected(error)
            failure.frames = frames_of(error.__traceback__)
            raise failure from failure.__cause__


def unexpected(error: Exception) -> EvaluationError | InternalError:
    """An exception that no kernel meant to raise as one of ours; it is the cause if it tells more."""
    match error:
        case MemoryError():
            failure = EvaluationError(f"out of memory: {error}")
        case RecursionError():
            return EvaluationError("functions call each other without end, or regions are nested too deep")
        case _:
            failure = InternalError(f"{type(error).__name__}: {error}")
    failure.__cause__ = error
    return failure


# A recursion without end would repeat the same frames a thousand times.
_MOST_FRAMES = 20


def frames_of(traceback: TracebackType | None) -> tuple[Frame, ...]:
    """The operations under way, outermost first."""
    frames: list[Frame] = []
    while traceback is not None and len(frames) < _MOST_FRAMES:
        found = step_of_frame(traceback.tb_frame, traceback.tb_lineno)
        if found is not None:
            frames.append(_frame(*found))
        traceback = traceback.tb_next
    return tuple(frames)


def calling_frames() -> tuple[Frame, ...]:
    """The operations that lead to the caller of this, outermost first."""
    frames: list[Frame] = []
    caller = inspect.currentframe()
    while caller is not None and len(frames) < _MOST_FRAMES:
        found = step_of_frame(caller, caller.f_lineno)
        if found is not None:
            frames.append(_frame(*found))
        caller = caller.f_back
    return tuple(reversed(frames))


def _frame(plan: Plan, step: Step) -> Frame:
    return Frame(step.name, plan.function_name, step.location(), tuple(map(str, step.operand_types)))
