"""A broken backend as a command: `--against='cmd:python -m tests.verdict.runner --serve --breakage=NAME'`.

Answers requests of `docs/diff.md`, Programs as sides, with XLA:CPU and a mistake of `broken.py`.
"""

from __future__ import annotations

import argparse
import json
import sys
from functools import cache
from pathlib import Path

import numpy as np

import hlokit
from hlokit.mlir.printing import write_bytecode
from hlokit.tools.backends.runners import Run, runner
from tests.verdict.broken import BREAKAGES, broken


def main() -> int:
    """Answer until the standard input ends."""
    parser = argparse.ArgumentParser(prog="python -m tests.verdict.runner", description=__doc__)
    parser.add_argument("--serve", action="store_true", required=True)
    parser.add_argument("--breakage", required=True, choices=[breakage.name for breakage in BREAKAGES])
    name = parser.parse_args().breakage
    breakage = next(breakage for breakage in BREAKAGES if breakage.name == name)
    compile_ = runner("xla")

    @cache
    def compiled(path: str, function: str) -> Run:
        module = write_bytecode(hlokit.load(Path(path).read_text()).module)
        return compile_(broken(module, breakage), function)

    for line in sys.stdin:
        request = json.loads(line)
        inputs = np.load(request["inputs"])
        results = compiled(request["module"], request["function"])(
            [inputs[f"input_{n}"] for n in range(len(inputs.files))]
        )
        np.savez(request["outputs"], **{f"result_{n}": value for n, value in enumerate(results)})
        print(json.dumps({"id": request["id"], "status": "ok"}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
