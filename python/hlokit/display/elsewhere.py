"""What users of other libraries write, and what to write here: for messages about missing attributes."""

from __future__ import annotations

from collections.abc import Iterable

from hlokit.display.suggestions import did_you_mean

_CALL = "call the program: program(x, ...)"
_INPUTS = "program.signature() has the types, program.parameter_names() the names"
# Of the package.
PACKAGE = {
    **dict.fromkeys(
        ("run", "eval", "evaluate", "execute", "interpret"), "program = hlokit.load(file); program(x, ...)"
    ),
    **dict.fromkeys(
        ("view", "trace", "serialize", "example_inputs"), "it is a method: hlokit.load(file).{}(...)"
    ),
    **dict.fromkeys(
        ("InferenceSession", "parse", "compile", "open", "read"), "hlokit.load(file) is a program to call"
    ),
    **dict.fromkeys(("check", "validate", "lint"), "hlokit.verify(file) lists errors"),
    **dict.fromkeys(("passes", "certify", "bisect"), "hlokit.stages(program, x, ..., by='xla')"),
    **dict.fromkeys(("compare", "assert_allclose"), "hlokit.diff(program, x, ..., against='xla')"),
    **dict.fromkeys(
        ("from_onnx", "from_tf", "from_keras"), "hlokit.load(file), after a conversion to StableHLO"
    ),
    "replay": "hlokit.Recording(folder).replay()",
    "minimize": "hlokit.reduce(program, x, ..., keep=...)",
    "version": "hlokit.__version__",
}
# Of programs.
PROGRAM = {
    **dict.fromkeys(("run", "eval", "evaluate", "execute", "call", "forward", "predict", "apply"), _CALL),
    **dict.fromkeys(("inputs", "outputs", "get_inputs", "get_outputs", "input_types", "arguments"), _INPUTS),
    **dict.fromkeys(("inputs_info", "parameters", "params"), _INPUTS),
    **dict.fromkeys(
        ("operations", "ops", "profile", "hottest"), "program.trace(x, ...) has the operations of a run"
    ),
    **dict.fromkeys(
        ("diff", "reduce", "record", "make_test", "equal", "shard", "stages"), "hlokit.{}(program, ...)"
    ),
    **dict.fromkeys(
        ("save", "write", "dump", "to_file", "to_bytes"), "program.serialize() are the bytes of a file"
    ),
    **dict.fromkeys(("as_text", "to_text", "mlir", "mlir_module", "print", "asm"), "program.text()"),
    **dict.fromkeys(("visualize", "show", "plot", "graph"), "program.view(x, ..., to='page.html')"),
}


def hint(name: str, habits: dict[str, str], names: Iterable[str]) -> str:
    """The part of a message that says what to write instead of a name: by habits, or a name that is near."""
    if name.startswith("_"):  # Python asks for such names
        return ""
    return f"; here: {habits[name].format(name)}" if name in habits else did_you_mean(name, names)
