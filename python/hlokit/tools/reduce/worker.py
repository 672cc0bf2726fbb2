"""The child process of a search: tests programs until its standard input ends.

The first request is the pickled `Spec` of the predicate, each further request is (module, arguments). Answers
are `Outcome`s, or a `ResourceError` if the disk is full. A program that kills the process does not satisfy
the predicate.
"""

from __future__ import annotations

import os
import pickle

from hlokit.children.lifetimes import end_with_input
from hlokit.errors import HlokitError, ResourceError, lack
from hlokit.mlir.parse import parse_bytecode
from hlokit.programs.program import Program
from hlokit.tools.reduce.predicates import Outcome, Predicate, predicate_of


def main() -> None:
    """Answer until the standard input ends."""
    end_with_input()
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # output of other code must not mix with the answers
    predicate: Predicate | None = None
    while True:
        try:
            spec, module, arguments = pickle.load(requests)
        except EOFError:
            break
        if predicate is None:
            predicate = predicate_of(spec)
        try:
            program = Program(parse_bytecode(None, module, "-", is_trusted=True))
            answer: Outcome | ResourceError = predicate.test(program, arguments)
        except HlokitError as error:
            answer = Outcome(False, str(error).partition("\n")[0])
        except Exception as error:  # a program that cannot run is not a candidate
            lacking = lack(error) if isinstance(error, OSError) else ""
            answer = ResourceError(lacking) if lacking else Outcome(False, f"{type(error).__name__}: {error}")
        pickle.dump(answer, answers, pickle.HIGHEST_PROTOCOL)
        answers.flush()
    if predicate is not None:
        predicate.close()
