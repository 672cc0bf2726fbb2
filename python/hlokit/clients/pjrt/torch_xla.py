"""The plugin of torch_xla: `PJRT_DEVICE=HLOKIT python train.py` evaluates PyTorch's programs with hlokit.

torch_xla imports this module through the entry point group `torch_xla.plugins`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from hlokit.clients.pjrt import library_path
from hlokit.errors import UnsupportedError

# The module has no types, and hlokit does not need torch_xla.
_plugins: Any = import_module("torch_xla.experimental.plugins")


class Plugin(_plugins.DevicePlugin):
    """What torch_xla asks of a plugin; its other answers are those for one device of this process."""

    def library_path(self) -> str:
        """The library that exports `GetPjrtApi`."""
        path = library_path()
        if path is None:
            raise UnsupportedError("hlokit was built without its PJRT plugin (HLOKIT_PJRT=OFF)")
        return path

    def configure_single_process(self) -> None:
        """A process has the devices that HLOKIT_DEVICES says, one by default."""
