"""All cases, in the order of the report. Importing a file registers its cases."""

from __future__ import annotations

from benchmarks.case import CASES
from benchmarks.programs import (
    applications,
    elementwise,
    libraries,
    linalg,
    loops,
    models,
    operations,
    sizes,
)

_FILES = (
    operations,
    elementwise,
    linalg,
    loops,
    models,
    applications,
    libraries,
    sizes,
)

__all__ = ["CASES"]
