"""Compiler passes that the bindings lack, and pipelines of hlokit's and the bindings' passes.

`framework.registry` defines the contract of a pass, and `PASSES` is the table of all passes. `pipeline`
parses and runs pipelines, `pipelines` has upstream's named pipelines, `native` lists the bindings' passes.
One module or package per pass: `simplification`, `folding`, `target_independent`, `broadcast`, `infer`,
`inline`, `probe_instrumentation`, `speculatability`, `unrealized_casts`. Shared parts: `inference` (result
types), `reify` (result shapes), `framework.building` (new operations) and `framework.rewriting` (patterns
in MLIR's greedy driver).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from hlokit.passes import (
    broadcast,
    folding,
    infer,
    inline,
    pipelines,
    probe_instrumentation,
    simplification,
    speculatability,
    target_independent,
    unrealized_casts,
)
from hlokit.passes.framework.registry import Pass

_ALL: tuple[Pass, ...] = (
    broadcast.PASS,
    folding.PASS,
    infer.PASS,
    inline.PASS,
    pipelines.DESERIALIZE,
    pipelines.PRE_SERIALIZATION,
    probe_instrumentation.PASS,
    simplification.PASS,
    speculatability.PASS,
    target_independent.PASS,
    unrealized_casts.PASS,
)

PASSES: Mapping[str, Pass] = MappingProxyType({entry.name: entry for entry in _ALL})
