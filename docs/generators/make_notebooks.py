"""The page notebooks.md: text, code and results of the notebooks of examples/notebooks, as they are stored.

python docs/generators/make_notebooks.py    # run the notebooks, and store their outputs (nbclient, ipykernel)
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

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
and pages ([view.md](view.md)).
"""


def page() -> str:
    """The text of the page."""
    cells = [
        cell
        for name in ORDER
        for cell in json.loads((NOTEBOOKS / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]
    ]
    return "\n".join([HEAD, *(part for cell in cells for part in _cell(cell))])


def main() -> None:
    """Run the notebooks, and store their outputs."""
    import nbclient  # of the extra `docs`
    import nbformat

    for name in ORDER:
        notebook = nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4)
        nbclient.NotebookClient(notebook, resources={"metadata": {"path": str(NOTEBOOKS)}}).execute()
        _store(notebook, NOTEBOOKS / f"{name}.ipynb")


def _store(notebook: Any, path: Path) -> None:
    """Store a notebook with its outputs. Whole pages in frames stay out: viewers remove them anyway."""
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number}"
        cell.metadata = {}
        for output in cell.get("outputs", ()):
            if "<iframe" in output.get("data", {}).get("text/html", ""):
                del output["data"]["text/html"]
    import nbformat

    nbformat.write(notebook, path)


def _cell(cell: dict[str, Any]) -> list[str]:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        return [re.sub("^#", "##", source) + "\n"]
    parts = [f"```python\n{source}\n```\n"]
    shown = [
        "".join(output.get("text") or output.get("data", {}).get("text/plain", ""))
        for output in cell["outputs"]
    ]
    lines = "\n".join(shown).rstrip().splitlines()
    if len(lines) > MOST_LINES:
        lines = [*lines[:MOST_LINES], "..."]
    if lines:
        parts.append("```text\n" + "\n".join(line.rstrip() for line in lines) + "\n```\n")
    return parts


if __name__ == "__main__":
    main()
