"""Errors over inputs as SVG: the largest error in each of several hundred intervals or cells of inputs."""

# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# (NumPy's stubs know little of longdouble)

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

import numpy as np

from tools.accuracy.curves import CELLS, position
from tools.accuracy.measure import Measurement

Array = Any

_WIDTH, _HEIGHT, _LEFT, _BOTTOM, _TOP = 720, 300, 46, 30, 24
_COLOURS = {"hlokit": "#1664c0", "XLA:CPU": "#d06a00", "eval_module": "#2a8c4a"}
_HIGHEST = 4.0
# The side of a map in pixels, and the colours of errors up to each limit.
_PANEL = 200
_SHADES = (
    (0.0, "#f7fbff"),
    (0.501, "#9ecae1"),
    (1.0, "#3182bd"),
    (2.0, "#fdd49e"),
    (4.0, "#fc8d59"),
    (1000.0, "#d7301f"),
    (np.inf, "#7f0000"),
)


def plots(found: Sequence[Measurement]) -> Iterator[tuple[str, str]]:
    """Names and contents of files: one for each function and each type of 16 bits or more.

    Functions of one float have curves; functions of two floats or of a complex number have maps.
    """
    keys = dict.fromkeys(
        (one.op, one.type_name) for one in found if one.curve is not None or one.cells is not None
    )
    for op, type_name in keys:
        those = [one for one in found if (one.op, one.type_name) == (op, type_name)]
        with np.errstate(all="ignore"):
            svg = _svg if those[0].curve is not None else _map_svg
            yield file_name(op, type_name), svg(op, type_name, those)


def file_name(op: str, type_name: str) -> str:
    """The file name of the plot of an operation and a type."""
    return f"{op.partition('.')[2]}.{type_name.replace('<', '_').rstrip('>')}.svg"


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


def _map_svg(op: str, type_name: str, found: Sequence[Measurement]) -> str:
    axes = ("imaginary", "real part") if "complex" in type_name else ("second", "first operand")
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif" '
        'font-size="11">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>',
        f'<text x="10" y="15">{op} of {escape(type_name)}: largest error, in ULP, over both '
        f"{'parts' if 'complex' in type_name else 'operands'}</text>",
    ]
    for index, (limit, colour) in enumerate(_SHADES):
        x = 10 + 90 * index
        named = f"above {_SHADES[index - 1][0]:g}" if np.isinf(limit) else f"up to {limit:g}"
        parts.append(f'<rect x="{x}" y="{_HEIGHT - 20}" width="10" height="10" fill="{colour}"/>')
        parts.append(f'<text x="{x + 14}" y="{_HEIGHT - 11}">{named}</text>')
    for index, one in enumerate(found):
        if one.cells is None:
            continue
        left, top = 10 + (_PANEL + 10) * index, 36
        parts.append(f'<text x="{left}" y="31">{one.implementation}</text>')
        parts.extend(_shaded(one.cells, left, top))
    parts.append(
        f'<text x="10" y="{_HEIGHT - 27}">{axes[1]} from left to right, {axes[0]} upwards: -1e38 to 1e38, '
        "logarithmic from the middle, 0, on</text>"
    )
    return "\n".join([*parts, "</svg>\n"])


def _shaded(cells: Array, left: int, top: int) -> Iterator[str]:
    """A path for each shade, made of lines as thick as the height of a cell."""
    side, lowest = _PANEL // CELLS, -1.0
    yield f'<rect x="{left}" y="{top}" width="{_PANEL}" height="{_PANEL}" fill="#eee"/>'
    for limit, colour in _SHADES:
        has_shade = (cells > lowest) & (cells <= limit)
        lowest = limit
        lines: list[str] = []
        for row in range(CELLS):
            (ends,) = np.nonzero(np.diff(has_shade[row], prepend=False, append=False))
            y = top + side * (CELLS - row) - side / 2
            for first, last in ends.reshape(-1, 2).tolist():
                lines.append(f"M{left + side * first} {y:g}h{side * (last - first)}")
        if lines:
            yield f'<path stroke="{colour}" stroke-width="{side}" d="{"".join(lines)}"/>'


def _x(position: float) -> float:
    return round(_LEFT + (position + 1) / 2 * (_WIDTH - _LEFT - 8), 1)


def _y(error: float, highest: float) -> float:
    return round(_HEIGHT - _BOTTOM - error / highest * (_HEIGHT - _BOTTOM - _TOP), 1)
