"""Constants that a stage cannot have computed."""

from __future__ import annotations

from hlokit.mlir.provider.bindings import xla_modules
from hlokit.tools.stages.values.constants import another_constant
from hlokit.tools.stages.values.hlo_protos import Module, Reader

HALF = "half = f32[] constant(0.5)\n  b = f32[2,3] broadcast(half), dimensions={}\n  "
BEFORE = f"{HALF}ROOT r = f32[2,3] multiply(x, b)"
TABLE = "t = f32[2] constant({0.5, 3})\n  n = f32[2] negate(t)\n  "
COUNT = "five = s32[] constant(5)\n  f = f32[] convert(five)\n  "
NARROW = "h = bf16[] constant(0.5)\n  w = bf16[] negate(h)\n  "

# The program before a stage and after it, and the constant that is at fault.
CASES = {
    "the same": (BEFORE, BEFORE, None),
    "another number": (BEFORE, BEFORE.replace("(0.5)", "(0.25)"), "half"),
    "of an array": (TABLE + BEFORE, TABLE.replace("3}", "4}") + BEFORE, "t"),
    "an order of elements": (TABLE + BEFORE, TABLE.replace("0.5, 3", "3, 0.5") + BEFORE, None),
    "of a narrow type": (NARROW + BEFORE, NARROW.replace("0.5", "2") + BEFORE, "h"),
    "a number of another type": (NARROW + BEFORE, NARROW + BEFORE.replace("(0.5)", "(2)"), "half"),
    "zero for padding": (
        BEFORE,
        f"{HALF}zero = f32[] constant(0)\n  p = f32[3,3] pad(x, zero), padding=0_1x0_0\n  "
        "s = f32[2,3] slice(p), slice={[0:2], [0:3]}\n  ROOT r = f32[2,3] multiply(s, b)",
        None,
    ),
    "fewer operations on integers": (
        f"i = s32[] constant(7)\n  j = s32[] add(i, i)\n  {BEFORE}",
        BEFORE.replace("(0.5)", "(0.25)"),
        "half",
    ),
    "a folded operation": (
        BEFORE.replace("multiply(x, b)", "multiply(x, c)").replace(
            "ROOT", "c = f32[2,3] multiply(b, b)\n  ROOT"
        ),
        BEFORE.replace("(0.5)", "(0.25)"),
        None,
    ),
    "a folded conversion": (COUNT + BEFORE, BEFORE.replace("(0.5)", "(5)"), None),
    "a division": (BEFORE.replace("multiply", "divide"), BEFORE.replace("(0.5)", "(2)"), None),
}


def module(body: str) -> Module:
    text = f"HloModule m\n\nENTRY main {{\n  x = f32[2,3] parameter(0)\n  {body}\n}}"
    data = xla_modules()[2].hlo_module_from_text(text).as_serialized_hlo_module_proto()
    read = Reader().module(data)
    assert read is not None
    return read


def test_a_constant_is_another_one_unless_a_float_was_computed() -> None:
    for name, (before, after, constant) in CASES.items():
        assert another_constant(module(before), module(after)) == constant, name
