"""The commands: the only code, beside the command of `conformance`, that prints and reads a command line.

`main.py` (`hlokit`), `upstream/translate.py` and `upstream/opt.py` are the three commands; `commands/` has
a file for each subcommand of `hlokit`, with its flags. Every command runs within `frame/command.py`, which
turns exceptions into messages and exit status, with a watching process around it (`frame/supervision.py`).
`frame/parser.py` reads the command lines of `hlokit` with `argparse`, `frame/flags.py` those of the other
two, in LLVM's spelling; `frame/shared_flags.py` has the flags of several commands.
`streams/` reads inputs and arguments, writes outputs and prints diagnostics. An evaluation goes from
`evaluating/evaluation_options.py` through `frame/launchers.py` (threads or MPI) to
`evaluating/evaluation.py`, with `evaluating/traces.py`, `streams/progress.py` and `evaluating/numerics.py`
as observers.
"""

import gc
import os
import sys
from collections.abc import Callable

_BLAS_THREADS = "OPENBLAS_NUM_THREADS"


def hlokit() -> int:
    """The command `hlokit`; its exit status."""

    def load() -> Callable[[], int]:
        from hlokit.cli import main

        main.load(sys.argv[1:])
        return main.main

    return _run(load)


def stablehlo_opt() -> int:
    """The command `stablehlo-opt`; its exit status."""

    def load() -> Callable[[], int]:
        from hlokit.cli.upstream.opt import main

        return main

    return _run(load)


def stablehlo_translate() -> int:
    """The command `stablehlo-translate`; its exit status."""

    def load() -> Callable[[], int]:
        from hlokit.cli.upstream.translate import main

        return main

    return _run(load)


def _run(load: Callable[[], Callable[[], int]]) -> int:
    """Run the command that `load` imports."""
    # Modules live until the command ends: garbage collection would find no garbage among them.
    gc.disable()
    # No command uses NumPy's BLAS. The import of the BLAS would start threads, and interrupt the process if
    # threads cannot start.
    is_ours = _BLAS_THREADS not in os.environ
    if is_ours:
        os.environ[_BLAS_THREADS] = "1"
    try:
        main = load()
    except KeyboardInterrupt:
        return 130
    except MemoryError:
        sys.stderr.write("error: out of memory\n")
        return 1
    except (
        ImportError,
        OSError,
    ) as error:  # a part of the installation is missing, or memory for its libraries
        if "HLOKIT_TRACEBACK" in os.environ:
            raise
        sys.stderr.write(f"error: hlokit cannot start: {' '.join(str(error).split())}\n")
        return 1
    if is_ours and "numpy" in sys.modules:
        del os.environ[_BLAS_THREADS]  # not for programs that a command starts
    gc.freeze()
    gc.enable()
    return main()
