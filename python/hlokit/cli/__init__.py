"""The commands: the only code that prints, reads the command line, or exits."""

import gc
from importlib import import_module


def hlokit() -> int:
    """The command `hlokit`; its exit status."""
    return _run("main")


def stablehlo_opt() -> int:
    """The command `stablehlo-opt`; its exit status."""
    return _run("opt")


def stablehlo_translate() -> int:
    """The command `stablehlo-translate`; its exit status."""
    return _run("translate")


def _run(module: str) -> int:
    # What a command imports stays until it ends: there is no garbage in it, now or later.
    gc.disable()
    main = import_module(f"{__name__}.{module}").main
    gc.freeze()
    gc.enable()
    return main()
