"""The page of `hlokit view` in a browser: opened, clicked, searched, resized, printed, by mouse and by keys."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hlokit

pytestmark = pytest.mark.deep

READY = "html[data-ready]"


def started(opened: Any, path: Path, address: str = "") -> Any:
    page = opened.page
    page.goto(path.as_uri() + address)
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
    for part in ("evaluated", "range", "ULP", "operands (2)", "consumers (1)", "train_digits.py"):
        assert part in details
    # The ranges of the operands: a convolution's input, and its weights.
    ranges = page.locator("#operands .range").all_text_contents()
    assert len(ranges) == 2 and all(
        re.match(r"\[-?[\d.]+, [\d.]+\], mean|.* elements", text) for text in ranges
    )
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
    page = started(opened, digits, "#tab=graph")
    before = page.locator("svg .node").count()
    titles = page.locator("svg .node > text:first-of-type").all_text_contents()
    assert {"images", "return"} <= set(titles)
    assert sum("pass " in title for title in titles) == 2 and any("train_digits.py:50" in t for t in titles)
    closed = page.locator("svg .node.group:not(.open)")
    count = closed.count()
    assert count > 1
    closed.last.click()
    assert page.locator("svg .node").count() > before
    assert page.locator("svg .node.group:not(.open)").count() <= count + 24
    page.locator("#constants").check()
    page.locator("#constants").uncheck()
    page.evaluate("hlokitView.select(2)")
    page.evaluate("hlokitView.reveal(2)")
    assert page.locator("#constants").is_checked()
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
    assert page.locator("#pane-hot tbody tr").count() > 10
    page.keyboard.press("ArrowRight")
    assert page.locator("#tab-flame").get_attribute("aria-selected") == "true"
    assert page.locator(".frame").count() > 3
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
    page = started(opened, digits, "#tab=graph")
    page.locator("#colour").select_option(metric)
    assert page.locator("svg rect[style]").count() > 0 or metric == "nan"


@pytest.mark.parametrize("size", [(380, 800), (480, 800), (1400, 900), (2400, 1300)])
def test_sizes(opened: Any, digits: Path, size: tuple[int, int]) -> None:
    page = started(opened, digits)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.wait_for_timeout(50)
    for part in ("#text", "#panes", "#details"):
        box = page.locator(part).bounding_box()
        assert box["width"] > 200 and box["height"] > 60
        assert box["x"] >= 0 and box["x"] + box["width"] <= size[0] + 1
    for tab in ("overview", "graph", "hot", "flame", "memory", "reports"):
        page.locator(f"#tab-{tab}").click()
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    page.evaluate("hlokitView.select(20)")
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
    for tab in ("overview", "graph", "flame", "hot", "memory", "reports"):
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


NAN = """
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %root = stablehlo.sqrt %x : tensor<4xf32>
  %bad2 = stablehlo.subtract %x, %root : tensor<4xf32>
  %out = call @twice(%bad2) : (tensor<4xf32>) -> tensor<4xf32>
  return %out : tensor<4xf32>
}
func.func private @twice(%y: tensor<4xf32>) -> tensor<4xf32> {
  %sum = stablehlo.add %y, %y : tensor<4xf32>
  return %sum : tensor<4xf32>
}
"""


@pytest.fixture(scope="module")
def nan(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a run whose first operation computes a NaN from -2."""
    path = tmp_path_factory.mktemp("nan") / "nan.html"
    program = hlokit.load(NAN)
    x = np.array([1, 4, 9, -2], np.float32)
    program.view(
        x, diff=hlokit.diff(program, x, against=hlokit.load(NAN.replace("add %y", "multiply %y"))), to=path
    )
    return path


def test_a_nan_is_shown_at_once(opened: Any, nan: Path) -> None:
    page = started(opened, nan)
    assert page.locator("#colour").input_value() == "nan"
    assert "%root = stablehlo.sqrt" in page.locator(".row.sel").text_content()
    assert "%root = sqrt" in page.locator("#facts-table .bad").first.text_content()
    assert "[-2, 9], mean 3" in page.locator("#operands").text_content()
    assert "1 NaN out of operands without one" in page.locator("#details").text_content()


def heading(page: Any) -> str:
    return page.locator("#details h2").first.text_content()


@pytest.mark.parametrize("width", [1280, 380])
def test_ranges_of_arguments_are_shown_in_full(opened: Any, nan: Path, width: int) -> None:
    """Regression: the number of NaNs in a result was beyond the edge of the table."""
    page = started(opened, nan, "#tab=overview")
    page.set_viewport_size({"width": width, "height": 800})
    tables = page.locator("#pane-overview .ranges")
    assert tables.count() >= 1
    for table in tables.all():
        assert table.evaluate("e => e.parentElement.scrollWidth - e.parentElement.clientWidth") <= 0


def test_addresses_name_operations_and_tabs(opened: Any, nan: Path) -> None:
    for address in ("#op=%bad2", "#op=bad2", "#op=%25bad2", "#op=line:4"):
        page = started(opened, nan, address)
        assert "%bad2 = stablehlo.subtract" in heading(page)
        assert page.locator("svg .node.sel").count() == 1
        page.goto("about:blank")
    page = started(opened, nan, "#op=@twice/sum&tab=memory")
    assert "%sum = stablehlo.add" in heading(page)
    assert page.locator("#tab-memory").get_attribute("aria-selected") == "true"
    page.locator(".row", has_text="%bad2 =").click()
    assert page.url.endswith("#op=bad2&tab=memory") or page.url.endswith("#tab=memory&op=bad2")
    page.goto("about:blank")
    assert "sqrt" in heading(started(opened, nan, "#op=%no_such"))


def test_reports_lead_to_operations(opened: Any, nan: Path) -> None:
    page = started(opened, nan, "#tab=reports")
    rows = page.locator(".findings tbody tr")
    assert rows.count() > 0
    rows.first.click()
    assert page.locator(".row.sel").count() == 1


def test_long_lines_wrap(opened: Any, digits: Path) -> None:
    page = started(opened, digits)
    page.locator("#wrap").check()
    box = page.locator("#text")
    assert box.evaluate("e => e.scrollWidth <= e.clientWidth")
    row = row_with(page, "stablehlo.convolution")
    assert row.bounding_box()["height"] >= 36
    # No row is cut, and none overlaps the next.
    assert page.evaluate(
        "[...document.querySelectorAll('.row')].every(r => r.scrollHeight <= r.clientHeight + 1)"
    )
    page.locator("#wrap").uncheck()
    assert row.bounding_box()["height"] == 18


def test_dividers_move(opened: Any, digits: Path) -> None:
    page = started(opened, digits)
    before = page.locator("#left").bounding_box()["width"]
    bar = page.locator("#across").bounding_box()
    page.mouse.move(bar["x"] + 3, 300)
    page.mouse.down()
    page.mouse.move(bar["x"] + 203, 300)
    page.mouse.up()
    assert abs(page.locator("#left").bounding_box()["width"] - before - 200) < 10
    page.locator("#down").focus()
    height = page.locator("#details").bounding_box()["height"]
    page.keyboard.press("ArrowUp")
    assert page.locator("#details").bounding_box()["height"] > height


def test_the_graph_fits(opened: Any, digits: Path) -> None:
    page = started(opened, digits, "#tab=graph")
    page.locator("#fit").click()
    pane = page.locator("#pane-graph")
    assert pane.evaluate("e => e.scrollHeight <= e.clientHeight && e.scrollWidth <= e.clientWidth")


def test_times_add_up_on_the_page(opened: Any, digits: Path) -> None:
    page = started(opened, digits, "#tab=hot")
    assert page.locator("#hottest tfoot tr").last.text_content().endswith("100 %the run")
    parts = page.locator("#hottest tr td:nth-child(3)").all_text_contents()
    shares = [float(part.removesuffix(" %")) for part in parts[:-1]]
    assert abs(sum(shares) - 100) < 0.5 * len(shares)
    fused = page.locator("#hottest details").first
    fused.locator("summary").click()
    fused.locator(".link").first.click()
    assert page.locator(".row.sel").count() == 1


def test_text_of_strangers_is_no_html(opened: Any, tmp_path: Path) -> None:
    evil = "<img src=x onerror=\\22alert(1)\\22>"
    text = f"""
func.func @"{evil}"(%x: tensor<2xf32>) -> tensor<2xf32> {{
  %0 = stablehlo.sqrt %x : tensor<2xf32> loc("jit(f)/{evil}/a"(callsite("{evil}"("{evil}.py":3:4) at "m"("m.py":1:1))))
  %1 = stablehlo.add %0, %x : tensor<2xf32> loc("jit(f)/{evil}/b"(callsite("{evil}"("{evil}.py":5:4) at "m"("m.py":1:1))))
  %2 = stablehlo.add %1, %x : tensor<2xf32> loc("jit(f)/c/b"("n.py":5:4))
  return %2 : tensor<2xf32>
}}
"""
    program = hlokit.load(text)
    program.view(np.array([1, -1], np.float32), shadow=True, to=tmp_path / "evil.html")
    page = started(opened, tmp_path / "evil.html")
    for tab in ("overview", "graph", "hot", "flame", "memory", "reports"):
        page.evaluate(f"hlokitView.show('{tab}')")
        assert page.locator("img").count() == 0
    page.evaluate("hlokitView.reveal(2)")
    assert page.locator("img").count() == 0 and "onerror" in page.locator("#pane-graph").text_content()
