"""Contexts: hlokit reuses contexts of deleted programs, and shares nothing else."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator

import pytest

import hlokit
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.provider.context import CONTEXTS, ContextPool

TEXT = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {{ return %x : tensor<2xf32> }} // {0}"
BRANCHES = """
func.func @main(%p: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.if"(%p) ({
    %1 = func.call @double(%x) : (tensor<f32>) -> tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }, {
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func @double(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %x, %x : tensor<f32>
  return %0 : tensor<f32>
}
"""


@pytest.fixture(autouse=True)
def no_recycled_contexts() -> Iterator[None]:
    CONTEXTS.clear()
    is_collecting = gc.isenabled()
    gc.disable()
    yield
    if is_collecting:
        gc.enable()


def context_of(program: hlokit.Program) -> ir.Context:
    return program._module.context


def identity(program: hlokit.Program) -> int:
    """The identity of a program's context, without a reference. Contexts that are kept for reuse keep their
    identity."""
    return id(context_of(program))


def test_programs_that_live_do_not_share() -> None:
    programs = [hlokit.load(TEXT.format(i)) for i in range(10)]
    assert len({identity(program) for program in programs}) == 10


def test_the_context_of_a_program_that_is_gone_is_used_again() -> None:
    made = {identity(hlokit.load(TEXT.format(i))) for i in range(10)}
    assert len(made) == 1


@pytest.mark.parametrize("runs", [0, 1, 2, 30])
def test_a_program_that_ran_goes_without_garbage_collection(runs: int) -> None:
    def use() -> int:
        program = hlokit.load(BRANCHES)
        for _ in range(runs):
            assert program(True, 2.0) == 4.0
            assert program(False, 2.0) == 2.0
            assert program(True, 2.0, precision="high") == 4.0
        return identity(program)

    assert use() == use()


def test_a_program_that_cannot_be_read_leaves_nothing() -> None:
    first = identity(hlokit.load(TEXT.format("")))
    for text in ("func.func @main(", TEXT.format("").replace("2xf32> {", "3xf32> {")):
        try:  # `pytest.raises` would keep the frames, and their contexts
            hlokit.load(text)
        except hlokit.HlokitError:
            continue
        pytest.fail(f"{text} is no program")
    assert identity(hlokit.load(TEXT.format(""))) == first


@pytest.mark.parametrize("kept", ["module", "operation", "type", "attribute"])
def test_remaining_parts_of_a_program_keep_its_context(kept: str) -> None:
    program = hlokit.load(TEXT.format(""))
    module = program._module
    function = module.body.operations[0].operation
    held = {
        "module": module,
        "operation": function,
        "type": function.regions[0].blocks[0].arguments[0].type,
        "attribute": function.attributes["function_type"],
    }[kept]
    first = identity(program)
    del program, module, function
    assert identity(hlokit.load(TEXT.format(""))) != first
    del held
    assert identity(hlokit.load(TEXT.format(""))) == first


def test_the_module_of_a_program_has_a_separate_context() -> None:
    program = hlokit.load(TEXT.format(""))
    module = program.module
    first, context = identity(program), module.context
    del program, module
    assert context is not None
    assert identity(hlokit.load(TEXT.format(""))) != first


def test_resources_of_one_program_do_not_rename_those_of_another() -> None:
    text = """
    func.func @main() -> tensor<2xi8> {
      %0 = stablehlo.constant dense_resource<numbers> : tensor<2xi8>
      return %0 : tensor<2xi8>
    }
    {-# dialect_resources: { builtin: { numbers: "0x010000000102" } } #-}
    """
    for _ in range(2):
        program = hlokit.load(text)
        assert program().tolist() == [1, 2]
        assert "dense_resource<numbers>" in program.text()


def test_contexts_are_released() -> None:
    size = len(TEXT)
    pool = ContextPool(most_contexts=4, most_bytes=4 * size)

    def read(size: int = size) -> ir.Module:
        return ir.Module.parse(TEXT.format(0), pool.take(size, has_resources=False))

    made = [read() for _ in range(3)]
    assert len(pool) == 3
    del made
    for _ in range(20):
        read()
    assert len(pool) <= 1
    made = [read() for _ in range(20)]
    assert len(pool) == 4
    del made
    large = read(4 * size + 1)
    assert large.context not in pool


def test_the_limits_of_programs() -> None:
    assert (CONTEXTS.most_contexts, CONTEXTS.most_bytes) == (4, 1 << 20)
    made = [hlokit.load(TEXT.format(i)) for i in range(20)]
    assert len(CONTEXTS) == 4
    assert context_of(made[-1]) in CONTEXTS
    large = hlokit.load(TEXT.format(" " * CONTEXTS.most_bytes))
    assert context_of(large) not in CONTEXTS


def test_threads_have_separate_contexts() -> None:
    failures: list[object] = []

    def load_and_run(number: int) -> None:
        for i in range(20):
            program = hlokit.load(BRANCHES.replace("f32", "f64" if number % 2 else "f32"))
            if program(bool(i % 2), float(number)) != number * (1 + i % 2):
                failures.append((number, i))
            with pytest.raises(hlokit.VerificationError) as caught:
                hlokit.load(TEXT.format("").replace("-> tensor<2xf32>", f"-> tensor<{number + 3}xf32>"))
            if f"tensor<{number + 3}xf32>" not in str(caught.value):
                failures.append(str(caught.value))

    threads = [threading.Thread(target=load_and_run, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
