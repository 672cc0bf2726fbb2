"""The mutants, by area."""

from __future__ import annotations

from tests.mutation.mutant import Mutant
from tests.mutation.mutants import (
    arrays,
    commands,
    differences,
    elementwise,
    grid,
    judge,
    kit,
    library,
    loops,
    native,
    programs,
    tools,
)

AREAS: dict[str, tuple[Mutant, ...]] = {
    "element-wise kernels": elementwise.MUTANTS,
    "kernels of arrays": arrays.MUTANTS,
    "compiler and planner": native.MUTANTS,
    "native loops": loops.MUTANTS,
    "lib": library.MUTANTS,
    "grid": grid.MUTANTS,
    "passes": programs.PASSES,
    "compat": programs.COMPAT,
    "constraints": programs.CONSTRAINTS,
    "importers and arguments": programs.IMPORTERS,
    "diff": differences.DIFF,
    "reduce": tools.REDUCE,
    "sharding": tools.SHARDING,
    "numerics": tools.NUMERICS,
    "recordings, views, service": tools.VIEWS,
    "judge": judge.MUTANTS,
    "kit": kit.MUTANTS,
    "commands": commands.MUTANTS,
}
