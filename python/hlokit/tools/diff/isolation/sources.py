"""Operations without operands, such as `iota`: hlokit evaluates them once, before any step runs.

Constants are not compared: a module that the other side gets contains their elements.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hlokit.errors import HlokitError
from hlokit.mlir.parse import parse_bytecode
from hlokit.mlir.queries.types import value_type
from hlokit.operations.lookup import traits_of
from hlokit.programs.program import Program
from hlokit.tools.backends.side import Side, SideFailed
from hlokit.tools.diff.comparing.findings import Finding, ResultAt, finding
from hlokit.tools.diff.comparing.verdicts import EXACT, compare
from hlokit.tools.diff.isolation.batches import Specimen, module_of
from hlokit.tools.diff.isolation.specimens import NOT_ALONE, NOT_ALONE_DIALECTS
from hlokit.tools.recording.places import CONTROL_FLOW, Operations
from hlokit.values.types import TensorType


def compare_sources(operations: Operations, side: Side) -> list[Finding]:
    """Compare the operations without operands; nothing if the other side does not evaluate them."""
    specimens: dict[int, Specimen] = {}
    for number, operation in enumerate(operations.all):
        if len(operation.operands) or not len(operation.results) or len(operation.regions):
            continue
        name = operation.name
        if name in NOT_ALONE or name in CONTROL_FLOW or name.startswith(NOT_ALONE_DIALECTS):
            continue
        types = [value_type(result.type) for result in operation.results]
        tensors = [type_ for type_ in types if isinstance(type_, TensorType) and type_.is_static]
        if not traits_of(name).constant and len(tensors) == len(types):
            specimens[number] = Specimen(operation, (), tuple(tensors), {}, ())
    if not specimens:
        return []
    module = module_of(list(specimens.values()))
    try:
        theirs = side.run(module, [])
        mine = Program(parse_bytecode(None, module, "-", is_trusted=True)).runs.evaluate([], "main")
    except (SideFailed, HlokitError):
        return []
    return list(_findings(operations, specimens, mine, theirs))


def _findings(
    operations: Operations,
    specimens: dict[int, Specimen],
    mine: Sequence[object],
    theirs: Sequence[object],
) -> list[Finding]:
    findings: list[Finding] = []
    pairs = zip(mine, theirs, strict=True)
    for number, specimen in specimens.items():
        for index, type_ in enumerate(specimen.result_types):
            value, other = next(pairs)
            comparison = compare(np.asarray(value), other, type_.element_type, lambda: EXACT)
            if comparison.verdict != "exact":
                findings.append(finding(ResultAt(operations, (number,), 0, index, str(type_)), comparison))
    return findings
