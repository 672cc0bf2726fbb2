"""The shardings that XLA has chosen, in the text of the HLO before its partitioner."""

from __future__ import annotations

import re

from hlokit.tools.shard.notation.gspmd import parse_tilings

_NUMBER = re.compile(r'op_name="hlokit\.(\d+)')
_SHARDING = ", sharding={"


def shardings_in(hlo: str) -> dict[int, list[str]]:
    """The shardings of the results of operations, by the number in their names.

    An instruction without a sharding counts as replicated. If several instructions have one number, the last
    one counts: the others compute its operands.
    """
    by_number: dict[int, list[str]] = {}
    for line in hlo.splitlines():
        name = _NUMBER.search(line)
        if name is not None and " = " in line:
            by_number[int(name[1])] = parse_tilings(_sharding(line))
    return by_number


def _sharding(line: str) -> str:
    start = line.find(_SHARDING)
    if start < 0:
        return "{replicated}"
    start += len(_SHARDING) - 1
    depth = 0
    for end in range(start, len(line)):
        depth += {"{": 1, "}": -1}.get(line[end], 0)
        if depth == 0:
            return line[start : end + 1]
    return "{replicated}"
