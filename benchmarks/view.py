"""Programs of many operations in a notebook and on a page: sizes, and times in headless Chromium.

    python -m benchmarks.view [--operations=20000]

Prints the time of a notebook's display of half as many operations, the times to make and open the page, and
the slowest of several clicks of each kind, by the clock and without the time of other processes. Needs
playwright and Chromium.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

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
# A click of each kind, and the time until the end of the layout that it causes, in milliseconds.
CLICKS = """() => {
  const count = hlokitView.data.ops.line.length, far = n => Math.floor(count * (n + .5) / 10);
  const click = element => element && element.dispatchEvent(new MouseEvent('click', {bubbles: true}));
  const kinds = {
    'a line': n => click(document.querySelectorAll('.row')[5 + n]),
    'a group of the graph': n => click([...document.querySelectorAll('.node.group:not(.open)')][n]),
    'an operation far away': n => hlokitView.select(far(n), true),
    'show in graph': n => hlokitView.reveal(far(n)),
    'a search': n => hlokitView.search(['add', 'multiply', 'model.py:5', '%77'][n % 4]),
  };
  window.timed = (kind, n) => { const start = performance.now(); kinds[kind](n); document.body.offsetHeight;
    return performance.now() - start };
  return Object.keys(kinds) }"""


def clicks(page: Any) -> dict[str, tuple[float, float]]:
    """For each kind the slowest of 10 clicks in ms: by the clock, and the time of the page's thread."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def busy() -> float:
        metrics = session.send("Performance.getMetrics")["metrics"]
        return 1e3 * next(each["value"] for each in metrics if each["name"] == "TaskDuration")

    found: dict[str, tuple[float, float]] = {}
    kinds = page.evaluate(CLICKS)
    for number in range(10):
        for kind in kinds:
            start = busy()
            clock = page.evaluate("([kind, n]) => timed(kind, n)", [kind, number])
            slowest = found.get(kind, (0.0, 0.0))
            found[kind] = max(slowest[0], clock), max(slowest[1], busy() - start)
    return found


def program(operations: int, *, scopes: bool) -> str:
    """A chain of operations, with or without source scopes and call stacks."""
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
    """Measure, and print a line for each measurement."""
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
            slowest = clicks(page)
            page.close()
            kind = "scopes" if scopes else "flat"
            print(f"page, {operations:,} operations, {kind}: run and made in {made:.1f} s, ", end="")
            print(f"{path.stat().st_size:,} bytes, open in {opened:.2f} s")
            shown = ", ".join(f"{name} {clock:.0f} ({own:.0f})" for name, (clock, own) in slowest.items())
            print(f"  slowest of 10 clicks, ms (of them the page's thread): {shown}")
        window.close()


if __name__ == "__main__":
    main()
