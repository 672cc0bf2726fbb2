"""`Record` is what `NamedTuple` is: fields, defaults, errors, patterns, copies."""

from __future__ import annotations

import copy
import pickle
from typing import Any, NamedTuple

import pytest

from hlokit.records import Record


class Point(Record):
    """A point."""

    x: int
    y: int = 2

    @property
    def total(self) -> int:
        return self.x + self.y


class Standard(NamedTuple):
    """The same class, of the standard library."""

    x: int
    y: int = 2


class Empty(Record):
    """No fields."""


class Named(Point):
    """A subclass adds methods."""

    def negated(self) -> Point:
        return self._replace(x=-self.x)


@pytest.mark.parametrize(
    "values, named", [((1,), {}), ((1, 3), {}), ((), {"y": 5, "x": 4}), ((7,), {"y": 8})]
)
def test_instances(values: tuple[int, ...], named: dict[str, int]) -> None:
    for _ in range(2):  # the first call compiles the constructor
        made, expected = Point(*values, **named), Standard(*values, **named)
        assert tuple(made) == tuple(expected) and hash(made) == hash(expected)
        assert (made.x, made.y, made.total) == (expected.x, expected.y, expected.x + expected.y)
        assert repr(made) == repr(expected).replace("Standard", "Point")
        assert made._asdict() == expected._asdict()


@pytest.mark.parametrize("values, named", [((), {}), ((1, 2, 3), {}), ((1,), {"x": 1}), ((1,), {"z": 1})])
def test_errors(values: tuple[Any, ...], named: dict[str, Any]) -> None:
    for made in (Point, Standard):
        with pytest.raises(TypeError, match=r"__new__\(\)"):
            made(*values, **named)
    with pytest.raises(TypeError):
        Point(1)._replace(z=3)  # pyright: ignore[reportCallIssue]


def test_instances_are_immutable() -> None:
    for name in ("x", "z"):
        with pytest.raises(AttributeError):
            setattr(Point(1), name, 3)


def test_patterns_copies_and_subclasses() -> None:
    match Point(1):
        case Point(x, y=2):
            assert x == 1
        case _:
            pytest.fail("no match")
    for made in (Point(1, 3), Named(1, 3), Empty()):
        copies = (copy.copy(made), copy.deepcopy(made), pickle.loads(pickle.dumps(made)))
        assert all(each == made and type(each) is type(made) for each in copies)
    assert Named(1, 3).negated() == (-1, 3) and Named(1).total == 3
    assert repr(Empty()) == "Empty()" and Point._make([4, 5]) == (4, 5)
