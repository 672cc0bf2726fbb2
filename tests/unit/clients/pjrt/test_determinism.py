"""A training run on JAX gives the same bytes of weights in every process, with any number of threads, after a restart."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

import pytest

from unit.clients.pjrt.platforms import output

SCRIPT = str(Path(__file__).with_name("training.py"))
# Of the weights after 1,000 steps, on every machine, by the version of JAX, which makes the program.
WEIGHTS = {
    "0.10.2": "af185df835cc4fdbffcee3ce75577c290f56d4c9f44c4d0615799bb0228e4f56",
    "0.12.0.1": "80f672792c627710786c0e4a7efd63ba04176991436aae925bff7c0698fe0bcb",
}


def expected_weights() -> str:
    installed = version("jax")
    if installed not in WEIGHTS:
        pytest.skip(f"the weights are known for JAX {' and '.join(WEIGHTS)}, not for {installed}")
    return WEIGHTS[installed]


@pytest.mark.deep  # half a minute
@pytest.mark.parametrize(
    "variables",
    [{}, {"HLOKIT_THREADS": "1"}, {"HLOKIT_THREADS": "2"}, {"HLOKIT_CPU": "baseline"}],
    ids=str,
)
def test_weights(variables: dict[str, str]) -> None:
    expected = expected_weights()
    script = f"import sys, runpy; sys.argv = ['', '1000']; runpy.run_path({SCRIPT!r})"
    assert output(script, **variables) == expected


@pytest.mark.deep
def test_weights_after_a_restart(tmp_path: Path) -> None:
    expected, checkpoint = expected_weights(), str(tmp_path / "checkpoint.npz")
    for steps in (500, 1000):
        arguments = f"import sys, runpy; sys.argv = ['', '{steps}', {checkpoint!r}]; "
        printed = output(f"{arguments} runpy.run_path({SCRIPT!r})")
    assert printed == expected


@pytest.mark.deep
def test_weights_after_few_steps(tmp_path: Path) -> None:
    """The same of a few steps, and one of them after a restart."""
    checkpoint = str(tmp_path / "checkpoint.npz")
    start = f"import sys, runpy\ndef train(*words): sys.argv = ['', *words]; runpy.run_path({SCRIPT!r})\n"
    whole, begun = output(f"{start}train('6'); train('3', {checkpoint!r})").split("\n")
    assert output(f"{start}train('6', {checkpoint!r})") == whole != begun
