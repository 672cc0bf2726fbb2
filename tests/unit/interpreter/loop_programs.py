"""What tests of native loops have in common: the text of loops, and ending one by a signal."""

from __future__ import annotations

import signal
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any, Generic, TypeVar

import pytest

K = TypeVar("K")


class LoopWriter(ABC, Generic[K]):
    """Writes random programs of loops. Keys stand for types; regions have their values by key."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.count = 0
        self.lines: list[str] = []

    @abstractmethod
    def spelled(self, key: K) -> str:
        """The type."""

    @abstractmethod
    def some(self, values: dict[K, list[str]], key: K) -> str:
        """A value of a type: one there is, or a constant."""

    @abstractmethod
    def step(self, values: dict[K, list[str]], depth: int) -> None:
        """Write an operation on some of the values, or a loop; its results come into `values`."""

    @abstractmethod
    def loop(self, values: dict[K, list[str]], depth: int) -> tuple[str, list[K]]:
        """A loop with a counter; its results come into `values`. Gives the name and types of the results."""

    def name(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def emit(self, text: str) -> str:
        name = self.name()
        self.lines.append(f"{name} = {text}")
        return name

    def write_loop(
        self, values: dict[K, list[str]], depth: int, inits: Sequence[tuple[K, str]], limit: int, steps: int
    ) -> str:
        """A loop of so many steps a turn until its first value, an i32, is at the limit; the results' name."""
        keys = [key for key, _ in inits]
        name = self.name()
        state = [f"%s{self.count}_{number}" for number in range(len(keys))]
        header = ", ".join(f"{one} = {init}" for one, (_, init) in zip(state, inits, strict=True))
        types = ", ".join(map(self.spelled, keys))
        self.lines.append(f"{name}:{len(keys)} = stablehlo.while({header}) : {types} cond {{")
        end = self.emit(f"stablehlo.constant dense<{limit}> : tensor<i32>")
        pred = self.emit(
            f"stablehlo.compare LT, {state[0]}, {end} : (tensor<i32>, tensor<i32>) -> tensor<i1>"
        )
        self.lines.append(f"stablehlo.return {pred} : tensor<i1> }} do {{")
        inner = {key: list(names) for key, names in values.items()}
        for one, key in zip(state, keys, strict=True):
            inner.setdefault(key, []).extend([one] * 3)
        one = self.emit("stablehlo.constant dense<1> : tensor<i32>")
        following = self.emit(f"stablehlo.add {state[0]}, {one} : tensor<i32>")
        for _ in range(steps):
            self.step(inner, depth)
        outputs = [following, *[self.some(inner, key) for key in keys[1:]]]
        self.lines.append(f"stablehlo.return {', '.join(outputs)} : {types} }}")
        for number, key in enumerate(keys):
            values.setdefault(key, []).append(f"{name}#{number}")
        return name

    def program(self, arguments: Sequence[K]) -> str:
        """A function of a loop on arguments of these types."""
        self.lines.append("%zero = stablehlo.constant dense<0> : tensor<i32>")
        name, keys = self.loop({key: [f"%a{number}"] for number, key in enumerate(arguments)}, 0)
        results = ", ".join(f"{name}#{number}" for number in range(len(keys)))
        types = ", ".join(map(self.spelled, keys))
        header = ", ".join(f"%a{number}: {self.spelled(key)}" for number, key in enumerate(arguments))
        body = "\n".join(self.lines)
        return f"func.func @main({header}) -> ({types}) {{\n{body}\nreturn {results} : {types}\n}}"


@contextmanager
def interrupted_after(seconds: float, *, at_most: float) -> Iterator[None]:
    """What is done inside is ended by Ctrl-C after some time, and before long."""

    def interrupt() -> None:
        time.sleep(seconds)
        signal.raise_signal(signal.SIGINT)

    def handle(*_: Any) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, handle)
    thread = threading.Thread(target=interrupt)
    try:
        thread.start()
        start = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            yield
        assert time.monotonic() - start < at_most
    finally:
        thread.join()
        signal.signal(signal.SIGINT, before)
