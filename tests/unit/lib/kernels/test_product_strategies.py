"""Every strategy for products adds in the order of docs/concepts/summation.md, on every processor level."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from hlokit import _kernels
from hlokit.engine.contract.switches import CPU_LEVELS, CPU_VARIABLE
from hlokit.reference.numbers.rules import sum_of_products
from hlokit.values.element import Element
from hlokit.values.element_types import F64

Array = npt.NDArray[Any]
ROOT = Path(__file__).parents[4]

# Dimensions by kind: of the batch, rows, terms and columns.
KINDS = ("bB", "rR", "tT", "cCDEFG")


@dataclass(frozen=True)
class Case:
    """A product of arrays; `lhs` and `rhs` name the dimensions in the order of memory.

    Attributes:
      sizes: the sizes of dimensions, e.g. "r2 t30 c4".
      gap: the stride of the last dimension of an operand in memory, in elements.
    """

    strategy: str
    dtype: str
    lhs: str
    rhs: str
    sizes: str
    gap: int = 1

    def __str__(self) -> str:
        return f"{self.strategy} {self.dtype} {self.lhs},{self.rhs} {self.sizes} {self.gap}"

    def groups(self) -> list[dict[str, int]]:
        """The sizes of the batch, rows, terms and columns."""
        sizes = {word[0]: int(word[1:]) for word in self.sizes.split()}
        return [{name: size for name, size in sizes.items() if name in kind} for kind in KINDS]

    def arrays(self) -> tuple[Array, Array, Array]:
        """The operands, with dimensions in the order that kernels take, and an array for the result."""
        batch, rows, terms, columns = self.groups()
        random = np.random.default_rng(len(self.sizes))

        def operand(names: str, sizes: dict[str, int]) -> Array:
            shape = [sizes[name] for name in names]
            shape[-1] *= self.gap
            values = random.standard_normal(shape) * 2.0 ** random.integers(-6, 6, shape)
            if self.dtype.startswith("complex"):
                values = values + 1j * random.standard_normal(shape)
            if values.size > 12:
                values[random.random(shape) < 0.02] = -0.0
                values[random.random(shape) < 0.002] = np.inf
            return values.astype(self.dtype)[..., :: self.gap].transpose(
                [names.index(name) for name in sizes]
            )

        result = np.full(tuple((batch | rows | columns).values()), 7, self.dtype)
        return operand(self.lhs, batch | rows | terms), operand(self.rhs, batch | terms | columns), result

    def product(self) -> tuple[_kernels.Product, Array, Array, Array]:
        type_ = {
            "float32": "f32",
            "float64": "f64",
            "complex64": "complex<f32>",
            "complex128": "complex<f64>",
        }
        name, work = type_[self.dtype], "f32" if self.dtype in ("float32", "complex64") else "f64"
        batch, _, terms, _ = self.groups()
        return _kernels.Product(name, name, name, work, len(batch), len(terms)), *self.arrays()

    def matrices(self) -> tuple[Array, Array]:
        """The operands as [batch, rows, terms] and [batch, terms, columns]."""
        a, b, _ = self.arrays()
        batch, rows, terms, columns = (prod(group.values()) for group in self.groups())
        return a.reshape(batch, rows, terms), b.reshape(batch, terms, columns)


def cases() -> Iterator[Case]:
    f32, f64, c64, c128 = "float32", "float64", "complex64", "complex128"
    # Vectors have 16, 8 or 4 columns, or fewer; terms have 1 to 16 lanes.
    for terms in (1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 31, 127):
        for columns in (1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 21, 33):
            yield Case("direct", f32, "rt", "tc", f"r2 t{terms} c{columns}")
    for terms in (1, 2, 3, 4, 5, 8, 9, 31):
        for columns in (1, 2, 3, 5, 8, 9, 17):
            yield Case("direct", f32, "tr", "ct", f"r3 t{terms} c{columns}", gap=2)
            yield Case("direct", c64, "rt", "tc", f"r2 t{terms} c{columns}")
            yield Case("direct", c64, "tr", "ct", f"r2 t{terms} c{columns}", gap=3)
    for terms in (1, 2, 3, 4, 5, 8, 9):
        for columns in (1, 2, 3, 5, 8, 9):
            yield Case("direct", f64, "rt", "ct", f"r2 t{terms} c{columns}")
    yield Case("direct", f64, "tr", "tc", "r2 t130 c1")
    yield Case("direct", f64, "tr", "tc", "r2 t130 c3")
    for columns in (1, 2, 3, 4, 7):
        for terms in (128, 130, 200, 256):
            yield Case("direct", f32, "tr", "tc", f"r2 t{terms} c{columns}")
        yield Case("direct", c64, "rt", "tc", f"r1 t{128 if columns < 4 else 60} c{columns}")
    # Along the terms, which are neighbours in memory.
    for terms in (8, 9, 15, 16, 31, 64, 100, 127, 128, 129, 200, 255, 256):
        for columns in (1, 2, 3):
            yield Case("direct", f32, "rt", "ct", f"r3 t{terms} c{columns}")
            yield Case("direct", f64, "brt", "bct", f"b2 r5 t{terms} c{columns}")
    yield Case("direct", f32, "rt", "t", "r300 t100")
    yield Case("direct", f64, "t", "ct", "t99 c300")
    # Not as 256 rows times two columns, which only the narrowest vectors have a function for.
    yield Case("packed", f32, "rt", "tc", "r2 t128 c256")
    # Batches, many dimensions and long matrices.
    for dtype in (f32, f64, c64):
        yield Case("direct", dtype, "brt", "btc", "b9 r3 t3 c3")
        yield Case("direct", dtype, "bt", "bt", "b9 t3", gap=2)
        yield Case("direct", dtype, "rbBt", "Btb", "b5 B3 r2 t4")
        yield Case("direct", dtype, "rt", "ctC", "r2 t2 c8 C4")
        yield Case("direct", dtype, "RtrT", "TctC", "r2 R2 t2 T2 c3 C2")
        yield Case("direct", dtype, "rt", "tc", "r300 t3 c2")
        yield Case("direct", dtype, "rt", "tc", "r3 t2 c300")
    for place in range(6):  # gates of state vectors
        order = "cCDEF"[:place] + "t" + "cCDEF"[place:]
        yield Case("direct", c64, "rt", order, "r2 t2 c2 C2 D2 E2 F2")
        yield Case("direct", c64, "rRtT", order.replace("t", "tT"), "r2 R2 t2 T2 c2 C2 D2 E2 F2")
    # Batches whose elements are adjacent in memory.
    for terms in (1, 3, 5, 8, 17, 128, 256):
        for length in (35, 67):
            yield Case("lines", f32, "rtb", "tb", f"b{length} r2 t{terms}")
            yield Case("lines", f32, "tb", "ctb", f"b{length} t{terms} c2")
    yield Case("lines", f64, "rtb", "tb", "b37 r2 t9")
    yield Case("lines", f64, "tb", "bt", "b37 t20")
    # Everything else.
    yield Case("packed", f32, "rt", "tc", "r40 t50 c40")
    yield Case("packed", f32, "rt", "tc", "r3 t300 c20")
    yield Case("packed", f32, "rt", "ct", "r2 t600 c9")
    yield Case("packed", f32, "tr", "ct", "r33 t257 c10", gap=2)
    yield Case("packed", f32, "rTt", "tcT", "r20 t20 T13 c11")
    yield Case("packed", f32, "brt", "btc", "b3 r40 t70 c20")
    yield Case("packed", f64, "rt", "tc", "r20 t130 c20")
    yield Case("expanded", c128, "rt", "tc", "r3 t4 c5")
    yield Case("expanded", c128, "tr", "ct", "r3 t40 c5", gap=2)
    yield Case("expanded", c64, "rt", "tc", "r3 t200 c9")
    yield Case("expanded", c64, "brt", "bct", "b2 r20 t150 c3")


CASES = list(cases())


def multiply_add(a: Array, b: Array, c: Array) -> Array:
    """a * b + c in f32, rounded once: products are exact in f64, and the f64 sum is rounded to odd first."""
    product = a.astype(np.float64) * b
    wide = product + c
    part = wide - product
    error = (product - (wide - part)) + (c - part)
    is_even = wide.view(np.int64) % 2 == 0
    towards = np.nextafter(wide, np.where(error > 0, np.inf, -np.inf))
    exact = ~np.isfinite(wide) | (error == 0) | ~is_even
    return np.where(exact, wide, towards).astype(np.float32)


def sums(a: Array, b: Array) -> Array:
    """The sums of products of f32 matrices [batch, rows, terms] and [batch, terms, columns]."""
    terms, total = a.shape[2], None
    for start in range(0, terms, 256):
        count = min(terms - start, 256)
        lane_count = 16 if count >= 128 else 8 if count >= 8 else 4 if count > 2 else count
        lanes = [np.zeros((a.shape[0], a.shape[1], b.shape[2]), np.float32) for _ in range(lane_count)]
        for term in range(count):
            left, right = a[:, :, start + term, None], b[:, None, start + term]
            lanes[term % lane_count] = multiply_add(left, right, lanes[term % lane_count])
        while len(lanes) > 1:
            half = len(lanes) // 2
            lanes = [x + y for x, y in zip(lanes[:half], lanes[half:], strict=True)]
        block = lanes[0] + np.float32(0)
        total = block if total is None else total.astype(np.float64) + block
    assert total is not None
    return total.astype(np.float32)


def reference_sums(a: Array, b: Array) -> Array:
    """The sums in f64, by the reference."""
    result = np.empty((a.shape[0], a.shape[1], b.shape[2]))
    for place in np.ndindex(*result.shape):
        lhs, rhs = a[place[0], place[1]], b[place[0], :, place[2]]
        left, right = ([Element(F64, float(value)) for value in values] for values in (lhs, rhs))
        result[place] = float(sum_of_products(left, right))
    return result


def expected(case: Case) -> Array:
    a, b = case.matrices()
    add = reference_sums if case.dtype in ("float64", "complex128") else sums
    with np.errstate(all="ignore"):
        if a.dtype.kind != "c":
            return add(a, b)
        # The two real products of a term are adjacent.
        parts = np.stack([a.real, a.imag], -1).reshape(*a.shape[:2], -1)
        real = np.stack([b.real, -b.imag], 2).reshape(b.shape[0], -1, b.shape[2])
        imaginary = np.stack([b.imag, b.real], 2).reshape(b.shape[0], -1, b.shape[2])
        return np.stack([add(parts, real), add(parts, imaginary)], -1)


def parts_of(array: Array) -> Array:
    """The parts of numbers, with one NaN in place of all NaNs."""
    parts = np.ascontiguousarray(array).view(array.real.dtype).reshape(-1)
    return np.where(np.isnan(parts), np.nan, parts).astype(array.real.dtype)


def actual(case: Case) -> Array:
    product, a, b, c = case.product()
    with_threads = c.copy()
    assert product.run(a, b, c, 1)
    assert product.run(a, b, with_threads, 4)
    assert np.array_equal(parts_of(c), parts_of(with_threads), equal_nan=True)
    return c


def failures() -> list[str]:
    """The cases whose sums differ from the formula."""
    found: list[str] = []
    for case in CASES:
        with np.errstate(all="ignore"):
            wanted, got = parts_of(expected(case)), parts_of(actual(case))
        if wanted.tobytes() != got.tobytes():
            found.append(str(case))
    return found


def strategy(case: Case) -> str:
    product, a, b, c = case.product()
    return product.strategy(a, b, c)


def test_the_strategy() -> None:
    assert {case.strategy for case in CASES} == {"direct", "lines", "packed", "expanded"}
    assert [f"{case}: {strategy(case)}" for case in CASES if strategy(case) != case.strategy] == []


@pytest.mark.parametrize("level", CPU_LEVELS)
@pytest.mark.deep
def test_the_order_of_sums(level: str) -> None:
    code = "import json; from tests.unit.lib.kernels import test_product_strategies as t; print(json.dumps(t.failures()))"
    process = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, CPU_VARIABLE: level},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(process.stdout) == []
