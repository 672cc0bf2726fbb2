"""Passes that the bindings lack, one file each."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from hlokit.passes import simplification
from hlokit.passes.registry import Pass

_ALL: tuple[Pass, ...] = (simplification.PASS,)

PASSES: Mapping[str, Pass] = MappingProxyType({entry.name: entry for entry in _ALL})
