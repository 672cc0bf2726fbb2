"""The table of all passes."""

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
