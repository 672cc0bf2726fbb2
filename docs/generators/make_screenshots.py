"""Take the pictures of README and docs from real runs: `python docs/generators/make_screenshots.py`.

Requires playwright (the extra `test`) and Chromium.
"""

from __future__ import annotations

import base64
import os
import struct
import sys
import tempfile
import zlib
from pathlib import Path
from typing import Any

import make_live
import numpy as np
from playwright.sync_api import sync_playwright

import hlokit

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "tests")]

from browser.chromium import ARGUMENTS, chromium  # noqa: E402 # the tests start Chromium in the same way

MODELS = Path("examples") / "models"  # the pictures contain the names of the files
PICTURES = ROOT / "docs" / "pictures"


def main() -> None:
    os.chdir(ROOT)
    images = np.load(MODELS / "digits.npz")
    images = images[images.files[0]]
    program = hlokit.load(MODELS / "digits.mlirbc")
    with sync_playwright() as driver, tempfile.TemporaryDirectory() as directory:
        window = driver.chromium.launch_persistent_context(
            f"{directory}/profile",
            executable_path=chromium(),
            args=ARGUMENTS,
            viewport={"width": 1180, "height": 680},
            offline=True,
        )
        page = window.new_page()
        _pages(page, Path(directory))
        _tutorial(page, Path(directory))
        page.emulate_media(color_scheme="light")
        notebook = Path(directory) / "notebook.html"
        trace = program.trace(images)
        cells = ("program", program), ("t = program.trace(images)\nt.hottest(8)", trace.hottest(8))
        notebook.write_text(_cells(cells))
        page.set_viewport_size({"width": 1100, "height": 640})
        page.goto(notebook.as_uri())
        page.locator(".ir b", has_text="%cst_0").first.hover()
        _store(page, PICTURES / "notebook.png")
        _devices(page, Path(directory) / "devices.html")
        window.close()


# A training loss whose logarithm meets a zero.
LOSS = """func.func @main(%logits: tensor<2x3xf32>, %labels: tensor<2x3xf32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %exps = stablehlo.exponential %logits : tensor<2x3xf32>
  %sums = stablehlo.reduce(%exps init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  %all = stablehlo.broadcast_in_dim %sums, dims = [0] : (tensor<2xf32>) -> tensor<2x3xf32>
  %softmax = stablehlo.divide %exps, %all : tensor<2x3xf32>
  %logs = stablehlo.log %softmax : tensor<2x3xf32>
  %bad2 = stablehlo.multiply %labels, %logs : tensor<2x3xf32>
  %loss = stablehlo.reduce(%bad2 init: %zero) applies stablehlo.add across dimensions = [0, 1]
    : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
  return %loss : tensor<f32>
}"""


def _pages(page: Any, folder: Path) -> None:
    """The pages of a classifier, of a step of training and of a program with a NaN."""
    images = np.load(MODELS / "digits.npz")["images"]
    hlokit.load(MODELS / "digits.mlirbc").view(images, to=folder / "digits.html")
    _open(page, folder / "digits.html", "overview")
    _store(page, PICTURES / "view-overview.png")
    _open(page, folder / "digits.html", "graph")
    _store(page, PICTURES / "view-light.png")
    _open(page, folder / "digits.html", "hot")
    page.locator("#hottest summary").first.click()
    _store(page, PICTURES / "view-hottest.png")
    step = hlokit.load(MODELS / "train_step.mlirbc")
    arguments = np.load(MODELS / "train_step.npz")
    step.view(*(arguments[name] for name in arguments.files), to=folder / "step.html")
    page.emulate_media(color_scheme="dark")
    _open(page, folder / "step.html", "graph")
    page.locator("#fit").click()
    _store(page, PICTURES / "view-dark.png")
    page.emulate_media(color_scheme="light")
    logits = np.array([[0, 1, 2], [-200, 1, 2]], np.float32)
    hlokit.load(LOSS).view(logits, np.eye(2, 3, 2, dtype=np.float32), to=folder / "nan.html")
    _open(page, folder / "nan.html", "graph")
    _store(page, PICTURES / "view-nan.png")


def _tutorial(page: Any, folder: Path) -> None:
    """The page of the tutorial's run: the NaN in the graph, with its operands, and what the program is."""
    path = folder / "tutorial.html"
    path.write_text(make_live.page("live/tutorial.html"))
    page.set_viewport_size({"width": 1180, "height": 560})
    _open(page, path, "graph")
    _store(page, PICTURES / "tutorial-nan.png")
    _open(page, path, "overview")
    _store(page, PICTURES / "tutorial-overview.png")


def _open(page: Any, path: Path, address: str) -> None:
    page.goto("about:blank")
    page.goto(f"{path.as_uri()}#tab={address}")
    page.wait_for_selector("html[data-ready]")


MLP = """func.func @main(%x: tensor<8x16xf32>, %w1: tensor<16x32xf32>, %w2: tensor<32x10xf32>) -> tensor<8x10xf32> {
  %0 = stablehlo.dot_general %x, %w1, contracting_dims = [1] x [0]
    : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
  %1 = stablehlo.tanh %0 : tensor<8x32xf32>
  %2 = stablehlo.dot_general %1, %w2, contracting_dims = [1] x [0]
    : (tensor<8x32xf32>, tensor<32x10xf32>) -> tensor<8x10xf32>
  return %2 : tensor<8x10xf32>
}"""


def _devices(page: Any, path: Path) -> None:
    """A sharded program, with one device and one collective selected."""
    shardings = {"0": "P('data')", "1": "P(None, 'model')", "2": "P('model')"}
    hlokit.shard(hlokit.load(MLP), "data=2,model=4", shardings).view(to=path)
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 1180, "height": 900})
    page.goto(path.as_uri())
    page.wait_for_selector("html[data-ready]")
    page.locator("#collectives tbody button").click()
    page.locator('[data-device="3"]').click()
    _store(page, PICTURES / "devices.png")


def _store(page: Any, path: Path) -> None:
    """Store a picture with the 256 most frequent colours, which takes a third of the bytes."""
    page.screenshot(path=path)
    script = """async data => { const image = new Image(); image.src = data; await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height), context = canvas.getContext('2d');
      context.drawImage(image, 0, 0);
      const bytes = context.getImageData(0, 0, image.width, image.height).data;
      let text = ''; for (let i = 0; i < bytes.length; i += 30000)
        text += String.fromCharCode(...bytes.subarray(i, i + 30000));
      return [image.width, image.height, btoa(text)] }"""
    blank = page.context.new_page()
    source = base64.b64encode(path.read_bytes()).decode()
    width, height, pixels = blank.evaluate(script, f"data:image/png;base64,{source}")
    blank.close()
    rgb = np.frombuffer(base64.b64decode(pixels), np.uint8).reshape(-1, 4)[:, :3].astype(np.int32)
    keys, places, counts = np.unique(rgb @ [65536, 256, 1], return_inverse=True, return_counts=True)
    colours = np.stack([keys >> 16, keys >> 8 & 255, keys & 255], 1)
    kept = colours[np.argsort(-counts)[:256]]
    nearest = np.concatenate(
        [((part[:, None] - kept[None]) ** 2).sum(2).argmin(1) for part in np.array_split(colours, 64)]
    )
    indices = nearest.astype(np.uint8)[places].reshape(height, width)
    rows = np.concatenate([np.zeros((height, 1), np.uint8), indices], 1).tobytes()
    parts = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
        (b"PLTE", kept.astype(np.uint8).tobytes()),
        (b"IDAT", zlib.compress(rows, 9)),
        (b"IEND", b""),
    )
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n"
        + b"".join(
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
            for kind, data in parts
        )
    )


def _cells(cells: tuple[tuple[str, Any], ...]) -> str:
    """Cells of a notebook: code and its output."""
    style = "body{font:13px system-ui;margin:16px}pre.code{background:#f6f8fa;padding:8px}.ir{max-height:19em!important}"
    shown = "".join(f'<pre class="code">{code}</pre>{value._repr_html_()}' for code, value in cells)
    return f"<!doctype html><meta charset=utf-8><style>{style}</style>{shown}"


if __name__ == "__main__":
    main()
