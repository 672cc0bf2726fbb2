"""Errors over inputs as SVG: the largest error in each of some hundred stretches of inputs."""

# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# (NumPy's stubs know little of longdouble)

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from hlokit.accuracy.curves import position
from hlokit.accuracy.measure import Measurement

Array = Any

_WIDTH, _HEIGHT, _LEFT, _BOTTOM, _TOP = 720, 300, 46, 30, 24
_COLOURS = {"hlokit": "#1664c0", "XLA:CPU": "#d06a00", "eval_module": "#2a8c4a"}
_HIGHEST = 4.0


def plots(found: Sequence[Measurement]) -> Iterator[tuple[str, str]]:
    """Names and contents of files: one for each function of one float and each type."""
    keys = dict.fromkeys((one.op, one.type_name) for one in found if one.curve is not None)
    for op, type_name in keys:
        those = [one for one in found if (one.op, one.type_name) == (op, type_name)]
        with np.errstate(all="ignore"):
            yield file_name(op, type_name), _svg(op, type_name, those)


def file_name(op: str, type_name: str) -> str:
    """Of the plot of an operation and a type."""
    return f"{op.partition('.')[2]}.{type_name}.svg"


def _svg(op: str, type_name: str, found: Sequence[Measurement]) -> str:
    curves = [(one.implementation, *one.curve) for one in found if one.curve is not None]
    highest = min(max([0.6, *(float(errors.max(initial=0)) for _, _, errors in curves)]), _HIGHEST)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif" '
        'font-size="11">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>',
        f'<text x="{_LEFT}" y="15">{op} of {type_name}: largest error, in ULP, over the input</text>',
    ]
    for level in (0, 0.5, 1, 2, 3, 4):
        if level <= highest:
            y = _y(level, highest)
            parts.append(
                f'<path d="M{_LEFT} {y}H{_WIDTH - 8}" stroke="#ccc"/><text x="6" y="{y + 4}">{level:g}</text>'
            )
    for value in (-1e30, -1e10, -1.0, -1e-10, -1e-30, 0.0, 1e-30, 1e-10, 1.0, 1e10, 1e30):
        x = _x(float(position(np.array([value]))[0]))
        parts.append(f'<text x="{x}" y="{_HEIGHT - 10}" text-anchor="middle">{value:g}</text>')
    for index, (name, positions, errors) in enumerate(curves):
        points = " ".join(
            f"{_x(position)},{_y(min(error, highest), highest)}"
            for position, error in zip(positions.tolist(), errors.tolist(), strict=True)
        )
        colour = _COLOURS.get(name, "black")
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}"/>')
        parts.append(f'<text x="{_WIDTH - 240 + 80 * index}" y="15" fill="{colour}">{name}</text>')
    return "\n".join([*parts, "</svg>\n"])


def _x(position: float) -> float:
    return round(_LEFT + (position + 1) / 2 * (_WIDTH - _LEFT - 8), 1)


def _y(error: float, highest: float) -> float:
    return round(_HEIGHT - _BOTTOM - error / highest * (_HEIGHT - _BOTTOM - _TOP), 1)
