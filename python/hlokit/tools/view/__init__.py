"""Pages and graphs of programs and their runs: `hlokit view`, `Program.view`.

`page.py` writes one self-contained page of `page.html`, `page.css`, `page.js` and the vendored layout
library; `overlay.py` has the data of a run, a shadow and a comparison for each operation. `dot.py` writes the
graph for Graphviz, `model_explorer.py` for Model Explorer.
"""
