"""The exceptions of hlokit, ordered by the party at fault.

HlokitError
├── ParseError          the input: not MLIR, not an artifact, or truncated
├── VerificationError   the input: parses, but violates a rule of its dialect
├── PassError           the input: valid, but a pass cannot transform it
├── ArgumentError       the caller: wrong number, shape or dtype of arguments, unknown function
├── EvaluationError     the program: fails at run time (with op, location, operand types, call path)
│   └── CheckFailed     a check.* operation found a mismatch
├── VersionError        the target: an artifact cannot be written for, or read by, a version
├── UnsupportedError    hlokit: the program is valid, but hlokit does not evaluate it
├── InternalError       hlokit: a defect, "cannot happen in verified IR"
└── ResourceError       the machine: no memory, processes, file descriptors or disk space
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from typing import Any, Literal, NamedTuple, ParamSpec, TypeVar

from hlokit.display.printable import printable_name
from hlokit.display.tracebacks import chain, without_own_frames

P = ParamSpec("P")
T = TypeVar("T")
Severity = Literal["error", "warning", "remark", "note"]


class Diagnostic(NamedTuple):
    """One message about the input, as the MLIR tools print it.

    `line` and `column` count from 1; both are 0 if the position is unknown.
    """

    severity: Severity
    message: str
    file: str = "-"
    line: int = 0
    column: int = 0
    notes: tuple[Diagnostic, ...] = ()

    @property
    def place(self) -> str:
        """`file:line:column`, or the file alone."""
        file = printable_name(self.file)
        return f"{file}:{self.line}:{self.column}" if self.line else file

    def __str__(self) -> str:
        return f"{self.place}: {self.severity}: {self.message}"

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return _diagnostics_html([self])

    def record(self) -> dict[str, Any]:
        """The fields by name, as JSON stores them; notes are records, too."""
        return {**self._asdict(), "notes": [note.record() for note in self.notes]}


class Diagnostics(list[Diagnostic]):
    """Diagnostics for display: one line each, a table in a notebook."""

    def __str__(self) -> str:
        return "\n".join(map(str, self)) or "no diagnostics"

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return _diagnostics_html(self)


def _diagnostics_html(diagnostics: Iterable[Diagnostic]) -> str:
    from hlokit.display.errors_html import diagnostics_html

    return diagnostics_html([(item.severity, item.place, item.message) for item in diagnostics])


class HlokitError(Exception):
    """Base of all errors that hlokit raises deliberately.

    The traceback of an error that leaves hlokit has the frames of the caller only; see `for_callers`.
    """

    def _repr_html_(self) -> str:
        from hlokit.display.errors_html import error_html

        return error_html(type(self).__name__, str(self))

    def _render_traceback_(self) -> list[str]:
        """IPython's output for an uncaught error: the error, then the caller's own lines."""
        from hlokit.display.errors_html import traceback_lines

        return traceback_lines(self)


class _DiagnosedError(HlokitError):
    """An error that consists of diagnostics with positions in the input."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...] | str) -> None:
        if isinstance(diagnostics, str):
            diagnostics = (Diagnostic("error", diagnostics),)
        self.diagnostics = diagnostics
        super().__init__("\n".join(map(str, diagnostics)))

    def __reduce__(self) -> tuple[type[_DiagnosedError], tuple[tuple[Diagnostic, ...]]]:
        # Errors are pickled and sent between processes.
        return type(self), (self.diagnostics,)


class ParseError(_DiagnosedError):
    """The input is not MLIR text, MLIR bytecode or a portable artifact."""


class VerificationError(_DiagnosedError):
    """The input parses, but an operation in it is invalid."""


class PassError(_DiagnosedError):
    """A pass cannot transform the input."""


class ArgumentError(HlokitError):
    """A program was called with arguments that do not fit its signature."""


class UnknownKeyword(ArgumentError):
    """A call has a keyword that is the name of no parameter of the program.

    `for_callers` adds the options of the called function to the names among which a suggestion is.
    """

    def __init__(self, name: str, names: Iterable[str] = ()) -> None:
        super().__init__(name)
        self.name = name
        self.names = list(names)
        self.options: list[str] = []

    def __str__(self) -> str:
        from hlokit.display.suggestions import did_you_mean  # few programs have errors

        own = f"; there are {', '.join(self.names[:8])}" if self.names else ": parameters have no names"
        hint = did_you_mean(self.name, (*self.names, *self.options), "{}=")
        return f"there is no parameter {self.name}{hint or own}"

    def __reduce__(self) -> tuple[type[UnknownKeyword], tuple[str, list[str]], dict[str, list[str]]]:
        return type(self), (self.name, self.names), {"options": self.options}

    def add_options(self, function: Callable[..., Any]) -> None:
        """Add the keyword options of a function."""
        import inspect  # few calls fail

        parameters = inspect.signature(function).parameters.values()
        self.options += [item.name for item in parameters if item.kind is item.KEYWORD_ONLY]


class VersionError(_DiagnosedError):
    """An artifact cannot be written for, or read by, a StableHLO version."""


class Frame(NamedTuple):
    """One operation on the call path from the entry function of a running program to the error."""

    op: str
    function: str
    location: str
    operand_types: tuple[str, ...] = ()

    def __str__(self) -> str:
        operands = f" ({', '.join(self.operand_types)})" if self.operand_types else ""
        return f"{self.op}{operands} in @{self.function} at {self.place}"

    @property
    def place(self) -> str:
        """The location; if the location is a call stack, the user's line and the name."""
        if "callsite(" not in self.location:
            return printable_name(self.location)
        from hlokit.display.locations import source_of  # most programs have no errors

        source = source_of(self.location)
        if source.user_frame is None:
            return printable_name(self.location)
        return " ".join(filter(None, (source.user_frame.text, source.name)))


class _TracedError(HlokitError):
    """An error of a running program. `frames` runs from the entry function to the failing operation."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message
        self.frames: tuple[Frame, ...] = ()

    def __str__(self) -> str:
        if not self.frames:
            return self.message
        innermost, *callers = reversed(self.frames)
        lines = [f"{innermost.op}: {self.message}", f"  {innermost}"]
        lines += [f"  called from {frame}" for frame in callers]
        return "\n".join(lines)


class EvaluationError(_TracedError):
    """The program failed at run time."""


class CheckFailed(EvaluationError):
    """A check.* operation found different values."""


class UnsupportedError(_TracedError):
    """The program is valid, but hlokit cannot evaluate this part of it."""


class InternalError(_TracedError):
    """A defect of hlokit: this cannot happen in verified IR."""


class ResourceError(HlokitError):
    """The machine lacks a resource: memory, processes, file descriptors, or disk space."""


# The largest number of frames in a message: an infinite recursion would repeat the same frames a thousand
# times.
MOST_FRAMES, MOST_FRAMES_OF_RECURSION = 20, 4


def too_deep(limit: int) -> str:
    """The message for a recursion beyond Python's limit."""
    # CPython 3.12 has a limit of its own for regions in regions, which nothing moves.
    advice = "" if sys.version_info[:2] == (3, 12) else f", {limit} (sys.setrecursionlimit raises it)"
    return f"calls and regions are nested deeper than Python's recursion limit allows{advice}"


# System errors: no process, descriptor, memory or disk space is available.
_LACKS = frozenset((errno.EAGAIN, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOSPC, errno.EDQUOT))


# What NumPy says of sizes that no memory has.
_TOO_LARGE = ("array is too big", "Maximum allowed dimension exceeded")


def lacks_memory(error: BaseException) -> bool:
    """Whether an array was too large for the memory, or for any memory."""
    return isinstance(error, MemoryError) or (
        isinstance(error, ValueError) and str(error).startswith(_TOO_LARGE)
    )


def lack(error: BaseException) -> str:
    """The resource that the machine lacks, in words, if that was the cause of an error; "" otherwise."""
    if lacks_memory(error):
        return f"out of memory{': ' * bool(str(error))}{error}"
    if isinstance(error, OSError) and error.errno in _LACKS:
        file = f" ({error.filename})" if error.filename else ""
        return f"{(error.strerror or str(error)).lower()}{file}"
    return ""


def for_callers(function: Callable[P, T]) -> Callable[P, T]:
    """Decorator of a function of the API: errors leave it without the frames of hlokit in their tracebacks.

    Defects of hlokit keep all frames. So do all errors if the environment has `HLOKIT_TRACEBACK`. Where
    Python fails because of arguments of a wrong kind, the error is an `ArgumentError` that says which.
    """

    @wraps(function)
    def call(*arguments: P.args, **keywords: P.kwargs) -> T:
        try:
            return function(*arguments, **keywords)
        except (HlokitError, *KINDS_OF_MISUSE) as error:
            other = error_for_caller(error, function, arguments, keywords)
            if other is not None:
                raise other from None
            raise  # with the shorter traceback, to which Python adds the frames of the callers

    return call


# What Python raises where an argument is of a wrong kind.
KINDS_OF_MISUSE = (TypeError, AttributeError, ValueError, KeyError, AssertionError)


def error_for_caller(
    error: Exception, function: Callable[..., Any], arguments: Sequence[Any], keywords: Mapping[str, Any]
) -> ArgumentError | None:
    """The error that leaves a function of the API instead of another one; None if the same one leaves it."""
    if not isinstance(error, HlokitError):
        return wrong_arguments(function, arguments, keywords)
    if isinstance(error, UnknownKeyword):
        error.add_options(function)
    leave_out_own_frames(error)
    return None


def wrong_arguments(
    function: Callable[..., Any], arguments: Sequence[Any], keywords: Mapping[str, Any]
) -> ArgumentError | None:
    """The error that names a wrong argument of a call that has failed; None if no argument is wrong."""
    from hlokit.display.misuse import misuse  # few calls fail

    message = misuse(function, arguments, keywords)
    return ArgumentError(message) if message else None


def leave_out_own_frames(error: HlokitError) -> None:
    """Remove the frames of hlokit from the tracebacks of an error and of the errors that caused it."""
    if "HLOKIT_TRACEBACK" in os.environ:
        return
    for cause in chain(error):
        if isinstance(cause, HlokitError) and not isinstance(cause, InternalError):
            cause.__traceback__ = without_own_frames(cause.__traceback__)
