"""Where a run stands, in terms that hold in other processes that run the same program. Knows no MLIR."""

from __future__ import annotations

import inspect
from dataclasses import dataclass

from hlokit.errors import Frame
from hlokit.interpreter.run import Place, step_of_frame
from hlokit.interpreter.steps import Plan, Step


@dataclass(frozen=True, slots=True)
class Spot:
    """A step of a plan.

    Attributes:
      position: the function, and in it the numbers of the steps that contain one another, innermost first.
    """

    place: Place
    position: tuple[str | int, ...]

    def __str__(self) -> str:
        return str(self.place)


def spot() -> Spot | None:
    """The step that calls this, None outside of any."""
    steps = _steps_under_way()
    if not steps:
        return None
    function = steps[0][0].function_name
    numbers: list[int] = []
    for plan, step in steps:
        if plan.function_name != function:
            break
        numbers.append(next(number for number, other in enumerate(plan.steps) if other is step))
    return Spot(Place(*steps[0]), (function, *numbers))


def frames_under_way() -> tuple[Frame, ...]:
    """The steps that lead to the caller of this, outermost first, as errors name them."""
    return tuple(
        Frame(step.name, plan.function_name, step.location(), tuple(map(str, step.operand_types)))
        for plan, step in reversed(_steps_under_way())
    )


def _steps_under_way() -> list[tuple[Plan, Step]]:
    """Innermost first."""
    found: list[tuple[Plan, Step]] = []
    frame = inspect.currentframe()
    while frame is not None:
        step = step_of_frame(frame, frame.f_lineno)
        if step is not None:
            found.append(step)
        frame = frame.f_back
    return found
