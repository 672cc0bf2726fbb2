"""Clang, which does not build the extensions by default, compiles lib/ without warnings."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.unit.native.building import FLAGS, INSTRUCTIONS, LIBRARY, VARIANTS


def clang() -> str:
    """The newest Clang, or the compiler that CLANGXX names."""
    found = os.environ.get("CLANGXX") or shutil.which("clang++")
    if found is None:
        folders = map(Path, os.get_exec_path())
        versions = {
            int(name[1]): str(path)
            for folder in folders
            for path in folder.glob("clang++-*")
            if (name := re.fullmatch(r"clang\+\+-(\d+)", path.name)) is not None
        }
        found = versions[max(versions)] if versions else None
    return found or pytest.skip("needs clang++")


def test_clang_warns_of_nothing() -> None:
    compiler = clang()
    # The bindings need the headers of nanobind and Python: the workflow `checks` builds them with Clang.
    sources = [path for path in sorted(LIBRARY.rglob("*.cpp")) if "python" not in path.parts]

    def complaints(source: Path) -> str:
        level, flags = VARIANTS.get(source, ("baseline", ()))
        if level not in INSTRUCTIONS:
            level, flags = "baseline", tuple(flag for flag in flags if flag != "-mfma")
        own = [f"-DHLOKIT_VARIANT={level}", *INSTRUCTIONS[level], *flags] if source in VARIANTS else []
        command = [compiler, *FLAGS, "-fsyntax-only", *own, source]
        return subprocess.run(command, capture_output=True, text=True, check=False).stderr

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(complaints, sources))
    assert len(found) > 60
    assert "".join(found) == ""
