"""The child process of a `ChildSide`: answers requests from the standard input until it ends.

A request is pickled (module, function, list of inputs), an answer pickled `("ok", list of results)` or
`(kind, reason)`.
"""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable, Sequence
from typing import Any

from hlokit.children.lifetimes import end_with_input
from hlokit.errors import EvaluationError, HlokitError, UnsupportedError, lack
from hlokit.tools.backends.runners import runner
from hlokit.tools.backends.side import Unsupported

Compiled = Callable[[Sequence[Any]], list[Any]]
# The length of a reason.
_REASON = 500


def main() -> None:
    """Answer until the standard input ends."""
    end_with_input()
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # output of other code must not mix with the answers
    compile_ = runner(sys.argv[1])
    latest: tuple[Any, Compiled] | None = None
    while True:
        try:
            module, function, inputs = pickle.load(requests)
        except EOFError:
            return
        try:
            if latest is None or latest[0] != (module, function):
                latest = None  # only the compiled module of the latest request is kept
                latest = ((module, function), compile_(module, function))
            run = latest[1]
            answer: Any = ("ok", [run(arguments) for arguments in inputs])
        except (Unsupported, UnsupportedError) as error:
            answer = ("unsupported", _reason(error))
        except EvaluationError as error:
            answer = ("error", _reason(error))
        except HlokitError as error:
            answer = ("unsupported", _reason(error))
        except Exception as error:  # any exception becomes the answer
            lacking = lack(error)
            answer = (
                ("killed", lacking) if lacking else ("error", f"{type(error).__name__}: {_reason(error)}")
            )
        pickle.dump(answer, answers, pickle.HIGHEST_PROTOCOL)
        answers.flush()


def _reason(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return (lines or [type(error).__name__])[0][:_REASON]
