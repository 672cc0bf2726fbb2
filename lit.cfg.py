"""lit: the tests that are small programs with `// RUN:` lines. `lit tests/interpret` runs a folder of them.

`pytest` runs them too, and faster (tests/test_lit.py).
"""

# ruff: noqa: F821
# (lit defines `config`)

import os
import sys

import lit.formats

from hlokit.mlir.provider.bindings import stablehlo

_ROOT = os.path.dirname(os.path.abspath(__file__))

config.name = "hlokit"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "bin", "meta", "unit", "build", "examples"]
config.test_source_root = _ROOT
config.test_exec_root = os.path.join(_ROOT, "build", "lit")

os.makedirs(config.test_exec_root, exist_ok=True)

# The commands, FileCheck and not, run by the Python that runs lit.
config.environment["PATH"] = os.pathsep.join(
    (os.path.join(_ROOT, "tests", "bin"), os.path.dirname(sys.executable), os.environ.get("PATH", ""))
)
config.environment["PYTHONPATH"] = os.environ.get("PYTHONPATH", "")

# Operations that only newer bindings know.
if hasattr(stablehlo, "CollectiveReduceOp"):
    config.available_features.add("collective_reduce")
