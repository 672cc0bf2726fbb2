"""The benchmarks: their selection and reports. `make bench` measures."""

from __future__ import annotations

import pickle
import time
from pathlib import Path

import numpy as np
import pytest

import hlokit
from benchmarks import version_worker
from benchmarks.__main__ import chosen, main
from benchmarks.case import CHAIN, CONTRACTION, OTHER, Case, Program
from benchmarks.engines import ENGINES
from benchmarks.programs import CASES
from benchmarks.readme import MEASURED, README, section
from benchmarks.report import Results, report
from benchmarks.tables import Table, markdown, read, write
from benchmarks.versions import regressions
from benchmarks.worker import Worker


def unused() -> Program:
    raise AssertionError("a report builds no program")


def results() -> Results:
    cases = [
        Case("product", "models", CONTRACTION, unused, is_model=True),
        Case("sums", "chains", CHAIN, unused),
        Case("broken", "chains", OTHER, unused),
    ]
    figures = {
        "product": {
            "hlokit": {
                "load": 0.001,
                "first": 0.01,
                "best": 0.004,
                "inputs": 4e6,
                "outputs": 4e6,
                "peak": 8e6,
            },
            "xla": {"load": 0.09, "first": 0.1, "best": 0.002, "inputs": 4e6, "peak": 4e6, "flops": 2e7},
            "eval_module": {"error": "> 8 s"},
        },
        "sums": {
            "hlokit": {
                "load": 0.001,
                "first": 0.01,
                "best": 0.009,
                "inputs": 800,
                "outputs": 8,
                "peak": 1000,
            },
            "xla": {"load": 0.02, "first": 0.04, "best": 0.001, "peak": 1000},
            "eval_module": {"load": 0.1, "first": 0.2, "best": 0.18},
        },
        "broken": {"hlokit": {"error": "died"}, "xla": {"load": 0.1, "first": 0.1, "best": 0.1}},
    }
    machine = {"memcpy": 8e9, "sgemm": 1e10}
    return Results(cases, figures, machine, {"hlokit: import": 0.2}, 2, "python -m benchmarks")


def text() -> str:
    return markdown(report(results()))


def test_means_and_worst() -> None:
    page = text()
    assert "| first result, XLA / hlokit (2) | 6.32 | >= 5, nowhere < 1 | 4: sums |" in page
    assert "| steady, hlokit / XLA: contractions and convolutions (1) | 2 | <= 1.5 | 2: product |" in page
    assert "| steady, hlokit / XLA: all (2) | 4.24 | <= 3 | 9: sums |" in page
    assert "| steady, eval_module / hlokit (1) | 20 |" in page
    assert "| peak memory, hlokit / XLA: models (1) | 2 | <= 1.3 | 2: product |" in page


def test_rows() -> None:
    rows = {line.split(" | ")[0].strip("| "): line for line in text().splitlines() if line.startswith("|")}
    # 2e7 operations take 2 ms at the speed of sgemm, 8 MB take 1 ms: half of the steady time.
    assert "| 10 | 2 | 50% | > 8 s |  | 2 | 1 |" in rows["product"]
    assert "died" in rows["broken"]


def test_stored_reports_are_the_same(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    made = ["Measured today.", Table(["program", "time"], [["a", "1 s"], ["b, c", ""]])]
    write(path, made)
    assert path.read_text().count("\n") == 8, "a line for each row"
    assert read(path) == made
    assert (
        markdown(read(path)) == "Measured today.\n\n| program | time |\n|---|---|\n| a | 1 s |\n| b, c |  |\n"
    )


def test_cases(capsys: pytest.CaptureFixture[str]) -> None:
    names = [case.name for case in CASES]
    assert len(set(names)) == len(names)
    operations = {case.family for case in CASES if case.family.startswith("single operations")}
    assert len(operations) >= 40
    assert main(["--list", "--filter", "LSTM"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("contraction") and "LSTM" in line
    assert 0 < len(chosen([], quick=True)) < len(CASES) / 4


@pytest.mark.parametrize(
    "name", ["softmax of 512x1024 f32", "10,000 turns of a Collatz walk", "sort of 1e5 by two keys"]
)
def test_programs_agree_with_xla(name: str) -> None:
    (case,) = (case for case in CASES if case.name == name)
    program = case.build()
    results = hlokit.load(program.source)(*program.arguments)
    expected = hlokit.load(program.source, backend="xla")(*program.arguments)
    for got, wanted in zip(
        results if isinstance(results, tuple) else (results,),
        expected if isinstance(expected, tuple) else (expected,),
        strict=True,
    ):
        np.testing.assert_allclose(got, wanted, rtol=1e-5)


def test_calls_together_and_processor_time() -> None:
    measured = results()
    for side, calls, processor in (("hlokit", (0.02, 0.3), 0.002), ("xla", (0.11, 0.2), 0.004)):
        figures = measured.figures["sums"][side]
        figures |= {"10 calls": calls[0], "100 calls": calls[1], "processor": processor, "worst": 0.018}
    page = markdown(report(measured))
    assert "| first 10 calls together, XLA / hlokit (1) | 5.5 | nowhere < 1 | 5.5: sums |" in page
    assert "| first 100 calls together, XLA / hlokit (1) | 0.667 | nowhere < 1 | 0.667: sums |" in page
    assert "| first 1,000 calls together, XLA / hlokit |  | nowhere < 1 |  |" in page
    assert "| the same in processor time (1) | 0.5 |  | 0.5: sums |" in page
    assert "(2 steady ones + 5 ms) (1) | 2 | nowhere > 1 | 2: sums |" in page


class Clock:
    """Seconds that pass only in calls of the engine: one for the first four calls, then 1/8, but two for call 8
    and three for call 31."""

    def __init__(self) -> None:
        self.now = 0.0
        self._calls = 0

    def session(self, _program: Program) -> Clock:
        return self

    def run(self) -> None:
        self._calls += 1
        self.now += {8: 2.0, 31: 3.0}.get(self._calls, 1.0 if self._calls <= 4 else 0.125)

    def cost(self) -> dict[str, float]:
        return {}

    def read(self) -> float:
        return self.now


def test_a_worker_adds_up_calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "program"
    file.write_bytes(pickle.dumps(Program("", [np.ones(2, np.float32)])))
    clock = Clock()
    monkeypatch.setitem(ENGINES, "hlokit", clock.session)
    monkeypatch.setattr(time, "perf_counter", clock.read)
    monkeypatch.setattr(time, "process_time", clock.read)
    worker = Worker("hlokit")
    assert worker.open(str(file), plan_only=False)["first"] == 1.0
    answer = worker.run(60.0, most=29)
    assert answer["10 calls"] == 4 * 1.0 + 3 * 0.125 + 2.0 + 2 * 0.125
    assert answer["100 calls"] == answer["10 calls"] + 90 * 0.125
    assert answer["1000 calls"] == answer["100 calls"] + 900 * 0.125
    assert (answer["best"], answer["processor"], answer["worst"]) == (0.125, 0.125, 2.0)
    # The first call of another turn finds its code and values in no cache.
    assert worker.run(60.0, most=3)["worst"] == 2.0


def test_an_interruption_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()  # call 8 is interrupted
    monkeypatch.setattr(time, "perf_counter", clock.read)
    monkeypatch.setattr(time, "process_time", clock.read)
    monkeypatch.setattr(version_worker, "_TOGETHER", 4.0)
    figures = version_worker.steady(clock.run, [], 12.0)
    assert figures["clock"] == 0.125
    assert figures["steady"] > 0.125


def test_a_class_that_is_slower_is_a_regression() -> None:
    cases = [Case("a", "x", CHAIN, unused), Case("b", "x", CHAIN, unused), Case("c", "x", OTHER, unused)]
    old = {"first": [1.0] * 3, "ten": [1.0] * 3, "steady": [1.0, 2.0, 1.0], "clock": [1.0] * 3}
    measured = {
        "a": [old, old | {"steady": [1.2, 2.4, 0.5]}],  # in the last turn it had a core to itself
        "b": [old, old],
        "c": [old, old | {"first": [1.04] * 3, "steady": [0.5] * 3}],
    }
    line = "chain: steady takes 1.095 of the other version's time"
    assert regressions(cases, measured) == {"chain": [line]}


def test_the_readme_has_the_stored_figures() -> None:
    assert section(read(MEASURED)) in README.read_text(), "run python -m benchmarks.readme"
