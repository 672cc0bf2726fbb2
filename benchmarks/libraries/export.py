"""Export the programs of libraries.

python -m benchmarks.libraries.export [--field NAME]... [--filter WORD]... [--list]

Needs the packages of requirements.txt. Writes for each program an artifact, an archive of
its arguments, and its row of index.json.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import jax
import numpy as np
from jax._src.interpreters.mlir import make_ir_context
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo
from jaxlib.mlir.passmanager import PassManager

from benchmarks.libraries import ARTIFACTS, FOLDER, arguments, sources
from benchmarks.libraries.registry import EXPORTS, Export

INDEX = FOLDER / "index.json"
# JAX does not guarantee support for this call.
_ALLOWED = [jax.export.DisabledSafetyCheck.custom_call("lapack_sormqr_ffi")]


def _register(fields: Sequence[str]) -> None:
    """Import the sources of these fields, or of all: the import registers their programs."""
    # Equinox reports errors by callbacks into Python, which artifacts cannot contain.
    os.environ["EQX_ON_ERROR"] = "nan"
    for file in sorted(Path(sources.__path__[0]).glob("[a-z]*.py")):
        if not fields or file.stem in fields:
            importlib.import_module(f"{sources.__name__}.{file.stem}")


def _store(program: Export) -> dict[str, Any]:
    """Trace a program, store its artifact and its arguments. Returns its row of the index."""
    function, given = program.make()
    leaves, tree = jax.tree.flatten(given)
    arrays = arguments.restored([np.asarray(leaf) for leaf in leaves])

    def flat(*values: Any) -> Any:
        return jax.tree.leaves(function(*jax.tree.unflatten(tree, values)))

    shapes = [jax.ShapeDtypeStruct(array.shape, array.dtype) for array in arrays]
    exported = jax.export.export(
        jax.jit(flat, keep_unused=True), platforms=["cpu"], disabled_checks=_ALLOWED
    )(*shapes)
    path = ARTIFACTS / f"{program.file}.mlir.bc"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(_without_locations(exported.mlir_module_serialized))
    arguments.write(ARTIFACTS / f"{program.file}.zip", arrays)
    print(f"{program.file}: {path.stat().st_size / 1000:.1f} kB, {len(arrays)} arguments", flush=True)
    return {
        "title": program.title,
        "library": f"{program.library} {version(program.library)}",
        "jax": version("jax"),
        "tolerance": program.tolerance,
    }


def _without_locations(artifact: bytes) -> bytes:
    """The artifact of the same version without paths and lines of the library's source."""
    with make_ir_context() as context, ir.Location.unknown():
        module = stablehlo.deserialize_portable_artifact(context, artifact)
        PassManager.parse("builtin.module(strip-debuginfo)").run(module.operation)
        return stablehlo.serialize_portable_artifact(module, _version(artifact), allow_other_dialects=True)


def _version(artifact: bytes) -> str:
    """The version in an artifact's header: zero-terminated text after four bytes and a number."""
    producer = artifact[5 : artifact.index(b"\0", 5)]
    return producer.decode().removeprefix("StableHLO_v")


def main(options: Sequence[str]) -> int:
    """Export the chosen programs."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.libraries.export")
    parser.add_argument("--filter", action="append", default=[], metavar="WORD")
    parser.add_argument(
        "--field", action="append", default=[], help="only sources of this name: ode, games, ..."
    )
    parser.add_argument("--list", action="store_true", help="list the programs without exporting")
    chosen = parser.parse_args(options)
    _register(chosen.field)
    failed = 0
    for program in EXPORTS:
        if chosen.filter and not any(word in program.file for word in chosen.filter):
            continue
        if chosen.list:
            print(f"{program.file}: {program.library}: {program.title}")
            continue
        try:
            row = _store(program)
        except Exception as error:  # the next program may work
            failed += 1
            print(f"{program.file}: {type(error).__name__}: {error}", file=sys.stderr, flush=True)
        else:
            index = json.loads(INDEX.read_text()) if INDEX.exists() else {}
            INDEX.write_text(json.dumps(dict(sorted({**index, program.file: row}.items())), indent=1) + "\n")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
