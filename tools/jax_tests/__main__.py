"""Runs JAX's own tests with JAX_PLATFORMS=hlokit and with XLA:CPU, and writes docs/clients.md.

    git clone --depth=1 --branch=jax-v0.10.2 https://github.com/jax-ml/jax   # the installed jaxlib's tag
    pip install absl-py
    python -m tools.jax_tests jax nn_test fft_test     # without names, all files that have been measured

Outcomes stay in docs/measured/jax_tests.json, by the version of jaxlib; a later run of other files adds to
them. A file takes minutes.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tools.jax_tests.page import page
from tools.jax_tests.reasons import explanation

ROOT = Path(__file__).parents[2]
MEASURED = ROOT / "docs" / "measured" / "jax_tests.json"
PAGE = ROOT / "docs" / "clients.md"
# How files ask for several devices.
SEVERAL = "request_cpu_devices"
PLATFORMS = ("cpu", "hlokit")


def outcomes(
    checkout: Path, name: str, platform: str, limits: argparse.Namespace, only: Iterable[str] = ()
) -> dict[str, Any]:
    """The outcome of each test of a file: passed, failed or skipped, and why a test failed.

    Args:
      only: the tests to run; without, as many as the limits say.
    """
    test_file = checkout / "tests" / f"{name}.py"
    devices = "8" if SEVERAL in test_file.read_text() else "1"
    with tempfile.TemporaryDirectory() as folder:
        file, settings = Path(folder) / "outcomes", Path(folder) / "pytest.ini"
        settings.write_text("[pytest]\n")
        file.touch()
        environment = os.environ | {
            "HLOKIT_DEVICES": devices,
            "HLOKIT_MOST": str(limits.most),
            "HLOKIT_ONLY": "\n".join(only),
            "HLOKIT_OUTCOMES": str(file),
            "JAX_NUM_CPU_DEVICES": devices,
            "JAX_NUM_GENERATED_CASES": str(limits.cases),
            "JAX_PLATFORMS": platform,
            "PYTHONPATH": os.pathsep.join(
                [str(Path(__file__).parent), str(checkout), os.environ.get("PYTHONPATH", "")]
            ),
        }
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-c",
            settings,
            "-q",
            "-p",
            "no:cacheprovider",
            "-p",
            "outcomes",
        ]
        command += ["--tb=short", test_file]
        try:
            ended = subprocess.run(
                command, env=environment, timeout=limits.seconds, check=False, capture_output=True
            ).returncode
        except subprocess.TimeoutExpired:
            ended = None
        tests: dict[str, Any] = {}
        for line in file.read_text().splitlines():
            test, outcome, message = json.loads(line)
            if tests.get(test, ["passed"])[0] == "passed":  # a failure of a part of a test counts
                tests[test] = (
                    [outcome, explanation(f"{name}::{test}", message)] if outcome == "failed" else [outcome]
                )
        return {"ended": "time limit" if ended is None else "died" if ended < 0 else "", "tests": tests}


def _on_both(checkout: Path, name: str, options: argparse.Namespace) -> dict[str, Any]:
    own = outcomes(checkout, name, "hlokit", options)
    if not options.failures:
        return {"cpu": outcomes(checkout, name, "cpu", options), "hlokit": own}
    tests = own["tests"]
    failed = [test for test, outcome in tests.items() if outcome[0] == "failed"]
    xla: dict[str, Any] = (
        outcomes(checkout, name, "cpu", options, failed) if failed else {"ended": "", "tests": {}}
    )
    xla["tests"] = {test: ["not run"] for test in tests if tests[test][0] == "passed"} | xla["tests"]
    return {"cpu": xla, "hlokit": own}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("checkout", type=Path, help="a checkout of jax-ml/jax")
    parser.add_argument("files", nargs="*", help="names of files of tests, without .py")
    parser.add_argument("--cases", type=int, default=2, help="JAX_NUM_GENERATED_CASES")
    parser.add_argument("--failures", action="store_true", help="run only hlokit's failures with XLA:CPU")
    parser.add_argument("--most", type=int, default=1000, help="most tests of a file, evenly spaced")
    parser.add_argument("--seconds", type=float, default=900, help="the time limit of a file")
    options = parser.parse_args()
    measured: dict[str, Any] = json.loads(MEASURED.read_text()) if MEASURED.exists() else {}
    files: dict[str, Any] = measured.setdefault(version("jaxlib"), {})
    for name in options.files or sorted(files):
        files[name] = _on_both(options.checkout.resolve(), name, options)
        MEASURED.write_text(json.dumps(measured, indent=0, sort_keys=True) + "\n")
        PAGE.write_text(page(measured))
        print(name, *(len(files[name][platform]["tests"]) for platform in PLATFORMS))


main()
