"""The page of a sharded program in a browser: its devices, pieces and collectives, by mouse and by keys."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hlokit
from browser.test_view_page import started
from unit.tools.shard.test_shard import MEGATRON, MLP

pytestmark = pytest.mark.deep


@pytest.fixture(scope="module")
def megatron(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("devices") / "mlp.html"
    sharded = hlokit.shard(hlokit.load(MLP), "data=2,model=4", MEGATRON)
    sharded.view(*(np.ones(shape, np.float32) for shape in ((8, 16), (16, 32), (32, 10))), to=path)
    return path


def test_the_mesh_and_the_pieces(opened: Any, megatron: Path) -> None:
    page = started(opened, megatron)
    assert page.locator("#tab-devices").get_attribute("aria-selected") == "true"
    assert page.locator(".mesh button").all_text_contents() == [str(device) for device in range(8)]
    w1 = page.locator("#pane-devices .card", has_text="arg1")
    assert "P(None, 'model')" in w1.text_content()
    assert w1.locator(".piece text").all_text_contents() == ["0,4", "1,5", "2,6", "3,7"]
    x = page.locator("#pane-devices .card", has_text="arg0")
    assert x.locator(".piece text").all_text_contents() == ["0\u20133", "4\u20137"]


def test_a_click_on_a_device_shows_its_pieces(opened: Any, megatron: Path) -> None:
    page = started(opened, megatron)
    page.locator('[data-device="6"]').click()
    assert (
        page.locator("#device")
        .text_content()
        .startswith("device 6 (data=1, model=2) sends 240 B and receives 240 B")
    )
    mine = page.locator("#pane-devices .piece.mine")
    assert mine.count() == 4 and all(
        "6" in each.split() for each in mine.evaluate_all("all => all.map(e => e.dataset.devices)")
    )
    assert page.locator(".groups .mine").text_content() == "4, 5, 6, 7"
    page.keyboard.press("Enter")  # the button keeps the focus
    assert page.locator("#pane-devices .piece.mine").count() == 0


def test_collectives_say_what_moves(opened: Any, megatron: Path) -> None:
    page = started(opened, megatron)
    row = page.locator("#collectives tbody tr")
    assert row.count() == 1
    for part in ("all_reduce", "240 B", "1.92 kB", "0, 1, 2, 3", "4, 5, 6, 7"):
        assert part in row.text_content()
    row.locator("button").click()
    details = page.locator("#details")
    assert "stablehlo.all_reduce" in details.locator("h2").first.text_content()
    assert page.locator(".row.sel").count() > 1
    for part in ("what moves", "before", "after", "each device holds a term of a sum", "unreduced={'model'}"):
        assert part in details.text_content()
    page.locator('[data-device="5"]').click()
    assert "sends 240 B, receives 240 B" in details.text_content()


def test_values_show_who_holds_them(opened: Any, megatron: Path) -> None:
    page = started(opened, megatron)
    page.locator(".row", has_text="stablehlo.tanh").click()
    card = page.locator("#details .card")
    assert "which device holds which piece" in page.locator("#details").text_content()
    assert "P('data', 'model')" in card.text_content()
    assert card.locator(".piece").count() == 8
    page.locator("#colour").select_option("sent")
    page.locator("#tab-graph").click()
    assert page.locator("svg rect[style]").count() == 1


def test_nothing_serious_for_axe(opened: Any, megatron: Path, axe: str) -> None:
    for scheme in ("light", "dark"):
        opened.page.emulate_media(color_scheme=scheme)
        page = started(opened, megatron)
        page.locator("#collectives button").click()
        page.locator('[data-device="5"]').click()
        page.evaluate(axe)
        found = page.evaluate("axe.run()")
        serious = [
            f"{rule['id']}: {rule['nodes'][0]['html'][:200]} {rule['nodes'][0]['failureSummary'][:300]}"
            for rule in found["violations"]
            if rule["impact"] in ("serious", "critical")
        ]
        assert serious == []
