"""Write the files that follow from the cards of operations (python/hlokit/operations/cards), or from
formulas.

    python -m tools.generate            # write all files
    python -m tools.generate --check    # fail if a file is not what would be written; omits polynomials

The index (python/hlokit/operations/index.py) has what a program that starts needs of the cards. The lists of
native functions (lib/kernels/functions/function_lists.h) give C++ declarations, kernels and rows of opcodes.
The constants of these functions (tables.h beside the list, and the polynomials in
lib/vm/pointwise/coefficients.h) come from mpmath, the polynomials in two seconds.
"""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

from tools import coefficients, function_tables

ROOT = Path(__file__).parents[1]
INDEX = ROOT / "python" / "hlokit" / "operations" / "index.py"
NATIVE_FUNCTIONS = ROOT / "lib" / "kernels" / "functions" / "function_lists.h"
FUNCTION_TABLES = ROOT / "lib" / "kernels" / "functions" / "tables.h"
COEFFICIENTS = ROOT / "lib" / "vm" / "pointwise" / "coefficients.h"


def texts() -> dict[Path, str]:
    """The files that take no time to make, and their contents."""
    name = "hlokit.operations.index"
    if name not in sys.modules:  # the cards are the source: they load without an index, or with a stale one
        sys.modules[name] = index = ModuleType(name)
        index.INDEX = {}  # type: ignore[attr-defined] # a stand-in for the module
    return {
        INDEX: import_module("tools.operations_index").text(),
        NATIVE_FUNCTIONS: import_module("tools.native_functions").text(),
        FUNCTION_TABLES: function_tables.text(),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description="Write the files that follow from cards or formulas.")
    parser.add_argument("--check", action="store_true", help="compare the files instead of writing them")
    arguments = parser.parse_args()
    is_stale = False
    files = texts()
    if not arguments.check:
        files[COEFFICIENTS] = coefficients.text()
    for path, text in files.items():
        if path.exists() and path.read_text() == text:
            continue
        name = path.relative_to(ROOT)
        if arguments.check:
            print(f"{name} is not up to date: run python -m tools.generate", file=sys.stderr)
            is_stale = True
        else:
            path.write_text(text)
            print(f"wrote {name}")
    return int(is_stale)


if __name__ == "__main__":
    sys.exit(main())
