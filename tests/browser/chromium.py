"""Where Chromium is, and how it is started: without a sandbox, and without anything that asks the network."""

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
    """The system's Chromium; None without one."""
    return shutil.which("chromium") or shutil.which("chromium-browser")
