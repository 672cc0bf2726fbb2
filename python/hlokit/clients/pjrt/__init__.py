"""The PJRT plugin: `JAX_PLATFORMS=hlokit python train.py` evaluates the programs of JAX with hlokit.

The extension `hlokit._pjrt` has the C API, `host` what it calls in Python. This module registers the plugin
with JAX, which imports it through the entry point group `jax_plugins`. It imports little, because JAX does so
in every process that has hlokit installed.
"""

from __future__ import annotations

import logging
from importlib import import_module
from typing import Any

# JAX never chooses a platform of such a priority by itself.
_PRIORITY = -2000


def library_path() -> str | None:
    """The path of the shared library that exports `GetPjrtApi`; None if hlokit was built without it."""
    try:
        from hlokit import _pjrt
    except ImportError:
        return None
    return _pjrt.__file__


def initialize() -> None:
    """Register the platform `hlokit` with JAX. Without the extension, JAX has no such platform."""
    path = library_path()
    if path is None:
        logging.getLogger(__name__).info("hlokit was built without its PJRT plugin (HLOKIT_PJRT=OFF)")
        return
    bridge = _bridge()
    getattr(bridge, "_nonexperimental_plugins", set[str]()).add("hlokit")  # else JAX warns
    bridge.register_plugin("hlokit", priority=_PRIORITY, library_path=path, factory=_make_client)


def _bridge() -> Any:
    """JAX's module of platforms, which has the only function that registers plugins, and is not typed."""
    return import_module("jax._src.xla_bridge")


def _make_client() -> Any:
    """The client of the platform, which JAX makes with those of all platforms that it may use."""
    bridge = _bridge()
    client = bridge.make_pjrt_c_api_client("hlokit")
    platforms = (bridge.config.jax_platforms.value or "").split(",")
    if "hlokit" in platforms:
        from hlokit.clients.pjrt.callbacks import register_lowerings

        register_lowerings()
        if "cpu" not in platforms:
            # The client's platform is the CPU, and there is no other one in the process.
            bridge._backends.setdefault("cpu", client)
    return client
