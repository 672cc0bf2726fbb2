"""The path of Chromium, and its arguments: no sandbox, and no requests to the network."""

from __future__ import annotations

import shutil

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def chromium() -> str | None:
    """The system's Chromium; None if there is none."""
    return shutil.which("chromium") or shutil.which("chromium-browser")
