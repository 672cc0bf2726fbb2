"""The pages that are built with the site: each from the tables and programs that it describes."""

from __future__ import annotations

import make_commands
import make_meanings
import make_ops
import make_passes
import make_status

# Paths within docs/ -> functions that return the text.
PAGES = {
    "reference/commands.md": make_commands.page,
    "reference/operations.md": make_meanings.page,
    "reference/ops.md": make_ops.table,
    "reference/passes.md": make_passes.page,
    "reference/status.md": make_status.page,
}
