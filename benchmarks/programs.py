"""All cases, in the order of the report. Importing a file registers its cases."""

from __future__ import annotations

from benchmarks import (
    programs_chains,
    programs_libraries,
    programs_linalg,
    programs_loops,
    programs_models,
    programs_operations,
    programs_sizes,
)
from benchmarks.case import CASES

_FILES = (
    programs_operations,
    programs_chains,
    programs_linalg,
    programs_loops,
    programs_models,
    programs_libraries,
    programs_sizes,
)

__all__ = ["CASES"]
