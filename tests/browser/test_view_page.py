"""The page of `hlokit view` in a browser: opened, clicked, searched, resized, printed, by mouse and by keys."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import Any

import pytest

import hlokit

pytestmark = pytest.mark.deep

READY = "html[data-ready]"


def started(opened: Any, path: Path) -> Any:
    page = opened.open(path)
    page.wait_for_selector(READY)
    return page


def row_with(page: Any, text: str) -> Any:
    return page.locator(".row", has_text=text).first


def test_a_click_selects_an_operation_everywhere(opened: Any, digits: Path) -> None:
    page = started(opened, digits)
    page.locator("#search").fill("convolution")
    page.keyboard.press("Enter")
    assert page.locator("#hits").text_content() == "1 of 2"
    heading = page.locator("#details h2").first
    assert "stablehlo.convolution" in heading.text_content()
    assert page.locator(".row.sel").count() == 1
    assert page.locator(".row.def").count() >= 1 and page.locator(".row.use").count() >= 1
    details = page.locator("#details").text_content()
    for part in ("evaluated", "range", "ULP", "producers (2)", "consumers (1)", "train_digits.py"):
        assert part in details
    page.locator("#reveal").click()
    assert page.locator("svg .node.sel").count() == 1
    page.locator("#details .link", has_text="subtract").click()
    assert "stablehlo.subtract" in heading.text_content()


def test_values_light_up_where_they_are_used(opened: Any, digits: Path) -> None:
    page = started(opened, digits)
    page.locator(".row b", has_text=re.compile(r"^%cst_0$")).first.click()
    lit = page.locator(".row b.on")
    assert set(lit.all_text_contents()) == {"%cst_0"} and lit.count() == 2


def test_the_graph_opens_level_by_level(opened: Any, digits: Path) -> None:
    page = started(opened, digits)
    before = page.locator("svg .node").count()
    closed = page.locator("svg .node.group:not(.open)")
    count = closed.count()
    assert count > 1
    closed.last.click()
    assert page.locator("svg .node").count() > before
    assert page.locator("svg .node.group:not(.open)").count() <= count + 24
    page.locator("#constants").check()
    page.evaluate("hlokitView.select(2)")
    page.evaluate("hlokitView.reveal(2)")
    assert "constant" in page.locator("svg .node.sel").text_content()


def test_keys_alone_are_enough(opened: Any, digits: Path) -> None:
    page = started(opened, digits)
    page.keyboard.press("/")
    page.keyboard.type("dot_general")
    page.keyboard.press("Enter")
    assert "stablehlo.dot_general" in page.locator("#details h2").first.text_content()
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.id") == "text"
    page.keyboard.press("ArrowDown")
    assert "broadcast_in_dim" in page.locator("#details h2").first.text_content()
    page.keyboard.press("Enter")
    assert page.locator("svg .node.sel").count() == 1
    page.locator("#tab-graph").focus()
    page.keyboard.press("ArrowRight")
    assert page.locator("#tab-flame").get_attribute("aria-selected") == "true"
    assert page.locator(".frame").count() > 3
    page.keyboard.press("ArrowRight")
    assert page.locator("#pane-hot tbody tr").count() > 10
    page.keyboard.press("ArrowRight")
    assert page.locator("#pane-memory tbody tr").count() > 10


def test_the_curve_of_memory(opened: Any, digits: Path) -> None:
    page = started(opened, digits)
    page.locator("#tab-memory").click()
    assert "3.03 MB" in page.locator("#pane-memory h2").first.text_content()
    rows = page.locator("#alive tbody tr")
    assert "subtract" in rows.first.text_content() and "48." in rows.first.text_content()
    rows.first.locator("button").click()
    assert "stablehlo.subtract" in page.locator("#details h2").first.text_content()
    box = page.locator("#curve").bounding_box()
    page.mouse.click(box["x"] + 62, box["y"] + 100)
    assert "stablehlo.convert" in page.locator("#details h2").first.text_content()


def test_regions_fold(opened: Any, digits: Path) -> None:
    page = started(opened, digits)
    last = page.locator(".row").last
    function = page.locator(".row", has_text="func.func").first
    assert "stablehlo.constant" in page.locator(".row").nth(2).text_content()
    function.locator(".fold").click()
    assert "func.func" in page.locator(".row").nth(2).text_content()
    assert last.count() == 1


@pytest.mark.parametrize("metric", ["time", "memory", "range", "nan", "ulp"])
def test_colours_follow_the_measure(opened: Any, digits: Path, metric: str) -> None:
    page = started(opened, digits)
    page.locator("#colour").select_option(metric)
    assert page.locator("svg rect[style]").count() > 0


@pytest.mark.parametrize("size", [(480, 800), (1400, 900), (2400, 1300)])
def test_sizes(opened: Any, digits: Path, size: tuple[int, int]) -> None:
    page = started(opened, digits)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.wait_for_timeout(50)
    for part in ("#text", "#panes", "#details"):
        box = page.locator(part).bounding_box()
        assert box["width"] > 200 and box["height"] > 60
        assert box["x"] >= 0 and box["x"] + box["width"] <= size[0] + 1
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_print_has_every_line(opened: Any, digits: Path) -> None:
    page = started(opened, digits)
    lines = page.evaluate("hlokitView.data.lines.length")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator(".row").count() == lines
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator(".row").count() < lines
    assert page.pdf()[:4] == b"%PDF"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_serious_for_axe(opened: Any, digits: Path, axe: str, scheme: str) -> None:
    page = opened.page
    page.emulate_media(color_scheme=scheme)
    started(opened, digits)
    page.locator("#search").fill("convolution")
    page.keyboard.press("Enter")
    for tab in ("graph", "flame", "hot", "memory"):
        page.locator(f"#tab-{tab}").click()
        page.evaluate(axe)
        found = page.evaluate("axe.run()")
        serious = [
            f"{tab}: {rule['id']}: {rule['nodes'][0]['html'][:200]} {rule['nodes'][0]['failureSummary'][:300]}"
            for rule in found["violations"]
            if rule["impact"] in ("serious", "critical")
        ]
        assert serious == []


def test_a_deep_and_a_wide_program(opened: Any, tmp_path: Path) -> None:
    lines = [f"  %{i} = stablehlo.add %{i - 1 if i else 'x'}, %x : tensor<2xf32>" for i in range(3000)]
    text = (
        "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
        + "\n".join(lines)
        + "\n  return %2999 : tensor<2xf32>\n}"
    )
    hlokit.load(text).view(to=tmp_path / "wide.html")
    page = started(opened, tmp_path / "wide.html")
    assert page.locator(".row").count() < 200
    page.evaluate("hlokitView.reveal(2500)")
    assert page.locator("svg .node").count() < 200
    page.evaluate("hlokitView.select(2500, true)")
    assert page.locator("svg .node.sel").count() == 1


def test_groups_of_one_shape_are_laid_out_once(opened: Any, tmp_path: Path) -> None:
    lines = [
        f"  %{i} = stablehlo.add %{i - 1 if i else 'x'}, %x : tensor<2xf32>"
        f' loc("jit(f)/layer{i // 20}/op"("model.py":1:1))'
        for i in range(400)
    ]
    text = (
        "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
        + "\n".join(lines)
        + "\n  return %399 : tensor<2xf32>\n}"
    )
    hlokit.load(text).view(to=tmp_path / "layers.html")
    page = started(opened, tmp_path / "layers.html")
    counts: list[int] = []
    for layer in range(10, 16):
        page.evaluate(f"hlokitView.reveal({layer * 20 + 5})")
        counts.append(page.evaluate("hlokitView.shapes.size"))
    # Each layer is another shape of the level around it, but all layers have one shape inside.
    assert [after - before for before, after in itertools.pairwise(counts)] == [1] * 5
    assert page.locator("svg .node").count() > 40
