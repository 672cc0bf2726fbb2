"""Times against sizes as SVG, both axes logarithmic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, floor, log10

from benchmarks.report import seconds

_WIDTH, _HEIGHT = 640, 340
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 96, 16, 44
_COLOURS = ("#8a8a8a", "#1664c0", "#d06a00", "#2a8c4a")


class _Axis:
    """Positions on a logarithmic axis."""

    def __init__(self, values: Sequence[float], start: float, end: float) -> None:
        self.low, self.high = floor(log10(min(values))), ceil(log10(max(values)))
        self.high = max(self.high, self.low + 1)
        self._start, self._end = start, end

    def at(self, value: float) -> float:
        share = (log10(value) - self.low) / (self.high - self.low)
        return self._start + share * (self._end - self._start)

    @property
    def powers(self) -> list[float]:
        return [10.0**n for n in range(self.low, self.high + 1)]


def svg(unit: str, sizes: Sequence[int], curves: Mapping[str, Sequence[float]]) -> str:
    """A plot of curves in seconds. A dotted line shows growth in proportion to the size."""
    x = _Axis([float(size) for size in sizes], _LEFT, _WIDTH - _RIGHT)
    y = _Axis([max(value, 1e-7) for curve in curves.values() for value in curve], _HEIGHT - _BOTTOM, _TOP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif" '
        f'font-size="11" role="img" aria-label="Time against {unit}">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>',
    ]
    for power in x.powers:
        at = x.at(power)
        parts.append(f'<path d="M{at:.1f} {_TOP}V{_HEIGHT - _BOTTOM}" stroke="#e4e4e4"/>')
        parts.append(
            f'<text x="{at:.1f}" y="{_HEIGHT - _BOTTOM + 16}" text-anchor="middle">{power:,.0f}</text>'
        )
    for power in y.powers:
        at = y.at(power)
        parts.append(f'<path d="M{_LEFT} {at:.1f}H{_WIDTH - _RIGHT}" stroke="#e4e4e4"/>')
        parts.append(f'<text x="{_LEFT - 6}" y="{at + 4:.1f}" text-anchor="end">{seconds(power)}</text>')
    parts.append(
        f'<text x="{(_LEFT + _WIDTH - _RIGHT) / 2}" y="{_HEIGHT - 8}" text-anchor="middle">{unit}</text>'
    )
    parts.append(_proportional(x, y))
    labels = sorted(curves, key=lambda name: y.at(max(curves[name][-1], 1e-7)))
    last = -100.0
    heights: dict[str, float] = {}
    for name in labels:  # labels that would overlap move down
        last = heights[name] = max(y.at(max(curves[name][-1], 1e-7)) + 4, last + 13)
    for colour, (name, curve) in zip(_COLOURS, curves.items(), strict=True):
        places = [(x.at(size), y.at(max(value, 1e-7))) for size, value in zip(sizes, curve, strict=True)]
        path = " ".join(f"{a:.1f},{b:.1f}" for a, b in places)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="2.5" fill="{colour}"/>' for a, b in places]
        parts.append(f'<text x="{_WIDTH - _RIGHT + 8}" y="{heights[name]:.1f}" fill="{colour}">{name}</text>')
    return "\n".join([*parts, "</svg>\n"])


def _proportional(x: _Axis, y: _Axis) -> str:
    """A line of slope 1 that ends in the upper right corner."""
    decades = min(x.high - x.low, y.high - y.low)
    start_x, start_y = x.at(10.0 ** (x.high - decades)), y.at(10.0 ** (y.high - decades))
    end_x, end_y = x.at(10.0**x.high), y.at(10.0**y.high)
    return (
        f'<path d="M{start_x:.1f} {start_y:.1f}L{end_x:.1f} {end_y:.1f}" stroke="#b0b0b0" '
        'stroke-dasharray="2 4"/>'
    )
