"""Runs the notebooks of examples/notebooks, stores their outputs, and writes docs/notebooks.md:
`python docs/generators/make_notebooks.py`.

The page has the text, code and results of the notebooks as text. Requires nbclient and ipykernel (the extra `test`).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import nbclient
import nbformat

ROOT = Path(__file__).parents[2]
NOTEBOOKS = ROOT / "examples" / "notebooks"
ORDER = (
    "first_steps",
    "hunt_a_nan",
    "nan_of_a_training_run",
    "why_do_two_runs_differ",
    "check_a_sharding",
)
MOST_LINES = 30
HEAD = """# Notebooks

The notebooks of `examples/notebooks` with their output as text; in a notebook, most results are tables, coloured programs
and pages ([view.md](view.md)). This page is generated: `python docs/generators/make_notebooks.py`.
"""


def main() -> None:
    parts = [HEAD]
    for name in ORDER:
        notebook = nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4)
        nbclient.NotebookClient(notebook, resources={"metadata": {"path": str(NOTEBOOKS)}}).execute()
        parts += [part for cell in notebook.cells for part in _cell(cell)]
        _store(notebook, NOTEBOOKS / f"{name}.ipynb")
    (ROOT / "docs" / "notebooks.md").write_text("\n".join(parts))


def _store(notebook: Any, path: Path) -> None:
    """Store a notebook with its outputs. Whole pages in frames stay out: viewers remove them anyway."""
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number}"
        cell.metadata = {}
        for output in cell.get("outputs", ()):
            if "<iframe" in output.get("data", {}).get("text/html", ""):
                del output["data"]["text/html"]
    nbformat.write(notebook, path)


def _cell(cell: Any) -> list[str]:
    if cell.cell_type == "markdown":
        return [re.sub("^#", "##", cell.source) + "\n"]
    parts = [f"```python\n{cell.source}\n```\n"]
    shown = [output.get("text") or output["data"].get("text/plain", "") for output in cell.outputs]
    lines = "\n".join(shown).rstrip().splitlines()
    if len(lines) > MOST_LINES:
        lines = [*lines[:MOST_LINES], "..."]
    if lines:
        parts.append("```text\n" + "\n".join(line.rstrip() for line in lines) + "\n```\n")
    return parts


if __name__ == "__main__":
    main()
