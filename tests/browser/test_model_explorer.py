"""Model Explorer itself: its server loads the extension, and its page shows a program with data of a run."""

from __future__ import annotations

import importlib.util
import json
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hlokit
from browser.chromium import ARGUMENTS, chromium
from browser.conftest import MODELS
from hlokit.cli.main import main
from hlokit.clients import model_explorer

pytestmark = pytest.mark.deep


@pytest.fixture(scope="module", params=["the extension", "graphs as JSON"])
def address(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[str]:
    """A server of Model Explorer that shows the classifier of digits, with the time of each node."""
    if importlib.util.find_spec("model_explorer") is None:
        pytest.skip("Model Explorer is not installed")
    directory = tmp_path_factory.mktemp("model_explorer")
    images = np.load(MODELS / "digits.npz")
    trace = hlokit.load(MODELS / "digits.mlirbc").trace(images[images.files[0]])
    (directory / "time.json").write_text(json.dumps(model_explorer.node_data(trace)))
    model = MODELS / "digits.mlirbc"
    if request.param == "graphs as JSON":
        graphs = directory / "graphs.json"
        assert main(["view", str(model), "--format=model-explorer", "-o", str(graphs)]) == 0
        model = graphs
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    script = "import sys; from model_explorer.cmdline import main; sys.exit(main())"
    flags = [
        "--extensions=hlokit.clients.model_explorer",
        "--no_open_in_browser",
        "--skip_health_check",
        f"--port={port}",
    ]
    data = f"--node_data_paths={directory / 'time.json'}"
    said = directory / "said.txt"
    with (
        said.open("w") as file,
        subprocess.Popen(
            [sys.executable, "-c", script, *flags, data, model],
            stdout=file,
            stderr=subprocess.STDOUT,
            cwd=directory,
        ) as server,
    ):
        try:
            found, end = None, time.monotonic() + 120
            while found is None and server.poll() is None and time.monotonic() < end:
                time.sleep(0.2)
                found = re.search(r"http://[^\s\x1b]+", said.read_text())
            assert found is not None, said.read_text()
            yield found[0]
        finally:
            server.kill()


def test_model_explorer_shows_a_program_and_its_run(address: str) -> None:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = chromium()
    if path is None:
        pytest.skip("Chromium is not installed")

    def text() -> str:
        with playwright.sync_playwright() as driver:
            # It draws with WebGL.
            arguments: list[Any] = [*ARGUMENTS, "--enable-unsafe-swiftshader"]
            browser = driver.chromium.launch(executable_path=path, args=arguments)
            page = browser.new_page(viewport={"width": 1300, "height": 850})
            page.goto(address)
            page.get_by_text("op node count").wait_for(timeout=60_000)
            shown = page.inner_text("body")
            browser.close()
        return shown

    # Playwright's driver of the other tests, which can reach no network, belongs to this thread.
    with ThreadPoolExecutor(1) as pool:
        shown = pool.submit(text).result()
    graph = model_explorer.graphs(hlokit.load(Path(MODELS) / "digits.mlirbc"))[0]
    counted = re.search(r"(\d+) nodes", shown)  # with layers, inputs and outputs
    assert counted is not None and len(graph["nodes"]) <= int(counted[1]) <= len(graph["nodes"]) + 10
    assert "digits.mlirbc" in shown and "time (us)" in shown
    assert re.search(r"stablehlo\.multiply\s+\d+\.\d+", shown)  # the time of a node
