"""`hlokit doctor`: describes this installation, and names missing requirements of each feature."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib import metadata, util

from hlokit.children.lifetimes import python_command
from hlokit.cli.frame.flags import Values
from hlokit.cli.frame.parser import Parser, Subcommand
from hlokit.cli.streams.outputs import write_json
from hlokit.engine.contract.environment import VARIABLES
from hlokit.errors import HlokitError

# Packages of each extra, and their purpose.
_EXTRAS = {
    "jax": (("jax", "flatbuffers"), "from_jax, jax.export blobs"),
    "accuracy": (("mpmath",), "the check of result_accuracy"),
    "reference": (("mpmath", "gmpy2"), "correctly rounded functions of the reference"),
    "mpi": (("mpi4py",), "grids on several machines"),
    "iree": (("iree-base-compiler", "iree-base-runtime"), "hlokit diff --against=iree"),
    "mcp": (("mcp",), "hlokit mcp"),
    "prove": (("z3-solver",), "hlokit equal --prove"),
    "explorer": (("ai-edge-model-explorer",), "the extension of Model Explorer"),
}
_REQUIRED = ("jaxlib", "numpy", "ml_dtypes")


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report.

    Attributes:
      level: `ok`, `missing` (an optional requirement is missing) or `error` (hlokit does not work).
    """

    what: str
    level: str
    text: str


def _diagnose(values: Values) -> int:
    report = list(findings())
    if values.json:
        write_json({"findings": [asdict(finding) for finding in report]})
    else:
        for finding in report:
            sys.stdout.write(f"{finding.level:8} {finding.what:11} {finding.text}\n")
    return 1 if any(finding.level == "error" for finding in report) else 0


def findings() -> Iterator[Finding]:
    """All findings of the command."""
    import hlokit

    yield Finding("hlokit", "ok", f"{hlokit.__version__} in {os.path.dirname(hlokit.__file__)}")
    yield Finding("Python", "ok", f"{platform.python_version()}, {platform.platform()}")
    for name in _REQUIRED:
        version = _version(name)
        yield Finding(name, "error" if version is None else "ok", version or f"missing: pip install {name}")
    yield from _bindings()
    yield from _kernels()
    for extra, (packages, purpose) in _EXTRAS.items():
        missing = [name for name in packages if _version(name) is None]
        if missing:
            text = f"{', '.join(missing)}, for {purpose}: pip install 'hlokit[{extra}]'"
            yield Finding(extra, "missing", text)
        else:
            yield Finding(extra, "ok", ", ".join(f"{name} {_version(name)}" for name in packages))
    yield _mpi()
    for name in VARIABLES:
        if name in os.environ:
            yield Finding(name, "ok", os.environ[name])
    for name in sorted(os.environ):
        if name.startswith("HLOKIT_") and name not in VARIABLES:
            variables = ", ".join(VARIABLES)
            yield Finding(name, "missing", f"hlokit has no such variable; the variables are {variables}")


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _bindings() -> Iterator[Finding]:
    try:
        from hlokit.mlir.provider.versions import provider_version, stablehlo_version

        yield Finding("StableHLO", "ok", f"{stablehlo_version()}, from {provider_version()}")
    except ImportError as error:
        yield Finding("StableHLO", "error", f"no MLIR bindings: {error}")


def _kernels() -> Iterator[Finding]:
    try:
        from hlokit import _kernels as kernels
        from hlokit.engine.contract import switches, threads

        count = threads.thread_count()
        level = kernels.cpu_level()
        yield Finding("processor", "ok", f"{platform.machine()}, kernels of level {level}, {count} threads")
        switches.check()
    except ImportError as error:
        yield Finding("kernels", "error", f"the extension is missing: {error}")
    except (HlokitError, ValueError) as error:
        yield Finding("kernels", "error", str(error))


def _mpi() -> Finding:
    if util.find_spec("mpi4py") is None:
        return Finding("MPI library", "missing", "not searched without mpi4py")
    # In another process, because the import of the library starts MPI.
    script = (
        "from hlokit.engine.grid.mpi import library, transport;"
        "print(transport.MPI.Get_library_version().partition('\\n')[0]);"
        "print(library.path())"
    )
    run = subprocess.run(python_command(script), capture_output=True, text=True, check=False, timeout=60)
    lines = (run.stdout or run.stderr).strip().splitlines()
    if run.returncode:
        reason = lines[-1] if lines else f"exit status {run.returncode}"
        return Finding("MPI library", "missing", f"pip install mpich, or apt install mpich ({reason})")
    return Finding("MPI library", "ok", ", ".join(" ".join(line.split()) for line in lines))


SUBCOMMAND = Subcommand(
    "doctor",
    "[flags]",
    "describe this installation and missing requirements; the exit status is 1 if hlokit cannot work",
    Parser.add_json,
    _diagnose,
)
