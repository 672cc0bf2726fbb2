"""The notebooks of examples/notebooks run from the first cell to the last, and show the output that they
describe."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.deep

NOTEBOOKS = Path(__file__).parents[2] / "examples" / "notebooks"
# Text that a notebook shows, as HTML or as text.
SHOWN = {
    "first_steps": [
        "@main(tensor&lt;360x8x8xui8&gt;) -&gt; tensor&lt;360x10xf32&gt;",
        "99.2% right",
        "<iframe",
    ],
    "hunt_a_nan": ["stablehlo.divide", "loss.py:6", "computed 2 NaN", "None"],
    "nan_of_a_training_run": ["stablehlo.multiply", "at train.py:9", "3 inf", "5 nan", "the same bytes"],
    "why_do_two_runs_differ": ["within roundings", "norm.py:4", "max ULP", "<iframe"],
    "check_a_sharding": ["all_reduce", "mlp.py:5"],
}


def test_every_notebook_is_here() -> None:
    assert {path.stem for path in NOTEBOOKS.glob("*.ipynb")} == set(SHOWN)


@pytest.mark.parametrize("name", SHOWN)
def test_a_notebook_runs(name: str) -> None:
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    notebook = nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4)
    stored = _text_of(notebook)
    for text in SHOWN[name]:
        assert text in stored or text == "<iframe", "docs/generators/make_notebooks.py stores the outputs"
    assert "<iframe" not in stored and "site-packages" not in stored
    client = nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(NOTEBOOKS)}})
    client.execute()
    shown = _text_of(notebook)
    for text in SHOWN[name]:
        assert text in shown


def _text_of(notebook: Any) -> str:
    """All output of a notebook."""
    return "".join(
        str(output.get("data", output.get("text", "")))
        for cell in notebook.cells
        for output in cell.get("outputs", ())
    )


def test_errors_of_a_cell_have_no_frames_of_hlokit() -> None:
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    code = (
        "import hlokit\n"
        'text = "func.func @main(%x: tensor<f32>) -> tensor<f32> { %0 = stablehlo.log %x : tensor<f32> return %0 : tensor<f32> }"\n'
        "hlokit.load(text)(-1.0, observer=hlokit.StopOnNan())"
    )
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
    with pytest.raises(nbclient.exceptions.CellExecutionError):
        nbclient.NotebookClient(notebook, timeout=300).execute()
    (output,) = notebook.cells[0].outputs
    first, *rest = "\n".join(output["traceback"]).splitlines()
    assert first.startswith("EvaluationError: stablehlo.log: computed 1 NaN")
    assert "In [1] line 3" in rest[-1]
    assert "hlokit/" not in "\n".join(rest)
