"""HLOKIT_CACHE: later processes compile nothing, and compute the same bytes; damaged files change nothing."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hlokit
from hlokit import _kernels
from hlokit.engine.contract import custom_calls, run_context, store, stored
from hlokit.engine.interpreter.planner import Planner, operation_of
from hlokit.engine.interpreter.settings import Settings
from hlokit.engine.native import loops, program, stored_loops, straight_line
from hlokit.engine.native.stored_code import with_stored_code
from hlokit.engine.native.stored_programs import written
from hlokit.engine.plan.block import plan_of as plan_of_region
from tests.generate import generate
from tests.generate.same import copies, listed
from tests.unit.engine.plan.plans import step_named

# A function, a loop that calls a kernel (of a sort in several dimensions), a branch, and constants of all kinds.
TEXT = """
func.func private @scaled(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c = stablehlo.constant dense<[1., 2., 3., 4., 5., 6., 7., 8.]> : tensor<8xf32>
  %0 = stablehlo.multiply %x, %c : tensor<8xf32>
  %1 = stablehlo.tanh %0 : tensor<8xf32>
  %2 = stablehlo.subtract %1, %x : tensor<8xf32>
  return %2 : tensor<8xf32>
}
func.func @main(%x: tensor<8xf32>, %n: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<2xcomplex<f32>>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %z = stablehlo.constant dense<[(1.0, 2.0), (3.0, -0.0)]> : tensor<2xcomplex<f32>>
  %r:3 = stablehlo.while(%i = %zero, %y = %x, %w = %z) : tensor<i32>, tensor<8xf32>, tensor<2xcomplex<f32>> cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %s = func.call @scaled(%y) : (tensor<8xf32>) -> tensor<8xf32>
    %t = "stablehlo.sort"(%s) ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %c = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
    }) {dimension = 0 : i64} : (tensor<8xf32>) -> tensor<8xf32>
    %v = stablehlo.multiply %w, %z : tensor<2xcomplex<f32>>
    %f = stablehlo.reduce_precision %t, format = e5m10 : tensor<8xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %f, %v : tensor<i32>, tensor<8xf32>, tensor<2xcomplex<f32>>
  }
  %a = func.call @scaled(%r#1) : (tensor<8xf32>) -> tensor<8xf32>
  %b = stablehlo.add %a, %x : tensor<8xf32>
  %c = stablehlo.exponential %b : tensor<8xf32>
  return %c, %r#1, %r#2 : tensor<8xf32>, tensor<8xf32>, tensor<2xcomplex<f32>>
}"""
ARGUMENTS = (np.linspace(-1, 1, 8, dtype=np.float32), np.int32(30))
RUNS = 7


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(stored.VARIABLE, str(tmp_path / "cache"))
    # Files depend on the functions that are registered: those of other tests are not.
    custom_calls.registered_custom_calls()
    monkeypatch.setattr(custom_calls, "_FUNCTIONS", custom_calls._BUILTIN.copy())
    return tmp_path / "cache"


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is compiled."""
    names: list[str] = []

    def counted(module: Any, name: str) -> None:
        original = getattr(module, name)

        def counting(*arguments: Any, **keywords: Any) -> Any:
            names.append(name)
            return original(*arguments, **keywords)

        monkeypatch.setattr(module, name, counting)

    counted(loops, "loop_program")
    counted(straight_line, "_StraightLineBuilder")
    return names


def results(text: str = TEXT, arguments: Any = ARGUMENTS, runs: int = RUNS) -> set[bytes]:
    """The bytes of the results of a newly loaded program in several runs."""
    loaded = hlokit.load(text)
    return {repr(copies(listed(loaded(*arguments)))).encode() for _ in range(runs)}


def only_file(cache: Path) -> Path:
    (file,) = cache.iterdir()
    return file


def test_what_is_stored_is_not_compiled_again(cache: Path, compiled: list[str]) -> None:
    first = results()
    assert len(first) == 1 and {*compiled} == {"loop_program", "_StraightLineBuilder"}
    compiled.clear()
    content = only_file(cache).read_bytes()
    assert results() == first and not compiled
    assert only_file(cache).read_bytes() == content
    # For other values of the captured scalar, the loop is compiled; the first program stays.
    other = results(arguments=(ARGUMENTS[0], np.int32(40)))
    assert compiled == ["loop_program"] and other != first
    compiled.clear()
    assert results(arguments=(ARGUMENTS[0], np.int32(40))) == other and results() == first and not compiled


def test_functions_in_stored_loops_are_not_planned(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = """
    func.func private @f(%x: tensor<8xf32>) -> tensor<8xf32> {
      %0 = stablehlo.sine %x : tensor<8xf32>
      return %0 : tensor<8xf32>
    }
    func.func @main(%x: tensor<8xf32>, %n: tensor<i32>) -> tensor<8xf32> {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %r:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<8xf32> cond {
        %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %p : tensor<i1>
      } do {
        %s = func.call @f(%y) : (tensor<8xf32>) -> tensor<8xf32>
        %j = stablehlo.add %i, %one : tensor<i32>
        stablehlo.return %j, %s : tensor<i32>, tensor<8xf32>
      }
      %2 = stablehlo.add %r#1, %x : tensor<8xf32>
      %3 = stablehlo.multiply %2, %x : tensor<8xf32>
      %4 = stablehlo.subtract %3, %2 : tensor<8xf32>
      return %4 : tensor<8xf32>
    }"""
    first = results(text)
    planned: list[object] = []
    build = Planner._build

    def counted(self: Planner, *arguments: Any) -> Any:
        planned.append(arguments)
        return build(self, *arguments)

    monkeypatch.setattr(Planner, "_build", counted)
    assert results(text) == first
    assert len(planned) == 1, "main alone"


def test_processes_of_a_grid_store_what_they_compile(cache: Path, compiled: list[str]) -> None:
    def grid() -> set[bytes]:
        evaluated = hlokit.load(TEXT).run_parallel([ARGUMENTS] * 2)
        return {repr(copies(listed(results))).encode() for results in evaluated}

    first = grid()
    assert len(first) == 1 and compiled
    compiled.clear()
    assert grid() == first and not compiled


def test_an_interrupt_between_parts_stores_nothing_wrong(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run after an interrupt compiles what is left of a plan whose first part is one step already."""
    monkeypatch.setitem(custom_calls._FUNCTIONS, "stored_test_identity", np.copy)
    steps: list[str] = []
    for name in ("add", "multiply", "subtract"):
        steps += [f"%x = stablehlo.{name} %x, %y"] * 10 + [
            "%x = stablehlo.custom_call @stored_test_identity(%x)"
        ]
    lines = [
        line.replace("%x", f"%{n}").replace(f"%{n} =", f"%{n + 1} =")
        + (" : (tensor<4xf32>) -> tensor<4xf32>" if "custom_call" in line else " : tensor<4xf32>")
        for n, line in enumerate(steps)
    ]
    head = "func.func @main(%0: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {"
    text = "\n".join([head, *lines, f"return %{len(lines)} : tensor<4xf32>", "}"])
    arguments = np.arange(4, dtype=np.float32), np.ones(4, np.float32)
    with monkeypatch.context() as patch:
        patch.delenv(stored.VARIABLE)
        expected = results(text, arguments, runs=1)
    builder, count = straight_line._StraightLineBuilder, itertools.count()

    def interrupted(*values: Any) -> Any:
        if next(count) == 1:
            raise KeyboardInterrupt
        return builder(*values)

    with monkeypatch.context() as patch:
        patch.setattr(run_context, "work_of_run", lambda number, _: run_context.Work(1, is_first=number == 1))
        patch.setattr(straight_line, "_StraightLineBuilder", interrupted)
        loaded = hlokit.load(text)
        for _ in range(20):
            with suppress(KeyboardInterrupt):
                loaded(*arguments)
        assert next(count) == 4, "all three pieces of code are compiled"
    assert results(text, arguments) == expected


def test_other_bits_of_nans(cache: Path) -> None:
    """For NaNs that are not canonical, a stored program compiles its strict one."""
    noncanonical = np.full(8, 0x7FC00123, np.uint32).view(np.float32)
    expected = results(arguments=(noncanonical, np.int32(30)))
    results()
    assert only_file(cache)
    assert results(arguments=(noncanonical, np.int32(30)), runs=2) == expected


@pytest.mark.parametrize("what", ["cut", "flipped", "empty", "other format", "long", "name"])
def test_damaged_files_are_replaced(what: str, cache: Path, compiled: list[str]) -> None:
    first = results()
    good, no_name = only_file(cache).read_bytes(), b"\xa9 []"
    middle = len(good) // 2
    only_file(cache).write_bytes(
        {
            "cut": good[:middle],
            "flipped": good[:middle] + bytes([good[middle] ^ 1]) + good[middle + 1 :],
            "empty": b"",
            "other format": good.replace(b"cache 1", b"cache 0", 1),
            "long": good + b"\n",
            "name": b"%s %s\n%s" % (store._FORMAT, store._checksum(no_name), no_name),
        }[what]
    )
    compiled.clear()
    assert results() == first and compiled
    assert only_file(cache).read_bytes() == good


def no_strict(*_: Any) -> Any:
    raise AssertionError("no program runs")


def replaced(data: Any) -> Iterator[Any]:
    """Copies of JSON data, each with one value replaced by others."""
    others = (None, -1, 1 << 40, 1 << 70, 7, "f32", [], {}, 0.5, True)
    if isinstance(data, list):
        for n, item in enumerate(data):
            yield from ([*data[:n], other, *data[n + 1 :]] for other in replaced(item))
            yield [*data[:n], *data[n + 1 :]]
    yield from (other for other in others if other != data)


def test_no_record_does_harm(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Records with valid checksums and wrong values: hlokit refuses them, or has a program of the right types."""
    results()
    monkeypatch.setattr(program, "_kernels", _kernels)  # which may refuse these programs
    block = hlokit.load(TEXT).runs.block("main")
    plan = block.tiers.first.rewrites[0](block.plan)
    cond, body = step_named(plan, "stablehlo.while").kernel.regions
    code = plan.stored, "code", lambda: with_stored_code(plan, no_strict).is_compiled
    special = (
        plan_of_region(cond).stored,
        "special-loop",
        lambda: stored_loops.stored_loop((cond, body), 3, True, no_strict),
    )
    for entry, kind, restore in (code, special):
        assert entry is not None
        record = entry.get(kind)
        assert record is not None and restore()
        variants = list(replaced(json.loads(record)))
        refused = 0
        for variant in variants[:: max(1, len(variants) // 200)]:
            entry.put(kind, written(variant))
            with suppress(LookupError):
                refused += not restore()
                refused -= 1
            refused += 1
        assert refused > 50


def test_calls_of_kernels_have_the_types_of_their_steps(cache: Path) -> None:
    results()
    cond, body = step_named(hlokit.load(TEXT).runs.block("main").plan, "stablehlo.while").kernel.regions
    entry = plan_of_region(cond).stored
    assert entry is not None

    def restored() -> bool:
        with suppress(LookupError):
            return stored_loops.stored_loop((cond, body), 3, True, no_strict) is not None
        return False

    record = entry.get("special-loop")
    assert record is not None and restored()
    for change in ({"operand": [4]}, {"result": [4]}, {"copies": None}):
        data = json.loads(record)
        ((operands, called, copies),) = data[0][6]
        assert operands[0][0] == called[0][0] == [8]
        operands[0][0] = change.get("operand", [8])
        called[0][0] = change.get("result", [8])
        data[0][6][0][2] = not copies if "copies" in change else copies
        entry.put("special-loop", written(data))
        assert not restored(), change


def test_the_file_depends_on_program_version_and_settings(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results()
    (first,) = cache.iterdir()
    results(TEXT.replace("dense<[1., 2.,", "dense<[1., 3.,"))
    assert len(list(cache.iterdir())) == 2
    with monkeypatch.context() as patch:
        patch.setattr(store, "_installation", lambda: ("0.0.0",))
        results()
    with monkeypatch.context() as patch:
        patch.setenv("HLOKIT_DISABLE", "in-place")
        results()
    assert len(list(cache.iterdir())) == 4 and first.exists()
    hlokit.load(TEXT)(*ARGUMENTS, precision="high")
    assert len(list(cache.iterdir())) == 5


def test_a_users_function_replaces_compiled_code(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The function for `@mhlo.erf`, registered before the program is loaded, runs instead of hlokit's own."""
    text = """
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.add %x, %x : tensor<4xf32>
      %1 = stablehlo.multiply %0, %x : tensor<4xf32>
      %2 = stablehlo.custom_call @mhlo.erf(%1) : (tensor<4xf32>) -> tensor<4xf32>
      %3 = stablehlo.add %2, %x : tensor<4xf32>
      %4 = stablehlo.subtract %3, %0 : tensor<4xf32>
      return %4 : tensor<4xf32>
    }"""
    arguments = (np.ones(4, np.float32),)
    own = results(text, arguments)
    assert only_file(cache)
    with monkeypatch.context() as patch:
        patch.setitem(custom_calls._FUNCTIONS, "mhlo.erf", np.zeros_like)
        assert results(text, arguments) == {repr(copies([np.full(4, -1.0, np.float32)])).encode()}
    assert results(text, arguments) == own


def test_a_machine_with_less_memory_has_other_files(cache: Path) -> None:
    module = hlokit.load(TEXT).module
    for limit in (None, 1 << 20):
        plan = Planner(module, Settings(limit=limit)).function("main").plan
        assert plan.stored is not None
        plan.stored.put("", b"")
        plan.stored.store.save()
    assert len(list(cache.iterdir())) == 2


def test_single_regions_have_no_records(cache: Path) -> None:
    """They have no place in the program: all would have the same records."""
    planner = Planner(hlokit.load(TEXT).module)
    plan = planner.function("main").plan
    assert plan.stored is not None
    loop = operation_of(step_named(plan, "stablehlo.while"))
    assert [planner.region(region)[0].plan.stored for region in loop.regions] == [None, None]


def test_the_folder_is_bounded(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "_LARGEST_FOLDER", 100)
    cache.mkdir()
    for number in range(5):
        records = store.Store(str(cache), str(number), ())
        records.put("a", b"1")
        records.save()
    assert store.Store(str(cache), "4", ()).get("a") == b"1"
    assert len(list(cache.iterdir())) == 1
    monkeypatch.setattr(store, "_LARGEST_FILE", 10)
    records.put("a", b"12345678901")
    records.save()
    assert store.Store(str(cache), "4", ()).get("a") == b"1"  # the other one is too long to be written


def test_threads_and_processes_change_what_is_saved(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a thread writes the file, another one adds a record, and another process empties the folder."""
    cache.mkdir()
    records = store.Store(str(cache), "", ())

    class Name(str):
        __slots__ = ()

        def encode(self, encoding: str = "utf-8", errors: str = "strict") -> bytes:
            records.put("b", b"2")
            return b"a"

    records.put(Name("a"), b"1")
    monkeypatch.setattr(store, "_files", lambda _: iter(()))
    records.save()
    assert store.Store(str(cache), "", ()).get("a") == b"1"
    records.save()
    assert store.Store(str(cache), "", ()).get("b") == b"2"


@pytest.mark.parametrize("name", ["file", "file/folder"])
def test_the_variable_names_a_folder(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv(stored.VARIABLE, str(tmp_path / name))
    with pytest.raises(hlokit.ArgumentError, match="HLOKIT_CACHE must be a folder, got"):
        results()


def test_a_folder_that_cannot_be_written_changes_nothing(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tempfile.mkstemp", full)
    assert len(results()) == 1 and not list(cache.iterdir())


def test_a_folder_that_cannot_be_written_is_read(
    cache: Path, compiled: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = results()

    def refused(*_: Any, **__: Any) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "utime", refused)
    monkeypatch.setattr("tempfile.mkstemp", refused)
    compiled.clear()
    assert results() == first and not compiled


def test_two_processes_write_at_the_same_time(cache: Path, tmp_path: Path) -> None:
    """The second process, which starts when both have written, compiles nothing."""
    script = f"""if True:
      import numpy as np, hlokit
      from hlokit.engine.native import loops
      program = hlokit.load({TEXT!r})
      for _ in range({RUNS}):
          program(np.linspace(-1, 1, 8, dtype=np.float32), np.int32(30))
    """
    command = [sys.executable, "-c", script]
    processes = [subprocess.Popen(command, env=os.environ.copy()) for _ in range(2)]
    assert [process.wait(60) for process in processes] == [0, 0]
    file = only_file(cache)
    before = file.stat().st_ino
    assert len(results()) == 1
    assert only_file(cache).stat().st_ino == before, "nothing new was written"


@pytest.mark.deep
@pytest.mark.parametrize("profile", ["scalar-loops", "loops", "straight-line"])
def test_random_programs(profile: str, cache: Path) -> None:
    for seed in range(60):
        generated = generate(seed, profile)
        first = results(generated.text, generated.arguments)
        assert results(generated.text, generated.arguments) == first, seed
