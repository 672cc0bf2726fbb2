"""The child process that partitions: answers pickled `Question`s from the standard input until it ends.

The arguments are the number of devices, which XLA must know when it is loaded, and a directory for XLA's
files, which the parent removes. The child writes the name of each stage to the standard error when the stage
begins, so that the parent knows the stage of a crash.
"""

from __future__ import annotations

import os
import pickle
import sys
import traceback

from hlokit.tools.shard.partitioners.answers import Answer, Defect, Question, Refusal

STAGE = "hlokit: stage: "


def main() -> None:
    """Answer until the standard input ends."""
    from hlokit.children.lifetimes import end_with_input

    end_with_input()
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # output of other code must not mix with the answers
    from hlokit.tools.shard.partitioners.xla_partitioner import set_flags

    devices, directory = int(sys.argv[1]), sys.argv[2]
    set_flags(devices, directory)
    while True:
        try:
            question = pickle.load(requests)
        except EOFError:
            return
        pickle.dump(answer(question, directory), answers, pickle.HIGHEST_PROTOCOL)
        answers.flush()


def _began(stage: str) -> None:
    sys.stderr.write(f"{STAGE}{stage}\n")
    sys.stderr.flush()


def answer(question: Question, directory: str) -> Answer | Refusal | Defect:
    """The program for each device, or the reason of the failure."""
    try:
        return _answer(question, directory)
    except MemoryError:  # the process ends, and the parent reports the reason
        raise
    except Exception:  # the parent raises it
        return Defect(traceback.format_exc())


def _answer(question: Question, directory: str) -> Answer | Refusal:
    from hlokit.errors import HlokitError
    from hlokit.mlir.parse import parse_bytecode
    from hlokit.tools.shard.partitioners import shardy, xla_partitioner
    from hlokit.tools.shard.partitioners.refusal import Refused

    try:
        module = parse_bytecode(None, question.module, is_trusted=True)
        if question.partitioner == "shardy":
            return shardy.partition(module, question.mesh, _began)
        return xla_partitioner.partition(module, question.mesh, directory, _began)
    except Refused as refused:
        return refused.refusal
    except HlokitError as error:
        return Refusal("reading of the program", str(error))
