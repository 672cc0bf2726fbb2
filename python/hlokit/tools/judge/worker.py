"""The child process of an `ImportedCandidate`: answers calls from the standard input until it ends."""

from __future__ import annotations

import os
import pickle
import sys
from typing import Any

from hlokit.children.lifetimes import end_with_input
from hlokit.errors import ArgumentError
from hlokit.tools.backends.side import SideFailed
from hlokit.tools.judge.candidates import FunctionCandidate, imported


def main() -> None:
    """Answer until the standard input ends."""
    end_with_input()
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # output of the function must not mix with the answers
    name, folder = sys.argv[1:3]
    candidate: FunctionCandidate | None = None
    while True:
        try:
            inputs = pickle.load(requests)
        except EOFError:
            return
        answer: Any
        try:
            candidate = candidate or FunctionCandidate(imported(name, folder), name)
            answer = ("ok", candidate.run(inputs), candidate.notes)
        except SideFailed as failure:
            answer = (failure.kind, failure.reason, [])
        except ArgumentError as error:
            answer = ("unsupported", str(error), [])
        pickle.dump(answer, answers, pickle.HIGHEST_PROTOCOL)
        answers.flush()
