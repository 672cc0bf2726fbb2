"""A headless Chromium of the system, and pages of real runs. Tests are skipped if Chromium is not
installed."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hlokit
from browser.chromium import ARGUMENTS, chromium

AXE = "axe-core@4.14.1"
MODELS = Path(__file__).parents[2] / "examples" / "models"


@pytest.fixture(scope="session")
def context() -> Iterator[Any]:
    """A window of 1400 x 900 points without network access."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = chromium()
    if path is None:
        pytest.skip("Chromium is not installed")
    with playwright.sync_playwright() as driver, tempfile.TemporaryDirectory() as profile:
        window = driver.chromium.launch_persistent_context(
            profile,
            executable_path=path,
            args=ARGUMENTS,
            viewport={"width": 1400, "height": 900},
            offline=True,
        )
        yield window
        window.close()


class Opened:
    """A page in the browser, and the messages of its console."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.said: list[str] = []
        page.on("console", lambda message: self.said.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.said.append(f"error: {error}"))
        page.on("request", lambda request: self._note(request.url))

    def _note(self, url: str) -> None:
        if not url.startswith(("file:", "about:", "data:")):
            self.said.append(f"request: {url}")

    def open(self, path: Path) -> Any:
        self.page.goto(path.as_uri())
        return self.page


@pytest.fixture
def opened(context: Any) -> Iterator[Opened]:
    page = context.new_page()
    found = Opened(page)
    yield found
    page.close()
    assert found.said == []


@pytest.fixture(scope="session")
def digits(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a run of the classifier of digits, with errors in ULP."""
    path = tmp_path_factory.mktemp("view") / "digits.html"
    images = np.load(MODELS / "digits.npz")
    program = hlokit.load(MODELS / "digits.mlirbc")
    program.view(images[images.files[0]], shadow=True, to=path)
    return path


@pytest.fixture(scope="session")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The source of axe-core, from the npm registry."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("axe-core comes from the npm registry, and npm is not installed")
    directory = tmp_path_factory.mktemp("axe")
    packed = subprocess.run(
        [npm, "pack", "--silent", AXE],
        cwd=directory,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    archives = list(directory.glob("*.tgz"))
    if packed.returncode or not archives:
        pytest.skip("axe-core comes from the npm registry, which cannot be reached")
    shutil.unpack_archive(archives[0], directory, filter="data")
    return (directory / "package" / "axe.min.js").read_text()
