"""The reference functions of element-wise operations, exact and quick, and their difficult inputs."""

# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# (NumPy's stubs know little of longdouble)

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from hlokit.accuracy import exact
from hlokit.ops.elementwise import special_functions

Array = Any
Range = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Function:
    """An element-wise operation.

    Attributes:
      name: the operation's name, with its dialect.
      exact: the name of a function of mpmath's numbers in `exact`; None if results are exact in longdouble.
      quick: the function of longdouble or clongdouble arrays, within 2**-58 of the exact result; zeros,
        infinities and NaN follow Annexes F and G of C99; None if there is none.
      operands: the number of operands.
      ranges: intervals in which the function varies: samples are drawn from them evenly.
      points: difficult inputs: samples include their neighbours.
      is_shared: `quick` is the code of hlokit's own f64 kernel: results of f64 are compared with mpmath
        alone.
      takes_complex, takes_float: the types that are measured.
      cost: mpmath's time, roughly, as a multiple of its time for an exponential.
      trusted: the error of `quick` in ULP of f64 that is tolerated; larger if roots lie between numbers of
        f64.
    """

    name: str
    exact: Callable[..., Any] | None
    quick: Callable[..., Array] | None
    operands: int = 1
    ranges: tuple[Range, ...] = ((-8.0, 8.0),)
    points: tuple[float, ...] = (1.0, -1.0)
    is_shared: bool = False
    takes_float: bool = True
    takes_complex: bool = True
    cost: int = 1
    trusted: int = 16

    @property
    def short_name(self) -> str:
        return self.name.partition(".")[2]


def _logistic(x: Array) -> Array:
    if np.iscomplexobj(x):
        return 1 / (1 + np.exp(-x))
    power = np.exp(-np.abs(x))
    return np.where(x < 0, power / (1 + power), 1 / (1 + power))


def _rsqrt(x: Array) -> Array:
    return 1 / np.sqrt(x)


def _cbrt(x: Array) -> Array:
    if not np.iscomplexobj(x):
        return np.cbrt(x)
    radius, angle = np.cbrt(np.abs(x)), np.angle(x) / 3
    return radius * np.cos(angle) + 1j * (radius * np.sin(angle))


def _log_plus_one(x: Array) -> Array:
    if not np.iscomplexobj(x):
        return np.log1p(x)
    result = np.log(1 + x)
    squares = x.real * (x.real + 2) + x.imag * x.imag
    result.real = np.where(np.abs(squares) < 0.5, np.log1p(squares) / 2, result.real)
    result.imag = np.arctan2(x.imag, 1 + x.real)
    return result


def _afz(x: Array) -> Array:
    rounded = np.trunc(x)
    return np.copysign(rounded + np.where(np.abs(x - rounded) >= 0.5, np.sign(x), 0), x)


def _sign(x: Array) -> Array:
    return x / np.abs(x) if np.iscomplexobj(x) else np.copysign(np.sign(x), x)


def _extremum(greatest: bool) -> Callable[..., Array]:
    def choose(lhs: Array, rhs: Array) -> Array:
        lhs, rhs = np.broadcast_arrays(lhs, rhs)
        first = (lhs > rhs) if greatest else (lhs < rhs)
        first |= (lhs == rhs) & (np.signbit(rhs) if greatest else np.signbit(lhs))
        return np.where(np.isnan(lhs) | np.isnan(rhs), np.nan, np.where(first, lhs, rhs))

    return choose


def _unary(name: str, **options: Any) -> Function:
    dialect = options.pop("dialect", "stablehlo")
    is_exact = options.pop("is_exact", False)
    function = None if is_exact else getattr(exact, name)
    return Function(f"{dialect}.{name}", function, **options)


_PIS = tuple(float(k) * np.pi / 2 for k in (1, 2, 3, 4, 5, 6, 22, 44, 710, 1420, 245850922))
_ANGLES = {
    "ranges": ((-7.0, 7.0), (-1e3, 1e3), (-1e6, 1e6), (1e15, 1e18)),
    "points": (*_PIS, *(-p for p in _PIS)),
}
_UNIT = {"ranges": ((-1.0, 1.0), (0.9, 1.0), (-0.01, 0.01)), "points": (1.0, -1.0, 0.5, -0.5)}
_SPECIAL = {"dialect": "chlo", "takes_complex": False, "is_shared": True, "cost": 4}

FUNCTIONS: tuple[Function, ...] = (
    _unary("abs", quick=np.abs, is_exact=True, takes_complex=False),
    Function("stablehlo.abs", exact.abs, np.abs, takes_float=False),
    _unary("negate", quick=np.negative, is_exact=True, takes_complex=False),
    _unary("sign", quick=_sign, is_exact=True, takes_complex=False),
    Function("stablehlo.sign", exact.sign, None, takes_float=False),
    *(
        _unary(name, quick=quick, is_exact=True, takes_complex=False, points=(0.5, 1.5, 2.5, -0.5, -1.5))
        for name, quick in (
            ("ceil", np.ceil),
            ("floor", np.floor),
            ("round_nearest_afz", _afz),
            ("round_nearest_even", np.rint),
        )
    ),
    _unary("sqrt", quick=np.sqrt, ranges=((0.0, 8.0), (0.0, 1e6))),
    _unary("rsqrt", quick=_rsqrt, ranges=((0.0, 8.0), (0.0, 1e6))),
    _unary("cbrt", quick=_cbrt, ranges=((-8.0, 8.0), (-1e6, 1e6)), points=(1.0, -1.0, 8.0, 27.0)),
    _unary(
        "exponential",
        quick=np.exp,
        ranges=((-1.0, 1.0), (-110.0, 90.0), (-750.0, 711.0)),
        points=(
            88.7228,
            -87.3365,
            -103.2789,
            -103.972,
            709.7827128933841,
            -708.3964185322641,
            -745.1332,
            0.0,
        ),
    ),
    _unary(
        "exponential_minus_one",
        quick=np.expm1,
        ranges=((-1e-2, 1e-2), (-1.0, 1.0), (-40.0, 90.0), (-40.0, 711.0)),
        points=(88.7228, 709.7827128933841, -17.33, -37.43, 0.6931, -0.6931),
    ),
    _unary("log", quick=np.log, ranges=((0.0, 4.0), (0.95, 1.05), (0.0, 1e6)), points=(1.0, 2.0, 0.5)),
    _unary(
        "log_plus_one",
        quick=_log_plus_one,
        ranges=((-1.0, 1.0), (-1e-2, 1e-2), (-1.0, 1e6)),
        points=(-1.0, 1.0, -0.5),
    ),
    _unary("logistic", quick=_logistic, ranges=((-8.0, 8.0), (-110.0, 40.0), (-750.0, 40.0))),
    _unary("sine", quick=np.sin, **_ANGLES),
    _unary("cosine", quick=np.cos, **_ANGLES),
    _unary("tan", quick=np.tan, **_ANGLES),
    _unary("tanh", quick=np.tanh, ranges=((-0.1, 0.1), (-1.0, 1.0), (-20.0, 20.0)), points=(9.01, 19.06)),
    _unary("acos", dialect="chlo", quick=np.arccos, **_UNIT),
    _unary("acosh", dialect="chlo", quick=np.arccosh, ranges=((1.0, 1.01), (1.0, 4.0), (1.0, 1e6))),
    _unary("asin", dialect="chlo", quick=np.arcsin, **_UNIT),
    _unary("asinh", dialect="chlo", quick=np.arcsinh, ranges=((-0.1, 0.1), (-4.0, 4.0), (-1e6, 1e6))),
    _unary("atan", dialect="chlo", quick=np.arctan, ranges=((-1.0, 1.0), (-40.0, 40.0))),
    _unary("atanh", dialect="chlo", quick=np.arctanh, **_UNIT),
    _unary("sinh", dialect="chlo", quick=np.sinh, ranges=((-1.0, 1.0), (-90.0, 90.0), (-711.0, 711.0))),
    _unary("cosh", dialect="chlo", quick=np.cosh, ranges=((-1.0, 1.0), (-90.0, 90.0), (-711.0, 711.0))),
    _unary("square", dialect="chlo", quick=np.square),
    _unary("erf", quick=special_functions.erf, ranges=((-1.0, 1.0), (-6.0, 6.0)), **_SPECIAL),
    _unary("erfc", quick=special_functions.erfc, ranges=((-1.0, 1.0), (-6.0, 28.0)), **_SPECIAL),
    _unary("erf_inv", quick=special_functions.erf_inv, **(_SPECIAL | _UNIT | {"cost": 40})),
    _unary(
        "lgamma",
        quick=special_functions.lgamma,
        ranges=((-8.0, 8.0), (0.5, 2.5), (0.0, 200.0)),
        points=(1.0, 2.0, -1.0, -2.0, 0.5, -2.457024738220801, -2.7476826467274127),
        trusted=4096,
        **_SPECIAL,
    ),
    _unary(
        "digamma",
        quick=special_functions.digamma,
        ranges=((-8.0, 8.0), (1.3, 1.6), (0.0, 200.0)),
        points=(1.4616321449683623, -0.504083008264455, -1.573498473162391, 1.0),
        trusted=4096,
        **_SPECIAL,
    ),
    _unary(
        "bessel_i1e",
        quick=special_functions.bessel_i1e,
        ranges=((-10.0, 10.0), (-200.0, 200.0)),
        points=(8.0, -8.0),
        **_SPECIAL,
    ),
    Function("stablehlo.add", exact.add, np.add, 2),
    Function("stablehlo.subtract", exact.subtract, np.subtract, 2),
    Function("stablehlo.multiply", exact.multiply, np.multiply, 2),
    Function("stablehlo.divide", exact.divide, np.divide, 2),
    Function("stablehlo.remainder", None, np.fmod, 2, takes_complex=False),
    Function("stablehlo.maximum", None, _extremum(True), 2, takes_complex=False),
    Function("stablehlo.minimum", None, _extremum(False), 2, takes_complex=False),
    Function(
        "stablehlo.power",
        exact.power,
        np.power,
        2,
        ranges=((0.0, 4.0), (0.99, 1.01), (-30.0, 30.0)),
        points=(1.0, -1.0, 2.0, 0.5, 3.0),
    ),
    Function("stablehlo.atan2", exact.atan2, np.arctan2, 2, takes_complex=False),
    Function("stablehlo.atan2", exact.atan2, None, 2, takes_float=False),
    Function(
        "chlo.polygamma",
        exact.polygamma,
        special_functions.polygamma,
        2,
        ranges=((0.0, 20.0),),
        is_shared=True,
        points=(1.0, 2.0, 3.0),
        takes_complex=False,
        cost=200,
    ),
    Function(
        "chlo.zeta",
        exact.zeta,
        special_functions.zeta,
        2,
        ranges=((1.0, 20.0),),
        is_shared=True,
        points=(2.0, 3.0, 1.0),
        takes_complex=False,
        cost=200,
    ),
)
