"""Output for notebooks, in a browser: filters, sorting, highlighted values, packed programs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hlokit

pytestmark = pytest.mark.deep

PROGRAM = """
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.exponential %x : tensor<4xf32>
  %1 = stablehlo.log %0 : tensor<4xf32>
  %2 = stablehlo.add %1, %0 : tensor<4xf32>
  %3 = stablehlo.multiply %2, %2 : tensor<4xf32>
  %4 = stablehlo.negate %3 : tensor<4xf32>
  %5 = stablehlo.sine %4 : tensor<4xf32>
  return %5 : tensor<4xf32>
}
"""


def shown(opened: Any, tmp_path: Path, html: str) -> Any:
    path = tmp_path / "cell.html"
    path.write_text(
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>cell</title><main>{html}</main></html>'
    )
    return opened.open(path)


def test_a_trace_filters_and_sorts(opened: Any, tmp_path: Path) -> None:
    trace = hlokit.load(PROGRAM).trace(np.arange(4, dtype=np.float32))
    page = shown(opened, tmp_path, trace._repr_html_())
    assert page.locator("tbody tr:visible").count() == 6
    page.locator("input.filter").fill("multiply")
    assert page.locator("tbody tr:visible").count() == 1
    page.locator("input.filter").fill("")
    page.locator("th", has_text="max").click()
    largest = [float(text) for text in page.locator("tbody td:nth-child(6)").all_text_contents()]
    assert largest == sorted(largest)


def test_values_light_up(opened: Any, tmp_path: Path) -> None:
    page = shown(opened, tmp_path, hlokit.load(PROGRAM)._repr_html_())
    page.locator(".ir b", has_text="%0").nth(1).hover()
    assert page.locator(".ir b.on").all_text_contents() == ["%0"] * 3
    assert "stablehlo.exponential" in page.locator(".ir b.on").nth(1).get_attribute("title")
    page.locator(".ir summary", has_text="func.func").click()
    assert not page.locator(".ir div", has_text="stablehlo.sine").is_visible()


def test_a_packed_program_is_unpacked_by_a_click(opened: Any, tmp_path: Path) -> None:
    lines = [f"  %{i} = stablehlo.add %{i - 1 if i else 'x'}, %x : tensor<2xf32>" for i in range(1000)]
    text = (
        "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
        + "\n".join(lines)
        + "\n  return %999 : tensor<2xf32>\n}"
    )
    page = shown(opened, tmp_path, hlokit.load(text)._repr_html_())
    assert page.locator(".ir u").count() < 500
    page.locator("button.more").click()
    page.locator("button.more").wait_for(state="detached")
    assert page.locator(".ir u", has_text="stablehlo.add").count() == 1000


# The theme of a notebook's page: by the browser; white whatever the browser says (an exported notebook); JupyterLab's own.
HOSTS = {
    "browser": ":root{color-scheme:light dark} body{background:light-dark(#fff,#111)}",
    "white": "body{background:#fff}",
    "jupyter-light": "body{background:#fff}",
    "jupyter-dark": "body{background:#111}",
}


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_serious_for_axe(opened: Any, tmp_path: Path, axe: str, scheme: str, host: str) -> None:
    opened.page.emulate_media(color_scheme=scheme)
    program = hlokit.load(PROGRAM)
    x = np.array([1, 2, 3, np.nan], np.float32)
    shadow = hlokit.Shadow(program)
    program(x, observer=shadow)
    pieces = [
        program,
        program.signature(),
        program.trace(x),
        shadow.report(),
        hlokit.verify("func.func @a() { foo }"),
    ]
    page = shown(opened, tmp_path, "".join(piece._repr_html_() for piece in pieces))
    page.add_style_tag(content=HOSTS[host])
    if host.startswith("jupyter"):
        page.evaluate(f"document.body.dataset.jpThemeLight = '{str(host == 'jupyter-light').lower()}'")
    page.evaluate(axe)
    found = page.evaluate("axe.run()")
    serious = [
        f"{rule['id']}: {rule['nodes'][0]['html'][:200]}"
        for rule in found["violations"]
        if rule["impact"] in ("serious", "critical")
    ]
    assert serious == []
