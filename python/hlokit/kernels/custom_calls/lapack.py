"""The calls to LAPACK and BLAS in JAX's CPU programs: current targets, and targets of exports before 2024.

A current call takes matrices, with LAPACK's option letters in its configuration: `lapack_sgetrf_ffi`. An
older call took sizes and flags as its first operands and returned workspaces as well: `lapack_sgetrf`. The
functions for both kinds ignore operands after the matrices (sizes of dynamic results), and return results in
LAPACK's order.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from functools import wraps
from typing import Any, NamedTuple, cast

import numpy as np

from hlokit.engine.contract.array_ops import LapackCall
from hlokit.engine.contract.custom_calls import CustomCall
from hlokit.engine.contract.registry import Value
from hlokit.kernels.custom_calls.layouts import as_columns, from_columns, orders_of
from hlokit.kernels.custom_calls.results import OwnCall, as_results, letter, result_type
from hlokit.kernels.elementwise.cache_blocking import Array
from hlokit.kernels.linalg import lapack
from hlokit.kernels.linalg.descriptions import Options, lapack_call

Function = Callable[..., Any]
Values = tuple[Any, ...]


# Shared by both kinds ------------------------------------------------------------------------------------


def svd(a: Array, vectors: bool, full: bool, call: OwnCall, u_at: int = 2) -> Values:
    """(a, singular values, u, vt, info); `u_at` is the index of u among the results, vt follows."""
    values, u, vt, info = lapack.gesvd(a, vectors, full)
    if not vectors:
        # Not requested; unknown sizes of the type become 0.
        u, vt = (np.zeros(np.maximum(result_type(call, at).dims, 0), a.dtype) for at in (u_at, u_at + 1))
    return a, values, u, vt, info


def eigh(a: Array, lower: bool, vectors: bool = True) -> Values:
    eigenvectors, values, info = lapack.syevd(a, lower, vectors)
    return eigenvectors if vectors else a, values, info


def _parts(values: Array, is_complex: bool) -> Values:
    return (values,) if is_complex else (np.real(values), np.imag(values))


def _gees(a: Array) -> tuple[Array, Array, Array, Array, Array]:
    """(T, Z, eigenvalues, number sorted to the front (0), info)."""
    form, vectors, values, info = lapack.gees(a)
    return form, vectors, values, _no_info(a), info


def _geev(a: Array, left: str, right: str) -> tuple[Array, Array, Array, Array]:
    """(eigenvalues, left and right eigenvectors, info); zeros for vectors that no letter V requests."""
    values, *eigenvectors, info = lapack.geev(a, left == "V", right == "V")
    zeros = np.zeros(a.shape, np.complex128)
    one, other = (vectors if vectors.shape == a.shape else zeros for vectors in eigenvectors)
    return values, one, other, info


def _no_info(a: Array) -> Array:
    return np.zeros(a.shape[:-2], np.int32)


# Current targets -----------------------------------------------------------------------------------------


def potrf(a: Array, *_: Value, call: OwnCall) -> Any:
    return as_results(call, lapack.potrf(a, letter(call, "uplo") == "L"))


def getrf(a: Array, *_: Value, call: OwnCall) -> Any:
    return as_results(call, lapack.getrf(a))


def geqrf(a: Array, *_: Value, call: OwnCall) -> Any:
    return as_results(call, lapack.geqrf(a))


def geqp3(a: Array, pivots: Array, *_: Value, call: OwnCall) -> Any:
    return as_results(call, lapack.geqp3(a, pivots))


def orgqr(a: Array, tau: Array, *_: Value, call: OwnCall) -> Any:
    return as_results(call, (lapack.orgqr(a, tau),))


def ormqr(a: Array, tau: Array, c: Array, *_: Value, call: OwnCall) -> Any:
    flags = call.config
    return as_results(call, (lapack.ormqr(a, tau, c, bool(flags["left"]), bool(flags["transpose"])),))


def gesdd(a: Array, *_: Value, call: OwnCall) -> Any:
    mode = letter(call, "mode")
    return as_results(call, svd(a, mode != "N", mode == "A", call))


def syevd(a: Array, *_: Value, call: OwnCall) -> Any:
    return as_results(call, eigh(a, letter(call, "uplo") == "L", letter(call, "mode") != "N"))


def geev(a: Array, *_: Value, call: OwnCall) -> Any:
    values, left, right, info = _geev(a, letter(call, "compute_left"), letter(call, "compute_right"))
    return as_results(call, (*_parts(values, a.dtype.kind == "c"), left, right, info))


def gees(a: Array, *_: Value, call: OwnCall) -> Any:
    form, vectors, values, count, info = _gees(a)
    return as_results(call, (form, vectors, *_parts(values, a.dtype.kind == "c"), count, info))


def trsm(a: Array, b: Array, *_: Value, call: OwnCall) -> Any:
    x = lapack.trsm(
        a,
        b,
        left=letter(call, "side") == "L",
        lower=letter(call, "uplo") == "L",
        transpose=letter(call, "trans_x"),
        unit=letter(call, "diag") == "U",
    )
    return as_results(call, (x,))


def gehrd(a: Array, *_: Value, call: OwnCall) -> Any:
    flags = call.config
    return as_results(call, (*lapack.gehrd(a, int(flags["low"]), int(flags["high"])), _no_info(a)))


def sytrd(a: Array, *_: Value, call: OwnCall) -> Any:
    return as_results(call, (*lapack.sytrd(a, letter(call, "uplo") == "L"), _no_info(a)))


def gtsv(lower: Array, diagonal: Array, upper: Array, b: Array, *_: Value, call: OwnCall) -> Any:
    # JAX pads the off-diagonals to the length of the diagonal: the first of `lower`, the last of `upper`.
    x, info = lapack.gtsv(lower, diagonal, upper, b)
    return as_results(call, (lower, diagonal, upper, x, info))


def gtsv_perturbed(lower: Array, diagonal: Array, upper: Array, b: Array, *_: Value, call: OwnCall) -> Any:
    return as_results(call, (lapack.gtsv(lower, diagonal, upper, b, perturb=True)[0],))


# Calls as data, for native programs. The functions above call the same routines with the same options.
_OPTIONS: dict[str, Callable[[OwnCall], Options]] = {
    "potrf": lambda call: Options((letter(call, "uplo") == "L",)),
    "ormqr": lambda call: Options((bool(call.config["left"]), bool(call.config["transpose"]))),
    "trsm": lambda call: Options(
        (
            letter(call, "side") == "L",
            letter(call, "uplo") == "L",
            letter(call, "trans_x") != "N",
            letter(call, "trans_x") == "C",
            letter(call, "diag") == "U",
        )
    ),
    "gtsv": lambda _: Options((False,)),
    "gesvd": lambda call: Options(
        (letter(call, "mode") != "N",), {"A": "mn", "N": "00"}.get(letter(call, "mode"), "kk")
    ),
    "syevd": lambda call: Options(
        (letter(call, "uplo") == "L", letter(call, "mode") != "N"), keeps=letter(call, "mode") == "N"
    ),
    "geev": lambda call: Options(
        vectors="".join("n" if letter(call, f"compute_{side}") == "V" else "0" for side in ("left", "right"))
    ),
    "gehrd": lambda call: Options((int(call.config["low"]) - 1, int(call.config["high"]))),
    "sytrd": lambda call: Options(reverses=letter(call, "uplo") != "L"),
}


def described(call: CustomCall) -> LapackCall | None:
    """The description of a call to a current target; None if there is none."""
    if orders_of(call) is not None:
        return None
    name = call.target.removeprefix("lapack_").removesuffix("_ffi")[1:]
    function = next(row.function for row in _LAPACK if name in (row.real, row.complex))
    routine = "gesvd" if function is gesdd else function.__name__
    options = _OPTIONS[routine](OwnCall.of(call)) if routine in _OPTIONS else Options()
    return lapack_call(routine, call.operand_types, options)


def in_order_of_columns(function: Function) -> Function:
    """A routine for matrices in the order of columns, for the orders that calls state."""

    @wraps(function)
    def evaluate(*values: Any, call: OwnCall) -> Any:
        if call.orders is None:
            return function(*values, call=call)
        operands, orders = call.orders
        returned = function(*map(as_columns, values, operands), call=call)
        if not isinstance(returned, tuple):
            return from_columns(returned, orders[0])
        return tuple(map(from_columns, cast("tuple[Array, ...]", returned), orders))

    return evaluate


# Targets before 2024 -------------------------------------------------------------------------------------


def old_trsm(
    left: Array, lower: Array, op: Array, unit: Array, *rest: Value, call: OwnCall
) -> Any:  # m, n, batch, alpha, a, b
    alpha, a, b = rest[3:6]
    x = lapack.trsm(
        a, alpha * b, left=bool(left), lower=bool(lower), transpose="NTC"[int(op)], unit=bool(unit)
    )
    return as_results(call, (x,))


def old_potrf(lower: Array, batch: Array, n: Array, a: Array, *_: Value, call: OwnCall) -> Any:
    return as_results(call, lapack.potrf(a, bool(lower)))


def old_getrf(batch: Array, m: Array, n: Array, a: Array, *_: Value, call: OwnCall) -> Any:
    return as_results(call, lapack.getrf(a))


def old_geqrf(batch: Array, m: Array, n: Array, work: Array, a: Array, *_: Value, call: OwnCall) -> Any:
    return as_results(call, (*lapack.geqrf(a), _no_info(a)))


def old_geqp3(*operands: Array, call: OwnCall) -> Any:  # batch, m, n, work, a, pivots
    a, pivots = operands[4:6]
    return as_results(call, (*lapack.geqp3(a, pivots), _no_info(a)))


def old_orgqr(*operands: Array, call: OwnCall) -> Any:  # batch, m, n, k, work, a, tau
    a, tau = operands[5:7]
    return as_results(call, (lapack.orgqr(a, tau), _no_info(a)))


def old_gesdd(full: Array, vectors: Array, *rest: Array, call: OwnCall) -> Any:  # batch, m, n, work, a
    return as_results(call, svd(rest[4], bool(vectors), bool(full), call))


def old_syevd(lower: Array, batch: Array, n: Array, a: Array, *_: Value, call: OwnCall) -> Any:
    return as_results(call, eigh(a, bool(lower)))


def old_geev(*operands: Array, call: OwnCall) -> Any:  # batch, n, letters of left and right, a
    a = operands[4]
    values, left, right, info = _geev(a, chr(int(operands[2])), chr(int(operands[3])))
    is_complex = a.dtype.kind == "c"
    matrix = np.zeros(a.shape[-2:], a.dtype)
    work = (matrix, np.zeros(2 * a.shape[-1])) if is_complex else (matrix,) * 3
    return as_results(call, (*work, *_parts(values, is_complex), left, right, info))


def old_gees(*operands: Array, call: OwnCall) -> Any:  # batch, n, letters of vectors and sorting, a
    a = operands[4]
    form, vectors, values, count, info = _gees(a)
    is_complex = a.dtype.kind == "c"
    work = (np.zeros(a.shape[-1]),) if is_complex else ()
    return as_results(call, (form, *work, *_parts(values, is_complex), vectors, count, info))


def old_gehrd(*operands: Array, call: OwnCall) -> Any:  # n, low, high, leading dimension, batch, work, a
    a = operands[6]
    return as_results(call, (*lapack.gehrd(a, int(operands[1]), int(operands[2])), _no_info(a)))


def old_sytrd(*operands: Array, call: OwnCall) -> Any:  # n, lower, leading dimension, batch, work, a
    a = operands[5]
    return as_results(call, (*lapack.sytrd(a, bool(operands[1])), _no_info(a)))


# Both tables ---------------------------------------------------------------------------------------------


class Role(Enum):
    """What a result is, if there are several right ones."""

    UNIQUE = "determined by the operands"
    TRIANGLE = "a triangle; the other one is arbitrary"
    OVERWRITTEN = "an operand, which LAPACK overwrites"
    HERMITIAN_VECTORS = "eigenvectors of a Hermitian matrix; eigenvalues follow"
    EIGENVALUES = "eigenvalues in any order; of real matrices, real parts, then imaginary parts"
    LEFT_VECTORS = "left eigenvectors"
    RIGHT_VECTORS = "right eigenvectors"
    SINGULAR_VECTORS = "singular vectors"
    SCHUR_FORM = "a Schur form; Schur vectors follow"
    SCHUR_VECTORS = "Schur vectors"


class Lapack(NamedTuple):
    """A routine of LAPACK.

    Attributes:
      real, complex: its name for real and for complex types.
      function: evaluates current calls; `older` evaluates calls before 2024.
      roles: the roles of the results of current calls; results after these are unique.
      factorised: the operand of current calls that the routine can always handle if its diagonal dominates;
        None if it handles any operands.
    """

    real: str
    complex: str
    function: Function
    older: Function | None
    roles: tuple[Role, ...] = ()
    factorised: int | None = None


_SVD = (Role.OVERWRITTEN, Role.UNIQUE, Role.SINGULAR_VECTORS, Role.SINGULAR_VECTORS)
_EIG = (Role.EIGENVALUES, Role.LEFT_VECTORS, Role.RIGHT_VECTORS)
_LAPACK: tuple[Lapack, ...] = (
    Lapack("potrf", "potrf", potrf, old_potrf, (Role.TRIANGLE,), 0),
    Lapack("getrf", "getrf", getrf, old_getrf),
    Lapack("geqrf", "geqrf", geqrf, old_geqrf),
    Lapack("geqp3", "geqp3", geqp3, old_geqp3),
    Lapack("orgqr", "ungqr", orgqr, old_orgqr),
    Lapack("ormqr", "unmqr", ormqr, None),
    Lapack("gesdd", "gesdd", gesdd, old_gesdd, _SVD),
    Lapack("gesvd", "gesvd", gesdd, None, _SVD),
    Lapack("syevd", "heevd", syevd, old_syevd, (Role.HERMITIAN_VECTORS,)),
    Lapack("geev", "geev", geev, old_geev, _EIG),
    Lapack("gees", "gees", gees, old_gees, (Role.SCHUR_FORM, Role.SCHUR_VECTORS, Role.EIGENVALUES)),
    Lapack("trsm", "trsm", trsm, None, (), 0),
    Lapack("gehrd", "gehrd", gehrd, old_gehrd),
    Lapack("sytrd", "hetrd", sytrd, old_sytrd, (Role.TRIANGLE,)),
    Lapack("gtsv", "gtsv", gtsv, None, (Role.OVERWRITTEN,) * 3),
)
_TYPES = (("s", False), ("d", False), ("c", True), ("z", True))

LAPACK_CALLS: dict[str, Function] = {
    f"lapack_{prefix}{row.complex if is_complex else row.real}_ffi": in_order_of_columns(row.function)
    for row in _LAPACK
    for prefix, is_complex in _TYPES
} | {"tridiagonal_solve_perturbed_ffi": gtsv_perturbed}

OLD_LAPACK_CALLS: dict[str, Function] = {
    f"lapack_{prefix}{row.complex if is_complex else row.real}": row.older
    for row in _LAPACK
    if row.older is not None
    for prefix, is_complex in _TYPES
} | {f"blas_{prefix}trsm": old_trsm for prefix, _ in _TYPES}


def _of_type(roles: tuple[Role, ...], is_complex: bool) -> tuple[Role, ...]:
    """The roles of results: real and imaginary parts of eigenvalues are two results."""
    repeated = [(role,) * (1 + (role is Role.EIGENVALUES and not is_complex)) for role in roles]
    return tuple([role for group in repeated for role in group])


_ROWS: dict[str, tuple[Lapack, tuple[Role, ...]]] = {
    f"lapack_{prefix}{row.complex if is_complex else row.real}_ffi": (row, _of_type(row.roles, is_complex))
    for row in _LAPACK
    for prefix, is_complex in _TYPES
}


def role_of_result(target: str, index: int) -> Role:
    """What a result of a current call is."""
    _, roles = _ROWS.get(target, (None, ()))
    return roles[index] if index < len(roles) else Role.UNIQUE


def factorised_operand(target: str) -> int | None:
    """The operand of a current call whose diagonal should dominate; None if any operand will do."""
    row, _ = _ROWS.get(target, (None, ()))
    return None if row is None else row.factorised
