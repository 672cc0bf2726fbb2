"""Reports as test suites in JUnit's XML."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from hlokit.display.printable import printable


class Case(NamedTuple):
    """A test case.

    Attributes:
      classname: groups cases; "" for no group.
      failure: the message, if the case failed; `details` say more.
      skipped: the message, if the case was skipped.
      output: what a case says that did not fail.
      seconds: None if nobody measured them.
    """

    name: str
    classname: str = ""
    failure: str | None = None
    details: str = ""
    skipped: str | None = None
    output: str = ""
    seconds: float | None = None

    def __str__(self) -> str:
        inner = f"<system-out>{escape(self.output)}</system-out>" if self.output else ""
        if self.failure is not None:
            inner = f'<failure message="{escape(self.failure)}">{escape(self.details)}</failure>'
        elif self.skipped is not None:
            inner = f'<skipped message="{escape(self.skipped)}"/>'
        group = {"classname": self.classname} if self.classname else {}
        return f"<testcase{_attributes({**group, 'name': self.name}, self.seconds)}>{inner}</testcase>"


def suite(name: str, cases: Sequence[Case], seconds: float | None = None) -> str:
    """A test suite."""
    counts = {
        "tests": len(cases),
        "failures": sum(case.failure is not None for case in cases),
        "skipped": sum(case.failure is None and case.skipped is not None for case in cases),
    }
    head = f"<testsuite{_attributes({'name': name, **counts}, seconds)}>"
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', head, *map(str, cases), "</testsuite>", ""]
    # XML forbids other control characters.
    return printable("\n".join(lines)).encode(errors="backslashreplace").decode()


def _attributes(values: dict[str, str | int], seconds: float | None) -> str:
    time = {} if seconds is None else {"time": round(seconds, 4)}
    return "".join(f' {key}="{escape(str(value))}"' for key, value in {**values, **time}.items())
