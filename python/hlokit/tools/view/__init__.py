"""Pages and graphs of programs and their runs: `hlokit view`, `Program.view`.

`page.py` writes one self-contained page of `page.html`, `page.css`, the scripts of `scripts` and the vendored
layout library. Its data: `overview.py` says what the program is, `grouping` what stands together in the
graph, `names.py` has the names of the user's text; `overlay.py` has the data of a run, a shadow and a
comparison for each operation, `timing.py` measures unobserved runs, `times.py` their times by operation.
`dot.py` writes the graph for Graphviz, `model_explorer.py` for Model Explorer.
"""
