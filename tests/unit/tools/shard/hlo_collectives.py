"""Collectives in the text of HLO, as XLA compiles it."""

from __future__ import annotations

import re
from collections import Counter
from math import prod

# Kind and size of groups (of permutations the number of pairs), and the bytes of all operands of one device.
Sums = dict[tuple[str, int], int]

_COLLECTIVE = re.compile(
    r"= (?P<type>\(.*?\)|\S+) "
    r"(?P<kind>all-reduce|all-gather|reduce-scatter|all-to-all|collective-permute)(?:-start)?\(.*"
)
_SHAPE = re.compile(r"\b(pred|[suf]\d+|bf16|c64|c128)\[([\d,]*)\]")
_MESH = re.compile(
    r"replica_groups=mesh\[(?P<sizes>[^\]]*)\](?:, device_ids=\([^{]*\))? ?\{(?P<axes>[^}]*)\}"
)
_LISTED = re.compile(r"replica_groups=\{(\{[\d,]*\})")
_IOTA = re.compile(r"replica_groups=\[\d+,(\d+)\]<=")
_PAIRS = re.compile(r"source_target_pairs=\{(.*?\})\}")
_BYTES = {"pred": 1, "bf16": 2, "c64": 8, "c128": 16}


def sums(hlo: str) -> Sums:
    """XLA combines collectives of one kind and the same groups, so their sizes are added."""
    found: Counter[tuple[str, int]] = Counter()
    for line in hlo.splitlines():
        match = _COLLECTIVE.search(line)
        if match is None:
            continue
        kind = match["kind"].replace("-", "_")
        size = _group_size(line)
        given = sum(
            _width(type_) * prod(int(each) for each in dims.split(",") if each)
            for type_, dims in _SHAPE.findall(match["type"])
        )
        if kind == "all_gather":
            given //= size
        elif kind == "reduce_scatter":
            given *= size
        found[kind, size] += given
    return dict(found)


def _width(type_: str) -> int:
    return _BYTES.get(type_) or int(type_[1:]) // 8


def _group_size(line: str) -> int:
    pairs = _PAIRS.search(line)
    if pairs is not None:
        return pairs[1].count("{")
    mesh = _MESH.search(line)
    if mesh is not None:
        sizes = {name: int(size) for name, size in re.findall(r"'(\w+)'=(\d+)", mesh["sizes"])}
        axes = re.findall(r"'(\w+)'(?::\(\d+\)(\d+))?", mesh["axes"])
        return prod(int(part) if part else sizes[name] for name, part in axes)
    listed = _LISTED.search(line)
    if listed is not None:
        return listed[1].count(",") + 1
    iota = _IOTA.search(line)
    assert iota is not None, line
    return int(iota[1])
