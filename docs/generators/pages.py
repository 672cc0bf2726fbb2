"""The pages that are built with the site: each from the tables and programs that it describes."""

from __future__ import annotations

from functools import partial

import make_commands
import make_live
import make_notebooks
import make_operations
import make_ops
import make_passes
import make_python
import make_status

# Paths within docs/ -> functions that return the text.
PAGES = {
    "notebooks.md": make_notebooks.page,
    "reference/commands.md": make_commands.page,
    "reference/ops.md": make_ops.table,
    "reference/passes.md": make_passes.page,
    "reference/python.md": make_python.page,
    "reference/status.md": make_status.page,
    **make_operations.pages(),
}
# Those for which programs run, in some seconds.
RUNS = {path: partial(make_live.page, path) for path in make_live.GUIDES}
