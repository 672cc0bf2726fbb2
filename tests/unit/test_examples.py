"""The example models, compared with XLA: with its stored results, and live.

The stored results were written by the training scripts in `examples/`, so the first half of this file needs
no JAX. Differences in floating point can only come from the order of sums and the last bits of elementary
functions; each tolerance covers these differences.
"""

from __future__ import annotations

import dataclasses
import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import hlokit
from hlokit.cli.main import main

EXAMPLES = Path(__file__).parents[2] / "examples"
MODELS = EXAMPLES / "models"
NAMES = ("digits", "gpt", "train_step")
CALLS = range(4)

Array = npt.NDArray[Any]

# Sums of up to 288 products, logits up to 30: an error of 1e-6 relative to that is 3e-5.
LOGITS: dict[str, Any] = {"rtol": 0, "atol": 1e-4}
# Measured against the same steps in f64, f32 moves the 30 losses by up to 4e-7, the final state by 3e-6.
LOSSES: dict[str, Any] = {"rtol": 0, "atol": 1e-5}
STATE: dict[str, Any] = {"rtol": 0, "atol": 5e-5}


def load(name: str) -> hlokit.Program:
    return hlokit.load(str(MODELS / f"{name}.mlirbc"))


def stored(name: str) -> dict[str, Array]:
    with np.load(MODELS / f"{name}.npz") as file:
        return dict(file)


def gpt_call(index: int) -> tuple[list[Array], Array, int]:
    """(arguments, XLA's tokens, XLA's end) of a stored call."""
    calls = {name: values[index] for name, values in stored("gpt_expected").items()}
    arguments = [np.asarray(calls[name]) for name in ("prompt", "length", "key", "temperature", "count")]
    return arguments, calls["tokens"], int(calls["end"])


def train_step_inputs() -> tuple[list[Array], Array, Array]:
    """(initial state, images, labels)."""
    *state, _, _ = stored("train_step").values()
    images, labels = stored("train_step_batches").values()
    return state, images, labels


def arguments_of(name: str) -> list[Array]:
    if name == "digits":
        return [stored("digits")["images"]]
    if name == "gpt":
        return gpt_call(1)[0]
    state, images, labels = train_step_inputs()
    return [*state, images[:64], labels[:64]]


def as_tuple(results: Any) -> tuple[Array, ...]:
    if isinstance(results, (tuple, list)):
        return tuple(np.asarray(result) for result in results)
    return (np.asarray(results),)


@pytest.mark.parametrize("name", NAMES)
def test_models_run_with_the_arrays_beside_them(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(MODELS / f"{name}{suffix}") for suffix in (".mlirbc", ".npz")]
    assert main(["run", *files, "--json"]) == 0
    printed = capsys.readouterr()
    assert "no parameter has the names" not in printed.err or name != "train_step"
    results = [np.asarray(result["value"]) for result in json.loads(printed.out)["results"]]
    computed = as_tuple(load(name)(*arguments_of(name)))
    for result, array in zip(results, computed, strict=True):
        np.testing.assert_allclose(result, array, rtol=1e-6)


def test_digits_are_recognised() -> None:
    data = stored("digits")
    logits = load("digits")(data["images"])
    expected = stored("digits_expected")["logits"]
    np.testing.assert_allclose(logits, expected, **LOGITS)
    np.testing.assert_array_equal(logits.argmax(1), expected.argmax(1))
    assert np.mean(logits.argmax(1) == data["labels"]) >= 0.975


@pytest.mark.parametrize("index", CALLS)
def test_gpt_writes_the_same_text_as_xla(index: int) -> None:
    # Exact although the characters are drawn: the stored calls are such that every drawn character won by a
    # margin of at least 2e-3, a hundred times what rounding moves.
    arguments, expected, expected_end = gpt_call(index)
    tokens, end = load("gpt")(*arguments)
    assert int(end) == expected_end
    np.testing.assert_array_equal(tokens, expected)


def test_gpt_stored_margins_are_wide() -> None:
    calls = stored("gpt_expected")
    assert len(calls["margin"]) == len(CALLS)
    assert calls["margin"].min() >= 2e-3


def test_gpt_in_parts_writes_the_same() -> None:
    program = load("gpt")
    (tokens, length, key, temperature, _), expected, expected_end = gpt_call(1)
    end = int(length)
    while end < expected_end:
        tokens, stop = program(tokens, np.int32(end), key, temperature, np.int32(50))
        assert end < int(stop) <= end + 50
        end = int(stop)
    assert end == expected_end
    np.testing.assert_array_equal(tokens, expected)


def test_gpt_reads_nothing_behind_the_prompt() -> None:
    (prompt, length, key, temperature, _), expected, _ = gpt_call(1)
    prompt = prompt.copy()
    prompt[int(length) :] = 7
    tokens, end = load("gpt")(prompt, length, key, temperature, np.int32(10))
    assert int(end) == int(length) + 10
    np.testing.assert_array_equal(tokens[: int(end)], expected[: int(end)])


def test_gpt_writes_nothing_if_no_tokens_are_requested() -> None:
    (prompt, length, key, temperature, _), _, _ = gpt_call(1)
    tokens, end = load("gpt")(prompt, length, key, temperature, np.int32(0))
    assert int(end) == int(length)
    np.testing.assert_array_equal(tokens, prompt)


def test_thirty_training_steps() -> None:
    program = load("train_step")
    state, images, labels = train_step_inputs()
    expected = stored("train_step_expected")
    losses: list[float] = []
    for index in range(30):
        first = index * 64 % len(images)
        *state, loss = program(*state, images[first : first + 64], labels[first : first + 64])
        losses.append(float(loss))
    np.testing.assert_allclose(losses, expected.pop("losses"), **LOSSES)
    assert losses[-1] < losses[0] / 2
    for array, name in zip(state, sorted(expected), strict=True):
        np.testing.assert_allclose(array, expected[name], **STATE, err_msg=name)


def test_demo_is_plain_and_needs_no_jax() -> None:
    # `None` in sys.modules makes `import jax` fail.
    code = "import runpy, sys; sys.modules['jax'] = None; runpy.run_path(sys.argv[1], run_name='__main__')"
    run = subprocess.run(
        [sys.executable, "-c", code, str(EXAMPLES / "demo.py")],
        capture_output=True,
        encoding="utf-8",
        env=os.environ | {"PYTHONIOENCODING": "utf-8"},
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert run.stderr == ""
    assert "\x1b" not in run.stdout
    assert "\r" not in run.stdout
    accuracy = re.search(r"accuracy ([\d.]+)%", run.stdout)
    assert accuracy is not None
    assert float(accuracy[1]) >= 97.5
    assert "characters" in run.stdout
    assert "loss" in run.stdout


@pytest.mark.parametrize("name", NAMES)
def test_artifact_locates_its_operations_in_the_script(name: str) -> None:
    text = load(name).text(debug_info=True, elide_larger_than=16)
    files = set(re.findall(r'loc\("([^"]*\.py)"', text))
    script = "train_step" if name == "train_step" else f"train_{name}"
    assert f"examples/{script}.py" in files
    assert not any(file.startswith("/") for file in files)


def xla(name: str, arguments: Sequence[Array]) -> tuple[Array, ...]:
    """Compile and run the committed artifact with XLA.

    `jax.export` can call an exported function. So export a function of the same signature, and replace its
    program by the artifact.
    """
    jax = pytest.importorskip("jax")
    outputs: Any = load(name).signature().outputs

    def same_signature(*_: Any) -> list[Any]:
        return [jax.numpy.zeros(output.shape, output.element_type.dtype) for output in outputs]

    exported = jax.export.export(jax.jit(same_signature, keep_unused=True), platforms=["cpu"])(*arguments)
    artifact = (MODELS / f"{name}.mlirbc").read_bytes()
    return as_tuple(dataclasses.replace(exported, mlir_module_serialized=artifact).call(*arguments))


@pytest.mark.parametrize(
    ("name", "tolerance"), [("digits", LOGITS), ("gpt", {"rtol": 0, "atol": 0}), ("train_step", STATE)]
)
@pytest.mark.sample("digits-*")
def test_live_xla_agrees(name: str, tolerance: dict[str, Any]) -> None:
    arguments = arguments_of(name)
    expected = xla(name, arguments)
    results = as_tuple(load(name)(*arguments))
    for index, (result, wanted) in enumerate(zip(results, expected, strict=True)):
        assert result.dtype == wanted.dtype
        np.testing.assert_allclose(result, wanted, **tolerance, err_msg=f"result {index}")


def test_jax_export_blob_is_the_same_model() -> None:
    pytest.importorskip("jax")
    pytest.importorskip("flatbuffers")
    images = stored("digits")["images"]
    blob = hlokit.load(str(MODELS / "digits.jaxexport"))
    np.testing.assert_array_equal(np.asarray(blob(images)), load("digits")(images))
