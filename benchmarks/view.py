"""Programs of many operations in a notebook and on a page: sizes, and times in headless Chromium.

    python -m benchmarks.view [--operations=20000]

Prints what a notebook's display of half as many operations takes, what the page takes to be made and opened,
and the slowest of several clicks of each kind. Needs playwright and Chromium.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from playwright.sync_api import sync_playwright

import hlokit

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-sync",
]
# From here to the end of the layout that the click causes, in milliseconds.
CLICKS = """() => {
  const found = {}, count = hlokitView.data.ops.line.length;
  const timed = (name, act) => { const start = performance.now(); act(); document.body.offsetHeight;
    found[name] = Math.max(found[name] || 0, performance.now() - start); };
  const click = element => element && element.dispatchEvent(new MouseEvent('click', {bubbles: true}));
  for (let n = 0; n < 10; n++) {
    timed('a line', () => click(document.querySelectorAll('.row')[5 + n]));
    timed('a group of the graph', () => click([...document.querySelectorAll('.node.group:not(.open)')][n]));
    timed('an operation far away', () => hlokitView.select(Math.floor(count * (n + .5) / 10), true));
    timed('show in graph', () => hlokitView.reveal(Math.floor(count * (n + .5) / 10)));
    timed('a search', () => hlokitView.search(['add', 'multiply', 'model.py:5', '%77'][n % 4]));
  }
  return found }"""


def program(operations: int, *, scopes: bool) -> str:
    """A chain with scopes of source and stacks of calls, or without."""
    lines: list[str] = []
    for number in range(operations):
        name = f"jit(f)/layer{number // 500}/block{number // 50 % 10}/op" if scopes else "op"
        stack = f'callsite("f"("model.py":{number % 97 + 1}:4) at "main"("run.py":9:1))'
        operands = f"%{number - 1 if number else 'x'}, %{number - 7 if number > 7 else 'x'}"
        op = ("add", "multiply", "subtract")[number % 3]
        lines.append(f'  %{number} = stablehlo.{op} {operands} : tensor<64xf32> loc("{name}"({stack}))')
    body = "\n".join(lines)
    return (
        f"func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {{\n{body}\n"
        f"  return %{operations - 1} : tensor<64xf32>\n}}"
    )


def main() -> None:
    """Measure, and print a line each."""
    given = [argument.partition("=")[2] for argument in sys.argv[1:] if argument.startswith("--operations=")]
    operations = int(given[0]) if given else 20_000
    times: list[float] = []
    html = ""
    for _ in range(5):
        small = hlokit.load(program(operations // 2, scopes=True))
        start = time.process_time()
        html = small._repr_html_()
        times.append(time.process_time() - start)
    print(f"load average {os.getloadavg()[0]:.1f}")
    took = f"{min(times):.2f} to {max(times):.2f} s of CPU"
    print(f"notebook, {operations // 2:,} operations: {took}, {len(html):,} bytes")
    with sync_playwright() as driver, tempfile.TemporaryDirectory() as directory:
        window = driver.chromium.launch_persistent_context(
            f"{directory}/profile",
            executable_path=shutil.which("chromium"),
            args=ARGUMENTS,
            viewport={"width": 1400, "height": 900},
        )
        for scopes in (True, False):
            path = Path(directory) / "page.html"
            start = time.perf_counter()
            hlokit.load(program(operations, scopes=scopes)).view(np.full(64, 1e-3, np.float32), to=path)
            made = time.perf_counter() - start
            page = window.new_page()
            start = time.perf_counter()
            page.goto(path.as_uri())
            page.wait_for_selector("html[data-ready]")
            opened = time.perf_counter() - start
            clicks = page.evaluate(CLICKS)
            page.close()
            kind = "scopes" if scopes else "flat"
            print(f"page, {operations:,} operations, {kind}: run and made in {made:.1f} s, ", end="")
            print(f"{path.stat().st_size:,} bytes, open in {opened:.2f} s")
            slowest = ", ".join(f"{name} {value:.0f}" for name, value in clicks.items())
            print(f"  slowest of 10 clicks, ms: {slowest}")
        window.close()


if __name__ == "__main__":
    main()
