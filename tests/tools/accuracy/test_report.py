"""The page: its contents, missed targets, and the completeness of the published page."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from hlokit.values.element_types import COMPLEX_F32, F32
from tests.tools.accuracy.measuring import measured
from tools.accuracy import exhaustive, report
from tools.accuracy.__main__ import main
from tools.accuracy.curves import worst_by_cell
from tools.accuracy.exhaustive import Record
from tools.accuracy.functions import FUNCTIONS
from tools.accuracy.implementations import INTERPRETER, Others, elementwise_text
from tools.accuracy.measure import Measurement
from tools.accuracy.plot import plots
from tools.accuracy.run import Selection, run
from tools.accuracy.screen import Chunk

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

DOCS = Path(__file__).parents[3] / "docs"


@pytest.fixture(scope="module")
def found() -> list[Measurement]:
    return list(run(Selection(["sine", "fft"], ["f16", "f32"], with_others=False), lambda text: None))


def test_page_json_and_plots(found: list[Measurement]) -> None:
    record = Record("stablehlo.sine", "f32", 1 << 32, Chunk(largest=0.4999, worst=0x3F800000, decided=7))
    page = report.as_markdown(found, "hlokit accuracy", "pictures", [record])
    assert "| f16 | all 65536 |" in page
    assert "pictures/sine.f32.svg" in page
    assert "hlokit meets all of its targets" in page
    assert "| stablehlo.sine | f32 | all 2**32 | 0.499900000 | 1.0 | 0 | 0 | 7 |" in page
    assert "| fft of f32 | the bound below |" in page
    assert len(report.as_json(found)["measurements"]) == len(found)
    assert {name for name, _ in plots(found)} == {"sine.f16.svg", "sine.f32.svg"}
    assert all(text.startswith("<svg") and len(text) < 20_000 for _, text in plots(found))


def test_missed_targets_are_reported(found: list[Measurement]) -> None:
    sine, fft = (next(one for one in found if one.op.endswith(name)) for name in ("sine", "fft of 64"))
    assert not report.missed(found)
    bad = dataclasses.replace(sine, largest=0.502), dataclasses.replace(sine, special=2, first_special="x")
    beyond = dataclasses.replace(fft, largest=24.1)
    record = Record("stablehlo.tanh", "f32", 1 << 32, Chunk(largest=0.6, worst=0x3F800000))
    sentences = report.missed([*bad, beyond], [record])
    assert [sentence.partition(":")[0] for sentence in sentences] == [
        *["stablehlo.sine f16"] * 2,
        "fft of 64 f32",
        "stablehlo.tanh f32, all inputs",
    ]
    page = report.as_markdown([*found, beyond], "hlokit accuracy", records=[record])
    assert "hlokit misses its targets here:\n\n- fft of 64 f32: 24.1 u scale" in page
    assert "meets all of its targets" not in page


def test_errors_of_complex_numbers_are_missed_beyond_their_conditioning() -> None:
    """Half of an ULP and three more, in a part that is not small."""

    def plant(operands: tuple[Any, ...], results: Any) -> None:
        ordinary = (np.abs(results.real) > 0.1) & (np.abs(results.imag) > 0.1) & (np.abs(results) < 8)
        index = np.flatnonzero(ordinary)[7]
        results.real[index] += 3 * np.spacing(np.abs(results.real[index]))

    clean, changed = (measured("sqrt", COMPLEX_F32, 200, change) for change in (None, plant))
    assert not report.missed([clean])
    (sentence,) = report.missed([changed])
    assert sentence.startswith("stablehlo.sqrt complex<f32>: 3")


@pytest.mark.parametrize(("x", "is_open"), [(2.0 - 200.0j, False), (1e9 - 200.0j, True)])
def test_signs_of_infinities_are_missed_but_where_conditioning_leaves_them_open(
    x: complex, is_open: bool
) -> None:
    def turn(operands: tuple[Any, ...], results: Any) -> None:
        results.real = -results.real

    operands = (np.array([0.6 + 0.8j], np.complex64), np.array([x], np.complex64))
    changed = measured("power", COMPLEX_F32, 0, turn, operands)
    clean = measured("power", COMPLEX_F32, 0, None, operands)
    assert clean.special == 0
    assert changed.special == (0 if is_open else 1)
    assert clean.undetermined + changed.undetermined == (1 if is_open else 0)


def test_others_that_die_are_started_anew() -> None:
    others = Others()
    try:
        operand = np.array([1.0, 2.0], np.float32)
        text = elementwise_text("stablehlo.sine", (operand,), F32)
        assert isinstance(others("nobody", text, (operand,)), str)
        others.close()
        results = others(INTERPRETER, text, (operand,))
        assert not isinstance(results, str)
        assert np.allclose(results, np.sin(operand))
    finally:
        others.close()


def test_the_published_page_is_of_all_functions() -> None:
    page = (DOCS / "accuracy.md").read_text()
    for one in FUNCTIONS:
        assert f"\n### `{one.name}`\n" in page
    assert "hlokit meets all of its targets" in page
    shown = re.findall(r"^!\[.*\]\((accuracy/.*\.svg)\)$", page, re.MULTILINE)
    assert len(shown) > 4
    for path in shown:
        assert (DOCS / path).read_text().startswith("<svg")


def test_each_function_has_its_plot() -> None:
    chosen = Selection(["sign", "power", "tanh"], ["f32", "complex<f32>"], with_others=False)
    found = list(run(chosen, lambda text: None))
    page = report.as_markdown(found, "hlokit accuracy", "pictures")
    made = dict(plots(found))
    for name in ("sign", "power", "tanh"):
        assert f"](pictures/{name}.f32.svg)" in page
    assert set(made) == {f"{name}.f32.svg" for name in ("sign", "power", "tanh")} | {
        f"{name}.complex_f32.svg" for name in ("sign", "tanh")
    }
    # A cell of each map is of inputs with an error up to half an ULP, and none has more than one.
    for name in ("power.f32.svg", "tanh.complex_f32.svg"):
        assert 'stroke="#9ecae1"' in made[name]
        assert 'stroke="#d7301f"' not in made[name]
        ElementTree.fromstring(made[name])


def test_a_cell_has_the_largest_error_of_its_pairs() -> None:
    x, y = np.array([1.0, 1.0, -3e38, 0.0]), np.array([1e30, 1.01e30, 3e38, np.nan])
    cells = worst_by_cell((x, y), np.array([0.25, 0.5, 0.125, 9.0]))
    assert sorted(cells[cells >= 0]) == [0.125, 0.5]
    assert cells[-1, 0] == 0.125
    assert np.array_equal(worst_by_cell((x[:3] + 1j * y[:3],), np.array([0.25, 0.5, 0.125])), cells)


@pytest.mark.parametrize("switches", [(), ("--exhaustive",)])
def test_a_page_that_could_not_be_written_is_not_begun(
    switches: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--output=no/such/page.md", *switches]) == 1
    assert "must be in a directory that exists" in capsys.readouterr().err


def test_the_published_page_has_the_results_of_all_inputs() -> None:
    records = exhaustive.read(DOCS / "accuracy" / "exhaustive.json").values()
    lines = (DOCS / "accuracy.md").read_text().splitlines()
    head, *rows = report.record_rows(records)
    start = lines.index(head)
    assert len(rows) > 8
    assert [*lines[start + 1 : start + 1 + len(rows)], ""] == [*rows, lines[start + 1 + len(rows)]]
