"""Evaluate a function, and say where it stood if it fails."""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType

import numpy as np

from hlokit.errors import EvaluationError, Frame, HlokitError, InternalError, UnsupportedError
from hlokit.interpreter.block import Block
from hlokit.interpreter.registry import Value
from hlokit.interpreter.run import step_of_frame


def evaluate(function: Block, arguments: Sequence[Value]) -> tuple[Value, ...]:
    """The results of a function on arguments that fit its types.

    Raises:
      EvaluationError: the program trapped, or needs more memory or stack than there is.
      UnsupportedError: it reached an operation that hlokit does not evaluate.
      InternalError: a kernel failed, which is a defect of hlokit.
    """
    # Numbers follow IEEE and wrap: NumPy's floating-point warnings are never the semantics.
    with np.errstate(all="ignore"):
        try:
            results = function(*arguments)
        except (EvaluationError, UnsupportedError, InternalError) as error:
            if not error.frames:
                error.frames = _frames(error.__traceback__)
            raise
        except HlokitError:
            raise
        except MemoryError as error:
            raise _located(EvaluationError(f"out of memory: {error}"), error) from error
        except RecursionError as error:
            raise _located(EvaluationError("functions call each other without end"), error) from None
        except Exception as error:
            raise _located(InternalError(f"{type(error).__name__}: {error}"), error) from error
    return (results,) if len(function.plan.outputs) == 1 else results


def _located(error: EvaluationError | InternalError, cause: BaseException) -> EvaluationError | InternalError:
    error.frames = _frames(cause.__traceback__)
    return error


# A recursion without end would repeat the same frames a thousand times.
_MOST_FRAMES = 20


def _frames(traceback: TracebackType | None) -> tuple[Frame, ...]:
    """The operations under way, outermost first."""
    frames: list[Frame] = []
    while traceback is not None and len(frames) < _MOST_FRAMES:
        found = step_of_frame(traceback.tb_frame, traceback.tb_lineno)
        if found is not None:
            plan, step = found
            operands = tuple(map(str, step.operand_types))
            frames.append(Frame(step.name, plan.function_name, step.location(), operands))
        traceback = traceback.tb_next
    return tuple(frames)
