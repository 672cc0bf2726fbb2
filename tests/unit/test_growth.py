"""The benchmark of growth: its programs compute the stated results, and its plots and tables show the measurements."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import hlokit
from benchmarks import growth
from benchmarks.growth_plot import svg
from benchmarks.growth_programs import SERIES, elements, nesting, operations, processes, turns
from benchmarks.tables import Table, read

ROOT = Path(__file__).parents[2]


def test_straight_line_has_as_many_operations_as_asked_for() -> None:
    text, (x,) = operations(10)
    assert text.count("stablehlo.") == 10
    v = [x]
    functions = (np.add, np.multiply, np.maximum, np.subtract)
    for n in range(10):
        v.append(functions[n % 4](v[n], v[max(0, n - n * 7 % 5)]))
    np.testing.assert_array_equal(hlokit.load(text)(x), v[-1])


def test_elements_are_computed() -> None:
    text, (x, y) = elements(1000)
    np.testing.assert_allclose(hlokit.load(text)(x, y), np.tanh(x) * y + x, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize(("program", "count"), [(turns(50), 50), (nesting(1), 1000), (nesting(4), 1000)])
def test_loops_make_their_turns(program: tuple[str, list[np.ndarray]], count: int) -> None:
    text, (x,) = program
    expected = np.float32(x)
    for _ in range(count):
        expected = (
            np.float32(np.float32(expected * np.float32(0.999)) + x) if "%factor" in text else expected + x
        )
    assert hlokit.load(text)(x) == expected


def test_processes_sum_over_all_of_them() -> None:
    text, (x,) = processes(3)
    results = hlokit.load(text).run_parallel([[x]] * 3)
    expected = x.astype(np.float64)
    for _ in range(8):
        expected = 1 / (1 + np.exp(-3 * expected))
    for result in results:
        np.testing.assert_allclose(result, expected, rtol=1e-5)


def test_steepest_growth_is_a_power_of_the_size() -> None:
    sizes = [10, 100, 1000]
    assert growth.steepest(sizes, [0.001, 0.01, 0.1]) == pytest.approx(1)
    assert growth.steepest(sizes, [0.001, 0.01, 1.0]) == pytest.approx(2)
    assert growth.steepest(sizes, [1e-6, 1e-5, 1e-4]) == 0  # too short to measure


def test_plot_is_xml_with_a_curve_for_each_figure() -> None:
    curves = {"load": [0.1, 1.0], "first": [0.01, 0.2], "second": [0.02, 0.3], "steady": [1e-5, 1e-4]}
    root = ElementTree.fromstring(svg("operations", [10, 100], curves))
    lines = root.findall("{http://www.w3.org/2000/svg}polyline")
    labels = {each.text for each in root.findall("{http://www.w3.org/2000/svg}text")}
    assert len(lines) == 4
    assert set(curves) <= labels


@pytest.mark.deep
def test_report_is_stored(tmp_path: Path) -> None:
    (tmp_path / "pictures").mkdir()
    (tmp_path / "measured").mkdir()
    path = tmp_path / "measured" / "growth.json"
    command = [sys.executable, "-m", "benchmarks.growth", "--largest=2", "--output", str(path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    tables = [part for part in read(path) if isinstance(part, Table)]
    assert {row[0] for table in tables for row in table.rows} == {"1", "2"}
    assert {path.name for path in (tmp_path / "pictures").iterdir()} == {
        f"growth-{series.name}.svg" for series in SERIES if series.sizes[0] <= 2
    }
